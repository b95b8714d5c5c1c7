// SPDX-License-Identifier: GPL-2.0-only
#include "collective-benchmark.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveBenchmark);

TypeId
CollectiveBenchmark::GetTypeId()
{
    using S = CollectiveBenchmark;
    static TypeId tid = TypeId("ns3::aifabric::CollectiveBenchmark")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("Type",
                                          "all_reduce, reduce_scatter, all_gather, all_to_all, "
                                          "broadcast or reduce; the root of the last two is the "
                                          "first GPU of the group.",
                                          StringValue("all_reduce"),
                                          MakeStringAccessor(&S::type),
                                          MakeStringChecker())
                            .AddAttribute("Algorithm",
                                          "Id of the algorithm, or an object with algorithm, "
                                          "channel_count; empty: as in collectives.",
                                          StringValue(""),
                                          MakeStringAccessor(&S::algorithm),
                                          MakeTextChecker("string|object"))
                            .AddAttribute("SizeBytes",
                                          "Of the whole buffer: \"size\" of nccl-tests.",
                                          UintegerValue(1 << 30),
                                          MakeUintegerAccessor(&S::sizeBytes),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("ElementBytes",
                                          "Of an element of the buffer: no boundary cuts one.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::elementBytes),
                                          MakeUintegerChecker<uint32_t>(1, 16))
                            .AddAttribute("Group",
                                          "GPUs that take part, counted over all servers: \"all\", "
                                          "\"4-7\", [0, 8].",
                                          StringValue("all"),
                                          MakeStringAccessor(&S::group),
                                          MakeTextChecker("string|array"))
                            .AddAttribute("Iterations",
                                          "How often the collective is done.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::iterations),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("StartTime",
                                          "When it is done first.",
                                          TimeValue(Seconds(0)),
                                          MakeTimeAccessor(&S::startTime),
                                          MakeTimeChecker(Seconds(0)));
    return tid;
}

Plan
CollectiveBenchmark::MakePlan(const CollectiveSettings& collectives,
                              const std::vector<uint32_t>& gpus,
                              uint32_t gpusPerServer) const
{
    std::vector<std::string> names;
    for (auto o : {CollectiveOperation::AllReduce,
                   CollectiveOperation::ReduceScatter,
                   CollectiveOperation::AllGather,
                   CollectiveOperation::AllToAll,
                   CollectiveOperation::Broadcast,
                   CollectiveOperation::Reduce})
    {
        names.emplace_back(ToString(o));
    }
    auto found = std::find(names.begin(), names.end(), type);
    if (found == names.end())
    {
        throw ScenarioError("type", "found '" + type + "'" + SuggestFrom(type, names));
    }
    const auto operation = static_cast<CollectiveOperation>(found - names.begin());
    CollectiveChoice choice;
    try
    {
        choice = algorithm.empty() ? collectives.Choose(operation)
                                   : CollectiveSettings::Choose(operation, algorithm);
    }
    catch (const ScenarioError& e)
    {
        // A bare id has no key of its own.
        throw algorithm.empty() || algorithm.find('{') == std::string::npos ? e
                                                                            : e.Under("algorithm");
    }
    std::vector<uint32_t> servers;
    for (uint32_t gpu : gpus)
    {
        servers.push_back(gpu / gpusPerServer);
    }
    CollectiveCall call = collectives.Call(operation, choice);
    call.bytes = sizeBytes;
    call.elementBytes = elementBytes;
    call.tag = "collective";
    call.ranks.resize(servers.size());
    std::iota(call.ranks.begin(), call.ranks.end(), 0);
    Plan plan(std::move(servers));
    PlanFrontier frontier = plan.Begin();
    choice.algorithm->Append(call, plan, frontier);
    plan.Seal();
    return plan;
}

} // namespace ns3::aifabric
