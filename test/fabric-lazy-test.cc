// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/object-factory.h"

#include <random>
#include <tuple>

namespace ns3::aifabric::test
{
namespace
{

/// All that a run is compared by.
struct Outcome
{
    std::vector<std::tuple<Tick, uint64_t, uint64_t, uint64_t>> flows; ///< FCT, marks, CNPs, resent
    std::vector<std::tuple<Tick, GraphNodeIdx, PortIdx, uint8_t, bool, uint64_t>> pauses;
    std::vector<std::tuple<uint64_t, uint64_t, Tick, uint32_t>> ports;
    uint64_t dropped{0};
};

/// What is run: topology, congestion control, which losslessness.
struct Case
{
    std::string topology;
    std::string control;
    bool lossless;
    Tick latency;
};

std::ostream&
operator<<(std::ostream& out, const Case& c)
{
    return out << c.topology << ' ' << c.control << (c.lossless ? " lossless " : " lossy ")
               << c.latency;
}

/**
 * Incasts onto two hosts over random flows of two priorities, which start at multiples of 1 us so
 * that much happens at one instant, through switches with little buffer.
 */
Outcome
Simulate(const Case& c, bool watch, const std::string& scheduler = "")
{
    UsePicoseconds();
    if (!scheduler.empty())
    {
        Simulator::SetScheduler(ObjectFactory(scheduler));
    }
    Outcome outcome;
    FabricBed bed(c.topology);
    uint32_t hosts = 16;
    if (c.topology == "leaf_spine")
    {
        bed.Set("LeafCount", 4);
        bed.Set("SpineCount", 2);
        bed.Set("HostsPerLeaf", 4);
    }
    bed.SetLinks({100e9, 200 * kNanosecond, 0, 0});
    bed.SetSwitches({0, 1000000, c.latency});
    bed.settings.mtuPayloadBytes = 1024;
    bed.settings.ecn =
        Make<EcnSettings>({{"KminBytes", "5000"}, {"KmaxBytes", "100000"}, {"Pmax", "0.2"}});
    bed.settings.pfc = Make<PfcSettings>({{"LosslessPriorities", c.lossless ? "[3, 4]" : "[]"},
                                          {"DynamicThresholdAlpha", "0.015625"}});
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
    bed.control = MakePlugin<CongestionControl>(c.control);
    bed.Build();
    if (watch)
    {
        bed.WatchAlways();
    }
    std::mt19937 random(5);
    for (NodeIdx host = 0; host < hosts; ++host)
    {
        if (host != 2 && host != 9)
        {
            bed.AddFlow(host, 2, 500000, 20 * kMicrosecond);
            bed.AddFlow(host, 9, 300000, 40 * kMicrosecond, 4);
        }
        for (int i = 0; i < 6; ++i)
        {
            const NodeIdx to = (host + 1 + random() % (hosts - 1)) % hosts;
            const uint64_t bytes = 1 + random() % 80000;
            const Tick start = kMicrosecond * Tick(random() % 100);
            bed.AddFlow(host, to, bytes, start, random() % 2 ? 3 : 4);
        }
    }
    for (const FlowResult& flow : bed.Run())
    {
        outcome.flows.emplace_back(flow.fct, flow.markedFrames, flow.cnps, flow.retransmittedBytes);
    }
    for (const PauseSeen& pause : bed.pauses)
    {
        outcome.pauses.emplace_back(
            pause.at, pause.node, pause.in, pause.priority, pause.stops, pause.held);
    }
    // Two switches may do something at one instant in either order.
    std::sort(outcome.pauses.begin(), outcome.pauses.end());
    bed.ForEachSwitch([&](GraphNodeIdx, FabricSwitch& at) {
        for (PortIdx port = 0; port < at.GetPortCount(); ++port)
        {
            const PortCounters& counters = at.GetPort(port).GetCounters();
            outcome.ports.emplace_back(
                counters.frames, counters.marked, counters.pausedTime, counters.maxQueueBytes);
        }
    });
    outcome.dropped = bed.CountDropped(DropReason::BufferFull);
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
    return outcome;
}

void
ExpectSame(const Outcome& a, const Outcome& b)
{
    EXPECT_EQ(a.flows, b.flows);
    EXPECT_EQ(a.pauses, b.pauses);
    EXPECT_EQ(a.ports, b.ports);
    EXPECT_EQ(a.dropped, b.dropped);
}

class FabricLazy : public ::testing::TestWithParam<Case>
{
};

// Departures that are accounted when somebody looks must not be told from departures that are seen
// on the instant.
TEST_P(FabricLazy, IsAsGoodAsOnTheInstant)
{
    const Outcome lazy = Simulate(GetParam(), false);
    const Outcome exact = Simulate(GetParam(), true);
    ExpectSame(lazy, exact);
    uint64_t marks = 0;
    for (const auto& [frames, marked, paused, queue] : lazy.ports)
    {
        marks += marked;
    }
    EXPECT_GT(marks, 300U);
    if (GetParam().lossless)
    {
        EXPECT_GT(lazy.pauses.size(), 1000U);
        EXPECT_EQ(lazy.dropped, 0U);
    }
    else
    {
        EXPECT_GT(lazy.dropped, 100U);
    }
}

TEST_P(FabricLazy, DoesNotDependOnTheScheduler)
{
    const Outcome map = Simulate(GetParam(), false, "ns3::MapScheduler");
    ExpectSame(map, Simulate(GetParam(), false, "ns3::PriorityQueueScheduler"));
    ExpectSame(map, Simulate(GetParam(), false, "ns3::aifabric::RadixScheduler"));
}

INSTANTIATE_TEST_SUITE_P(Incast,
                         FabricLazy,
                         ::testing::Values(Case{"leaf_spine", "none", true, 0},
                                           Case{"leaf_spine", "dcqcn", true, 300000},
                                           Case{"fat_tree", "none", true, 500000},
                                           Case{"fat_tree", "dcqcn", true, 0},
                                           Case{"leaf_spine", "none", false, 0},
                                           Case{"fat_tree", "none", false, 500000}));

} // namespace
} // namespace ns3::aifabric::test
