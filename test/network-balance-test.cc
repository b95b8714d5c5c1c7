// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/json-value.h"
#include "ns3/link-statistics.h"
#include "ns3/scenario-runner.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ns3::aifabric
{
namespace
{

TEST(LayerBalance, IsOfAllLinksOfALayer)
{
    RunResult result;
    result.engine.simulatedS = 1e-6;
    for (Tick busy : {4, 2, 0, 2})
    {
        LinkResult link;
        link.layer = "leaf_to_spine";
        link.busy = busy * kMicrosecond / 4;
        link.mostFlows = static_cast<uint32_t>(busy);
        result.links.push_back(link);
    }
    LinkResult idle;
    idle.layer = "spine_to_leaf";
    result.links.push_back(idle);
    AddLinkMetrics(result);
    auto& m = result.metrics;
    EXPECT_EQ(m.at("layers.leaf_to_spine.link_count"), 4);
    EXPECT_DOUBLE_EQ(m.at("layers.leaf_to_spine.link_utilization_mean_ratio"), 0.5);
    EXPECT_DOUBLE_EQ(m.at("layers.leaf_to_spine.link_utilization_max_ratio"), 1);
    EXPECT_DOUBLE_EQ(m.at("layers.leaf_to_spine.link_imbalance_ratio"), 2);
    // Deviations 1/2, 0, -1/2, 0 of a mean of 1/2.
    EXPECT_DOUBLE_EQ(m.at("layers.leaf_to_spine.link_variation_ratio"), std::sqrt(0.5));
    EXPECT_EQ(m.at("layers.leaf_to_spine.link_flows_max_count"), 4);
    EXPECT_EQ(m.at("layers.spine_to_leaf.link_imbalance_ratio"), 1);
    EXPECT_EQ(m.at("layers.spine_to_leaf.link_variation_ratio"), 0);
    EXPECT_EQ(m.count("layers.spine_to_leaf.link_flows_max_count"), 0U);
}

/// 64 flows from the hosts of one leaf to those of another, over four links.
const char* const kFourLinks = R"({
  "topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 4, "hosts_per_leaf": 64,
               "links": {"nic_to_leaf": {"bandwidth_gbps": 100},
                         "leaf_to_spine": {"bandwidth_gbps": 100}}},
  "network": {"mtu_payload_bytes": 1000, "pfc": {"enabled": true}},
  "transport": {"congestion_control": "none", "retransmission": "out_of_order"},
  "traffic": [{"pattern": "permutation", "sources": "0-63", "destinations": "64-127",
               "size_bytes": 100000}]
})";

class NetworkBalanceTest : public ::testing::Test
{
  protected:
    nlohmann::json Run(const std::string& balancer, std::vector<ScenarioOverride> overrides = {})
    {
        overrides.emplace_back("network.load_balancing", balancer);
        RunOptions options;
        options.output = m_folder.Path();
        options.quiet = true;
        EXPECT_EQ(RunScenario(ReadScenarioFile(JsonValue::Parse(kFourLinks), overrides), options),
                  ExitStatus::Ok);
        return nlohmann::json::parse(m_folder.Read("summary.json"))["metrics"];
    }

    TemporaryFolder m_folder;
};

TEST_F(NetworkBalanceTest, HashingCollidesAndKeepsOrder)
{
    const auto metrics = Run(R"("ecmp")");
    EXPECT_EQ(metrics["layers.nic_to_leaf.link_flows_max_count"], 1);
    EXPECT_EQ(metrics["layers.leaf_to_nic.link_flows_max_count"], 1);
    const int most = metrics["layers.leaf_to_spine.link_flows_max_count"];
    EXPECT_GT(most, 64 / 4) << "64 balls into 4 bins alike has a chance of 64!/16!^4/4^64 = 0.002";
    EXPECT_LE(most, 64);
    // Data goes by the links of one leaf of two, answers by the others: 100000 B in frames of
    // 1082 B against one of 84 B for each.
    const double share = most / 64. * 4;
    const double imbalance = metrics["layers.leaf_to_spine.link_imbalance_ratio"];
    EXPECT_NEAR(imbalance, 2 * share * 1082 / (1082 + 84), 0.1);
    EXPECT_EQ(metrics["flow_reorder_depth_max_frames"], 0);
}

TEST_F(NetworkBalanceTest, FlowsThatFollowEachOtherDoNotCollide)
{
    const auto metrics = Run(R"("ecmp")", {{"traffic", R"([{"pattern": "flows", "flows": [
        {"source": 0, "destination": 64, "size_bytes": 1000},
        {"source": 1, "destination": 64, "size_bytes": 1000},
        {"source": 0, "destination": 64, "size_bytes": 0},
        {"source": 0, "destination": 64, "size_bytes": 1000, "start_time_s": 1e-4}]}])"}});
    EXPECT_EQ(metrics["layers.nic_to_leaf.link_flows_max_count"], 1);
    EXPECT_EQ(metrics["layers.leaf_to_nic.link_flows_max_count"], 2);
}

TEST_F(NetworkBalanceTest, SprayingInTurnsIsEven)
{
    const auto metrics = Run(R"("round_robin_spray")");
    // Each leaf takes its turns for itself: one of its links has one frame more at most.
    EXPECT_NEAR(
        metrics["layers.leaf_to_spine.link_imbalance_ratio"], 2. * 1082 / (1082 + 84), 0.01);
    EXPECT_EQ(metrics.count("layers.leaf_to_spine.link_flows_max_count"), 0U);
}

TEST_F(NetworkBalanceTest, SprayingAtRandomReorders)
{
    EXPECT_GT(Run(R"("random_spray")")["flow_reorder_depth_max_frames"], 0);
}

} // namespace
} // namespace ns3::aifabric
