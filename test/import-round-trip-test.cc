// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-graph.h"
#include "ns3/fabric-registry.h"
#include "ns3/json-value.h"
#include "ns3/output-settings.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-importer.h"
#include "ns3/simulation-settings.h"
#include "ns3/topology-builder.h"
#include "ns3/traffic-pattern.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Reads back what an import of these files makes.
ScenarioConfig
Load(const std::vector<ImportFile>& files)
{
    ImportResult result = MakePlugin<ScenarioImporter>("hpcc")->Import(files);
    return ReadScenarioConfig(JsonValue::Parse(result.scenario));
}

std::size_t
CountFlows(const ScenarioConfig& config)
{
    TrafficContext context;
    context.nicRates.assign(config.graph->EndpointCount(), 100e9);
    std::size_t flows = 0;
    for (const auto& entry : config.traffic)
    {
        flows += DynamicCast<TrafficPattern>(entry.pattern)->Generate(context).size();
    }
    return flows;
}

} // namespace

TEST(ImportRoundTrip, TopologyFlowsAndConfig)
{
    ScenarioConfig config =
        Load({{"t", "4 1 3\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n2 3 25Gbps 1us 0.5\n"},
              {"f", "2\n0 1 3 100 1000000 2.0\n3 0 4 200 0 2.1\n"},
              {"c",
               "PACKET_PAYLOAD_SIZE 9000\nCC_MODE 1\nRP_TIMER 900\nEWMA_GAIN 0.00390625\n"
               "FAST_RECOVERY_TIMES 1\nRATE_AI 50Mb/s\nRATE_HAI 100Mb/s\nMIN_RATE 100Mb/s\n"
               "ALPHA_RESUME_INTERVAL 1\nRATE_DECREASE_INTERVAL 4\nCLAMP_TARGET_RATE 0\nHAS_WIN 1\n"
               "VAR_WIN 1\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
               "KMIN_MAP 2 25000000000 100 100000000000 400\nBUFFER_SIZE 12\nRANDOM_SEED 7\n"
               "SIMULATOR_STOP_TIME 4.00\nACK_HIGH_PRIO 1\n"}});
    EXPECT_EQ(config.name, "t");
    EXPECT_EQ(config.randomSeed, 7U);
    EXPECT_EQ(config.graph->EndpointCount(), 3U);
    EXPECT_EQ(config.graph->Links().size(), 3U);
    EXPECT_EQ(CountFlows(config), 2U);
    const JsonValue& all = config.resolved;
    EXPECT_EQ(all["network"]["mtu_payload_bytes"].AsUnsigned(), 9000U);
    EXPECT_EQ(all["transport"]["congestion_control"]["increase_interval_us"].AsUnsigned(), 900U);
    EXPECT_EQ(all["transport"]["ack_priority"].AsUnsigned(), 6U);
}

TEST(ImportRoundTrip, PublishedFiles)
{
    const char* folder = std::getenv("AIFABRIC_FOREIGN_INPUTS");
    if (!folder)
    {
        GTEST_SKIP() << "AIFABRIC_FOREIGN_INPUTS is not set";
    }
    auto load = [&](std::vector<std::string> names) {
        for (auto& name : names)
        {
            name = std::string(folder) + "/" + name;
        }
        return Load(ReadImportFiles(names));
    };
    EXPECT_EQ(load({"hpcc/fat.txt"}).graph->Links().size(), 480U);
    EXPECT_EQ(load({"conweave/fat_k4_100G_OS2.txt"}).graph->Links().size(), 64U);
    EXPECT_EQ(load({"conweave/leaf_spine_128_100G_OS2.txt"}).graph->Links().size(), 192U);
    EXPECT_EQ(load({"astra-sim/8nodes_ring_topology.txt"}).graph->EndpointCount(), 8U);
    ScenarioConfig hpcc = load({"hpcc/flow.txt", "hpcc/topology.txt", "hpcc/trace.txt"});
    EXPECT_EQ(CountFlows(hpcc), 2U);
    ScenarioConfig powerTcp = load({"powertcp/flow-burstExp-10.txt", "powertcp/topology.txt"});
    EXPECT_EQ(CountFlows(powerTcp), 11U);
    EXPECT_EQ(powerTcp.graph->Links().size(), 144U);
}
