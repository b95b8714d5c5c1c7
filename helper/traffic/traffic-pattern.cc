// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-pattern.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPattern);

TypeId
TrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::TrafficPattern")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddAttribute("Name",
                                          "What to call the entry in messages and results.",
                                          StringValue(""),
                                          MakeStringAccessor(&TrafficPattern::m_name),
                                          MakeStringChecker())
                            .AddAttribute("Tag",
                                          "Groups flows in results; the name where empty.",
                                          StringValue(""),
                                          MakeStringAccessor(&TrafficPattern::m_tag),
                                          MakeStringChecker())
                            .AddAttribute("Priority",
                                          "802.1Q priority of the flows; in a scenario by default "
                                          "transport.data_priority.",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&TrafficPattern::m_priority),
                                          MakeUintegerChecker<uint8_t>(0, 7))
                            .AddAttribute("StartTime",
                                          "When the pattern begins.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&TrafficPattern::m_startTime),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

std::vector<FlowSpec>
TrafficPattern::Generate(const TrafficContext& context) const
{
    UsePicoseconds();
    std::vector<FlowSpec> flows;
    DoGenerate(context, flows);
    const Tick start = ToTick(m_startTime);
    for (auto& flow : flows)
    {
        if (flow.start > kNever - 1 - start)
        {
            throw ScenarioError("start_time", "flows start beyond the end of simulated time");
        }
        flow.start += start;
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

FlowSpec
TrafficPattern::MakeFlow(const TrafficContext& context) const
{
    FlowSpec flow;
    flow.entry = context.entry;
    flow.priority = m_priority;
    flow.tag = m_tag.empty() ? m_name : m_tag;
    return flow;
}

void
TrafficPattern::CheckCount(double flows)
{
    if (!(flows <= static_cast<double>(kMaxFlows)))
    {
        throw ScenarioError(
            "", "makes more than " + std::to_string(kMaxFlows) + " flows, expected fewer");
    }
}

} // namespace ns3::aifabric
