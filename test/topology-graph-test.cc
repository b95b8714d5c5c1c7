// SPDX-License-Identifier: GPL-2.0-only
#include "topology-probe.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::probe;

namespace
{

const std::string kNodes = R"([
    {"name": "tor", "kind": "switch"}, {"name": "left", "kind": "host"},
    {"name": "right", "kind": "host"}, {"name": "top", "kind": "switch"},
    {"name": "far", "kind": "host"}])";

std::string
Link(const std::string& from, const std::string& to, const std::string& rest = "")
{
    return R"({"from": ")" + from + R"(", "to": ")" + to +
           R"(", "bandwidth_gbps": 25, "propagation_delay_ns": 1000)" + rest + "}";
}

const std::string kLinks = Link("left", "tor") + "," + Link("right", "tor") + "," +
                           Link("top", "tor") + "," + Link("tor", "top") + "," +
                           R"({"from": "top", "to": "far", "bandwidth_gbps": 12.5, "length_km": 0.1,
                               "loss_probability": 0.01, "bit_error_rate": 1e-9})";

FabricGraph
Parse(const std::string& nodes, const std::string& links)
{
    auto builder = MakePlugin<TopologyBuilder>("graph");
    builder->SetAttribute("Nodes", StringValue(nodes));
    builder->SetAttribute("Links", StringValue(links));
    return builder->Build();
}

std::string
LinkError(const std::string& link)
{
    return ErrorOf([&] { Parse(kNodes, "[" + link + "]"); });
}

std::string
NodeError(const std::string& node)
{
    return ErrorOf([&] { Parse("[" + node + "]", "[]"); });
}

} // namespace

TEST(TopologyGraph, ReadsNodesAndLinks)
{
    Probe net(Parse(kNodes, "[" + kLinks + "]"));
    EXPECT_EQ(net.graph.HostCount(), 3U);
    EXPECT_EQ(net.graph.Nodes()[net.graph.NodeOf(2)].name, "far");
    const LinkSpec& link = net.graph.Links()[4].spec;
    EXPECT_EQ(link.bandwidth, 12.5e9);
    EXPECT_EQ(link.delay, 500 * kNanosecond) << "5 us per km";
    EXPECT_EQ(link.lossProbability, 0.01);
    EXPECT_EQ(link.bitErrorRate, 1e-9);
    EXPECT_EQ(net.graph.Links()[0].spec.delay, kMicrosecond);
    EXPECT_EQ(net.paths.CountPaths(0, 2), 2U) << "parallel links";
    EXPECT_EQ(*net.routes[0].Find(2), (std::vector<PortIdx>{2, 3}));
}

/// A server with NVSwitch and rails: GPUs are endpoints with two ports.
TEST(TopologyGraph, GpusWithTwoNetworks)
{
    std::string nodes = R"({"name": "leaf", "kind": "switch"})";
    std::string links;
    for (int gpu = 0; gpu < 4; ++gpu)
    {
        std::string server = "server" + std::to_string(gpu / 2);
        std::string name = server + ".gpu" + std::to_string(gpu % 2);
        if (gpu % 2 == 0)
        {
            nodes += R"(, {"name": ")" + server + R"(.nvswitch0", "kind": "nvswitch"})";
        }
        nodes += R"(, {"name": ")" + name + R"(", "kind": "gpu"})";
        links += (links.empty() ? "" : ",") + Link(name, server + ".nvswitch0") + "," +
                 Link(name, "leaf");
    }
    Probe net(Parse("[" + nodes + "]", "[" + links + "]"));
    EXPECT_EQ(net.graph.EndpointCount(), 4U);
    EXPECT_EQ(net.graph.ServerCount(), 2U);
    EXPECT_EQ(net.graph.Nodes()[net.graph.NodeOf(3)].unit, 1U);
    const SwitchRoutes& gpu = net.routes[net.graph.NodeOf(0)];
    EXPECT_EQ(*gpu.Find(1), (std::vector<PortIdx>{0, 1})) << "both ways are of two links";
    EXPECT_EQ(*gpu.Find(2), (std::vector<PortIdx>{1}));
    EXPECT_EQ(net.routes[net.graph.Find("server0.nvswitch0")].Find(2), nullptr);
    EXPECT_EQ(net.paths.CountPaths(0, 2), 1U);
}

TEST(TopologyGraph, NamesWhatIsWrongWithNodes)
{
    EXPECT_EQ(NodeError(""), "the topology has no host, expected at least one");
    EXPECT_EQ(NodeError("1"), "nodes[0]: found 1, expected an object");
    EXPECT_EQ(NodeError(R"({"kind": "host"})"), "nodes[0].name: missing, expected a string");
    EXPECT_EQ(NodeError(R"({"name": 7, "kind": "host"})"),
              "nodes[0].name: found 7, expected a string");
    EXPECT_EQ(NodeError(R"({"name": "a", "kind": "hots"})"),
              "nodes[0].kind: unknown kind 'hots', did you mean 'host'?");
    EXPECT_EQ(NodeError(R"({"nam": "a", "kind": "host"})"),
              "nodes[0].nam: unknown key, did you mean 'name'?");
    EXPECT_EQ(NodeError(R"({"name": "a", "kind": "gpu"}, {"name": "a", "kind": "host"})"),
              "nodes[1].name: 'a' is the name of nodes[0] already, expected a name of its own");
    EXPECT_EQ(NodeError(R"({"name": "a", "kind": "host"})"),
              "nodes[0]: host 'a' has no link, expected one");
    EXPECT_EQ(ErrorOf([] { Parse("{", "[]"); }), "nodes: expected a list of objects");
    EXPECT_EQ(ErrorOf([] { Parse("[]", "{}"); }), "links: expected a list of objects");
}

TEST(TopologyGraph, NamesWhatIsWrongWithLinks)
{
    EXPECT_EQ(LinkError(Link("lefd", "tor")),
              "links[0].from: unknown node 'lefd', did you mean 'left'?");
    EXPECT_EQ(LinkError(Link("left", "nowhere")),
              "links[0].to: unknown node 'nowhere', expected one of tor, left, right, top, far");
    EXPECT_EQ(LinkError(Link("tor", "tor")), "links[0]: both ends are 'tor', expected two nodes");
    EXPECT_EQ(LinkError(Link("left", "tor") + "," + Link("top", "left")),
              "links[1].to: host 'left' has a link already, expected one link per host: a host is "
              "one port of a NIC");
    EXPECT_EQ(LinkError(Link("left", "tor", R"(, "length_km": 1)")),
              "links[0]: both of propagation_delay_ns and length_km given, expected one");
    EXPECT_EQ(LinkError(R"({"from": "left", "to": "tor", "bandwidth_gbps": 1})"),
              "links[0]: neither of propagation_delay_ns and length_km given, expected one");
    EXPECT_EQ(LinkError(R"({"from": "left", "to": "tor", "length_km": 1})"),
              "links[0].bandwidth_gbps: missing, expected a number");
    EXPECT_EQ(
        LinkError(R"({"from": "left", "to": "tor", "bandwidth_gbps": "fast", "length_km": 1})"),
        "links[0].bandwidth_gbps: found \"fast\", expected a number");
    EXPECT_EQ(LinkError(R"({"from": "left", "to": "tor", "bandwidth_gbps": 0, "length_km": 1})"),
              "links[0].bandwidth_gbps: found 0, expected 1e-9 to 1e9");
    EXPECT_EQ(LinkError(R"({"from": "left", "to": "tor", "bandwidth_gbps": 1, "length_km": -1})"),
              "links[0].length_km: found -1, expected 0 or more, and a delay below 1 s");
    EXPECT_EQ(
        LinkError(R"({"from": "left", "to": "tor", "bandwidth_gbps": 1, "length_km": 1e300})"),
        "links[0].length_km: found 1e+300, expected 0 or more, and a delay below 1 s");
    EXPECT_EQ(LinkError(Link("left", "tor", R"(, "loss_probability": 1.5)")),
              "links[0].loss_probability: found 1.5, expected 0 to 1");
    EXPECT_EQ(
        LinkError(Link("left", "tor") + "," + Link("right", "top") + "," + Link("far", "top")),
        "there is no path between 'left' and 'right', expected all hosts to reach each other");
}

TEST(TopologyGraph, LongListsAreNotRepeated)
{
    std::string nodes = R"({"name": "leaf0", "kind": "switch"})";
    for (int i = 0; i < 100; ++i)
    {
        nodes += R"(, {"name": "host)" + std::to_string(i) + R"(", "kind": "host"})";
    }
    EXPECT_EQ(ErrorOf([&] { Parse("[" + nodes + "]", "[" + Link("elsewhere", "leaf0") + "]"); }),
              "links[0].from: unknown node 'elsewhere', expected the name of one of the 101 nodes");
}

TEST(TopologyGraph, TakesSwitchesButNoServers)
{
    auto builder = MakePlugin<TopologyBuilder>("graph");
    builder->SetAttribute("Nodes", StringValue(kNodes));
    builder->SetAttribute("Links", StringValue("[" + kLinks + "]"));
    builder->SetSwitch("switch", {0, 32 << 20, 0});
    EXPECT_EQ(builder->Build().Nodes()[3].spec.bufferBytes, 32U << 20);
    builder->SetAttribute("NicsPerServer", UintegerValue(2));
    EXPECT_EQ(ErrorOf([&] { builder->Build(); }),
              "parameters.nics_per_server: a graph has no servers but by the names of its hosts "
              "(server0.nic0.port0)");
}
