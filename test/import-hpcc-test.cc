// SPDX-License-Identifier: GPL-2.0-only
#include "import-case.h"

#include "ns3/string.h"
#include "ns3/topology-builder.h"
#include "ns3/traffic-pattern.h"

#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Json = nlohmann::json;

// Two hosts, switch 2 and a slower third host.
const std::string kTopology = "4 1 3\r\n2\r\n0 2 100Gbps 1us 0\r\n1 2 100000000000.0 0.001ms 0\r\n"
                              "2 3 25Gbps 1000ns 0.5\r\n";
const std::string kFlows = "3\n0 1 3 100 1000000 2.0\n1 0 3 200 0 2.000010000\n"
                           "3 0 3 100 18446744073709551615 2.1\n";
const std::string kConfig = "ENABLE_QCN 1\r\n\r\nPACKET_PAYLOAD_SIZE 1000\r\nCC_MODE 1\r\n"
                            "RP_TIMER 900 \r\nRATE_AI 50Mb/s\r\nHAS_WIN 1\r\nVAR_WIN 1\r\n"
                            "KMAX_MAP 2 25000000000 40 100000000000 160\r\n"
                            "KMIN_MAP 2 25000000000 10 100000000000 40\r\n"
                            "PMAX_MAP 2 25000000000 0.1 100000000000 0.3\r\n"
                            "BUFFER_SIZE 16\r\nSIMULATOR_STOP_TIME 4.00\r\nLINK_DOWN 5 3 2\r\n"
                            "ACK_HIGH_PRIO 1\r\nERROR_RATE_PER_LINK 0.25\r\nQLEN_MON_FILE q\r\n";

const ImportCase kCase("hpcc");

ImportResult
Import(const std::vector<ImportFile>& files)
{
    return kCase.Import(files);
}

Json
ImportJson(const std::vector<std::string>& texts)
{
    return kCase.ImportJson(texts);
}

std::string
Refusal(const std::vector<std::string>& texts)
{
    return kCase.Refusal(texts);
}

/// Builds what the scenario describes.
FabricGraph
Build(const Json& scenario)
{
    auto graph = MakePlugin<TopologyBuilder>("graph");
    graph->SetAttribute("Nodes", StringValue(scenario["topology"]["nodes"].dump()));
    graph->SetAttribute("Links", StringValue(scenario["topology"]["links"].dump()));
    return graph->Build();
}

bool
Contains(const std::vector<std::string>& sentences, const std::string& part)
{
    return ImportCase::Contains(sentences, part);
}

} // namespace

TEST(ImportHpcc, IsThere)
{
    auto ids = PluginIds(ScenarioImporter::GetTypeId());
    EXPECT_NE(std::find(ids.begin(), ids.end(), "hpcc"), ids.end());
}

TEST(ImportHpcc, TopologyAloneIsAScenario)
{
    Json s = ImportJson({kTopology});
    EXPECT_EQ(s["name"], "f0");
    EXPECT_EQ(s["traffic"], Json::array());
    EXPECT_EQ(s["topology"]["type"], "graph");
    EXPECT_EQ(s["topology"]["nodes"].dump(),
              R"([{"kind":"host","name":"host0"},{"kind":"host","name":"host1"},)"
              R"({"kind":"switch","name":"switch2"},{"kind":"host","name":"host3"}])");
    const Json& links = s["topology"]["links"];
    ASSERT_EQ(links.size(), 3U);
    EXPECT_EQ(links[1], Json::parse(R"({"from": "host1", "to": "switch2", "bandwidth_gbps": 100,
                              "propagation_delay_ns": 1000})"));
    EXPECT_EQ(links[2]["loss_probability"], 0.5);
    EXPECT_EQ(Build(s).EndpointCount(), 3U);
}

// What HPCC's simulator takes where nothing is said, as the contract of `import hpcc` lists it.
TEST(ImportHpcc, DefaultsWithoutConfig)
{
    Json s = ImportJson({kTopology});
    EXPECT_EQ(s["topology"]["switches"]["switch"],
              Json::parse(R"({"buffer_bytes": 33554432, "forwarding_latency_ns": 0})"));
    EXPECT_EQ(s["node"]["nic"]["processing_latency_ns"], 0);
    EXPECT_EQ(s["network"]["header_profile"], "hpcc");
    EXPECT_EQ(s["network"]["mtu_payload_bytes"], 1000);
    EXPECT_EQ(s["network"]["pfc"]["lossless_priorities"], Json::array({3}));
    EXPECT_EQ(s["network"]["pfc"]["dynamic_threshold_alpha"], 0.125);
    EXPECT_EQ(s["network"]["ecn"]["thresholds"], Json::parse(R"([
        {"bandwidth_gbps": 25, "kmin_bytes": 100000, "kmax_bytes": 400000, "pmax": 0.2},
        {"bandwidth_gbps": 100, "kmin_bytes": 400000, "kmax_bytes": 1600000, "pmax": 0.2}])"));
    EXPECT_EQ(s["transport"]["congestion_control"],
              Json::parse(R"({"type": "dcqcn", "variant": "connectx", "notification": "in_ack"})"));
    EXPECT_EQ(s["transport"]["retransmission"], "go_back_n");
    EXPECT_NEAR(s["transport"]["retransmission_timeout_us"].get<double>(), 1049, 0.5);
    EXPECT_EQ(s["transport"]["retry_count"], 7);
    EXPECT_EQ(s["transport"]["ack_interval"], 1);
    EXPECT_EQ(s["transport"]["ack_priority"], 3);
    EXPECT_FALSE(s.contains("faults"));
    EXPECT_FALSE(s.contains("simulation"));
}

TEST(ImportHpcc, FlowsGoToHostNumbers)
{
    Json s = ImportJson({kFlows, kTopology});
    const Json& entry = s["traffic"].at(0);
    EXPECT_EQ(entry["pattern"], "flows");
    ASSERT_EQ(entry["flows"].size(), 3U);
    // Node 3 is the third host.
    EXPECT_EQ(entry["flows"][2],
              Json::parse(R"({"source": 2, "destination": 0, "size_bytes": 18446744073709551615,
                              "start_time_s": 2.1, "priority": 3, "destination_port": 100})"));
    auto pattern = MakePlugin<TrafficPattern>("flows");
    pattern->SetAttribute("Flows", StringValue(entry["flows"].dump()));
    TrafficContext context;
    context.nicRates.assign(3, 100e9);
    auto flows = pattern->Generate(context);
    ASSERT_EQ(flows.size(), 3U);
    EXPECT_EQ(flows[1].start, 2 * kSecond + 10 * kMicrosecond);
    EXPECT_EQ(flows[1].destinationPort, 200);
}

TEST(ImportHpcc, FlowsOfAHostToItselfStay)
{
    Json s = ImportJson({kTopology, "2\n3 3 3 100 5 2\n0 1 3 100 5 2\n"});
    ASSERT_EQ(s["traffic"][0]["flows"].size(), 2U);
    EXPECT_EQ(s["traffic"][0]["flows"][0]["source"], 2);
    EXPECT_EQ(s["traffic"][0]["flows"][0]["destination"], 2);
}

TEST(ImportHpcc, OtherDialectsOfFlows)
{
    Json conweave = ImportJson({kTopology, "1\n0 1 4 5000 2.5\n"});
    EXPECT_EQ(conweave["traffic"][0]["flows"][0],
              Json::parse(R"({"source": 0, "destination": 1, "size_bytes": 5000,
                              "start_time_s": 2.5, "priority": 4})"));
    EXPECT_EQ(conweave["network"]["pfc"]["lossless_priorities"], Json::array({4}));
    EXPECT_EQ(conweave["transport"]["ack_priority"], 4);
    Json rdma = ImportJson({kTopology, "1\n0 1 3 100000 2 9.5\n", "PACKET_PAYLOAD_SIZE 1024\n"});
    EXPECT_EQ(rdma["traffic"][0]["flows"][0]["size_bytes"], 102400000);
    EXPECT_EQ(rdma["traffic"][0]["flows"][0]["start_time_s"], 2);
}

TEST(ImportHpcc, ConfigIsCarriedOver)
{
    ImportResult result =
        Import({{"c", kConfig}, {"mix/t.txt", kTopology}, {"f", kFlows}, {"tr", "2\n0 1\n"}});
    Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["name"], "t");
    EXPECT_EQ(s["simulation"]["stop_time_s"], 4);
    EXPECT_EQ(s["topology"]["switches"]["switch"]["buffer_bytes"], 16 << 20);
    EXPECT_EQ(s["topology"]["links"][0]["loss_probability"], 0.25);
    EXPECT_EQ(s["topology"]["links"][2]["loss_probability"], 0.5);
    EXPECT_EQ(s["transport"]["ack_priority"], 6);
    EXPECT_EQ(s["transport"]["congestion_control"], Json::parse(R"({
        "type": "dcqcn", "variant": "connectx", "notification": "in_ack", "window": true,
        "increase_interval_us": 900, "additive_increase_mbps": 50})"));
    EXPECT_EQ(s["network"]["ecn"]["thresholds"][1], Json::parse(R"(
        {"bandwidth_gbps": 100, "kmin_bytes": 40000, "kmax_bytes": 160000, "pmax": 0.3})"));
    EXPECT_FALSE(s.contains("faults"));
    EXPECT_TRUE(Contains(result.notices,
                         "mix/t.txt: found 3 hosts, 1 switch, 3 links: 1 of 25 "
                         "Gb/s, 2 of 100 Gb/s"));
    EXPECT_TRUE(Contains(result.notices, "f: found 3 flows"));
    EXPECT_TRUE(Contains(result.notices, "c: left out QLEN_MON_FILE"));
    EXPECT_TRUE(Contains(result.notices, "tr: left out"));
    EXPECT_EQ(result.warnings,
              std::vector<std::string>{"c: LINK_DOWN: the link between switch2 and host3 stays up, "
                                       "there are no faults"});
}

TEST(ImportHpcc, SaysWhatItCannotRepresent)
{
    ImportResult result = Import({{"t", kTopology},
                                  {"c",
                                   "CC_MOD 3\nL2_BACK_TO_ZERO 1\nUSE_DYNAMIC_PFC_THRESHOLD 0\n"
                                   "KMIN_MAP 1 1000 1\nKMAX_MAP 1 1000 2\n"},
                                  {"f", "2\n1 1 3 100 5 2\n0 1 3 100 5 1\n# 3\nx\n"}});
    EXPECT_TRUE(Contains(result.warnings,
                         "c: line 1: unknown key 'CC_MOD', did you mean "
                         "'CC_MODE'?"));
    EXPECT_TRUE(Contains(result.warnings, "c: L2_BACK_TO_ZERO 1"));
    EXPECT_TRUE(Contains(result.warnings, "c: USE_DYNAMIC_PFC_THRESHOLD 0"));
    EXPECT_TRUE(Contains(result.warnings, "c: KMIN_MAP and KMAX_MAP have no entry for 100.0"));
    EXPECT_TRUE(Contains(result.notices, "f: left out 2 lines after the declared number"));
    EXPECT_TRUE(Contains(result.notices, "f: flows are not in the order of their starts"));
}

TEST(ImportHpcc, ModesAreWrittenByName)
{
    const std::map<int, std::string> modes{
        {1, "dcqcn"}, {3, "hpcc"}, {7, "timely"}, {8, "dctcp"}, {10, "hpcc_pint"}, {12, "none"}};
    for (const auto& [number, id] : modes)
    {
        Json s = ImportJson({kTopology, "CC_MODE " + std::to_string(number)});
        EXPECT_EQ(s["transport"]["congestion_control"]["type"], id);
    }
    EXPECT_EQ(ImportJson({kTopology,
                          "LB_MODE 9\nENABLE_IRN 1\nENABLE_PFC 0"})["network"]["load_balancing"],
              "conweave");
}

TEST(ImportHpcc, HostsOfSeveralLinksStayOneHost)
{
    // A ring of three.
    Json s = ImportJson(
        {"3 0 3\n\n0 1 25Gbps 5us 0\n1 2 25Gbps 5us 0\n2 0 25Gbps 5us 0\n", "1\n0 2 3 100 1 2\n"});
    FabricGraph graph = Build(s);
    EXPECT_EQ(graph.EndpointCount(), 3U);
    EXPECT_EQ(graph.Links().size(), 6U);
    EXPECT_EQ(s["topology"]["links"][3],
              Json::parse(R"({"from": "host0", "to": "nic0", "bandwidth_gbps": 50,
                              "propagation_delay_ns": 0})"));
    EXPECT_EQ(s["traffic"][0]["flows"][0]["destination"], 2);
}

TEST(ImportHpcc, NodesWithoutLinksAreLeftOut)
{
    ImportResult result = Import(
        {{"t", "6 2 2\n2 5\n0 2 1Gbps 1us 0\n4 2 1Gbps 1us 0\n"}, {"f", "1\n4 0 3 100 1 2\n"}});
    EXPECT_TRUE(Contains(result.warnings,
                         "t: 3 nodes without a link left out, the first being "
                         "node 1"));
    Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["topology"]["nodes"].size(), 3U);
    EXPECT_EQ(s["traffic"][0]["flows"][0]["source"], 1);
    EXPECT_EQ(Refusal({"6 2 2\n2 5\n0 2 1Gbps 1us 0\n4 2 1Gbps 1us 0\n", "1\n3 0 3 100 1 2\n"}),
              "f1: line 2: found '3', expected a host; it has no link");
}

TEST(ImportHpcc, MistakesNameFileAndLine)
{
    EXPECT_EQ(Refusal({}), "found no topology file, expected one");
    EXPECT_EQ(Refusal({kFlows}), "found no topology file, expected one");
    EXPECT_EQ(Refusal({kTopology, kTopology}),
              "f1: is a topology file, as is f0; expected one of them");
    EXPECT_EQ(Refusal({"{}"}),
              "f0: line 1: found no topology, flow, trace or config file of HPCC's simulator");
    EXPECT_EQ(Refusal({"3 1 3\n2\n0 2 1Gbps 1us 0\n\n"}),
              "f0: line 4: the file ends after 1 link, expected 3 as declared");
    EXPECT_EQ(Refusal({"3 1 1\n2\n0 2 1Gbps 1us\n"}),
              "f0: line 3: found 4 fields, expected a link 'src dst rate delay error_rate'");
    EXPECT_EQ(Refusal({"3 1 1\n2\n0 3 1Gbps 1us 0\n"}),
              "f0: line 3: found '3', expected a node, a whole number from 0 to 2");
    EXPECT_EQ(Refusal({"3 1 1\n2\n0 2 1Gbbps 1us 0\n"}),
              "f0: line 3: found '1Gbbps', expected a rate such as 100Gbps or 100000000000");
    EXPECT_EQ(Refusal({"3 1 1\n2\n0 0 1Gbps 1us 0\n"}),
              "f0: line 3: found '0', expected another node than 0");
    EXPECT_EQ(Refusal({"3 1 1\n0 2\n0 2 1Gbps 1us 0\n"}),
              "f0: line 2: found 2 switch ids, expected 1");
    EXPECT_EQ(Refusal({"6 2 1 3 6 H100\n2 3 4 5\n"}),
              "f0: line 1: found 'H100', expected the header of an HPCC topology; this one is "
              "SimAI's, which `import simai` reads");
    EXPECT_EQ(Refusal({kTopology, "3\n0 1 3 100 5 2\n"}),
              "f1: line 2: the file ends after 1 flows, expected 3 as declared");
    EXPECT_EQ(Refusal({kTopology, "1\n0 2 3 100 5 2\n"}),
              "f1: line 2: found '2', expected a host; it is a switch");
    EXPECT_EQ(Refusal({kTopology, "1\n0 1 3 100 -5 2\n"}).substr(0, 23), "f1: line 2: found '-5',");
    EXPECT_EQ(Refusal({kTopology, "A 1\nA 2\n"}),
              "f1: line 2: found 'A', expected each key once; line 1 has it too");
    EXPECT_EQ(Refusal({kTopology, "CC_MODE 5\n"}),
              "f1: line 1: found CC_MODE 5, expected 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP), "
              "10 (HPCC-PINT) or 12 (none)");
    EXPECT_EQ(Refusal({kTopology, "KMAX_MAP 2 1 1\n"}),
              "f1: line 1: KMAX_MAP has 3 values, expected 5");
    EXPECT_EQ(Refusal({kTopology, "A 1\nKMIN_MAP 1 25Gbps 2\nKMAX_MAP 1 25Gbps 1\n"}),
              "f1: line 2: marking begins above its end at 25.0 Gb/s, expected Kmin up to Kmax");
    EXPECT_EQ(Refusal({kTopology, "LB_MODE 1\n"}).substr(0, 28), "f1: line 1: found LB_MODE 1,");
    EXPECT_EQ(Refusal({kTopology, "1\n0 1 3 100 \x1b[31m\xff 2\n"}).substr(0, 30),
              "f1: line 2: found '?[31m?', ex");
    EXPECT_EQ(Refusal({kTopology, "LINK_DOWN 1 0 1\n"}),
              "f1: line 1: LINK_DOWN names no link, expected 'microseconds node node'");
}

TEST(ImportHpcc, EveryFlowOfALargeFileArrives)
{
    constexpr int kCount = 200000;
    std::string flows = std::to_string(kCount) + "\n";
    for (int i = 0; i < kCount; ++i)
    {
        flows += "0 1 3 100 " + std::to_string(i) + " 2." + std::to_string(i) + "\n";
    }
    ImportResult result = Import({{"f", flows}, {"t", kTopology}});
    EXPECT_TRUE(Contains(result.notices, "f: found 200000 flows"));
    EXPECT_EQ(std::count(result.scenario.begin(), result.scenario.end(), '{'),
              std::count(result.scenario.begin(), result.scenario.end(), '}'));
    EXPECT_NE(result.scenario.find("\"size_bytes\": 199999,"), std::string::npos);
}

// Whatever the files hold, the outcome is a scenario or a ScenarioError that names the file.
TEST(ImportHpcc, MutatedFilesNeverCrash)
{
    std::mt19937 random(1);
    auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::vector<std::string> words{"-1",
                                         "99999999999999999999",
                                         "1e999",
                                         "nan",
                                         "0x1",
                                         "",
                                         "\n",
                                         "\0",
                                         "{",
                                         "Gbps",
                                         "4294967296",
                                         "\xff",
                                         "100Gbps"};
    int accepted = 0;
    int refused = 0;
    for (int round = 0; round < 6000; ++round)
    {
        std::vector<ImportFile> files{
            {"t", kTopology}, {"f", kFlows}, {"c", kConfig}, {"tr", "2\n0 1\n"}};
        std::string& text = files[below(files.size())].text;
        for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits)
        {
            std::size_t at = below(text.size());
            switch (below(5))
            {
            case 0:
                text[at] = static_cast<char>(below(256));
                break;
            case 1:
                text.erase(at, 1 + below(8));
                break;
            case 2:
                text.insert(at, text.substr(below(text.size()), 1 + below(16)));
                break;
            case 3:
                text.resize(at);
                break;
            default: {
                std::size_t first = text.find_last_of(" \n", at);
                first = first == std::string::npos ? 0 : first + 1;
                std::size_t past = std::min(text.find_first_of(" \r\n", at), text.size());
                text.replace(first, past > first ? past - first : 0, words[below(words.size())]);
            }
            }
        }
        try
        {
            ImportResult result = Import(files);
            ASSERT_TRUE(Json::accept(result.scenario)) << result.scenario;
            ++accepted;
        }
        catch (const ScenarioError& e)
        {
            EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
            ++refused;
        }
    }
    EXPECT_GT(accepted, 500);
    EXPECT_GT(refused, 2000);
}

namespace
{

class ImportHpccForeign : public ForeignInputs
{
  protected:
    ImportResult ImportAll(const std::vector<std::string>& names) const
    {
        return Import(Read(names));
    }

    /// Checks hosts, switches and links by Gb/s against the file and against the graph it makes.
    void Expect(const std::string& name,
                std::size_t hosts,
                std::size_t switches,
                const std::map<double, std::size_t>& links) const
    {
        Json s = Json::parse(ImportAll({name}).scenario);
        std::map<std::string, std::size_t> kinds;
        std::map<double, std::size_t> rates;
        for (const auto& node : s["topology"]["nodes"])
        {
            ++kinds[node["kind"]];
        }
        for (const auto& link : s["topology"]["links"])
        {
            ++rates[link["bandwidth_gbps"]];
        }
        EXPECT_EQ(kinds["host"], hosts) << name;
        EXPECT_EQ(kinds["switch"], switches) << name;
        EXPECT_EQ(rates, links) << name;
        EXPECT_EQ(Build(s).EndpointCount(), hosts) << name;
    }
};

} // namespace

TEST_F(ImportHpccForeign, Topologies)
{
    Expect("hpcc/topology.txt", 65, 1, {{100, 65}});
    Expect("hpcc/fat.txt", 320, 56, {{100, 320}, {400, 160}});
    Expect("conweave/fat_k4_100G_OS2.txt", 32, 20, {{100, 64}});
    Expect("conweave/leaf_spine_128_100G_OS2.txt", 128, 16, {{100, 192}});
    Expect("powertcp/topology.txt", 128, 10, {{25, 128}, {100, 16}});
    // Eight hosts of two links each: eight switches and links of ours.
    Expect("astra-sim/8nodes_ring_topology.txt", 8, 8, {{25, 8}, {50, 8}});
}

TEST_F(ImportHpccForeign, AllFilesOfHpccInAnyOrder)
{
    ImportResult result =
        ImportAll({"hpcc/trace.txt", "hpcc/flow.txt", "hpcc/config.txt", "hpcc/topology.txt"});
    Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["name"], "topology");
    EXPECT_EQ(s["transport"]["congestion_control"]["type"], "hpcc");
    EXPECT_EQ(s["simulation"]["stop_time_s"], 4);
    ASSERT_EQ(s["traffic"][0]["flows"].size(), 2U);
    // Node 0 is the switch: nodes 2 and 1 are hosts 1 and 0.
    EXPECT_EQ(s["traffic"][0]["flows"][0], Json::parse(R"({"source": 1, "destination": 0,
        "size_bytes": 200000000, "start_time_s": 2, "priority": 3, "destination_port": 100})"));
    // 254 flows beyond the two that are declared, and five lines of prose.
    EXPECT_TRUE(Contains(result.notices, "flow.txt: left out 259 lines"));
    EXPECT_TRUE(Contains(result.notices, "trace.txt: left out"));
}

TEST_F(ImportHpccForeign, FlowsOfPowerTcp)
{
    ImportResult result = ImportAll({"powertcp/topology.txt", "powertcp/flow-burstExp-10.txt"});
    Json s = Json::parse(result.scenario);
    ASSERT_EQ(s["traffic"][0]["flows"].size(), 11U);
    EXPECT_EQ(s["traffic"][0]["flows"][10]["source"], 10);
    EXPECT_EQ(s["traffic"][0]["flows"][10]["size_bytes"], 1000000000000);
    EXPECT_EQ(s["traffic"][0]["flows"][10]["start_time_s"], 0.15);
}
