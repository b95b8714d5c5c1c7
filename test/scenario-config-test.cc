// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/congestion-control.h"
#include "ns3/gpu-settings.h"
#include "ns3/network-settings.h"
#include "ns3/node-template.h"
#include "ns3/output-settings.h"
#include "ns3/scenario-config.h"
#include "ns3/simulation-settings.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

ScenarioConfig
Read(const std::string& text)
{
    return ReadScenarioConfig(JsonValue::Parse(text, "dir/a.json"));
}

std::string
Refusal(const std::string& text)
{
    return ErrorOf([&] { Read(text); });
}

} // namespace

TEST(ScenarioConfig, HasDefaultsForAllButTheTopology)
{
    ScenarioConfig c = Read(R"({"topology": {"type": "star", "host_count": 4}})");
    EXPECT_EQ(c.name, "a");
    EXPECT_EQ(c.folder, "dir");
    EXPECT_EQ(c.randomSeed, 1U);
    EXPECT_EQ(c.graph->HostCount(), 4U);
    EXPECT_EQ(c.nodeTemplate, "single_nic_host");
    EXPECT_EQ(c.network.Get<NetworkSettings>("settings")->mtuPayloadBytes, 4096U);
    EXPECT_TRUE(c.transport.Get<CongestionControl>("congestion_control"));
    EXPECT_TRUE(c.simulation->stopTime.IsZero());
    EXPECT_TRUE(c.jobs.empty() && c.traffic.empty());
    EXPECT_EQ(Refusal("{}").rfind("dir/a.json: topology: missing", 0), 0U);
}

TEST(ScenarioConfig, TopologyParametersStandInEitherPlace)
{
    const char* texts[] = {R"({"topology": {"type": "star", "parameters": {"host_count": 5}}})",
                           R"({"topology": {"host_count": 5, "type": "star"}})"};
    for (const char* text : texts)
    {
        EXPECT_EQ(Read(text).graph->HostCount(), 5U);
    }
    EXPECT_EQ(Read(R"({"topology": "star"})").graph->HostCount(), 16U);
}

TEST(ScenarioConfig, LayersOfTheTopologyTakeUnits)
{
    ScenarioConfig c = Read(R"({"topology": {"type": "star",
        "links": {"nic_to_leaf": {"bandwidth_gbps": 100, "length_km": 2, "loss_probability": 0.1}},
        "switches": {"leaf": {"radix": 64, "buffer_bytes": 1000000, "forwarding_latency_us": 1}}}})");
    LinkSpec link = c.topology->GetLink("nic_to_leaf");
    EXPECT_DOUBLE_EQ(link.bandwidth, 100e9);
    EXPECT_EQ(link.delay, 10 * kMicrosecond); // 5 us/km
    EXPECT_DOUBLE_EQ(link.lossProbability, 0.1);
    SwitchSpec leaf = c.topology->GetSwitch("leaf");
    EXPECT_EQ(leaf.radix, 64U);
    EXPECT_EQ(leaf.bufferBytes, 1000000U);
    EXPECT_EQ(leaf.forwardingLatency, kMicrosecond);
}

// Megabytes of Zhu et al., SIGCOMM 2015, and of tables of packet buffers.
TEST(ScenarioConfig, BuffersOfChipsByName)
{
    for (auto [chip, megabytes] :
         {std::pair{"trident2", 12}, {"tomahawk2", 42}, {"spectrum4", 160}})
    {
        ScenarioConfig c = Read(std::string(R"({"topology": {"type": "star",
            "switches": {"leaf": {"preset": ")") +
                                chip + R"("}}}})");
        EXPECT_EQ(c.topology->GetSwitch("leaf").bufferBytes, megabytes * 1000000U);
        EXPECT_NE(c.resolved.ToText().find(std::to_string(megabytes) + "000000"),
                  std::string::npos);
        EXPECT_EQ(c.resolved.ToText().find("preset"), std::string::npos);
    }
}

TEST(ScenarioConfig, TransportsOfTrafficOverrideTheCommonOne)
{
    ScenarioConfig c = Read(R"({"topology": "star",
        "transport": {"type": "rocev2", "congestion_control": {"type": "fixed"}},
        "traffic": [{"pattern": "permutation"},
                    {"pattern": "permutation", "transport": {"congestion_control": "none"}}]})");
    auto name = [](const BlockSet& transport) {
        return transport.Get("congestion_control")->GetInstanceTypeId().GetName();
    };
    EXPECT_EQ(name(c.transport), "ns3::aifabric::Fixed");
    EXPECT_EQ(name(c.traffic[0].transport), "ns3::aifabric::Fixed");
    EXPECT_EQ(name(c.traffic[1].transport), "ns3::aifabric::None");
    EXPECT_EQ(c.traffic[1].name, "traffic1");
    EXPECT_EQ(c.traffic[1].path, "traffic[1]");
}

TEST(ScenarioConfig, ResolvedScenarioReadsTheSame)
{
    std::string text = R"({"topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 2,
          "hosts_per_leaf": 2}, "random_seed": 9, "name": "x y",
        "transport": {"congestion_control": {"type": "dcqcn", "gain": 0.01}},
        "traffic": [{"name": "p", "pattern": "permutation", "size_bytes": 100000}],
        "outputs": {"reports": ["queue_depth"]}})";
    JsonValue once = Read(text).resolved;
    JsonValue twice = Read(once.ToText()).resolved;
    EXPECT_EQ(once.ToText(2), twice.ToText(2));
    EXPECT_DOUBLE_EQ(once["transport"]["congestion_control"]["gain"].AsNumber(), 0.01);
    EXPECT_EQ(once["random_seed"].AsUnsigned(), 9U);
}

TEST(ScenarioConfig, WhatAsksForNothingMayStayThatIsNotSupported)
{
    EXPECT_EQ(Refusal(R"({"topology": "star", "faults": [], "operations": {}})"), "no error");
    EXPECT_EQ(Refusal(R"({"topology": "star", "faults": [{"kind": "link_down"}]})")
                  .rfind("dir/a.json: faults: not supported: ", 0),
              0U);
}

TEST(ScenarioConfig, RecoveriesOfLossesHaveNames)
{
    for (const char* name : {"go_back_n", "selective_repeat", "out_of_order"})
    {
        EXPECT_EQ(Refusal(R"({"topology": "star", "transport": {"retransmission": ")" +
                          std::string(name) + R"("}})"),
                  "no error");
    }
    EXPECT_EQ(Refusal(R"({"topology": "star",
                          "transport": {"retransmission": {"type": "go_back_n"}}})"),
              "no error");
    EXPECT_EQ(Refusal(R"({"topology": "star", "transport": {"retransmission": "irn"}})"),
              "dir/a.json: transport.retransmission: unknown loss_recovery 'irn', expected one of "
              "go_back_n, out_of_order, selective_repeat");
}

TEST(ScenarioConfig, JobsReadTheSameOnceResolved)
{
    JsonValue once = Read(R"({"topology": "rail_optimized", "jobs": [{"name": "a", "iterations": 3,
        "start_time_ms": 2, "model": {"layer_count": 7}, "parallelism": {"tensor": 8}}, {}]})")
                         .resolved;
    EXPECT_EQ(once.ToText(2), Read(once.ToText()).resolved.ToText(2));
    EXPECT_EQ(once["jobs"].At(0)["iterations"].AsUnsigned(), 3U);
    EXPECT_EQ(once["jobs"].At(0)["model"]["layer_count"].AsUnsigned(), 7U);
    EXPECT_EQ(once["jobs"].At(1)["name"].AsString(), "job1");
}

TEST(ScenarioConfig, NoTemplatesGpuAchievesMoreThanItsPeak)
{
    for (const std::string& name : NodeTemplateNames())
    {
        const auto c = Read(R"({"topology": "star", "node": ")" + name + R"("})");
        if (const auto gpu = c.node.Get<GpuSettings>("gpu"))
        {
            EXPECT_LE(gpu->achievedTflops, gpu->peakTflops) << name;
        }
    }
}
