// SPDX-License-Identifier: GPL-2.0-only
#include "collective-benchmark.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
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
                            .AddAttribute("Name",
                                          "Name of the job in results.",
                                          StringValue("collective"),
                                          MakeStringAccessor(&S::name),
                                          MakeStringChecker())
                            .AddAttribute("StartTime",
                                          "When its first iteration begins.",
                                          TimeValue(Seconds(0)),
                                          MakeTimeAccessor(&S::startTime),
                                          MakeTimeChecker(Seconds(0)))
                            .AddAttribute("Iterations",
                                          "How often the collective is done.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::iterations),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Operation",
                                          "all_reduce, reduce_scatter, all_gather or all_to_all.",
                                          StringValue("all_reduce"),
                                          MakeStringAccessor(&S::operation),
                                          MakeStringChecker())
                            .AddAttribute("SizeBytes",
                                          "Of the whole buffer: \"size\" of nccl-tests.",
                                          UintegerValue(1 << 30),
                                          MakeUintegerAccessor(&S::sizeBytes),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("ElementBytes",
                                          "Of an element of the buffer.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::elementBytes),
                                          MakeUintegerChecker<uint32_t>(1, 16))
                            .AddAttribute("GpuCount",
                                          "GPUs that take part; 0: all from the first server on.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&S::gpuCount),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("FirstServer",
                                          "Number of the server that has rank 0.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&S::firstServer),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Plan
CollectiveBenchmark::MakePlan(const CollectiveSettings& collectives,
                              uint32_t serverCount,
                              uint32_t gpusPerServer) const
{
    std::vector<std::string> names;
    for (auto o : {CollectiveOperation::AllReduce,
                   CollectiveOperation::ReduceScatter,
                   CollectiveOperation::AllGather,
                   CollectiveOperation::AllToAll})
    {
        names.emplace_back(ToString(o));
    }
    auto found = std::find(names.begin(), names.end(), operation);
    if (found == names.end())
    {
        throw ScenarioError("operation",
                            "found '" + operation + "'" + SuggestFrom(operation, names));
    }
    auto op = static_cast<CollectiveOperation>(found - names.begin());
    uint64_t there =
        firstServer < serverCount ? uint64_t{serverCount - firstServer} * gpusPerServer : 0;
    if (there == 0 || gpuCount > there)
    {
        throw ScenarioError(gpuCount > there ? "gpu_count" : "first_server",
                            "found " + std::to_string(gpuCount > there ? gpuCount : firstServer) +
                                ", there are " + std::to_string(there) + " GPUs from server " +
                                std::to_string(firstServer) + " on");
    }
    std::vector<uint32_t> servers(gpuCount ? gpuCount : there);
    for (uint32_t r = 0; r < servers.size(); ++r)
    {
        servers[r] = firstServer + r / gpusPerServer;
    }
    CollectiveChoice choice = collectives.Choose(op);
    CollectiveCall call = collectives.Call(op, choice);
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
