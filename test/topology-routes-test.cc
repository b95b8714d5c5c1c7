// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-path.h"
#include "ns3/fabric-routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <random>
#include <set>

using namespace ns3::aifabric;

namespace
{

const LinkSpec kLink{100e9, 100 * kNanosecond, 0, 0};

/// Some switches with random links, parallel ones included, hosts, and GPUs with several links.
FabricGraph
RandomGraph(uint32_t seed)
{
    std::mt19937 random(seed);
    auto draw = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    auto link = [&] {
        return LinkSpec{draw(4) ? 100e9 : 25e9, draw(3) ? 100 : 5 * kMicrosecond, 0, 0};
    };
    FabricGraph graph;
    uint32_t switches = 2 + draw(12);
    for (uint32_t i = 0; i < switches; ++i)
    {
        Tick latency = draw(4) ? 0 : kMicrosecond;
        graph.AddNode("s" + std::to_string(i), NodeKind::Switch, "switch", {0, 0, latency});
    }
    for (uint32_t i = draw(3 * switches); i > 0; --i)
    {
        uint32_t a = draw(switches);
        uint32_t b = draw(switches);
        for (uint32_t parallel = a == b ? 0 : 1 + draw(3) / 2; parallel > 0; --parallel)
        {
            graph.AddLink(a, b, link(), "x");
        }
    }
    for (uint32_t i = 0; i < 25; ++i)
    {
        bool isGpu = draw(4) == 0;
        auto node = graph.AddNode(
            "e" + std::to_string(i), isGpu ? NodeKind::Gpu : NodeKind::Host, "endpoint");
        for (uint32_t k = isGpu ? draw(4) : 1; k > 0; --k)
        {
            graph.AddLink(node, draw(switches), link(), "x");
        }
        if (isGpu && graph.EndpointCount() - graph.HostCount() > 1 && draw(2) == 0)
        {
            graph.AddLink(graph.NodeOf(graph.EndpointCount() - 2), node, link(), "x");
        }
    }
    return graph;
}

/// Distances to one endpoint, from the definition: only switches forward.
std::vector<uint32_t>
DistancesTo(const FabricGraph& graph, GraphNodeIdx dst, const std::vector<bool>& down)
{
    std::vector<uint32_t> distance(graph.Nodes().size(), kNoIndex);
    std::queue<GraphNodeIdx> queue;
    distance[dst] = 0;
    queue.push(dst);
    while (!queue.empty())
    {
        GraphNodeIdx node = queue.front();
        queue.pop();
        if (node != dst && IsEndpoint(graph.Nodes()[node].kind))
        {
            continue;
        }
        for (std::size_t i = 0; i < graph.Links().size(); ++i)
        {
            const GraphLink& link = graph.Links()[i];
            if (down[i] || (link.from != node && link.to != node))
            {
                continue;
            }
            GraphNodeIdx peer = link.from == node ? link.to : link.from;
            if (distance[peer] == kNoIndex)
            {
                distance[peer] = distance[node] + 1;
                queue.push(peer);
            }
        }
    }
    return distance;
}

} // namespace

TEST(TopologyRoutes, AgreeWithBruteForceOnRandomGraphs)
{
    uint64_t compared = 0;
    uint64_t unreachable = 0;
    for (uint32_t seed = 0; seed < 150; ++seed)
    {
        FabricGraph graph = RandomGraph(seed);
        std::vector<bool> down(graph.Links().size(), false);
        for (std::size_t i = seed % 2 ? 0 : 1; i < down.size(); i += 7)
        {
            down[i] = seed % 3 == 0;
        }
        auto routes = FindRoutes(graph, down);
        ASSERT_EQ(routes.size(), graph.Nodes().size());
        for (NodeIdx dst = 0; dst < graph.EndpointCount(); ++dst)
        {
            GraphNodeIdx end = graph.NodeOf(dst);
            auto distance = DistancesTo(graph, end, down);
            for (GraphNodeIdx node = 0; node < graph.Nodes().size(); ++node)
            {
                const GraphNode& n = graph.Nodes()[node];
                if (node == end || (IsEndpoint(n.kind) && n.ports < 2))
                {
                    continue;
                }
                std::vector<PortIdx> expected;
                for (std::size_t i = 0; i < graph.Links().size(); ++i)
                {
                    const GraphLink& link = graph.Links()[i];
                    GraphNodeIdx peer = link.from == node ? link.to : link.from;
                    bool isHere = link.from == node || link.to == node;
                    bool forwards = peer == end || !IsEndpoint(graph.Nodes()[peer].kind);
                    if (isHere && !down[i] && forwards && distance[peer] != kNoIndex &&
                        distance[peer] + 1 == distance[node])
                    {
                        expected.push_back(link.from == node ? link.fromPort : link.toPort);
                    }
                }
                std::sort(expected.begin(), expected.end());
                const auto* found = routes[node].Find(dst);
                ASSERT_EQ(found ? *found : std::vector<PortIdx>(), expected)
                    << "seed " << seed << ", " << n.name << " to " << graph.Nodes()[end].name;
                ++compared;
                unreachable += expected.empty();
            }
        }
    }
    EXPECT_GT(compared, 30000U);
    EXPECT_GT(unreachable, 1000U) << "the graphs are to have holes";
}

TEST(TopologyRoutes, RunsAreSortedMergedAndGroupsUnique)
{
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        for (const SwitchRoutes& routes : FindRoutes(RandomGraph(seed)))
        {
            std::set<std::vector<PortIdx>> distinct(routes.groups.begin(), routes.groups.end());
            EXPECT_EQ(distinct.size(), routes.groups.size());
            for (const auto& group : routes.groups)
            {
                EXPECT_FALSE(group.empty());
                EXPECT_TRUE(std::is_sorted(group.begin(), group.end()));
            }
            for (std::size_t i = 0; i < routes.runs.size(); ++i)
            {
                const auto& run = routes.runs[i];
                EXPECT_LE(run.first, run.last);
                EXPECT_LT(run.group, routes.groups.size());
                if (i > 0)
                {
                    const auto& before = routes.runs[i - 1];
                    EXPECT_GT(run.first, before.last);
                    EXPECT_FALSE(run.first == before.last + 1 && run.group == before.group);
                }
            }
        }
    }
}

TEST(TopologyRoutes, NothingToReachIsNoRun)
{
    FabricGraph graph;
    graph.AddNode("s0", NodeKind::Switch, "switch");
    graph.AddNode("s1", NodeKind::Switch, "switch");
    graph.AddLink(graph.AddNode("a", NodeKind::Host, "nic"), 0, kLink, "x");
    graph.AddLink(graph.AddNode("b", NodeKind::Host, "nic"), 1, kLink, "x");
    auto routes = FindRoutes(graph);
    ASSERT_NE(routes[0].Find(0), nullptr);
    EXPECT_EQ(routes[0].Find(1), nullptr);
    EXPECT_EQ(routes[1].Find(0), nullptr);
    EXPECT_EQ(routes[0].Find(99), nullptr);
    PathFinder paths(graph, routes);
    EXPECT_TRUE(paths.Fastest(0, 1).empty());
    EXPECT_EQ(paths.CountPaths(0, 1), 0U);
}

TEST(TopologyPath, BackToBack)
{
    FabricGraph graph;
    graph.AddNode("a", NodeKind::Host, "nic");
    graph.AddNode("b", NodeKind::Host, "nic");
    graph.AddLink(0, 1, kLink, "x");
    auto routes = FindRoutes(graph);
    PathFinder paths(graph, routes);
    ASSERT_EQ(paths.Fastest(0, 1).size(), 1U);
    EXPECT_EQ(paths.CountPaths(1, 0), 1U);
    EXPECT_TRUE(paths.Fastest(0, 0).empty());
    EXPECT_EQ(paths.CountPaths(0, 0), 0U);
}

/// The least time over all shortest paths from a node, one by one, given what lies before it.
double
LeastTime(const FabricGraph& graph,
          const std::vector<SwitchRoutes>& routes,
          GraphNodeIdx node,
          NodeIdx dst,
          uint64_t frames,
          double sum = 0,
          double slowest = 1e15)
{
    constexpr double kBits = 1000 * 8e12;
    if (graph.EndpointOf(node) == dst)
    {
        return sum + static_cast<double>(frames - 1) * kBits / slowest;
    }
    double least = 1e30;
    GraphPorts ports(graph);
    const auto* choice = routes[node].Find(dst);
    bool hasOne = IsEndpoint(graph.Nodes()[node].kind) && graph.Nodes()[node].ports == 1;
    for (PortIdx port : hasOne   ? std::vector<PortIdx>{0}
                        : choice ? *choice
                                 : std::vector<PortIdx>())
    {
        const auto& far = ports.Of(node)[port];
        const LinkSpec& link = graph.Links()[far.link].spec;
        bool forwards = !IsEndpoint(graph.Nodes()[node].kind);
        double next = sum + kBits / link.bandwidth + static_cast<double>(link.delay) +
                      (forwards ? graph.Nodes()[node].spec.forwardingLatency : 0);
        if (graph.EndpointOf(far.peer) == dst || !IsEndpoint(graph.Nodes()[far.peer].kind))
        {
            least = std::min(
                least,
                LeastTime(
                    graph, routes, far.peer, dst, frames, next, std::min(slowest, link.bandwidth)));
        }
    }
    return least;
}

TEST(TopologyPath, IsTheBestOfAllShortestPaths)
{
    uint32_t reached = 0;
    for (uint32_t seed = 0; seed < 60; ++seed)
    {
        FabricGraph graph = RandomGraph(seed);
        auto routes = FindRoutes(graph);
        PathFinder paths(graph, routes);
        uint64_t frames = 1 + seed % 3 * 20;
        for (NodeIdx dst = 1; dst < graph.EndpointCount(); ++dst)
        {
            double sum = 0;
            double slowest = 1e15;
            auto path = paths.Fastest(0, dst, 1000, frames);
            for (const PathHop& hop : path)
            {
                const LinkSpec& link = graph.Links()[hop.link].spec;
                sum += 1000 * 8e12 / link.bandwidth + static_cast<double>(link.delay);
                sum += &hop == path.data() ? 0 : graph.Nodes()[hop.from].spec.forwardingLatency;
                slowest = std::min(slowest, link.bandwidth);
            }
            sum += static_cast<double>(frames - 1) * 1000 * 8e12 / slowest;
            double least = LeastTime(graph, routes, graph.NodeOf(0), dst, frames);
            EXPECT_EQ(path.empty(), least == 1e30);
            if (!path.empty())
            {
                EXPECT_DOUBLE_EQ(sum, least) << "seed " << seed << " to " << dst;
                ++reached;
            }
        }
    }
    EXPECT_GT(reached, 500U);
}

/// What was found for other hosts of the same switches makes no difference.
TEST(TopologyPath, AreTheSameAskedOnceOrOften)
{
    uint32_t compared = 0;
    for (uint32_t seed = 0; seed < 40; ++seed)
    {
        FabricGraph graph = RandomGraph(seed);
        auto routes = FindRoutes(graph);
        PathFinder often(graph, routes);
        for (NodeIdx src = 0; src < graph.EndpointCount(); ++src)
        {
            for (NodeIdx dst = 0; dst < graph.EndpointCount(); ++dst)
            {
                auto known = often.Fastest(src, dst, 1000, 1 + seed);
                auto fresh = PathFinder(graph, routes).Fastest(src, dst, 1000, 1 + seed);
                ASSERT_EQ(known.size(), fresh.size());
                for (std::size_t i = 0; i < known.size(); ++i)
                {
                    EXPECT_EQ(known[i].from, fresh[i].from);
                    EXPECT_EQ(known[i].link, fresh[i].link);
                    EXPECT_EQ(known[i].nextHops, fresh[i].nextHops);
                    EXPECT_EQ(known[i].stageLinks, fresh[i].stageLinks);
                    EXPECT_EQ(known[i].stageBandwidth, fresh[i].stageBandwidth);
                    ++compared;
                }
            }
        }
    }
    EXPECT_GT(compared, 10000U);
}

/**
 * Two ways between the leaves: links of 100 Gb/s and 10 us, or of 25 Gb/s and no delay. A frame of
 * 1250 B lasts 100 ns and 400 ns: 4·100 + 20000 + 100·(n-1) meets 2·100 + 2·400 + 400·(n-1) at
 * n - 1 = 64.67.
 */
TEST(TopologyPath, FastestDependsOnTheLength)
{
    FabricGraph graph;
    const LinkSpec access{100e9, 0, 0, 0};
    for (auto name : {"leaf0", "leaf1", "spine0", "spine1"})
    {
        graph.AddNode(name, NodeKind::Switch, "switch", {0, 0, 0});
    }
    graph.AddLink(graph.AddNode("a", NodeKind::Host, "nic"), 0, access, "x");
    graph.AddLink(graph.AddNode("b", NodeKind::Host, "nic"), 1, access, "x");
    for (GraphNodeIdx leaf : {0, 1})
    {
        graph.AddLink(leaf, 2, {100e9, 10 * kMicrosecond, 0, 0}, "x");
        graph.AddLink(leaf, 3, {25e9, 0, 0, 0}, "x");
    }
    auto routes = FindRoutes(graph);
    PathFinder paths(graph, routes);
    EXPECT_EQ(paths.Fastest(0, 1, 1250, 1)[1].link, 3U);
    EXPECT_EQ(paths.Fastest(0, 1, 1250, 65)[1].link, 3U);
    EXPECT_EQ(paths.Fastest(0, 1, 1250, 66)[1].link, 2U);
    auto path = paths.Fastest(0, 1, 1250, 66);
    ASSERT_EQ(path.size(), 4U);
    EXPECT_EQ(path[1].from, 0U);
    EXPECT_EQ(path[1].nextHops, 2U);
    EXPECT_EQ(path[2].nextHops, 1U);
    EXPECT_EQ(path[2].stageLinks, 2U);
    EXPECT_DOUBLE_EQ(path[2].stageBandwidth, 125e9);
    EXPECT_DOUBLE_EQ(path[3].stageBandwidth, 100e9);
    EXPECT_EQ(paths.CountPaths(0, 1), 2U);
}

/// A slow switch is avoided.
TEST(TopologyPath, CountsForwardingLatency)
{
    FabricGraph graph;
    graph.AddNode("leaf0", NodeKind::Switch, "switch");
    graph.AddNode("leaf1", NodeKind::Switch, "switch");
    graph.AddNode("spine0", NodeKind::Switch, "switch", {0, 0, 800 * kNanosecond});
    graph.AddNode("spine1", NodeKind::Switch, "switch", {0, 0, 300 * kNanosecond});
    graph.AddLink(graph.AddNode("a", NodeKind::Host, "nic"), 0, kLink, "x");
    graph.AddLink(graph.AddNode("b", NodeKind::Host, "nic"), 1, kLink, "x");
    for (GraphNodeIdx spine : {2, 3})
    {
        graph.AddLink(0, spine, kLink, "x");
        graph.AddLink(1, spine, kLink, "x");
    }
    auto routes = FindRoutes(graph);
    EXPECT_EQ(PathFinder(graph, routes).Fastest(0, 1)[2].from, 3U);
}
