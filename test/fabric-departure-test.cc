// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include <random>

namespace ns3::aifabric::test
{
namespace
{

/// All that a run shows.
struct Shown
{
    struct Flow
    {
        Tick fct;
        uint64_t marked;
        uint64_t retransmitted;

        bool operator==(const Flow& o) const
        {
            return fct == o.fct && marked == o.marked && retransmitted == o.retransmitted;
        }
    };

    struct Port
    {
        uint64_t frames;
        uint64_t marked;
        uint64_t dropped;
        uint64_t pauses;
        Tick paused;
        uint32_t longest;

        bool operator==(const Port& o) const
        {
            return frames == o.frames && marked == o.marked && dropped == o.dropped &&
                   pauses == o.pauses && paused == o.paused && longest == o.longest;
        }
    };

    std::vector<Flow> flows;
    std::vector<Port> ports;
    std::vector<PauseSeen> pauses;
    uint64_t events;
};

/// A fabric and how hard it is pressed.
struct Case
{
    const char* name;
    const char* topology;
    uint64_t buffer;
    const char* control;
    bool lossless;
    bool sharing;
    Tick latency;
};

std::ostream&
operator<<(std::ostream& out, const Case& c)
{
    return out << c.name;
}

/// Incasts on four hosts and random flows between all, on three priorities.
Shown
Press(const Case& c, uint32_t jitter, bool watched)
{
    FabricBed bed(c.topology);
    if (c.topology == std::string("leaf_spine"))
    {
        bed.Set("SpineCount", 2);
        bed.topology->SetLink("leaf_to_spine", {200e9, 300 * kNanosecond, 0, 0});
    }
    bed.SetSwitches({0, c.buffer, c.latency});
    bed.settings.mtuPayloadBytes = 1000;
    bed.settings.ecn =
        Make<EcnSettings>({{"KminBytes", "5000"}, {"KmaxBytes", "200000"}, {"Pmax", "0.2"}});
    bed.settings.pfc = c.lossless ? Make<PfcSettings>({{"LosslessPriorities", "[2, 3]"}}) : nullptr;
    if (c.sharing)
    {
        bed.settings.dwrrWeights = {0, 1500, 1500, 3000, 0, 0, 0, 0};
    }
    bed.control = MakePlugin<CongestionControl>(c.control);
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(400)));
    Fabric& fabric = bed.Build();
    std::mt19937 random(7);
    // Links of one length, on which much arrives at one instant, or of many, on which nothing does.
    for (const GraphLink& link : fabric.GetGraph().Links())
    {
        for (auto [node, port] : {std::pair{link.from, link.fromPort}, {link.to, link.toPort}})
        {
            PortSettings changed = fabric.GetPort(node, port).GetSettings();
            changed.delay += jitter ? random() % jitter : 0;
            bed.Rewire(node, port, changed);
        }
    }
    if (watched)
    {
        bed.WatchAlways();
    }
    for (NodeIdx to : {0, 5, 6, 15})
    {
        for (NodeIdx from = 0; from < 16; ++from)
        {
            if (from != to)
            {
                bed.AddFlow(from, to, 60000, random() % 3 * 10 * kMicrosecond);
            }
        }
    }
    for (int i = 0; i < 150; ++i)
    {
        const NodeIdx from = random() % 16;
        const NodeIdx to = (from + 1 + random() % 15) % 16;
        bed.AddFlow(from,
                    to,
                    random() % 40000,
                    random() % 100 * kMicrosecond,
                    static_cast<uint8_t>(1 + random() % 3));
    }
    const uint64_t before = Simulator::GetEventCount();
    bed.Run();
    Shown shown;
    shown.events = Simulator::GetEventCount() - before;
    for (const FlowResult& flow : bed.results)
    {
        shown.flows.push_back({flow.fct, flow.markedFrames, flow.retransmittedBytes});
    }
    bed.ForEachSwitch([&](GraphNodeIdx, FabricSwitch& at) {
        for (PortIdx i = 0; i < at.GetPortCount(); ++i)
        {
            const PortCounters& p = at.GetPort(i).GetCounters();
            shown.ports.push_back(
                {p.frames, p.marked, p.dropped, p.pauses, p.pausedTime, p.maxQueueBytes});
        }
    });
    shown.pauses = bed.pauses;
    return shown;
}

class LazyDepartures : public ::testing::TestWithParam<Case>
{
};

void
ExpectNoDifference(const Case& c, uint32_t jitter)
{
    const Shown lazy = Press(c, jitter, false);
    const Shown eager = Press(c, jitter, true);
    EXPECT_GT(eager.events, lazy.events);
    ASSERT_EQ(lazy.flows.size(), eager.flows.size());
    for (std::size_t i = 0; i < lazy.flows.size(); ++i)
    {
        EXPECT_TRUE(lazy.flows[i] == eager.flows[i])
            << "flow " << i << " takes " << lazy.flows[i].fct << " and " << eager.flows[i].fct;
    }
    ASSERT_EQ(lazy.ports.size(), eager.ports.size());
    uint64_t marked = 0;
    uint64_t dropped = 0;
    for (std::size_t i = 0; i < lazy.ports.size(); ++i)
    {
        EXPECT_TRUE(lazy.ports[i] == eager.ports[i]) << "port " << i;
        marked += lazy.ports[i].marked;
        dropped += lazy.ports[i].dropped;
    }
    EXPECT_EQ(lazy.pauses.size(), eager.pauses.size());
    EXPECT_TRUE(lazy.pauses == eager.pauses);
    EXPECT_GT(marked, 100U) << "nothing happened";
    if (c.lossless)
    {
        EXPECT_GT(lazy.pauses.size(), 400U) << "nothing happened";
    }
    else
    {
        EXPECT_GT(dropped, 100U) << "nothing happened";
    }
}

// Whether departures are committed when somebody looks, or each on its instant, must not show.
TEST_P(LazyDepartures, DoNotShow)
{
    ExpectNoDifference(GetParam(), 100003);
}

TEST_P(LazyDepartures, DoNotShowInTies)
{
    ExpectNoDifference(GetParam(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Pressed,
    LazyDepartures,
    ::testing::Values(
        Case{"LeafSpine", "leaf_spine", 600000, "none", true, false, 0},
        Case{"LeafSpineWithLatency", "leaf_spine", 600000, "dcqcn", true, false, 500 * kNanosecond},
        Case{"LeafSpineSharing", "leaf_spine", 600000, "none", true, true, 500 * kNanosecond},
        Case{"LeafSpineDropping", "leaf_spine", 200000, "none", false, false, 0},
        Case{"FatTree", "fat_tree", 400000, "none", true, false, 0},
        Case{"FatTreeWithLatency", "fat_tree", 400000, "none", true, false, 500 * kNanosecond},
        Case{"FatTreeSharing", "fat_tree", 400000, "dcqcn", true, true, 0},
        Case{"FatTreeDropping", "fat_tree", 150000, "dcqcn", false, true, 500 * kNanosecond}),
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
