// SPDX-License-Identifier: GPL-2.0-only
#include "import-case.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Json = nlohmann::json;

const ImportCase kCase("htsim");

// Two pods of four hosts: two switches of tier 0 and two of tier 1 in each, one link up from a
// switch of tier 1, two cores.
const std::string kTopology =
    "# a comment\nNodes 8\nTiers 3\nPodsize 4\n\n"
    "Tier 0\nOversubscribed 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
    "Downlink_Latency_ns 1000\nSwitch_Latency_ns 100\n\n"
    "Tier 1\nOversubscribed 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\n"
    "Downlink_Latency_ns\t2000\nSwitch_Latency_ns 300\nBundle 1\n\n"
    "Tier 2\r\nDownlink_speed_Gbps 200\nRadix_Down 2\nDownlink_Latency_ns 5000\n"
    "Switch_Latency_ns 500\nBundle 1";

const std::string kConnections = "Nodes 8\nConnections 2\n0->7 id 1 start 1000000 size 2000000\n"
                                 "7->0 start 0 size 18446744073709551615\n\n";

} // namespace

TEST(ImportHtsim, ThreeTiers)
{
    const ScenarioConfig config = kCase.Load({kTopology});
    const FabricGraph& graph = *config.graph;
    EXPECT_EQ(graph.HostCount(), 8U);
    // 8 hosts, 4 + 4 + 2 switches; 8 and 8 links of 100 Gb/s, 4 of 200.
    EXPECT_EQ(graph.Nodes().size(), 18U);
    EXPECT_EQ(LinksByRate(graph), (std::map<double, std::size_t>{{100, 16}, {200, 4}}));
    // One way from host 0 to host 7 over a core: links 1 + 2 + 5 + 5 + 2 + 1 us, switches 0.1 twice,
    // 0.3 twice, 0.5 once.
    Tick delay = 0;
    GraphNodeIdx at = graph.Find("host0");
    for (const char* next : {"tor0", "agg0", "core0", "agg2", "tor3", "host7"})
    {
        const GraphNodeIdx to = graph.Find(next);
        for (const GraphLink& l : graph.Links())
        {
            const bool joins = (l.from == at && l.to == to) || (l.from == to && l.to == at);
            delay += joins ? l.spec.delay : 0;
        }
        at = to;
        delay += IsEndpoint(graph.Nodes()[at].kind) ? 0 : graph.Nodes()[at].spec.forwardingLatency;
    }
    EXPECT_EQ(delay, (16 * 1000 + 2 * 100 + 2 * 300 + 500) * kNanosecond);
}

TEST(ImportHtsim, TwoTiersInBundles)
{
    const ScenarioConfig config =
        kCase.Load({"nodes 4\ntiers 2\npodsize 4\ntier 0\ndownlink_speed_gbps 100\nradix_down 2\n"
                    "radix_up 4\ntier 1\nradix_down 4\nbundle 2\ndownlink_speed_gbps 50\n"});
    // Two leaves, two spines, two links between each; latencies may be absent.
    EXPECT_EQ(config.graph->Nodes().size(), 8U);
    EXPECT_EQ(LinksByRate(*config.graph), (std::map<double, std::size_t>{{50, 8}, {100, 4}}));
}

TEST(ImportHtsim, ConnectionsBecomeFlows)
{
    const ImportResult result = kCase.Import({{"a/x.cm", kConnections}, {"x.topo", kTopology}});
    const Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["name"], "x");
    const Json& flows = s["traffic"].at(0)["flows"];
    ASSERT_EQ(flows.size(), 2U);
    // Starts are in picoseconds.
    EXPECT_EQ(flows[0], Json::parse(R"({"source": 0, "destination": 7, "size_bytes": 2000000,
                                        "start_time_s": 1e-6})"));
    EXPECT_EQ(flows[1]["size_bytes"], 18446744073709551615ULL);
    EXPECT_TRUE(ImportCase::Contains(result.notices, "a/x.cm: found 8 nodes, 2 flows of"));
    EXPECT_TRUE(ImportCase::Contains(result.notices,
                                     "x.topo: found 8 hosts, 4 + 4 + 2 switches, links: 16 of 100 "
                                     "Gb/s, 4 of 200 Gb/s"));
    const Json alone = kCase.ImportJson({kConnections});
    EXPECT_EQ(alone["topology"], Json::parse(R"({"type": "star", "host_count": 8})"));
}

TEST(ImportHtsim, SaysWhatItCannotRepresent)
{
    const ImportResult result = kCase.Import(
        {{"c",
          "Nodes 2\nConnections 1\nFailures 1\n0->1 start 0 size 1 prio 3 msg 4\n"
          "failure switch_type TOR switch_id 0 link_id 1\n"},
         {"t",
          "Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\n"
          "Radix_Up 2\nOversubscribed 2\nQueue_Up 100\nTier 1\nRadix_Down 2\n"
          "Downlink_speed_Gbps 100\n"}});
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "c: prio is left out"));
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "c: 1 failure of links left out"));
    EXPECT_TRUE(ImportCase::Contains(
        result.warnings, "t: tier 0: oversubscribed 2 is left out, its links have 1:1"));
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "t: sizes of queues are left out"));
}

TEST(ImportHtsim, MistakesInConnections)
{
    auto refusal = [](const std::string& text) { return kCase.Refusal({text}); };
    EXPECT_EQ(refusal("{}"), "f0: found no topology (.topo) or connections (.cm) of htsim");
    EXPECT_EQ(kCase.Refusal({}), "found no file, expected a topology or connections");
    EXPECT_EQ(refusal("Nodes 2\nConnections 2\n0->1 start 0 size 1\n"),
              "f0: has 1 connection, expected 2 as declared");
    EXPECT_EQ(refusal("Nodes 2\nConnections 0\n0->1 start 0 size 1\n"),
              "f0: has 1 connection, expected 0 as declared");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->2 start 0 size 1\n"),
              "f0: line 3: found '2', expected a node, a whole number from 0 to 1");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 size 1\n"),
              "f0: line 3: found '0->1', expected either start or trigger as well");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 start 0\n"),
              "f0: line 3: found '0->1', expected a size as well");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 start 0 size\n"),
              "f0: line 3: ends after 'size', expected a value");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 id 0 start 0 size 1\n"),
              "f0: line 3: found '0', expected id, a whole number from 1 to 4294967294");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 strat 0 size 1\n"),
              "f0: line 3: found 'strat', expected id, msg, start, trigger, size, "
              "send_done_trigger, recv_done_trigger or prio");
    EXPECT_EQ(refusal("Nodes 2\nConnections 2\n0->1 id 4 start 0 size 1\n1->0 id 4 start 0 size 1"),
              "f0: line 4: found id 4 again, expected each once");
    EXPECT_EQ(refusal("Nodes 2\nConnections 1\n0->1 start 0 size 1 send_done_trigger 3\n"),
              "f0: line 3: found trigger 3, expected one that a line 'trigger id …' describes");
    EXPECT_EQ(refusal("Nodes 2\nConnections 0\nTriggers 1\ntrigger id 3\n"),
              "f0: line 4: found 'trigger', expected an id of its own, and oneshot, multishot or "
              "barrier");
    EXPECT_EQ(kCase.Refusal({"Nodes 9\nConnections 0\n", kTopology}),
              "f0: has 9 nodes, expected no more than the 8 of the topology");
}

TEST(ImportHtsim, MistakesInTopologies)
{
    auto changed = [](const std::string& from, const std::string& to) {
        std::string text = kTopology;
        text.replace(text.find(from), from.size(), to);
        return kCase.Refusal({text});
    };
    EXPECT_EQ(changed("Podsize 4\n", ""), "f0: has no line 'podsize …', expected one");
    EXPECT_EQ(changed("Tiers 3", "Tiers 2"), "f0: describes 3 tiers, expected 2 as declared");
    EXPECT_EQ(changed("Radix_Up", "Radix_Upp"),
              "f0: line 10: unknown key 'radix_upp', did you mean 'radix_up'?");
    EXPECT_EQ(changed("Radix_Up 2\n", ""), "f0: tier 0 lacks radix_up");
    EXPECT_EQ(changed("Bundle 1\n\nTier 2", "Bundle 1\nBundle 1\nTier 2"),
              "f0: line 22: found 'Bundle', expected each key once");
    EXPECT_EQ(changed("Podsize 4", "Podsize 3"),
              "f0: found 8 nodes in pods of 3, expected a multiple");
    EXPECT_EQ(changed("Radix_Down 2\nRadix_Up 1", "Radix_Down 4\nRadix_Up 1"),
              "f0: tier 1: found radix_down 4, expected 2 as the other numbers have it");
    EXPECT_EQ(changed("Tier 2", "Tier 1"), "f0: line 23: found '1', expected each tier once");
    EXPECT_EQ(changed("Nodes 8", "Nodes 99999999"),
              "f0: line 2: found '99999999', expected nodes, a whole number from 1 to 2097152");
}

namespace
{

using ImportHtsimForeign = ForeignInputs;

} // namespace

// Switches and links follow from the radices: 128 hosts in 8 pods of 4 + 4 switches, and 16 cores
// (4 where the links up are a quarter); 1024 hosts on 32 leaves and 32 spines.
TEST_F(ImportHtsimForeign, Topologies)
{
    auto links = [&](const std::string& name) {
        return LinksByRate(*kCase.Load(Read({"htsim/" + name})).graph);
    };
    using Links = std::map<double, std::size_t>;
    EXPECT_EQ(links("fat_tree_128_1os.topo"), (Links{{100, 128 + 128 + 128}}));
    EXPECT_EQ(links("fat_tree_128_4os.topo"), (Links{{100, 128 + 128 + 32}}));
    EXPECT_EQ(links("leaf_spine_1024.topo"), (Links{{100, 1024 + 1024}}));
}

TEST_F(ImportHtsimForeign, Connections)
{
    for (const auto& [name, count] :
         std::map<std::string, std::size_t>{{"one.cm", 1},
                                            {"bidir.cm", 2},
                                            {"incast.cm", 15},
                                            {"perm_16n_16c_2MB.cm", 16},
                                            {"perm_128n_128c_2MB.cm", 128}})
    {
        const Json s = Json::parse(kCase.Import(Read({"htsim/" + name})).scenario);
        EXPECT_EQ(s["traffic"][0]["flows"].size(), count) << name;
        for (const Json& flow : s["traffic"][0]["flows"])
        {
            EXPECT_EQ(flow["size_bytes"], 2000000) << name;
        }
    }
    const ScenarioConfig both =
        kCase.Load(Read({"htsim/perm_128n_128c_2MB.cm", "htsim/fat_tree_128_1os.topo"}));
    EXPECT_EQ(both.graph->HostCount(), 128U);
}
