// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/fabric-graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

using namespace ns3::aifabric;

namespace
{

const LinkSpec kLink{100e9, 100 * kNanosecond, 0, 0};

/// Two hosts on a switch.
FabricGraph
Pair()
{
    FabricGraph graph;
    graph.AddNode("leaf0", NodeKind::Switch, "leaf", {2});
    for (auto name : {"a", "b"})
    {
        graph.AddLink(graph.AddNode(name, NodeKind::Host, "nic"), 0, kLink, "nic_to_leaf");
    }
    return graph;
}

} // namespace

TEST(TopologyGraphValue, NumbersHostsInOrderWhereverTheyStand)
{
    FabricGraph graph;
    graph.AddNode("server0.gpu5", NodeKind::Gpu, "gpu");
    graph.AddNode("leaf0", NodeKind::Switch, "leaf");
    graph.AddNode("server3.nic2.port1", NodeKind::Host, "nic");
    graph.AddNode("server3.nic2", NodeKind::Host, "nic");
    EXPECT_EQ(graph.HostCount(), 2U);
    EXPECT_EQ(graph.EndpointCount(), 3U);
    EXPECT_EQ(graph.ServerCount(), 4U);
    EXPECT_EQ(graph.NodeOf(0), 2U);
    EXPECT_EQ(graph.NodeOf(2), 0U);
    EXPECT_EQ(graph.EndpointOf(0), 2U);
    EXPECT_EQ(graph.EndpointOf(1), kNoNode);
    EXPECT_EQ(graph.EndpointOf(2), 0U);
    EXPECT_EQ(graph.Find("leaf0"), 1U);
    EXPECT_EQ(graph.Find("leaf1"), kNoIndex);
    const GraphNode& host = graph.Nodes()[2];
    EXPECT_EQ(host.server, 3U);
    EXPECT_EQ(host.unit, 2U);
    EXPECT_EQ(host.nicPort, 1U);
    EXPECT_EQ(graph.LayerOf(host), "nic");
    EXPECT_EQ(graph.Nodes()[0].unit, 5U);
    EXPECT_EQ(graph.Nodes()[3].server, kNoIndex) << "half a name tells no place";
}

TEST(TopologyGraphValue, PortsCountInTheOrderOfLinks)
{
    FabricGraph graph = Pair();
    auto spine = graph.AddNode("spine0", NodeKind::Switch, "spine");
    graph.AddLink(spine, 0, kLink, "leaf_to_spine");
    graph.AddLink(0, spine, kLink, "leaf_to_spine");
    GraphPorts ports(graph);
    auto leaf = ports.Of(0);
    ASSERT_EQ(leaf.end() - leaf.begin(), 4);
    EXPECT_EQ(leaf[1].peer, graph.Find("b"));
    EXPECT_EQ(leaf[2].peer, spine);
    EXPECT_EQ(leaf[3].peerPort, 1);
    EXPECT_EQ(leaf[3].link, 3U);
    EXPECT_EQ(ports.Of(spine)[1].peer, 0U);
    EXPECT_EQ(graph.PortName(0, 3), "leaf0.port3");
    EXPECT_EQ(graph.PortName(1, 0), "a");
    EXPECT_EQ(graph.LayerOf(graph.Links()[3]), "leaf_to_spine");
}

TEST(TopologyGraphValue, RefusesBadNodesAndLinks)
{
    FabricGraph graph = Pair();
    EXPECT_EQ(ErrorOf([&] { graph.AddNode("a", NodeKind::Host, "nic"); }),
              "nodes[3].name: 'a' is the name of nodes[1] already, expected a name of its own");
    EXPECT_EQ(ErrorOf([&] { graph.AddNode("a b", NodeKind::Host, "nic"); }),
              "nodes[3].name: found 'a b', expected letters, digits, '.', '_' and '-'");
    EXPECT_EQ(ErrorOf([&] { graph.AddNode("", NodeKind::Host, "nic"); }),
              "nodes[3].name: found '', expected letters, digits, '.', '_' and '-'");
    EXPECT_EQ(ErrorOf([&] { graph.AddLink(0, 0, kLink, "x"); }),
              "links[2]: both ends are 'leaf0', expected two nodes");
    EXPECT_EQ(ErrorOf([&] { graph.AddLink(0, 9, kLink, "x"); }), "links[2].to: no such node");
    EXPECT_EQ(ErrorOf([&] { graph.AddLink(2, 0, kLink, "x"); }),
              "links[2].from: host 'b' has a link already, expected one link per host: a host is "
              "one port of a NIC");
    EXPECT_EQ(graph.Nodes().size(), 3U) << "what was refused left nothing behind";
    EXPECT_EQ(graph.Links().size(), 2U);
    EXPECT_EQ(graph.Nodes()[0].ports, 2U);
}

TEST(TopologyGraphValue, RefusesImpossibleLinks)
{
    FabricGraph graph = Pair();
    auto spine = graph.AddNode("spine0", NodeKind::Switch, "spine");
    const std::pair<LinkSpec, const char*> bad[] = {
        {{0, 0, 0, 0}, "links[2].bandwidth_gbps: found 0, expected 1e-9 to 1e9"},
        {{-1e9, 0, 0, 0}, "links[2].bandwidth_gbps: found -1, expected 1e-9 to 1e9"},
        {{std::nan(""), 0, 0, 0}, "links[2].bandwidth_gbps: found nan, expected 1e-9 to 1e9"},
        {{1e9, -1500, 0, 0}, "links[2].propagation_delay_ns: found -1.5, expected 0 or more"},
        {{1e9, 0, 1.5, 0}, "links[2].loss_probability: found 1.5, expected 0 to 1"},
        {{1e9, 0, 0, -0.5}, "links[2].bit_error_rate: found -0.5, expected 0 to 1"},
    };
    for (const auto& [spec, message] : bad)
    {
        EXPECT_EQ(ErrorOf([&, s = spec] { graph.AddLink(0, spine, s, "x"); }), message);
    }
}

TEST(TopologyGraphValue, ValidatesTheWhole)
{
    FabricGraph graph = Pair();
    EXPECT_EQ(ErrorOf([&] { graph.Validate(); }), "no error");
    graph.AddNode("c", NodeKind::Host, "nic");
    EXPECT_EQ(ErrorOf([&] { graph.Validate(); }), "nodes[3]: host 'c' has no link, expected one");
    auto island = graph.AddNode("leaf1", NodeKind::Switch, "leaf");
    graph.AddLink(3, island, kLink, "x");
    EXPECT_EQ(ErrorOf([&] { graph.Validate(); }),
              "there is no path between 'a' and 'c', expected all hosts to reach each other");
    graph.AddLink(0, island, kLink, "x");
    EXPECT_EQ(ErrorOf([&] { graph.Validate(); }),
              "switches.leaf.radix: 'leaf0' has 3 ports, expected no more than its radix of 2");
    EXPECT_EQ(ErrorOf([] { FabricGraph().Validate(); }),
              "the topology has no host, expected at least one");
}

TEST(TopologyGraphValue, EndpointsDoNotJoinNetworks)
{
    FabricGraph graph = Pair();
    auto island = graph.AddNode("leaf1", NodeKind::Switch, "leaf");
    graph.AddLink(graph.AddNode("c", NodeKind::Host, "nic"), island, kLink, "x");
    auto gpu = graph.AddNode("server0.gpu0", NodeKind::Gpu, "gpu");
    graph.AddLink(gpu, 0, kLink, "x");
    graph.AddLink(gpu, island, kLink, "x");
    EXPECT_EQ(FindUnreachablePair(graph), (std::pair<NodeIdx, NodeIdx>(0, 2)));
}

TEST(TopologyGraphValue, TwoHostsBackToBack)
{
    FabricGraph graph;
    graph.AddNode("a", NodeKind::Host, "nic");
    graph.AddNode("b", NodeKind::Host, "nic");
    graph.AddLink(0, 1, kLink, "nic_to_nic");
    EXPECT_NO_THROW(graph.Validate());
}
