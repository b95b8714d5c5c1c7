// SPDX-License-Identifier: GPL-2.0-only
// Cost and exactness of whole fabrics, by figures that are the same on every machine: events per
// frame-hop, and the completion times of all flows under each event list and simulator.
#include "engine.h"

#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"

#include <gtest/gtest.h>

#include "../bench/workload.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

struct Outcome
{
    double eventsPerHop{0};
    uint64_t dataHops{0};
    std::vector<Tick> fcts;
};

/// Runs a workload, and checks that it came out even: nothing lost, paused or left over.
Outcome
RunWorkload(int number, uint64_t bytes, const std::string& simulator, const std::string& scheduler)
{
    Engine engine(simulator, scheduler);
    Workload workload(number, bytes);
    Simulator::Run();
    Outcome outcome;
    Fabric& fabric = workload.GetFabric();
    uint64_t hops = 0;
    for (const GraphLink& link : fabric.GetGraph().Links())
    {
        for (auto [node, port] :
             {std::pair(link.from, link.fromPort), std::pair(link.to, link.toPort)})
        {
            const PortCounters& counters = fabric.GetPort(node, port).GetCounters();
            hops += counters.frames;
            outcome.dataHops += counters.dataFrames;
            EXPECT_EQ(counters.dropped + counters.lost, 0U);
            EXPECT_EQ(counters.pauses, 0U);
        }
    }
    outcome.eventsPerHop = static_cast<double>(Simulator::GetEventCount()) / hops;
    EXPECT_TRUE(fabric.FindLeftovers().empty());
    EXPECT_EQ(FramePool::Out(), 0U);
    for (const FlowResult& flow : workload.GetRunner().TakeResults())
    {
        EXPECT_EQ(flow.status, "done");
        EXPECT_EQ(flow.deliveredBytes, bytes);
        outcome.fcts.push_back(flow.fct);
    }
    return outcome;
}

TEST(WorkloadEvents, OneFlowTakesOneEventPerHop)
{
    const Outcome outcome = RunWorkload(1, 5000000, kSequentialEngine, kRadixScheduler);
    EXPECT_EQ(outcome.dataHops, 5000U * 2);
    EXPECT_LE(outcome.eventsPerHop, 1.05);
}

TEST(WorkloadEvents, IncastTakesOneEventPerHopAndAWakeUpPerPacedFrame)
{
    const Outcome outcome = RunWorkload(2, 2000000, kSequentialEngine, kRadixScheduler);
    EXPECT_EQ(outcome.dataHops, 16U * 2000 * 2);
    EXPECT_LE(outcome.eventsPerHop, 1.27);
}

TEST(WorkloadEvents, FatTreeTakesOneEventPerHop)
{
    const Outcome outcome = RunWorkload(3, 200000, kSequentialEngine, kRadixScheduler);
    EXPECT_EQ(outcome.fcts.size(), 128U);
    EXPECT_LE(outcome.eventsPerHop, 1.10);
}

TEST(WorkloadEvents, EveryEngineGivesTheSameTimes)
{
    for (const auto& [number, bytes] : {std::pair(2, 200000), std::pair(3, 100000)})
    {
        const Outcome outcome = RunWorkload(number, bytes, kSequentialEngine, kRadixScheduler);
        for (const auto& simulator : {kSequentialEngine, kDefaultEngine})
        {
            for (const std::string& scheduler :
                 {kMapScheduler, std::string("ns3::PriorityQueueScheduler"), kRadixScheduler})
            {
                const Outcome other = RunWorkload(number, bytes, simulator, scheduler);
                EXPECT_EQ(other.fcts, outcome.fcts) << simulator << ", " << scheduler;
                EXPECT_EQ(other.eventsPerHop, outcome.eventsPerHop);
            }
        }
    }
}

} // namespace
