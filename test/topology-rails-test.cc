// SPDX-License-Identifier: GPL-2.0-only
#include "topology-probe.h"

#include "ns3/topology-summary.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::probe;

namespace
{

TopologySummary
Summary(const Ptr<TopologyBuilder>& builder)
{
    const FabricGraph graph = builder->Build();
    return SummarizeTopology(graph, builder->Halve(graph));
}

} // namespace

/// Rails of one leaf: 1 switch within a rail, no way across (Wang et al., arXiv 2307.12169).
TEST(TopologyRailOnly, OneTier)
{
    for (uint32_t servers : {1U, 5U, 32U})
    {
        Probe net(Builder("rail_only", {{"ServerCount", servers}})->Build());
        EXPECT_EQ(net.graph.HostCount(), 8 * servers);
        EXPECT_EQ(net.CountSwitches("leaf"), 8U);
        EXPECT_EQ(net.CountSwitches(""), 8U);
        EXPECT_EQ(net.graph.Links().size(), 8 * servers);
        EXPECT_EQ(net.SwitchHopsFrom(3)[1], servers - 1);
        EXPECT_EQ(net.SwitchHopsFrom(3)[-1], 7 * servers);
    }
}

TEST(TopologyRailOnly, TwoTiersAndPlanes)
{
    for (uint32_t planes : {1U, 2U})
    {
        Probe net(Builder("rail_only",
                          {{"ServerCount", 10},
                           {"ServersPerSegment", 4},
                           {"RailCount", 4},
                           {"NicsPerServer", 4},
                           {"GpusPerServer", 4},
                           {"PlaneCount", planes},
                           {"SpinesPerRail", 2},
                           {"LeafUplinkCount", 4}})
                      ->Build());
        EXPECT_EQ(net.graph.HostCount(), 40 * planes);
        EXPECT_EQ(net.CountSwitches("leaf"), 3 * 4 * planes);
        EXPECT_EQ(net.CountSwitches("spine"), 4 * 2 * planes);
        EXPECT_EQ(net.CountLinks("leaf_to_spine"), 3 * 4 * planes * 4);
        EXPECT_EQ(net.SwitchHopsFrom(0),
                  (std::map<int, uint32_t>{{1, 3}, {3, 6}, {-1, 40 * planes - 10}}));
        EXPECT_EQ(net.paths.CountPaths(0, 36 * planes), 2U * 2 * 2);
    }
}

/// 8 planes of fat-trees of two tiers with switches of 64 ports: 8 · 64²/2 = 16,384 GPUs (DeepSeek-V3,
/// arXiv 2505.09343, section 5.1); every port of every switch is taken.
TEST(TopologyRailOnly, EightPlanesOfDeepSeek)
{
    const auto builder = Builder(
        "rail_only", {{"ServerCount", 2048}, {"SpinesPerRail", 32}, {"ServersPerSegment", 32}});
    const TopologySummary net = Summary(builder);
    EXPECT_EQ(net.hosts, 16384U);
    EXPECT_EQ(net.switches, 8U * (64 + 32));
    for (const auto& tier : net.tiers)
    {
        EXPECT_EQ(tier.fewestPorts, 64U);
        EXPECT_EQ(tier.mostPorts, 64U);
    }
    EXPECT_DOUBLE_EQ(*net.bisectionBps, 8192 * 400e9);
    EXPECT_EQ(net.diameter, 3U);
}

TEST(TopologyRailOnly, RefusesWhatDoesNotFit)
{
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_only", {{"ServerCount", 33}})->Build();
              }),
              "parameters.spines_per_rail: found 0, expected at least 1: each rail has 2 leaves");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_only", {{"SpinesPerRail", 3}, {"LeafUplinkCount", 4}})->Build();
              }),
              "parameters.leaf_uplink_count: found 4, expected a multiple of the 3 spines");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_only", {{"PlaneCount", 2}, {"NicPortCount", 3}})->Build();
              }),
              "parameters.nic_port_count: found 3, expected a multiple of the 2 planes");
}

/**
 * A pod of HPN 7.0: 15 segments of 1024 GPUs, 240 ToRs, 60 aggregation switches per plane; 25.6:24 at
 * the ToR and 120:8 above (Qian et al., SIGCOMM 2024, sections 5 and 6).
 */
TEST(TopologyDualPlane, PodOfHpn)
{
    const auto builder = Builder("rail_optimized_dual_plane",
                                 {{"ServerCount", 15360 / 8}, {"CoreSwitchesPerPlane", 8}});
    const TopologySummary net = Summary(builder);
    EXPECT_EQ(net.servers * 8, 15360U);
    EXPECT_EQ(net.hosts, 2U * 15360);
    ASSERT_EQ(net.tiers.size(), 3U);
    EXPECT_EQ(net.tiers[0].switches, 240U);
    EXPECT_EQ(net.tiers[0].mostPorts, 128U + 60);
    EXPECT_DOUBLE_EQ(net.tiers[0].GetOversubscription(), 25.6 / 24);
    EXPECT_EQ(net.tiers[1].switches, 120U);
    EXPECT_EQ(net.tiers[1].mostPorts, 128U);
    EXPECT_DOUBLE_EQ(net.tiers[1].GetOversubscription(), 15);
    EXPECT_EQ(net.tiers[2].switches, 16U);
    EXPECT_EQ(net.diameter, 3U);
}

/// Over an even number of segments the bisection is what the ToRs of one half have upwards.
TEST(TopologyDualPlane, SizesHopsAndPlanes)
{
    for (uint32_t segments : {2U, 4U, 6U})
    {
        const auto builder = Builder("rail_optimized_dual_plane",
                                     {{"ServerCount", 3 * segments},
                                      {"ServersPerSegment", 3},
                                      {"SegmentsPerPod", 8},
                                      {"LeafUplinkCount", 2},
                                      {"AggregationSwitchesPerPlane", 2}});
        builder->SetLink("leaf_to_aggregation", {100e9, 1000, 0, 0});
        Probe net(builder->Build());
        EXPECT_EQ(net.graph.HostCount(), 3 * segments * 16);
        EXPECT_EQ(net.CountSwitches("leaf"), 16 * segments);
        EXPECT_EQ(net.CountSwitches("aggregation"), 4U);
        EXPECT_EQ(net.CountSwitches("core"), 0U);
        // Host 0 is NIC 0 of server 0, port 0: its rail, its plane, no way to the other plane.
        EXPECT_EQ(net.SwitchHopsFrom(0),
                  (std::map<int, uint32_t>{{1, 2}, {3, 24 * segments - 3}, {-1, 24 * segments}}));
        EXPECT_DOUBLE_EQ(*Summary(builder).bisectionBps, segments / 2 * 16 * 2 * 100e9);
    }
}

TEST(TopologyDualPlane, CoresJoinPods)
{
    const std::vector<std::pair<std::string, uint64_t>> two{{"ServerCount", 4},
                                                            {"ServersPerSegment", 1},
                                                            {"SegmentsPerPod", 2},
                                                            {"LeafUplinkCount", 4},
                                                            {"AggregationSwitchesPerPlane", 4}};
    // 16 links down, so that 4:1 is 4 links up.
    for (uint32_t cores : {0U, 2U, 4U, 8U, 16U})
    {
        auto builder = Builder("rail_optimized_dual_plane", two);
        builder->SetAttribute("CoreSwitchesPerPlane", UintegerValue(cores));
        builder->SetAttribute("CoreOversubscriptionRatio", DoubleValue(4));
        Probe net(builder->Build());
        EXPECT_EQ(net.CountSwitches("core"), 2 * (cores ? cores : 4));
        EXPECT_EQ(net.CountSwitches("aggregation"), 2U * 2 * 4);
        EXPECT_EQ(net.CountLinks("aggregation_to_core"), 16U * 4);
        EXPECT_EQ(net.SwitchHopsFrom(0), (std::map<int, uint32_t>{{3, 15}, {5, 16}, {-1, 32}}));
    }
    auto wrong = Builder("rail_optimized_dual_plane", two);
    wrong->SetAttribute("CoreOversubscriptionRatio", DoubleValue(3));
    EXPECT_EQ(ErrorOf([&] { wrong->Build(); }),
              "parameters.core_oversubscription_ratio: gives an aggregation switch with 16 links "
              "down 5.333333 links up, expected a whole number");
    wrong->SetAttribute("CoreOversubscriptionRatio", DoubleValue(4));
    wrong->SetAttribute("CoreSwitchesPerPlane", UintegerValue(3));
    EXPECT_EQ(
        ErrorOf([&] { wrong->Build(); }),
        "parameters.core_switches_per_plane: found 3, expected a divisor of the 4 links up of "
        "an aggregation switch, or their product with a divisor of the 4 aggregation "
        "switches of a plane");
}

/// 8 pods of 192 racks of 16 GPUs, 1:1 in the pod and 7:1 above: 24,576 GPUs, 400/7 Gb/s each across
/// pods (Llama 3, arXiv 2407.21783, section 3.3.1).
TEST(TopologySummaries, MetaCluster)
{
    const auto builder = Builder("three_tier_tree",
                                 {{"PodCount", 8},
                                  {"LeavesPerPod", 192},
                                  {"AggregationsPerPod", 16},
                                  {"HostsPerLeaf", 16},
                                  {"CoreCount", 16}});
    builder->SetAttribute("AggregationOversubscriptionRatio", DoubleValue(7));
    const TopologySummary net = Summary(builder);
    EXPECT_EQ(net.hosts, 24576U);
    ASSERT_EQ(net.tiers.size(), 3U);
    EXPECT_EQ(net.tiers[0].switches, 8U * 192);
    EXPECT_DOUBLE_EQ(net.tiers[0].GetOversubscription(), 1);
    EXPECT_NEAR(net.tiers[1].GetOversubscription(), 7, 1e-9);
    EXPECT_NEAR(*net.bisectionBps / 12288, 400e9 / 7, 1e3);
}

/// k = 48: 27,648 hosts, 2,880 switches, 82,944 links, full bisection (Al-Fares et al., SIGCOMM 2008).
TEST(TopologySummaries, FatTree)
{
    for (uint32_t k : {4U, 8U, 16U, 48U})
    {
        const TopologySummary net = Summary(Builder("fat_tree", {{"K", k}}));
        EXPECT_EQ(net.hosts, k * k * k / 4);
        EXPECT_EQ(net.switches, 5 * k * k / 4);
        EXPECT_EQ(net.cables, 3 * k * k * k / 4);
        EXPECT_EQ(net.diameter, 5U);
        EXPECT_DOUBLE_EQ(*net.bisectionBps, k * k * k / 8 * 400e9);
        ASSERT_EQ(net.tiers.size(), 3U);
        EXPECT_EQ(net.tiers[1].layer, "aggregation");
        EXPECT_EQ(net.tiers[1].GetOversubscription(), 1);
        EXPECT_EQ(net.tiers[2].GetOversubscription(), 0);
        // 100 ns at 5 ns/m are 20 m.
        EXPECT_DOUBLE_EQ(net.cableLayers[0].shortestM, 20);
    }
}

/// 1/o of the full bisection; two tiers have 3 switches on the longest path.
TEST(TopologySummaries, Clos)
{
    for (uint32_t ratio : {1U, 3U, 7U})
    {
        const auto builder = Builder("clos", {{"Radix", 16}});
        builder->SetAttribute("OversubscriptionRatio", DoubleValue(ratio));
        const TopologySummary net = Summary(builder);
        const uint32_t up = 16 / (1 + ratio);
        EXPECT_EQ(net.hosts, 16 * (16 - up));
        EXPECT_EQ(net.diameter, 3U);
        EXPECT_DOUBLE_EQ(net.tiers[0].GetOversubscription(), ratio);
        EXPECT_DOUBLE_EQ(*net.bisectionBps, 8 * up * 400e9);
    }
}

/// Hosts of one leaf are nearest, of different ones farthest; a longer cable of one host counts.
TEST(TopologySummaries, NearestAndFarthestHosts)
{
    FabricGraph graph;
    const auto a = graph.AddNode("a", NodeKind::Switch, "switch");
    const auto b = graph.AddNode("b", NodeKind::Switch, "switch");
    graph.AddLink(a, b, {400e9, 1000, 0, 0}, "link");
    for (uint32_t i = 0; i < 6; ++i)
    {
        const Tick delay = i == 4 ? 900 : i < 2 ? 200 : 300;
        graph.AddLink(graph.AddNode("h" + std::to_string(i), NodeKind::Host, "nic"),
                      i % 3 == 2 ? b : a,
                      {400e9, delay, 0, 0},
                      "link");
    }
    const TopologySummary net = SummarizeTopology(graph, {});
    EXPECT_FALSE(net.bisectionBps);
    EXPECT_EQ(net.diameter, 2U);
    EXPECT_EQ(net.nearest, (std::pair<NodeIdx, NodeIdx>(0, 1)));
    EXPECT_EQ(net.farthest.first, 4U);
    EXPECT_EQ(net.farthest.second % 3, 2U);
    EXPECT_FALSE(SummarizeTopology(graph, {}, 1).diameter) << "too much to do";
    EXPECT_FALSE(SummarizeTopology(Builder("star", {{"HostCount", 1}})->Build(), {}).diameter);
}
