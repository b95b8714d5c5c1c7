// SPDX-License-Identifier: GPL-2.0-only
#include "topology-probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <set>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::probe;

namespace
{

constexpr double kRate = 400e9;

/// Two stars, as one class needs to say it.
class TwoStars : public TopologyBuilder
{
  public:
    explicit TwoStars(bool isOneNetwork)
        : m_isOneNetwork(isOneNetwork)
    {
        DefineLink("nic_to_leaf", kHostLink);
        DefineSwitch("leaf");
    }

  private:
    void DoBuild(FabricGraph& graph) const override
    {
        ConnectHosts(graph, AddHosts(graph, 6), AddSwitches(graph, "leaf", 2), 3, "nic_to_leaf");
    }

    bool IsOneNetwork() const override
    {
        return m_isOneNetwork;
    }

    bool m_isOneNetwork;
};

} // namespace

TEST(TopologyBuilders, AreKnownByTheirIds)
{
    auto ids = PluginIds(TopologyBuilder::GetTypeId());
    for (auto id : {"star",
                    "leaf_spine",
                    "clos",
                    "three_tier_tree",
                    "fat_tree",
                    "rail_optimized",
                    "rail_only",
                    "rail_optimized_dual_plane",
                    "dragonfly",
                    "torus_3d",
                    "multi_dc",
                    "graph"})
    {
        EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1) << id;
    }
}

/// What every topology owes, on its defaults.
TEST(TopologyBuilders, DefaultsConnectAllHostsAndFillAllPorts)
{
    for (const auto& id : PluginIds(TopologyBuilder::GetTypeId()))
    {
        if (id == "graph" || id == "multi_dc")
        {
            continue;
        }
        const bool isDisjoint = id == "rail_only" || id == "rail_optimized_dual_plane";
        auto builder = Builder(id);
        Probe net(builder->Build());
        EXPECT_GE(net.graph.HostCount(), 2U) << id;
        EXPECT_EQ(net.Diameter() > 0, !isDisjoint) << id;
        std::set<std::string> links;
        std::set<std::string> switches;
        for (const GraphNode& node : net.graph.Nodes())
        {
            EXPECT_GT(node.ports, 0U) << node.name;
            EXPECT_EQ(net.graph.Find(node.name), &node - net.graph.Nodes().data());
            if (!IsEndpoint(node.kind))
            {
                switches.insert(net.graph.LayerOf(node));
            }
        }
        for (const GraphLink& link : net.graph.Links())
        {
            links.insert(net.graph.LayerOf(link));
        }
        auto linkLayers = builder->LinkLayers();
        auto switchLayers = builder->SwitchLayers();
        EXPECT_TRUE(std::all_of(links.begin(), links.end(), [&](auto& layer) {
            return std::count(linkLayers.begin(), linkLayers.end(), layer) == 1;
        })) << id;
        EXPECT_TRUE(std::all_of(switches.begin(), switches.end(), [&](auto& layer) {
            return std::count(switchLayers.begin(), switchLayers.end(), layer) == 1;
        })) << id;
    }
}

TEST(TopologyBuilders, MayBeDisjointIfTheySaySo)
{
    EXPECT_EQ(ErrorOf([] { CreateObject<TwoStars>(true)->Build(); }),
              "there is no path between 'host0' and 'host3', expected all hosts to reach each "
              "other");
    Probe net(CreateObject<TwoStars>(false)->Build());
    EXPECT_EQ(net.SwitchHops(3, 5), 1);
    EXPECT_EQ(net.SwitchHops(0, 5), -1);
    EXPECT_EQ(FindUnreachablePair(net.graph), (std::pair<NodeIdx, NodeIdx>(0, 3)));
}

TEST(TopologyStar, OneSwitch)
{
    Probe net(Builder("star", {{"HostCount", 9}})->Build());
    EXPECT_EQ(net.graph.HostCount(), 9U);
    EXPECT_EQ(net.CountSwitches("leaf"), 1U);
    EXPECT_EQ(net.Diameter(), 1);
    EXPECT_EQ(net.graph.Nodes()[0].name, "host0");
    EXPECT_EQ(net.graph.PortName(net.graph.Find("leaf0"), 8), "leaf0.port8");
    EXPECT_EQ(net.routes[net.graph.Find("leaf0")].runs.size(), 9U);
}

TEST(TopologyLeafSpine, SizesHopsAndPaths)
{
    Probe net(
        Builder("leaf_spine",
                {{"LeafCount", 8}, {"SpineCount", 4}, {"HostsPerLeaf", 8}, {"ParallelLinks", 2}})
            ->Build());
    EXPECT_EQ(net.graph.HostCount(), 64U);
    EXPECT_EQ(net.CountSwitches("leaf"), 8U);
    EXPECT_EQ(net.CountSwitches("spine"), 4U);
    EXPECT_EQ(net.CountLinks("nic_to_leaf"), 64U);
    EXPECT_EQ(net.CountLinks("leaf_to_spine"), 64U);
    EXPECT_EQ(net.SwitchHopsFrom(20), (std::map<int, uint32_t>{{1, 7}, {3, 56}}));
    // Four spines, two links up and two down each.
    EXPECT_EQ(net.paths.CountPaths(0, 63), 16U);
    EXPECT_EQ(net.paths.CountPaths(0, 7), 1U);
    EXPECT_DOUBLE_EQ(net.Bisection(), 32 * kRate);
    auto path = net.paths.Fastest(0, 63);
    ASSERT_EQ(path.size(), 4U);
    EXPECT_EQ(path[1].nextHops, 8U);
    EXPECT_EQ(path[2].nextHops, 2U);
    EXPECT_EQ(path[2].stageLinks, 8U);
}

/// The share of a host when half of them send to the other half: C · (spines · links) / hosts.
TEST(TopologyLeafSpine, BisectionOfFewSpines)
{
    Probe net(
        Builder("leaf_spine", {{"LeafCount", 4}, {"SpineCount", 2}, {"HostsPerLeaf", 8}})->Build());
    EXPECT_DOUBLE_EQ(net.Bisection(), 16 * kRate * 2 / 8);
}

/**
 * k-ary fat-tree: k³/4 hosts, 5k²/4 switches, 3k³/4 links, k³/8 · C bisection, (k/2)² paths between
 * pods; k/2-1 peers behind 1 switch, k²/4-k/2 behind 3, the rest behind 5 (Al-Fares et al., SIGCOMM
 * 2008).
 */
TEST(TopologyFatTree, ClosedForms)
{
    for (uint32_t k : {2U, 4U, 8U, 16U})
    {
        Probe net(Builder("fat_tree", {{"K", k}})->Build());
        uint32_t hosts = k * k * k / 4;
        EXPECT_EQ(net.graph.HostCount(), hosts);
        EXPECT_EQ(net.CountSwitches("leaf"), k * k / 2);
        EXPECT_EQ(net.CountSwitches("aggregation"), k * k / 2);
        EXPECT_EQ(net.CountSwitches("core"), k * k / 4);
        EXPECT_EQ(net.graph.Links().size(), 3 * hosts);
        for (const GraphNode& node : net.graph.Nodes())
        {
            EXPECT_EQ(node.ports, node.kind == NodeKind::Host ? 1 : k) << node.name;
        }
        EXPECT_EQ(net.paths.CountPaths(0, hosts - 1), k * k / 4);
        EXPECT_DOUBLE_EQ(net.Bisection(), hosts / 2 * kRate);
        auto hops = net.SwitchHopsFrom(hosts / 2);
        EXPECT_EQ(hops[1], k / 2 - 1);
        EXPECT_EQ(hops[3], k * k / 4 - k / 2);
        EXPECT_EQ(hops[5], hosts - k * k / 4);
        EXPECT_EQ(hops.size(), 3U);
    }
}

TEST(TopologyFatTree, StagesBetweenPods)
{
    Probe net(Builder("fat_tree", {{"K", 8}})->Build());
    EXPECT_EQ(net.paths.CountPaths(0, 127), 16U);
    EXPECT_EQ(net.paths.CountPaths(0, 15), 4U);
    EXPECT_EQ(net.Diameter(), 5);
    auto path = net.paths.Fastest(0, 127);
    ASSERT_EQ(path.size(), 6U);
    const uint32_t links[] = {1, 4, 16, 16, 4, 1};
    const uint32_t next[] = {1, 4, 4, 1, 1, 1};
    for (std::size_t i = 0; i < path.size(); ++i)
    {
        EXPECT_EQ(path[i].stageLinks, links[i]);
        EXPECT_EQ(path[i].nextHops, next[i]);
        EXPECT_DOUBLE_EQ(path[i].stageBandwidth, links[i] * kRate);
    }
}

/// Core i·k/2 + j is up-port j of aggregation switch i in each pod; its port p leads to pod p.
TEST(TopologyFatTree, Wiring)
{
    auto graph = Builder("fat_tree", {{"K", 4}})->Build();
    GraphPorts ports(graph);
    for (uint32_t core = 0; core < 4; ++core)
    {
        auto range = ports.Of(graph.Find("core" + std::to_string(core)));
        for (uint32_t pod = 0; pod < 4; ++pod)
        {
            std::string name = "aggregation" + std::to_string(pod * 2 + core / 2);
            EXPECT_EQ(range[pod].peer, graph.Find(name));
            EXPECT_EQ(range[pod].peerPort, 2 + core % 2);
        }
    }
}

/**
 * Runs of all switches: a leaf has one per host of its own and the rest left and right of them, an
 * aggregation switch one per leaf and the rest, a core one per pod. The first and the last leaf,
 * and the aggregation switches of the first and the last pod, lack one side.
 */
TEST(TopologyFatTree, RoutesAreSmallAndQuick)
{
    for (uint32_t k : {16U, 32U})
    {
        std::clock_t start = std::clock();
        auto graph = Builder("fat_tree", {{"K", k}})->Build();
        auto routes = FindRoutes(graph);
        double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        std::size_t runs = 0;
        std::size_t groups = 0;
        for (const SwitchRoutes& r : routes)
        {
            runs += r.runs.size();
            groups += r.groups.size();
        }
        EXPECT_EQ(runs, k * k * (k / 2 + 2) - 2 - k + k * k / 4 * k);
        EXPECT_EQ(groups, k * k * (k / 2 + 1) + k * k / 4 * k);
        EXPECT_LT(seconds, 1.) << "milliseconds on an idle machine";
        RecordProperty("setup_ms_k" + std::to_string(k), static_cast<int>(seconds * 1000));
    }
}

/// Two tiers hold R²/2 hosts, three R³/4, without oversubscription.
TEST(TopologyClos, FullSize)
{
    Probe two(Builder("clos", {{"Radix", 16}})->Build());
    EXPECT_EQ(two.graph.HostCount(), 128U);
    EXPECT_EQ(two.CountSwitches("leaf"), 16U);
    EXPECT_EQ(two.CountSwitches("spine"), 8U);
    EXPECT_EQ(two.Diameter(), 3);
    EXPECT_DOUBLE_EQ(two.Bisection(), 64 * kRate);

    Probe three(Builder("clos", {{"Radix", 8}, {"TierCount", 3}})->Build());
    EXPECT_EQ(three.graph.HostCount(), 128U);
    EXPECT_EQ(three.CountSwitches(""), 80U);
    EXPECT_EQ(three.graph.Links().size(), 384U);
    EXPECT_EQ(three.Diameter(), 5);
    EXPECT_EQ(three.paths.CountPaths(0, 127), 16U);
    EXPECT_DOUBLE_EQ(three.Bisection(), 64 * kRate);
}

/// G pods of P hosts need G·P / (R·o) cores; the bisection is 1/o of the full one.
TEST(TopologyClos, OversubscribedAndSmaller)
{
    auto builder = Builder("clos", {{"Radix", 8}, {"TierCount", 3}, {"PodCount", 4}});
    builder->SetAttribute("OversubscriptionRatio", DoubleValue(3));
    Probe net(builder->Build());
    // Aggregation: 6 down, 2 up; a pod is 6 leaves of 4 hosts.
    EXPECT_EQ(net.graph.HostCount(), 96U);
    EXPECT_EQ(net.CountSwitches("aggregation"), 16U);
    EXPECT_EQ(net.CountSwitches("core"), 96U / (8 * 3));
    EXPECT_DOUBLE_EQ(net.Bisection(), 48 * kRate / 3);
    for (const GraphNode& node : net.graph.Nodes())
    {
        EXPECT_EQ(node.ports, node.kind == NodeKind::Host ? 1 : 8) << node.name;
    }

    auto leaves = Builder("clos", {{"Radix", 12}, {"LeafCount", 6}});
    leaves->SetAttribute("OversubscriptionRatio", DoubleValue(2));
    Probe two(leaves->Build());
    EXPECT_EQ(two.graph.HostCount(), 48U);
    EXPECT_EQ(two.CountSwitches("spine"), 2U);
    EXPECT_EQ(two.paths.CountPaths(0, 47), 2U * 2 * 2) << "two links to each of two spines";
    EXPECT_DOUBLE_EQ(two.Bisection(), 24 * kRate / 2);
}

/// The network of Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, section 5.1: 320
/// hosts at 100 Gb/s on 20 leaves, 20 aggregation and 16 core switches at 400 Gb/s, 480 links, as its
/// simulator's file has it. Nothing is oversubscribed: half of the hosts can send to the others.
TEST(TopologyClos, HostsThatShareThePortsOfALeaf)
{
    auto builder =
        Builder("clos", {{"Radix", 8}, {"TierCount", 3}, {"PodCount", 5}, {"HostsPerLeaf", 16}});
    LinkSpec link = builder->GetLink("nic_to_leaf");
    link.bandwidth = 100e9;
    builder->SetLink("nic_to_leaf", link);
    Probe net(builder->Build());
    EXPECT_EQ(net.graph.HostCount(), 320U);
    EXPECT_EQ(net.CountSwitches("leaf"), 20U);
    EXPECT_EQ(net.CountSwitches("aggregation"), 20U);
    EXPECT_EQ(net.CountSwitches("core"), 16U);
    EXPECT_EQ(net.graph.Links().size(), 320U + 20 * 4 + 20 * 4);
    EXPECT_EQ(net.Diameter(), 5);
    EXPECT_EQ(net.paths.CountPaths(0, 16), 4U) << "the aggregation switches of the pod";
    EXPECT_EQ(net.paths.CountPaths(0, 319), 16U) << "and four cores above each";
    EXPECT_DOUBLE_EQ(net.Bisection(), 160 * 100e9);

    // Two tiers: four hosts at 100 Gb/s in place of each of the 8 down-ports.
    auto leaves = Builder("clos", {{"Radix", 16}, {"LeafCount", 4}, {"HostsPerLeaf", 32}});
    leaves->SetLink("nic_to_leaf", link);
    Probe two(leaves->Build());
    EXPECT_EQ(two.graph.HostCount(), 128U);
    EXPECT_EQ(two.CountSwitches("spine"), 2U) << "8 up-ports of 4 leaves, on 16 ports each";
    EXPECT_DOUBLE_EQ(two.Bisection(), 64 * 100e9);
}

TEST(TopologyClos, RefusesWhatDoesNotDivide)
{
    auto builder = Builder("clos");
    builder->SetAttribute("OversubscriptionRatio", DoubleValue(2));
    EXPECT_EQ(
        ErrorOf([&] { builder->Build(); }),
        "parameters.oversubscription_ratio: splits the 8 ports of a switch into 5.333333 down "
        "and 2.666667 up, expected whole numbers");
    EXPECT_EQ(ErrorOf([] {
                  Builder("clos", {{"PodCount", 2}})->Build();
              }),
              "parameters.pod_count: needs three tiers, expected leaf_count");
    EXPECT_EQ(ErrorOf([] {
                  Builder("clos", {{"TierCount", 3}, {"LeafCount", 2}})->Build();
              }),
              "parameters.leaf_count: needs two tiers, expected pod_count");
    EXPECT_EQ(ErrorOf([] {
                  Builder("clos", {{"LeafCount", 9}})->Build();
              }),
              "parameters.leaf_count: found 9, expected no more than the radix of 8");
    EXPECT_EQ(ErrorOf([] {
                  Builder("clos", {{"TierCount", 3}, {"PodCount", 9}})->Build();
              }),
              "parameters.pod_count: found 9, expected no more than the radix of 8");
}

TEST(TopologyThreeTierTree, SizesAndHops)
{
    Probe net(Builder("three_tier_tree",
                      {{"PodCount", 3},
                       {"LeavesPerPod", 4},
                       {"AggregationsPerPod", 2},
                       {"HostsPerLeaf", 5},
                       {"CoreCount", 4}})
                  ->Build());
    EXPECT_EQ(net.graph.HostCount(), 60U);
    EXPECT_EQ(net.CountSwitches(""), 12U + 6 + 4);
    EXPECT_EQ(net.CountLinks("leaf_to_aggregation"), 24U);
    EXPECT_EQ(net.CountLinks("aggregation_to_core"), 24U);
    EXPECT_EQ(net.SwitchHopsFrom(33), (std::map<int, uint32_t>{{1, 4}, {3, 15}, {5, 40}}));
    // Two aggregation switches up, four cores, two aggregation switches down.
    EXPECT_EQ(net.paths.CountPaths(0, 59), 16U);
}

/**
 * A permutation across pods gives each host C / (o·o'). With 1:1 leaves and 1:7 above it is
 * 400/7 = 57.1 Gb/s, as in Meta's 24k-GPU cluster (Llama 3, arXiv 2407.21783, section 3.3.1).
 */
TEST(TopologyThreeTierTree, OversubscriptionSetsTheRates)
{
    auto builder = Builder("three_tier_tree", {{"PodCount", 2}, {"LeavesPerPod", 4}});
    builder->SetAttribute("LeafOversubscriptionRatio", DoubleValue(1));
    builder->SetAttribute("AggregationOversubscriptionRatio", DoubleValue(7));
    Probe net(builder->Build());
    double perHost = net.Bisection() / (net.graph.HostCount() / 2);
    EXPECT_NEAR(perHost, 400e9 / 7, 1e3);

    builder->SetAttribute("LeafOversubscriptionRatio", DoubleValue(2));
    Probe both(builder->Build());
    EXPECT_NEAR(both.Bisection() / (both.graph.HostCount() / 2), 400e9 / 14, 1e3);

    builder->SetLink("leaf_to_aggregation", {100e9, 0, 0, 0});
    EXPECT_EQ(ErrorOf([&] { builder->Build(); }),
              "parameters.leaf_oversubscription_ratio: sets the bandwidth of "
              "links.leaf_to_aggregation, which is given as well, expected one of the two");
}

/// Two servers with eight NICs, a leaf per rail, four spines.
TEST(TopologyRailOptimized, SmallExample)
{
    Probe net(Builder("rail_optimized")->Build());
    EXPECT_EQ(net.graph.HostCount(), 16U);
    EXPECT_EQ(net.graph.ServerCount(), 2U);
    EXPECT_EQ(net.CountSwitches("leaf"), 8U);
    EXPECT_EQ(net.CountSwitches("spine"), 4U);
    EXPECT_EQ(net.CountLinks("leaf_to_spine"), 32U);
    EXPECT_EQ(net.graph.Find("server1.nic3.port0"), net.graph.NodeOf(11));
    EXPECT_EQ(GraphPorts(net.graph).Of(net.graph.NodeOf(11))[0].peer, net.graph.Find("leaf3"));
    EXPECT_EQ(net.SwitchHops(3, 11), 1) << "same rail";
    EXPECT_EQ(net.SwitchHops(3, 12), 3) << "across rails";
    EXPECT_EQ(net.paths.CountPaths(3, 12), 4U);
}

/// Same rail and segment: 1 switch; else 3 (Qian et al., HPN, SIGCOMM 2024, section 5.2).
TEST(TopologyRailOptimized, Segments)
{
    Probe net(Builder("rail_optimized",
                      {{"ServerCount", 10},
                       {"ServersPerSegment", 4},
                       {"SpineCount", 2},
                       {"LeafUplinkCount", 4}})
                  ->Build());
    EXPECT_EQ(net.CountSwitches("leaf"), 24U) << "three segments, the last with two servers";
    EXPECT_EQ(net.graph.Nodes()[net.graph.Find("leaf23")].ports, 2U + 4);
    EXPECT_EQ(net.SwitchHopsFrom(0), (std::map<int, uint32_t>{{1, 3}, {3, 76}}));
    EXPECT_EQ(net.paths.CountPaths(0, 79), 2U * 2 * 2) << "two links to each of two spines";
}

TEST(TopologyRailOptimized, FewerRailsThanNicsAndTwoPorts)
{
    Probe net(
        Builder("rail_optimized",
                {{"NicsPerServer", 4}, {"NicPortCount", 2}, {"RailCount", 2}, {"GpusPerServer", 4}})
            ->Build());
    EXPECT_EQ(net.graph.HostCount(), 16U);
    EXPECT_EQ(net.CountSwitches("leaf"), 2U);
    GraphPorts ports(net.graph);
    EXPECT_EQ(ports.Of(net.graph.Find("server1.nic3.port1"))[0].peer, net.graph.Find("leaf1"));
    EXPECT_EQ(ports.Of(net.graph.Find("server1.nic2.port0"))[0].peer, net.graph.Find("leaf0"));
}

TEST(TopologyRailOptimized, RefusesWhatDoesNotFit)
{
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized", {{"RailCount", 3}})->Build();
              }),
              "parameters.rail_count: found 3, expected a divisor of the 8 NICs of a server");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized", {{"GpusPerServer", 3}})->Build();
              }),
              "parameters.gpus_per_server: found 3, expected a multiple or a divisor of the 8 NICs "
              "of a server");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized", {{"SpineCount", 3}})->Build();
              }),
              "parameters.leaf_uplink_count: found 4, expected a multiple of the 3 spines");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized", {{"SpineCount", 0}})->Build();
              }),
              "parameters.spine_count: found 0, expected at least 1: the topology has several "
              "leaves");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized",
                          {{"NicsPerServer", 1}, {"RailCount", 1}, {"SpineCount", 0}})
                      ->Build();
              }),
              "no error")
        << "a single leaf";
}

TEST(TopologyBuilders, HostsBelongToServersOnRequest)
{
    auto graph =
        Builder("fat_tree", {{"K", 4}, {"NicsPerServer", 2}, {"NicPortCount", 2}})->Build();
    EXPECT_EQ(graph.ServerCount(), 4U);
    EXPECT_EQ(graph.Nodes()[graph.NodeOf(15)].name, "server3.nic1.port1");
    EXPECT_EQ(ErrorOf([] {
                  Builder("fat_tree", {{"NicsPerServer", 3}})->Build();
              }),
              "parameters.nics_per_server: servers of 3 NICs with 1 ports do not divide the 16 "
              "hosts");
    EXPECT_EQ(ErrorOf([] {
                  Builder("star", {{"NicPortCount", 2}})->Build();
              }),
              "parameters.nic_port_count: found 2, expected 1 unless nics_per_server is given");
    EXPECT_EQ(ErrorOf([] {
                  Builder("fat_tree", {{"K", 5}})->Build();
              }),
              "parameters.k: found 5, expected an even number");
}

TEST(TopologyBuilders, LayersAreSetAndChecked)
{
    auto builder = Builder("leaf_spine");
    EXPECT_EQ(builder->LinkLayers(), (std::vector<std::string>{"nic_to_leaf", "leaf_to_spine"}));
    EXPECT_EQ(builder->SwitchLayers(), (std::vector<std::string>{"leaf", "spine"}));
    EXPECT_EQ(builder->GetLink("nic_to_leaf").delay, 100 * kNanosecond);
    builder->SetLink("leaf_to_spine", {100e9, 7, 0.25, 1e-12});
    builder->SetSwitch("spine", {4, 1000, 9});
    auto graph = builder->Build();
    const LinkSpec& link = graph.Links().back().spec;
    EXPECT_EQ(link.bandwidth, 100e9);
    EXPECT_EQ(link.delay, 7);
    EXPECT_EQ(link.lossProbability, 0.25);
    EXPECT_EQ(link.bitErrorRate, 1e-12);
    EXPECT_EQ(graph.Links().front().spec.bandwidth, 400e9);
    EXPECT_EQ(graph.Nodes().back().spec.bufferBytes, 1000U);
    EXPECT_EQ(graph.Nodes().back().spec.forwardingLatency, 9);

    EXPECT_EQ(ErrorOf([&] { builder->SetLink("leaf_to_spin", {}); }),
              "links.leaf_to_spin: unknown layer, did you mean 'leaf_to_spine'?");
    EXPECT_EQ(ErrorOf([&] { builder->GetSwitch("core"); }),
              "switches.core: unknown layer, expected one of leaf, spine");
    EXPECT_EQ(ErrorOf([&] {
                  builder->SetLink("nic_to_leaf", {0, 0, 0, 0});
              }),
              "links.nic_to_leaf.bandwidth_gbps: found 0, expected 1e-9 to 1e9");
    builder->SetSwitch("spine", {3, 1000, 9});
    EXPECT_EQ(ErrorOf([&] { builder->Build(); }),
              "switches.spine.radix: 'spine0' has 4 ports, expected no more than its radix of 3");
}

TEST(TopologyBuilders, RefusesWhatNoMachineHolds)
{
    EXPECT_EQ(ErrorOf([] {
                  Builder("leaf_spine",
                          {{"LeafCount", 3000}, {"SpineCount", 3000}, {"HostsPerLeaf", 1}})
                      ->Build();
              }),
              "the topology has 9000 nodes and 9003000 links or more, expected at most 2097152 and "
              "4194304");
    EXPECT_EQ(ErrorOf([] {
                  Builder("rail_optimized", {{"ServerCount", 1048576}})->Build();
              }),
              "the topology has 8388608 nodes and 8388608 links or more, expected at most 2097152 "
              "and 4194304");
}
