// SPDX-License-Identifier: GPL-2.0-only
#include "topology-probe.h"

#include "ns3/boolean.h"
#include "ns3/buffer-dependency.h"
#include "ns3/topology-summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ctime>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::probe;

namespace
{

Ptr<TopologyBuilder>
Torus(uint32_t x, uint32_t y, uint32_t z, uint32_t cube = 0)
{
    return Builder("torus_3d", {{"SizeX", x}, {"SizeY", y}, {"SizeZ", z}, {"CubeSize", cube}});
}

TopologySummary
Summary(const Ptr<TopologyBuilder>& builder)
{
    const FabricGraph graph = builder->Build();
    return SummarizeTopology(graph, builder->Halve(graph));
}

/// @return links between routers from a host to all, itself included, over the number of them.
double
MeanHops(const Probe& net, NodeIdx from)
{
    double sum = 0;
    for (const auto& [switches, hosts] : net.SwitchHopsFrom(from))
    {
        sum += (switches - 1.) * hosts;
    }
    return sum / net.graph.HostCount();
}

BufferDependency
Dependency(const FabricGraph& graph)
{
    return FindBufferDependency(graph, FindRoutes(graph));
}

} // namespace

/**
 * Groups a·h + 1, nodes p·a·g, ports p + a - 1 + h, at most 4 routers on a minimal path; every pair of
 * groups has exactly one link (Kim et al., ISCA 2008, section 3).
 */
TEST(TopologyDragonfly, FullSize)
{
    struct
    {
        uint32_t p, a, h, hosts, groups, routers, radix;
    } const sizes[]{
        {2, 4, 2, 72, 9, 36, 7}, {4, 8, 4, 1056, 33, 264, 15}, {8, 16, 8, 16512, 129, 2064, 31}};

    for (const auto& size : sizes)
    {
        const auto builder = Builder("dragonfly", {{"P", size.p}, {"A", size.a}, {"H", size.h}});
        const FabricGraph graph = builder->Build();
        EXPECT_EQ(graph.HostCount(), size.hosts);
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> pairs;
        for (const GraphLink& link : graph.Links())
        {
            if (graph.LayerOf(link) == "global")
            {
                ++pairs[{graph.Nodes()[link.from].number / size.a,
                         graph.Nodes()[link.to].number / size.a}];
            }
        }
        EXPECT_EQ(pairs.size(), size.groups * (size.groups - 1) / 2);
        for (const auto& [pair, count] : pairs)
        {
            EXPECT_LT(pair.first, pair.second);
            EXPECT_EQ(count, 1U);
        }
        const TopologySummary net = SummarizeTopology(graph, {});
        ASSERT_EQ(net.tiers.size(), 1U);
        EXPECT_EQ(net.tiers[0].switches, size.routers);
        EXPECT_EQ(net.tiers[0].fewestPorts, size.radix);
        EXPECT_EQ(net.tiers[0].mostPorts, size.radix);
        EXPECT_EQ(net.tiers[0].GetOversubscription(), 0) << "nothing leads up";
        EXPECT_EQ(net.diameter, 4U);
    }
}

/// Between groups there is one link, and so one way: local, global, local, where a local step falls away
/// at either end of the link. Not two global links through a third group, though these may be fewer.
TEST(TopologyDragonfly, MinimalRoutes)
{
    Probe net(Builder("dragonfly", {{"P", 1}, {"A", 8}, {"H", 4}})->Build());
    std::size_t longest = 0;
    for (NodeIdx src : {0U, 13U, 263U})
    {
        for (NodeIdx dst = 0; dst < net.graph.HostCount(); ++dst)
        {
            if (src == dst)
            {
                continue;
            }
            const auto path = net.paths.Fastest(src, dst);
            uint32_t globals = 0;
            for (const PathHop& hop : path)
            {
                globals += net.graph.LayerOf(net.graph.Links()[hop.link]) == "global";
            }
            if (src / 8 == dst / 8)
            {
                EXPECT_EQ(globals, 0U);
                EXPECT_EQ(path.size(), 3U);
            }
            else
            {
                EXPECT_EQ(globals, 1U);
                EXPECT_LE(path.size(), 5U);
                EXPECT_EQ(net.paths.CountPaths(src, dst), 1U);
            }
            longest = std::max(longest, path.size());
        }
    }
    EXPECT_EQ(longest, 3U + 2);
    // Kim et al., section 4: minimal routes alone need two virtual channels.
    const BufferDependency found = Dependency(net.graph);
    EXPECT_TRUE(found.isKnown);
    EXPECT_FALSE(found.cycle.empty());
}

/// g groups with m links between each pair: (g/2)² · m global links from half to half.
TEST(TopologyDragonfly, FewerGroups)
{
    for (uint32_t groups : {2U, 4U, 6U, 8U})
    {
        const auto builder =
            Builder("dragonfly", {{"P", 4}, {"A", 4}, {"H", 2}, {"GroupCount", groups}});
        const uint32_t each = 8 / (groups - 1);
        const TopologySummary net = Summary(builder);
        EXPECT_EQ(net.hosts, 16 * groups);
        EXPECT_EQ(net.cables, 16 * groups + 6 * groups + groups * (groups - 1) / 2 * each);
        EXPECT_DOUBLE_EQ(*net.bisectionBps, groups * groups / 4 * each * 400e9);
    }
    Probe one(Builder("dragonfly", {{"GroupCount", 1}})->Build());
    EXPECT_EQ(one.Diameter(), 2);
    EXPECT_EQ(ErrorOf([] {
                  Builder("dragonfly", {{"GroupCount", 10}})->Build();
              }),
              "parameters.group_count: found 10, expected no more than a·h + 1 = 9");
}

/**
 * Diameter Σ⌊k/2⌋, mean hops Σk/4 for even k (of all ordered pairs), 3n links, bisection 2n/kmax; cubes
 * of 4³ have 96 optical links each, half of all, through 48 circuit switches (Jouppi et al., TPU v4,
 * ISCA 2023).
 */
TEST(TopologyTorus, ClosedForms)
{
    struct
    {
        uint32_t x, y, z, diameter, mean, bisection;
    } const sizes[]{
        {4, 4, 4, 6, 3, 32}, {8, 8, 8, 12, 6, 128}, {8, 8, 16, 16, 8, 128}, {16, 8, 8, 16, 8, 128}};

    for (const auto& size : sizes)
    {
        const auto builder = Torus(size.x, size.y, size.z, 4);
        builder->SetLink("nic_to_router", {4e12, 0, 0, 0});
        Probe net(builder->Build());
        const uint32_t n = size.x * size.y * size.z;
        EXPECT_EQ(net.graph.HostCount(), n);
        EXPECT_EQ(net.CountLinks("electrical"), n / 64 * 144);
        EXPECT_EQ(net.CountLinks("optical"), n / 64 * 96 / 2);
        EXPECT_EQ(net.CountLinks("electrical") + net.CountLinks("optical"), 3 * n);
        EXPECT_EQ(net.SwitchHopsFrom(0).rbegin()->first - 1, static_cast<int>(size.diameter));
        EXPECT_DOUBLE_EQ(MeanHops(net, n / 3), size.mean);
        EXPECT_DOUBLE_EQ(*Summary(builder).bisectionBps, size.bisection * 400e9);
        EXPECT_EQ(builder->CountOthers().front().second, 48U);
    }
}

TEST(TopologyTorus, LargestSlice)
{
    const auto builder = Torus(16, 16, 16, 4);
    builder->SetLink("nic_to_router", {4e12, 0, 0, 0});
    const FabricGraph graph = builder->Build();
    const std::clock_t start = std::clock();
    const auto routes = FindRoutes(graph);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    RecordProperty("routes_ms", static_cast<int>(seconds * 1000));
    EXPECT_LT(seconds, 20.) << "about one second on an idle machine";
    const TopologySummary net = SummarizeTopology(graph, builder->Halve(graph));
    EXPECT_EQ(net.hosts, 4096U);
    EXPECT_EQ(net.cables, 4096U + 12288);
    EXPECT_EQ(net.diameter, 24U + 1);
    EXPECT_DOUBLE_EQ(*net.bisectionBps, 512 * 400e9);
}

/// In x first, then y, then z; half round an even ring both ways are taken.
TEST(TopologyTorus, DimensionOrder)
{
    Probe net(Torus(4, 5, 6)->Build());
    auto at = [](uint32_t x, uint32_t y, uint32_t z) { return (x * 5 + y) * 6 + z; };
    EXPECT_EQ(net.paths.CountPaths(at(0, 0, 0), at(1, 2, 2)), 1U);
    EXPECT_EQ(net.paths.CountPaths(at(0, 0, 0), at(2, 2, 2)), 2U);
    EXPECT_EQ(net.paths.CountPaths(at(1, 1, 1), at(3, 3, 4)), 4U);
    const auto path = net.paths.Fastest(at(0, 0, 0), at(3, 3, 2));
    const std::vector<GraphNodeIdx> routers{
        at(0, 0, 0), at(3, 0, 0), at(3, 4, 0), at(3, 3, 0), at(3, 3, 1), at(3, 3, 2)};
    ASSERT_EQ(path.size(), routers.size() + 1);
    for (std::size_t i = 0; i < routers.size(); ++i)
    {
        EXPECT_EQ(net.graph.Nodes()[path[i + 1].from].number, routers[i]);
    }
    auto all = Torus(4, 5, 6);
    all->SetAttribute("DimensionOrder", BooleanValue(false));
    Probe minimal(all->Build());
    // (1 + 2 + 2)! / (1! 2! 2!) ways to mix the steps.
    EXPECT_EQ(minimal.paths.CountPaths(at(0, 0, 0), at(1, 2, 2)), 30U);
    EXPECT_EQ(minimal.paths.CountPaths(at(0, 0, 0), at(2, 0, 0)), 2U);
}

/**
 * Dimension order leaves no cycle in a mesh, nor where rings are so short that no way takes two steps
 * in one; longer rings are cycles without virtual channels (Dally and Seitz, IEEE ToC 1987).
 */
TEST(TopologyTorus, CyclesAreTheRingsAlone)
{
    auto mesh = Torus(4, 4, 4);
    mesh->SetAttribute("WrapAround", BooleanValue(false));
    EXPECT_TRUE(Dependency(mesh->Build()).cycle.empty());
    mesh->SetAttribute("DimensionOrder", BooleanValue(false));
    EXPECT_FALSE(Dependency(mesh->Build()).cycle.empty());
    EXPECT_TRUE(Dependency(Torus(3, 3, 3)->Build()).cycle.empty());
    EXPECT_TRUE(Dependency(Torus(2, 3, 1)->Build()).cycle.empty());

    const FabricGraph torus = Torus(3, 5, 3)->Build();
    const BufferDependency found = Dependency(torus);
    EXPECT_EQ(found.cycle.size(), 5U);
    const GraphPorts ports(torus);
    for (const auto& [node, port] : found.cycle)
    {
        EXPECT_EQ(torus.Links()[ports.Of(node)[port].link].rank, 1) << "in y";
    }
}

TEST(TopologyTorus, MeshAndSmallRings)
{
    auto mesh = Torus(4, 3, 1);
    mesh->SetAttribute("WrapAround", BooleanValue(false));
    Probe net(mesh->Build());
    EXPECT_EQ(net.CountLinks("electrical"), 3U * 3 + 4 * 2);
    EXPECT_EQ(net.Diameter() - 1, 3 + 2);
    Probe ring(Torus(2, 2, 2)->Build());
    EXPECT_EQ(ring.CountLinks("electrical"), 12U) << "a cube";
    auto several = Torus(3, 1, 1);
    several->SetAttribute("HostsPerRouter", UintegerValue(4));
    Probe hosts(several->Build());
    EXPECT_EQ(hosts.graph.HostCount(), 12U);
    EXPECT_EQ(hosts.SwitchHopsFrom(5), (std::map<int, uint32_t>{{1, 3}, {2, 8}}));
}

/**
 * k×2k twisted by k: routers are the points of the plane modulo (k, k) and (k, -k), which are those
 * nearer than k to the origin and half of those at distance k. There are 4d at distance d < k and 2k -
 * 1 at k: so the diameter is k, and the mean less than the 3k/4 of the torus (Cámara et al., IEEE TPDS
 * 2010).
 */
TEST(TopologyTorus, Twisted)
{
    for (uint32_t k : {3U, 4U, 5U, 8U})
    {
        auto builder = Torus(k, 2 * k, 1);
        builder->SetAttribute("Twisted", BooleanValue(true));
        Probe net(builder->Build());
        EXPECT_EQ(net.Diameter() - 1, static_cast<int>(k));
        double sum = k * (2. * k - 1);
        for (uint32_t d = 1; d < k; ++d)
        {
            sum += 4. * d * d;
        }
        EXPECT_DOUBLE_EQ(MeanHops(net, 1), sum / (2 * k * k));
    }
    for (auto [x, y, z] : {std::array{4U, 4U, 8U}, std::array{4U, 8U, 8U}})
    {
        auto builder = Torus(x, y, z, 4);
        Probe plain(builder->Build());
        builder->SetAttribute("Twisted", BooleanValue(true));
        Probe twisted(builder->Build());
        EXPECT_EQ(twisted.graph.Links().size(), plain.graph.Links().size());
        EXPECT_LT(MeanHops(twisted, 0), MeanHops(plain, 0));
    }
}

TEST(TopologyTorus, RefusesWhatDoesNotFit)
{
    EXPECT_EQ(ErrorOf([] { Torus(4, 6, 4, 4)->Build(); }),
              "parameters.size_y: found 6, expected a multiple of the cube_size 4, or a cube_size "
              "of 0");
    auto builder = Torus(4, 4, 4);
    builder->SetAttribute("Twisted", BooleanValue(true));
    EXPECT_EQ(ErrorOf([&] { builder->Build(); }),
              "parameters.twisted: found sizes 4×4×4, expected k×2k, k×k×2k or k×2k×2k, in any "
              "order, with k above 2");
}
