// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/buffer-dependency.h"
#include "ns3/fabric-registry.h"
#include "ns3/topology-builder.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace ns3::aifabric
{
namespace
{

const LinkSpec kLink{100e9, 100 * kNanosecond, 0, 0};

/// Switches s0 to s(n-1) with a host each, in a ring.
FabricGraph
Ring(uint32_t switches)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < switches; ++i)
    {
        graph.AddNode("s" + std::to_string(i), NodeKind::Switch, "switch");
    }
    for (uint32_t i = 0; i < switches; ++i)
    {
        graph.AddLink(i, (i + 1) % switches, kLink, "ring");
    }
    for (uint32_t i = 0; i < switches; ++i)
    {
        auto host = graph.AddNode("h" + std::to_string(i), NodeKind::Host, "host");
        graph.AddLink(host, i, kLink, "access");
    }
    return graph;
}

BufferDependency
Find(const FabricGraph& graph)
{
    return FindBufferDependency(graph, FindRoutes(graph));
}

// Up and then down is free of cycles, and seen as such without a search.
TEST(BufferDependency, ClosHasNone)
{
    for (const char* type : {"star", "leaf_spine", "clos", "fat_tree", "rail_optimized"})
    {
        const FabricGraph graph = MakePlugin<TopologyBuilder>(type)->Build();
        const BufferDependency found = FindBufferDependency(graph, FindRoutes(graph), {}, 0);
        EXPECT_TRUE(found.isKnown && found.cycle.empty()) << type;
        EXPECT_EQ(found.ToText(graph), "no cyclic buffer dependency");
    }
}

// The shortest path of a ring of three is a link; from four on what goes to the next but one waits in
// one link for the next, all the way round.
TEST(BufferDependency, RingsFromFourOn)
{
    EXPECT_TRUE(Find(Ring(3)).cycle.empty());
    for (uint32_t switches : {4, 5, 8})
    {
        EXPECT_EQ(Find(Ring(switches)).cycle.size(), switches);
    }
    const FabricGraph graph = Ring(4);
    const std::string text = Find(graph).ToText(graph);
    EXPECT_EQ(text.rfind("cyclic buffer dependency", 0), 0U) << text;
    for (const char* name : {"s0.port", "s1.port", "s2.port", "s3.port"})
    {
        EXPECT_NE(text.find(name), std::string::npos) << text;
    }
}

// Whoever does not wait breaks the cycle: a link that drops, one of each way round.
TEST(BufferDependency, LossyLinksBreakIt)
{
    const FabricGraph graph = Ring(4);
    const auto routes = FindRoutes(graph);
    std::vector<bool> lossy(2 * graph.Links().size());
    lossy[0] = true;
    EXPECT_EQ(FindBufferDependency(graph, routes, lossy).cycle.size(), 4U);
    lossy[5] = true;
    EXPECT_TRUE(FindBufferDependency(graph, routes, lossy).cycle.empty());
}

TEST(BufferDependency, LargeNetworksAreLeftOut)
{
    const FabricGraph graph = Ring(4);
    const BufferDependency found = FindBufferDependency(graph, FindRoutes(graph), {}, 31);
    EXPECT_FALSE(found.isKnown);
    EXPECT_NE(found.ToText(graph).find("too large"), std::string::npos);
    // Four destinations times eight directions of links.
    EXPECT_TRUE(FindBufferDependency(graph, FindRoutes(graph), {}, 32).isKnown);
}

// Two switches that have the way to a third host through each other.
TEST(BufferDependency, RoutingLoop)
{
    FabricGraph graph;
    auto a = graph.AddNode("a", NodeKind::Switch, "switch");
    auto b = graph.AddNode("b", NodeKind::Switch, "switch");
    graph.AddLink(a, b, kLink, "middle");
    for (auto [name, at] : {std::pair{"h0", a}, {"h1", b}, {"h2", b}})
    {
        graph.AddLink(graph.AddNode(name, NodeKind::Host, "host"), at, kLink, "access");
    }
    auto routes = FindRoutes(graph);
    EXPECT_TRUE(FindBufferDependency(graph, routes).cycle.empty());
    for (auto& run : routes[b].runs)
    {
        run.group = run.first == 2 ? routes[b].runs.front().group : run.group;
    }
    const std::vector<BufferDependency::Sender> loop{{a, 0}, {b, 0}};
    EXPECT_EQ(FindBufferDependency(graph, routes).cycle, loop);
}

// A leaf-spine with a host on each of two spines: from spine to spine frames go down and up again.
// Leaf 0, spine 1, leaf 1, spine 0 wait for each other; a host on one of them only does no harm.
TEST(BufferDependency, HostsOnSpines)
{
    FabricGraph graph;
    for (const char* name : {"leaf0", "leaf1", "spine0", "spine1"})
    {
        graph.AddNode(name, NodeKind::Switch, "switch");
    }
    for (uint32_t leaf : {0, 1})
    {
        for (uint32_t spine : {2, 3})
        {
            graph.AddLink(leaf, spine, kLink, "up");
        }
    }
    for (uint32_t at : {0, 1, 2})
    {
        const auto host = graph.AddNode("h" + std::to_string(at), NodeKind::Host, "host");
        graph.AddLink(host, at, kLink, "access");
    }
    EXPECT_TRUE(Find(graph).isKnown && Find(graph).cycle.empty());
    graph.AddLink(graph.AddNode("h3", NodeKind::Host, "host"), 3, kLink, "access");
    EXPECT_EQ(Find(graph).cycle.size(), 4U);
}

FabricGraph
RandomNetwork(std::mt19937& random)
{
    auto draw = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    FabricGraph graph;
    const uint32_t switches = 3 + draw(8);
    for (uint32_t i = 0; i < switches; ++i)
    {
        graph.AddNode("s" + std::to_string(i), NodeKind::Switch, "switch");
    }
    // Few links: paths of several of them have turns.
    for (uint32_t i = 0; i < switches; ++i)
    {
        if (draw(8))
        {
            graph.AddLink(i, (i + 1) % switches, kLink, "x");
        }
    }
    for (uint32_t chords = draw(4); chords > 0; --chords)
    {
        const uint32_t a = draw(switches);
        const uint32_t b = (a + 1 + draw(switches - 1)) % switches;
        graph.AddLink(a, b, kLink, "x");
    }
    for (uint32_t i = 0; i < 2 + draw(8); ++i)
    {
        const auto host = graph.AddNode("h" + std::to_string(i), NodeKind::Host, "host");
        graph.AddLink(host, draw(switches), kLink, "x");
    }
    return graph;
}

using Waits = std::set<std::pair<BufferDependency::Sender, BufferDependency::Sender>>;

/// Every way of every pair of hosts, one frame after the other.
Waits
AllWaits(const FabricGraph& graph, const std::vector<SwitchRoutes>& routes)
{
    Waits waits;
    const GraphPorts ports(graph);
    for (NodeIdx to = 0; to < graph.HostCount(); ++to)
    {
        for (NodeIdx from = 0; from < graph.HostCount(); ++from)
        {
            std::set<BufferDependency::Sender> done;
            std::vector<BufferDependency::Sender> open{{graph.NodeOf(from), 0}};
            while (from != to && !open.empty())
            {
                const auto in = open.back();
                open.pop_back();
                const GraphNodeIdx at = ports.Of(in.first)[in.second].peer;
                const auto* next = done.insert(in).second ? routes[at].Find(to) : nullptr;
                for (std::size_t i = 0; next && i < next->size(); ++i)
                {
                    const BufferDependency::Sender out{at, (*next)[i]};
                    waits.insert({in, out});
                    open.push_back(out);
                }
            }
        }
    }
    return waits;
}

/// @return whether a cycle remains when what waits for nothing is taken away, again and again.
bool
HasCycle(Waits waits)
{
    for (std::size_t before = waits.size() + 1; waits.size() < before;)
    {
        before = waits.size();
        std::set<BufferDependency::Sender> waiting;
        for (const auto& wait : waits)
        {
            waiting.insert(wait.first);
        }
        for (auto wait = waits.begin(); wait != waits.end();)
        {
            wait = waiting.count(wait->second) ? std::next(wait) : waits.erase(wait);
        }
    }
    return !waits.empty();
}

TEST(BufferDependency, AgreesWithEveryWayOfEveryPair)
{
    std::mt19937 random(7);
    std::map<bool, int> count;
    for (int i = 0; i < 1000; ++i)
    {
        const FabricGraph graph = RandomNetwork(random);
        const auto routes = FindRoutes(graph);
        const Waits waits = AllWaits(graph, routes);
        const auto cycle = FindBufferDependency(graph, routes).cycle;
        ASSERT_EQ(!cycle.empty(), HasCycle(waits)) << i;
        for (std::size_t k = 0; k < cycle.size(); ++k)
        {
            EXPECT_EQ(waits.count({cycle[k], cycle[(k + 1) % cycle.size()]}), 1U) << i;
        }
        ++count[!cycle.empty()];
    }
    EXPECT_GT(count[true], 30);
    EXPECT_GT(count[false], 30);
}

} // namespace
} // namespace ns3::aifabric
