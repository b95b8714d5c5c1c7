// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/nic-settings.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

ScenarioConfig
Read(const std::string& json)
{
    return ReadScenarioFile(JsonValue::Parse(json)).runs.front();
}

double
HostRateOf(const ScenarioConfig& config)
{
    return config.graph->Links().front().spec.bandwidth;
}

TEST(ScenarioNic, LinksOfHostsHaveTheRateOfTheirNics)
{
    EXPECT_EQ(HostRateOf(Read(R"({"topology": "star", "node": "hgx_a100"})")), 200e9);
    EXPECT_EQ(HostRateOf(Read(R"({"topology": "star", "node": "hgx_h100"})")), 400e9);
    const auto config =
        Read(R"({"topology": "leaf_spine", "node": {"nic": {"bandwidth_mbps": 25000}}})");
    EXPECT_EQ(HostRateOf(config), 25e9);
    EXPECT_EQ(config.graph->Links().back().spec.bandwidth, 400e9) << "of the fabric";
}

TEST(ScenarioNic, WhatTheTopologySaysCountsMoreThanATemplate)
{
    const auto config = Read(R"({"topology": {"type": "star", "links": {
        "nic_to_leaf": {"bandwidth_gbps": 100}}}, "node": "hgx_a100"})");
    EXPECT_EQ(HostRateOf(config), 100e9);
    EXPECT_EQ(config.node.Get<NicSettings>("nic")->bandwidth.GetBitRate(), 100'000'000'000U);
    EXPECT_EQ(config.resolved["node"]["nic"]["bandwidth_gbps"].AsNumber(), 100);
    EXPECT_EQ(Read(config.resolved.ToText()).resolved.ToText(), config.resolved.ToText());
}

TEST(ScenarioNic, TwoRatesOfOnePortAreRefused)
{
    EXPECT_EQ(ErrorOf([] {
                  Read(R"({"topology": {"type": "star", "links": {
                      "nic_to_leaf": {"bandwidth_gbps": 100}}},
                      "node": {"nic": {"bandwidth_gbps": 200}}})");
              }),
              "node.nic.bandwidth_gbps: found the number 200, but the link of host0 has 100 Gb/s, "
              "expected one rate of a port and its link");
    EXPECT_EQ(
        ErrorOf([] {
            Read(R"({"topology": {"type": "star", "host_count": 4, "nics_per_server": 1,
                      "nic_port_count": 2}, "node": {"nic": {"ports": 1}}})");
        }),
        "node.nic.ports: found the number 1, but the topology has NICs of 2, expected the same");
}

TEST(ScenarioNic, PortsOfTheNicMakePortsOfTheTopology)
{
    const auto config = Read(R"({"topology": {"type": "star", "host_count": 4,
        "nics_per_server": 1}, "node": {"nic": {"ports": 2}}})");
    EXPECT_EQ(config.graph->Nodes()[config.graph->NodeOf(3)].name, "server1.nic0.port1");
}

TEST(ScenarioNic, AGraphMayHaveNicsOfSeveralRates)
{
    const std::string graph = R"({"topology": {"type": "graph",
        "nodes": [{"name": "a", "kind": "host"}, {"name": "b", "kind": "host"},
                  {"name": "s", "kind": "switch"}],
        "links": [{"from": "a", "to": "s", "bandwidth_gbps": 100, "propagation_delay_ns": 1},
                  {"from": "s", "to": "b", "bandwidth_gbps": 25, "propagation_delay_ns": 1}]})";
    const auto config = Read(graph + "}");
    EXPECT_FALSE(config.resolved["node"]["nic"].Has("bandwidth_gbps"));
    EXPECT_EQ(Read(config.resolved.ToText()).resolved.ToText(), config.resolved.ToText());
    EXPECT_EQ(ErrorOf([&] { Read(graph + R"(, "node": {"nic": {"bandwidth_gbps": 100}}})"); }),
              "node.nic.bandwidth_gbps: found the number 100, but the link of b has 25 Gb/s, "
              "expected one rate of a port and its link");
}

TEST(ScenarioNic, TrafficHasThePriorityOfItsTransport)
{
    auto priorities = [](const std::string& traffic) {
        const ScenarioConfig config =
            Read(R"({"topology": {"type": "star", "host_count": 2}, "transport":
                {"data_priority": 2}, "traffic": [{"pattern": "permutation")" +
                 traffic + "}]}");
        ScenarioRun run(config);
        run.Run();
        return run.TakeResult().flows.front().priority;
    };
    EXPECT_EQ(priorities(""), 2);
    EXPECT_EQ(priorities(R"(, "transport": {"data_priority": 1})"), 1);
    EXPECT_EQ(priorities(R"(, "priority": 5)"), 5);
}

TEST(ScenarioNic, FlowsHaveOneQueuePair)
{
    const std::string json = R"({"topology": {"type": "star", "host_count": 2},
        "traffic": [{"pattern": "permutation"}], "transport": {"queue_pairs_per_connection": 4}})";
    EXPECT_EQ(
        ErrorOf([&] { ScenarioRun run(Read(json)); }),
        "transport.queue_pairs_per_connection: found 4, expected 1: it is for the connections "
        "of jobs, and a flow of traffic has one queue pair");
}

} // namespace
} // namespace ns3::aifabric
