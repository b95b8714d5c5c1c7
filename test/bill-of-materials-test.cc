// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/bill-of-materials.h"
#include "ns3/json-value.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-summary.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

/// A k-ary fat-tree of k = 4: 16 hosts, 8 + 8 + 4 switches of four ports, 16 cables of each layer.
const char* const kFatTree = R"({
  "topology": {"type": "fat_tree", "k": 4,
    "links": {"nic_to_leaf": {"bandwidth_gbps": 100, "length_km": 0.002},
              "leaf_to_aggregation": {"bandwidth_gbps": 100, "length_km": 0.03},
              "aggregation_to_core": {"bandwidth_gbps": 400, "length_km": 0.5}}},
  "price_list": {
    "switches": [{"name": "slow", "port_count": 4, "bandwidth_gbps": 100, "price": 10, "power_w": 1},
                 {"name": "wide", "port_count": 8, "bandwidth_gbps": 400, "price": 100, "power_w": 9},
                 {"name": "dear", "port_count": 4, "bandwidth_gbps": 400, "price": 101, "power_w": 5},
                 {"name": "small", "port_count": 3, "bandwidth_gbps": 400, "price": 1}],
    "cables": [{"name": "copper", "bandwidth_gbps": 100, "longest_m": 2, "price": 3},
               {"name": "glass", "bandwidth_gbps": 400, "price": 20, "power_w": 2,
                "transceiver_count": 2}],
    "nics": [{"name": "nic", "bandwidth_gbps": 100, "price": 7, "power_w": 4}]}
})";

ScenarioConfig
Read(const char* text, const std::vector<ScenarioOverride>& overrides = {})
{
    return ReadScenarioFile(JsonValue::Parse(text), overrides).runs.front();
}

TEST(BillOfMaterials, TakesTheCheapestThatServes)
{
    const ScenarioConfig config = Read(kFatTree);
    const BillOfMaterials bill = MakeBill(*config.graph, PeekPointer(config.prices));

    struct Expected
    {
        const char* layer;
        const char* name;
        uint64_t count;
        double price;
        double powerW;
    };

    const std::vector<Expected> all{{"nic", "nic", 16, 112, 64},
                                    {"leaf", "slow", 8, 80, 8},
                                    {"aggregation", "wide", 8, 800, 72},
                                    {"core", "wide", 4, 400, 36},
                                    {"nic_to_leaf", "copper", 16, 48, 0},
                                    {"leaf_to_aggregation", "glass", 16, 320, 32},
                                    {"aggregation_to_core", "glass", 16, 320, 32}};
    ASSERT_EQ(bill.rows.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        EXPECT_EQ(bill.rows[i].layer, all[i].layer);
        EXPECT_EQ(bill.rows[i].name, all[i].name) << all[i].layer;
        EXPECT_EQ(bill.rows[i].count, all[i].count) << all[i].layer;
        EXPECT_EQ(bill.rows[i].price, all[i].price) << all[i].layer;
        EXPECT_EQ(bill.rows[i].powerW, all[i].powerW) << all[i].layer;
    }
    EXPECT_EQ(bill.Sum(&BillRow::transceivers), 64U);
    std::map<std::string, double> metrics;
    AddNetworkMetrics(*config.graph, PeekPointer(config.prices), metrics);
    EXPECT_EQ(metrics["network_switches"], 20);
    EXPECT_EQ(metrics["network_cables"], 48);
    EXPECT_EQ(metrics["network_price_per_host"], 2080 / 16.);
    EXPECT_EQ(metrics["network_power_per_host_w"], 244 / 16.);
}

TEST(BillOfMaterials, PortsOfANicAreOneNic)
{
    const ScenarioConfig config = Read(R"({"topology": {"type": "leaf_spine", "hosts_per_leaf": 8,
        "leaf_count": 2, "nics_per_server": 2, "nic_port_count": 2}})");
    const BillOfMaterials bill = MakeBill(*config.graph, nullptr);
    EXPECT_EQ(bill.rows.front().kind, "nic");
    EXPECT_EQ(bill.rows.front().ports, 2U);
    EXPECT_EQ(bill.rows.front().count, 8U);
    EXPECT_FALSE(bill.isPriced);
}

TEST(BillOfMaterials, NamesWhatTheListLacks)
{
    auto errorOf = [](const char* key, const char* value) {
        return ErrorOf([&] {
            const ScenarioConfig config = Read(kFatTree, {{key, value}});
            MakeBill(*config.graph, PeekPointer(config.prices));
        });
    };
    EXPECT_EQ(errorOf("price_list.nics", "[]"),
              "price_list.nics: found nothing for 'nic', expected an entry that serves for 100 "
              "Gb/s");
    EXPECT_EQ(errorOf("price_list.cables.1.longest_m", "499"),
              "price_list.cables: found nothing for 'aggregation_to_core', expected an entry that "
              "serves for "
              "500 m at 400 Gb/s");
    EXPECT_EQ(errorOf("price_list.switches.1.port_count", "3"), "no error");
    EXPECT_EQ(errorOf("price_list.switches", "[]"),
              "price_list.switches: found nothing for 'leaf', expected an entry that serves for 4 "
              "ports of 100 Gb/s");
    EXPECT_EQ(errorOf("price_list.switches.0.price", "-1"),
              "price_list.switches[0].price: found the number -1, expected a number of at least 0");
    EXPECT_EQ(errorOf("price_list.switches.0.ports", "1"),
              "price_list.switches[0].ports: unknown key, expected one of port_count, name, "
              "bandwidth_gbps, "
              "price, power_w");
}

TEST(TopologySummary, EndsWhereTheHighestPortsDo)
{
    auto mostHosts = [](const char* text) {
        const ScenarioConfig config = Read(text);
        return SummarizeTopology(*config.graph, {}).mostHosts;
    };
    // R leaves of R/2 hosts below R/2 spines of R ports: R^2/2.
    EXPECT_EQ(mostHosts(R"({"topology": {"type": "leaf_spine", "leaf_count": 4, "spine_count": 16,
        "hosts_per_leaf": 16, "switches": {"spine": {"radix": 32}}}})"),
              32U * 32 / 2);
    EXPECT_EQ(mostHosts(R"({"topology": {"type": "leaf_spine"}})"), std::nullopt) << "no radix";
    EXPECT_EQ(mostHosts(R"({"topology": {"type": "dragonfly",
        "switches": {"router": {"radix": 32}}}})"),
              std::nullopt)
        << "routers are joined to each other";
}

} // namespace
} // namespace ns3::aifabric
