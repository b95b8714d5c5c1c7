// SPDX-License-Identifier: GPL-2.0-only
#include "simulation-settings.h"

#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/scheduler.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SimulationSettings);

namespace
{

/// "ns3::PriorityQueueScheduler" is "priority_queue".
std::string
SchedulerId(TypeId type)
{
    std::string id = PluginId(type);
    std::size_t suffix = id.rfind("_scheduler");
    return id.substr(0, suffix);
}

} // namespace

TypeId
SimulationSettings::GetTypeId()
{
    using S = SimulationSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::SimulationSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("StopTime",
                          "Simulated time at which the run is cut off; 0 is never",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&S::stopTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Scheduler",
                          "Event queue: map, priority_queue and so on; the results are the same. "
                          "The fastest where empty",
                          StringValue(""),
                          MakeStringAccessor(&S::m_scheduler),
                          MakeStringChecker());
    return tid;
}

std::vector<std::string>
SimulationSettings::SchedulerIds()
{
    std::vector<std::string> ids;
    for (TypeId type : Plugins(Scheduler::GetTypeId()))
    {
        ids.push_back(SchedulerId(type));
    }
    return ids;
}

TypeId
SimulationSettings::GetScheduler() const
{
    TypeId fallback;
    for (TypeId type : Plugins(Scheduler::GetTypeId()))
    {
        std::string id = SchedulerId(type);
        if (id == m_scheduler || (m_scheduler.empty() && id == "radix"))
        {
            return type;
        }
        fallback = id == "map" ? type : fallback;
    }
    if (!m_scheduler.empty())
    {
        throw ScenarioError("scheduler",
                            "unknown scheduler '" + m_scheduler + "'" +
                                SuggestFrom(m_scheduler, SchedulerIds()));
    }
    return fallback;
}

} // namespace ns3::aifabric
