// SPDX-License-Identifier: GPL-2.0-only
#include "import-case.h"

#include "ns3/scale-up-settings.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Json = nlohmann::json;

const ImportCase kCase("simai");

// Two servers of two GPUs, an NVSwitch (4, 5) in each, rails 6 and 7, spine 8.
const std::string kTopology = "9 2 2 3 10 H100\n4 5 6 7 8 \n"
                              "0 4 1440Gbps 0.000025ms 0\n0 6 400Gbps 0.0005ms 0\n"
                              "1 4 1440Gbps 0.000025ms 0\n1 7 400Gbps 0.0005ms 0\n"
                              "2 5 1440Gbps 0.000025ms 0\n2 6 400Gbps 0.0005ms 0\n"
                              "5 3 1440Gbps 0.000025ms 0\n3 7 400Gbps 0.0005ms 0\n"
                              "6 8 800Gbps 0.0005ms 0\n7 8 800Gbps 0.0005ms 0.25\n";

} // namespace

TEST(ImportSimai, ServersWithTheirScaleUpNetwork)
{
    const ScenarioConfig config = kCase.Load({kTopology});
    EXPECT_EQ(config.graph->ServerCount(), 2U);
    EXPECT_EQ(config.graph->HostCount(), 4U);
    EXPECT_EQ(LinksByRate(*config.graph), (std::map<double, std::size_t>{{400, 4}, {800, 2}}));
    // Hosts count as GPUs do.
    EXPECT_EQ(config.graph->Nodes()[config.graph->NodeOf(3)].name, "server1.nic1.port0");
    EXPECT_EQ(config.graph->Find("switch4"), kNoIndex);
    auto scaleUp = config.node.Get<ScaleUpSettings>("scale_up");
    ASSERT_TRUE(scaleUp);
    // One NVLink of 1440 Gb/s, all of it payload; 25 ns to the NVSwitch.
    EXPECT_DOUBLE_EQ(scaleUp->GetGpuBandwidth(), 1440e9);
    const Json s = kCase.ImportJson({kTopology});
    EXPECT_EQ(s["node"]["scale_up"]["hop_latency_ns"], 25);
    EXPECT_EQ(s["node"]["gpu"]["model"], "H100-SXM");
    EXPECT_EQ(s["topology"]["links"][5]["loss_probability"], 0.25);
    // SimAI.conf has frames of 9000 B.
    EXPECT_EQ(s["network"]["mtu_payload_bytes"], 9000);
    EXPECT_EQ(s["network"]["header_profile"], "hpcc");
    EXPECT_TRUE(ImportCase::Contains(kCase.Import({{"t", kTopology}}).notices,
                                     "t: found 4 GPUs, 3 switches, 6 links: 4 of 400 Gb/s, 2 of "
                                     "800 Gb/s; 2 servers with 1 NVLink of 1440 Gb/s per GPU"));
}

TEST(ImportSimai, ConfigIsCarriedOver)
{
    const Json s = kCase.ImportJson({"PACKET_PAYLOAD_SIZE 4000\nCC_MODE 8\n", kTopology});
    EXPECT_EQ(s["network"]["mtu_payload_bytes"], 4000);
    EXPECT_EQ(s["transport"]["congestion_control"]["type"], "dctcp");
}

// A NIC of two ports on two leaves (dual ToR): both are used, as hosts with several links are.
TEST(ImportSimai, NicsOfTwoPorts)
{
    const ImportResult result = kCase.Import(
        {{"t",
          "5 1 0 3 6 A100\n2 3 4\n0 2 200Gbps 1us 0\n0 3 200Gbps 1us 0\n1 2 200Gbps 1us 0\n"
          "1 3 200Gbps 1us 0\n2 4 200Gbps 1us 0\n3 4 200Gbps 1us 0\n"}});
    const Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["topology"]["nodes"].at(0)["name"], "server0.nic0.port0");
    EXPECT_EQ(s["topology"]["nodes"].at(1)["name"], "nic0");
    EXPECT_EQ(s["topology"]["links"].at(6)["bandwidth_gbps"], 400);
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "t: 2 hosts with several links"));
    EXPECT_EQ(s["node"]["gpu"]["model"], "A100-SXM");
}

TEST(ImportSimai, GpusWithoutNvSwitchAreServers)
{
    const ImportResult result =
        kCase.Import({{"t", "3 2 0 1 2 H20\n2\n0 2 200Gbps 1us 0\n1 2 200Gbps 1us 0\n"}});
    const Json s = Json::parse(result.scenario);
    EXPECT_EQ(s["topology"]["nodes"].at(1)["name"], "server1.nic0.port0");
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "t: servers without NVLinks"));
    EXPECT_TRUE(ImportCase::Contains(result.warnings, "GPU type 'H20' is not known"));
}

TEST(ImportSimai, Mistakes)
{
    EXPECT_EQ(kCase.Refusal({}), "found no topology file, expected one");
    EXPECT_EQ(kCase.Refusal({"A 1\n", "B 1\n"}),
              "f1: is a config file, as is f0; expected one of them");
    EXPECT_EQ(kCase.Refusal({"{}"}), "f0: line 1: found no topology or config file of SimAI");
    EXPECT_EQ(kCase.Refusal({"3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"}),
              "f0: line 1: found 3 fields, expected 'nodes gpus_per_server nvswitches switches "
              "links gpu_type'");
    EXPECT_EQ(kCase.Refusal({"9 3 2 3 10 H100\n"}),
              "f0: line 1: found '3', expected a divisor of the 4 nodes that are no switches");
    EXPECT_EQ(kCase.Refusal({"9 2 2 3 10 H100\n3 4 5 6 7\n"}),
              "f0: line 2: found '3', expected the id of a switch, a whole number from 4 to 8");
    EXPECT_EQ(kCase.Refusal({"4 2 1 1 4 H100\n2 3\n0 2 9Gbps 1us 0\n1 2 9Gbps 1us 0\n"
                             "0 3 9Gbps 1us 0\n3 2 9Gbps 1us 0\n"}),
              "f0: NVSwitch 2 is joined to node 3, expected GPUs of one server only: a scale-up "
              "network ends at its server");
    EXPECT_EQ(kCase.Refusal({"4 2 1 1 3 H100\n2 3\n0 2 9Gbps 1us 0\n1 2 8Gbps 1us 0\n"
                             "0 3 9Gbps 1us 0\n"}),
              "f0: the NVLink of GPU 1 is of another rate or delay than the first one, expected "
              "the same in all servers");
    EXPECT_EQ(kCase.Refusal({"4 2 1 1 3 H100\n2 3\n0 2 9Gbps 1us 0\n0 3 9Gbps 1us 0\n"
                             "1 3 9Gbps 1us 0\n"}),
              "f0: GPU 1 has 0 NVLinks, GPU 0 has 1, expected the same in all servers");
    EXPECT_EQ(kCase.Refusal({"4 2 1 1 3 H100\n2 3\n0 2 9Gbps 1us 0\n1 2 9Gbps 1us 0\n"
                             "0 3 9Gbps 1us 0\n"}),
              "f0: GPU 1 has no link beyond its server, expected one to a switch");
}

namespace
{

using ImportSimaiForeign = ForeignInputs;

} // namespace

// Nodes and links by rate as a count over the lines of the files gives them.
TEST_F(ImportSimaiForeign, Topologies)
{
    struct Expected
    {
        const char* name;
        uint32_t servers;
        uint32_t hosts;
        std::map<double, std::size_t> links;
        double nvLink;
    };

    for (const Expected& e : std::vector<Expected>{
             {"Spectrum-X_8g_8gps_400Gbps_H100", 1, 8, {{400, 16}}, 2880e9},
             {"DCN+SingleToR_32g_8gps_400Gbps_H100", 4, 32, {{400, 36}}, 2880e9},
             {"Rail_Opti_SingleToR_32g_8gps_400Gbps_H100", 4, 32, {{400, 544}}, 1440e9},
             // 64 links of ours between a GPU and its NIC of two ports.
             {"AlibabaHPN_64g_8gps_DualToR_DualPlane_200Gbps_H100",
              8,
              64,
              {{200, 128}, {400, 192}},
              2880e9}})
    {
        const ScenarioConfig config = kCase.Load(Read({std::string("simai/topology/") + e.name}));
        EXPECT_EQ(config.graph->ServerCount(), e.servers) << e.name;
        EXPECT_EQ(config.graph->HostCount(), e.hosts) << e.name;
        EXPECT_EQ(LinksByRate(*config.graph), e.links) << e.name;
        EXPECT_DOUBLE_EQ(config.node.Get<ScaleUpSettings>("scale_up")->GetGpuBandwidth(), e.nvLink)
            << e.name;
    }
}
