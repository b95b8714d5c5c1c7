// SPDX-License-Identifier: GPL-2.0-only
#include "topology-probe.h"

#include "ns3/json-value.h"
#include "ns3/scenario-topology.h"
#include "ns3/topology-summary.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::probe;

namespace
{

const std::string kSite = R"({"name": "dc0", "type": "leaf_spine", "parameters":
    {"leaf_count": 2, "spine_count": 2, "hosts_per_leaf": 4, "nics_per_server": 2}})";
const std::string kOther = R"({"name": "dc1", "type": "star", "host_count": 4,
    "nics_per_server": 4, "links": {"nic_to_leaf": {"bandwidth_gbps": 100}}})";

FabricGraph
Build(const std::string& sites, const std::string& wanLinks, const std::string& more = "")
{
    const JsonValue json =
        JsonValue::Parse(R"({"topology": {"type": "multi_dc", "sites": [)" + sites +
                         R"(], "wan_links": [)" + wanLinks + "]" + more + "}}")["topology"];
    return BuildTopology(*ReadTopology(json), json);
}

std::string
Wan(const std::string& from, const std::string& to, const std::string& more = "")
{
    return R"({"from": ")" + from + R"(", "to": ")" + to +
           R"(", "bandwidth_gbps": 800, "length_km": 100)" + more + "}";
}

} // namespace

TEST(TopologyMultiDc, SitesAreWholeAndNamed)
{
    Probe net(Build(kSite + "," + kOther, Wan("dc0", "dc1", R"(, "count": 3)")));
    const FabricGraph& graph = net.graph;
    EXPECT_EQ(graph.HostCount(), 12U);
    EXPECT_EQ(graph.ServerCount(), 5U);
    EXPECT_EQ(net.CountSwitches("leaf"), 3U);
    EXPECT_EQ(net.CountSwitches("gateway"), 2U);
    EXPECT_EQ(net.CountLinks("switch_to_gateway"), 3U) << "two spines, and the leaf of the star";
    EXPECT_EQ(net.CountLinks("wan"), 3U);
    const GraphNodeIdx host = graph.Find("dc1.server0.nic2.port0");
    ASSERT_NE(host, kNoIndex);
    EXPECT_EQ(graph.EndpointOf(host), 10U);
    EXPECT_EQ(graph.Nodes()[host].server, 4U);
    EXPECT_EQ(graph.Nodes()[host].unit, 2U);
    EXPECT_EQ(graph.Links()[GraphPorts(graph).Of(host)[0].link].spec.bandwidth, 100e9);
    // Leaf, spine, gateway, gateway, leaf; two spines times three links.
    EXPECT_EQ(net.SwitchHops(0, 10), 5);
    EXPECT_EQ(net.paths.CountPaths(0, 10), 6U);
    EXPECT_EQ(net.SwitchHops(0, 7), 3) << "not by the gateway";
    // 100 km are 500 us.
    EXPECT_EQ(graph.Links().back().spec.delay, 500 * kMicrosecond);
    EXPECT_EQ(graph.Links().back().spec.bandwidth, 800e9);
}

/// W long links of C: W·C from site to site, where that is the least.
TEST(TopologyMultiDc, BisectionIsTheWan)
{
    const std::string second = R"({"name": "b", "type": "fat_tree", "k": 4})";
    const std::string first = R"({"name": "a", "type": "fat_tree", "k": 4})";
    const FabricGraph graph =
        Build(first + "," + second,
              R"({"from": "a", "to": "b", "bandwidth_gbps": 200, "length_km": 10, "count": 5})");
    std::vector<bool> half(32);
    std::fill_n(half.begin(), 16, true);
    const TopologySummary net = SummarizeTopology(graph, half);
    EXPECT_DOUBLE_EQ(*net.bisectionBps, 5 * 200e9);
    EXPECT_EQ(net.diameter, 3U + 1 + 1 + 3);
}

TEST(TopologyMultiDc, TransitAndGateways)
{
    auto torus = [](const std::string& name) {
        return R"({"name": ")" + name + R"(", "type": "torus_3d"})";
    };
    Probe net(Build(torus("a") + "," + torus("b") + "," + torus("c"),
                    Wan("a", "b", R"(, "count": 4)") + "," + Wan("b", "c"),
                    R"(, "gateways_per_site": 2)"));
    EXPECT_EQ(net.CountSwitches("gateway"), 6U);
    EXPECT_EQ(net.CountLinks("switch_to_gateway"), 6U) << "one router of each torus";
    // Router 0, gateway, that of b, router 0 or none, that of c, router 0.
    EXPECT_EQ(net.SwitchHops(0, 128), 5);
    EXPECT_EQ(net.SwitchHops(0, 63), 4) << "three steps, all round";
}

TEST(TopologyMultiDc, ErrorsSayWhere)
{
    auto error = [](const std::string& sites, const std::string& wan) {
        return ErrorOf([&] { Build(sites, wan); });
    };
    EXPECT_EQ(error(kSite + "," + kSite, ""),
              "topology.sites[1].name: 'dc0' is the name of another site, expected one of its own");
    EXPECT_EQ(error(kSite + "," + R"({"name": "x", "type": "fat_tree", "k": 5})", ""),
              "topology.sites[1].parameters.k: found 5, expected an even number");
    EXPECT_EQ(error(kSite + "," + R"({"name": "x", "type": "star", "host_cont": 5})", ""),
              "topology.sites[1].host_cont: unknown key, did you mean 'host_count'?");
    EXPECT_EQ(error(kSite, Wan("dc0", "dc2")),
              "topology.wan_links[0].to: unknown site 'dc2', did you mean 'dc0'?");
    EXPECT_EQ(error(kSite, Wan("dc0", "dc0")),
              "topology.wan_links[0].to: found the site that the link comes from, expected another "
              "one");
    EXPECT_EQ(error(kSite + "," + kOther,
                    R"({"from": "dc0", "to": "dc1", "bandwidth_gbps": 0, "length_km": 1})"),
              "topology.wan_links[0].bandwidth_gbps: found the number 0, expected 1e-09 to "
              "1000000000");
    EXPECT_EQ(error(kSite + "," + kOther, ""),
              "topology: there is no path between 'dc0.server0.nic0.port0' and "
              "'dc1.server0.nic0.port0', expected all hosts to reach each other");
}
