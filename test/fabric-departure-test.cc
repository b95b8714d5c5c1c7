// SPDX-License-Identifier: GPL-2.0-only
#include "pressed-fabric.h"

namespace ns3::aifabric::test
{
namespace
{

class LazyDepartures : public ::testing::TestWithParam<Press>
{
  protected:
    /// Whether departures are committed when somebody looks or each on its instant must not show.
    static void Compare(Press press, uint32_t jitter)
    {
        press.jitter = jitter;
        const Shown lazy = Simulate(press, Departures::Lazy);
        const Shown eager = Simulate(press, Departures::Watched);
        EXPECT_GT(eager.events, lazy.events);
        ExpectSame(lazy, eager);
        EXPECT_GT(lazy.marked, 100U) << "nothing happened";
        EXPECT_GT(press.lossless ? lazy.pauses.size() : lazy.dropped, press.lossless ? 400U : 100U)
            << "nothing happened";
    }
};

TEST_P(LazyDepartures, DoNotShow)
{
    Compare(GetParam(), 100003);
}

TEST_P(LazyDepartures, DoNotShowInTies)
{
    Compare(GetParam(), 0);
}

TEST_P(LazyDepartures, DoNotDependOnTheScheduler)
{
    Press press = GetParam();
    press.incasts = 2;
    const Shown ours = Simulate(press, Departures::Lazy);
    for (const char* scheduler : {"ns3::MapScheduler", "ns3::PriorityQueueScheduler"})
    {
        press.scheduler = scheduler;
        ExpectSame(ours, Simulate(press, Departures::Lazy));
    }
}

Press
WithAbm(Press press)
{
    press.policy = "abm";
    return press;
}

INSTANTIATE_TEST_SUITE_P(
    Pressed,
    LazyDepartures,
    ::testing::Values(
        Press{"LeafSpine", "leaf_spine", 600000},
        Press{"LeafSpineWithLatency",
              "leaf_spine",
              600000,
              "dcqcn",
              true,
              false,
              500 * kNanosecond},
        Press{"LeafSpineSharing", "leaf_spine", 600000, "none", true, true, 500 * kNanosecond},
        Press{"LeafSpineDropping", "leaf_spine", 200000, "none", false},
        WithAbm({"LeafSpineAbm", "leaf_spine", 600000, "none", true, true}),
        WithAbm({"FatTreeDroppingAbm", "fat_tree", 150000, "dcqcn", false, true}),
        Press{"FatTree", "fat_tree", 400000},
        Press{"FatTreeWithLatency", "fat_tree", 400000, "none", true, false, 500 * kNanosecond},
        Press{"FatTreeSharing", "fat_tree", 400000, "dcqcn", true, true},
        Press{"FatTreeDropping", "fat_tree", 150000, "dcqcn", false, true, 500 * kNanosecond}),
    [](const auto& info) { return info.param.name; });

// Parallel links are next hops like others: the flows spread, nothing is lost.
TEST(FabricLinks, ParallelLinksAreAllUsed)
{
    FabricBed bed("leaf_spine");
    bed.Set("LeafCount", 2);
    bed.Set("SpineCount", 1);
    bed.Set("HostsPerLeaf", 8);
    bed.Set("ParallelLinks", 4);
    Fabric& fabric = bed.Build();
    for (NodeIdx host = 0; host < 8; ++host)
    {
        for (NodeIdx to = 8; to < 16; ++to)
        {
            bed.AddFlow(host, to, 20000, (host * 8 + to) * 20 * kMicrosecond);
        }
    }
    bed.Run();
    for (const FlowResult& flow : bed.results)
    {
        EXPECT_EQ(flow.fct, flow.idealFct);
    }
    uint32_t links = 0;
    uint64_t most = 0;
    for (const GraphLink& link : fabric.GetGraph().Links())
    {
        if (!fabric.GetSwitch(link.from) || !fabric.GetSwitch(link.to))
        {
            continue;
        }
        // Data goes up from leaf0 and down to leaf1.
        const uint64_t up = fabric.GetPort(link.from, link.fromPort).GetCounters().dataFrames;
        const uint64_t down = fabric.GetPort(link.to, link.toPort).GetCounters().dataFrames;
        links += up + down > 0 ? 1 : 0;
        most = std::max(most, up + down);
    }
    EXPECT_EQ(links, 8U);
    // 64 flows of 5 frames over 4 links: 16 each, and a hash that is fair stays below 32.
    EXPECT_LT(most, 160U);
}

} // namespace
} // namespace ns3::aifabric::test
