// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/json-value.h"
#include "ns3/scenario-error.h"
#include "ns3/scenario-runner.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ns3::aifabric
{
namespace
{

// Two flows of 10 MB at 10 Gb/s into one port. Frames of 1000 B of payload are 1082 B on the wire
// (Ethernet, IPv4, UDP, BTH, ICRC, FCS; preamble and gap), 1062 B without preamble and gap.
const char* const kTwoIntoOne = R"({
  "topology": {"type": "star", "host_count": 3,
               "links": {"nic_to_leaf": {"bandwidth_gbps": 10, "propagation_delay_ns": 1000}},
               "switches": {"leaf": {"forwarding_latency_ns": 0}}},
  "node": {"nic": {"processing_latency_ns": 0}},
  "network": {"mtu_payload_bytes": 1000, "ecn": {"enabled": false}, "pfc": {"enabled": false}},
  "transport": {"congestion_control": "none"},
  "traffic": [
    {"name": "early", "pattern": "flows",
     "flows": [{"source": 0, "destination": 2, "size_bytes": 10000000}]},
    {"name": "late", "pattern": "flows", "start_time_us": 1000,
     "flows": [{"source": 1, "destination": 2, "size_bytes": 1000000}]}
  ]
})";

constexpr double kShare = 1000. / 1082; // payload of what is on the wire

class RunMeasurementsTest : public ::testing::Test
{
  protected:
    /// @return summary.json of a run with these measurements.
    nlohmann::json
    Run(const std::string& measurements, std::vector<ScenarioOverride> overrides = {})
    {
        overrides.emplace_back("outputs.measurements", measurements);
        RunOptions options;
        options.output = m_folder.Path();
        options.quiet = true;
        EXPECT_EQ(RunScenario(ReadScenarioFile(JsonValue::Parse(kTwoIntoOne), overrides), options),
                  ExitStatus::Ok);
        return nlohmann::json::parse(m_folder.Read("summary.json"));
    }

    std::string ErrorOf(const std::string& measurements)
    {
        try
        {
            Run(measurements);
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "";
    }

    TemporaryFolder m_folder;
};

TEST_F(RunMeasurementsTest, GoodputAndUtilizationAreThoseOfTheSpan)
{
    const auto metrics = Run(R"([
        {"name": "alone", "start_us": 200, "end_us": 1000, "flows": [0, 1], "tags": ["early"],
         "links": ["leaf0.port2", "host1"]},
        {"name": "both", "start_us": 1100, "end_us": 2000, "flows": [0, 1],
         "tags": ["early", "late"], "links": ["leaf0.port2"]}])")["metrics"];
    // One frame more or less at each edge: 8 kbit of 8 Mbit.
    EXPECT_NEAR(metrics["alone.flow.0.goodput_gbps"], 10 * kShare, 0.01);
    EXPECT_EQ(metrics["alone.flow.1.goodput_gbps"], 0);
    EXPECT_EQ(metrics["alone.tag.early.goodput_gbps"], metrics["alone.flow.0.goodput_gbps"]);
    EXPECT_EQ(metrics["alone.tag.early.fairness_ratio"], 1);
    EXPECT_NEAR(metrics["alone.link.leaf0.port2.utilization_ratio"], 1, 0.002);
    EXPECT_EQ(metrics["alone.link.host1.utilization_ratio"], 0);
    EXPECT_NEAR(metrics["both.flow.0.goodput_gbps"], 5 * kShare, 0.02);
    EXPECT_NEAR(metrics["both.flow.1.goodput_gbps"], 5 * kShare, 0.02);
    EXPECT_EQ(metrics.count("both.link.host1.utilization_ratio"), 0U) << "was not asked for";
}

// Jain's index of one who has it all among two is 1/2.
TEST_F(RunMeasurementsTest, FairnessIsJains)
{
    const auto metrics = Run(R"([{"start_us": 100, "end_us": 900, "tags": ["x"]}])",
                             {{"traffic.0.tag", "x"}, {"traffic.1.tag", "x"}})["metrics"];
    EXPECT_DOUBLE_EQ(metrics["tag.x.fairness_ratio"], 0.5);
}

// From 1000 us + 1.8656 us on (one frame and one link) twice as much comes as leaves: the queue
// grows by 1062 B per 0.8656 us.
TEST_F(RunMeasurementsTest, QueuesGrowAsArithmeticHasIt)
{
    const auto metrics = Run(R"([{"start_us": 1100, "end_us": 1500, "queues": ["leaf0.port2"]},
                                 {"name": "empty", "end_us": 900, "queues": ["leaf0.port1"]}])",
                             {{"outputs.sampling_interval_us", "20"}})["metrics"];
    const double perUs = 1062 / 0.8656;
    const std::string queue = "queue.leaf0.port2.";
    // Samples at 1120, 1140, ... 1500 us, each within two frames.
    EXPECT_NEAR(metrics[queue + "min_bytes"], perUs * (120 - 1.8656), 2 * 1062);
    EXPECT_NEAR(metrics[queue + "max_bytes"], perUs * (500 - 1.8656), 2 * 1062);
    EXPECT_NEAR(metrics[queue + "mean_bytes"], perUs * (310 - 1.8656), 2 * 1062);
    EXPECT_NEAR(metrics[queue + "p95_bytes"], perUs * (481 - 1.8656), 2 * 1062);
    // Of 20 samples 20 us apart: 20 sqrt(20 * 21 / 12).
    EXPECT_NEAR(metrics[queue + "deviation_bytes"], perUs * 20 * std::sqrt(35.), 1062);
    EXPECT_DOUBLE_EQ(metrics[queue + "variation_ratio"],
                     metrics[queue + "deviation_bytes"].get<double>() /
                         metrics[queue + "mean_bytes"].get<double>());
    EXPECT_EQ(metrics["empty.queue.leaf0.port1.max_bytes"], 0);
    EXPECT_EQ(metrics["empty.queue.leaf0.port1.variation_ratio"], 0);
}

TEST_F(RunMeasurementsTest, WithoutAnEndItLastsUntilTheRunEnds)
{
    const auto summary = Run(R"([{"start_us": 1000, "flows": [0, 1], "queues": ["leaf0.port2"]},
                                 {"name": "beyond", "start_us": 1000, "end_s": 1, "flows": [0]}])");
    const double end = summary["engine"]["simulated_s"];
    EXPECT_DOUBLE_EQ(summary["metrics"]["flow.1.goodput_gbps"], 8e6 / (end - 1e-3) / 1e9);
    EXPECT_EQ(summary["metrics"].count("beyond.flow.0.goodput_gbps"), 0U);
    EXPECT_NE(summary["warnings"].dump().find("the measurement beyond did"), std::string::npos);
}

// Looking changes nothing, not even the number of events.
TEST_F(RunMeasurementsTest, LookingChangesNothing)
{
    const std::vector<ScenarioOverride> stop{{"simulation.stop_time_s", "0.002"}};
    const auto without = Run("[]", stop);
    const std::string flows = m_folder.Read("flows.csv");
    const auto with = Run(R"([{"start_us": 10, "end_us": 2000, "queues": ["leaf0.port2"],
                               "links": ["leaf0.port2"], "flows": [0], "tags": ["late"]}])",
                          stop);
    EXPECT_EQ(m_folder.Read("flows.csv"), flows);
    EXPECT_EQ(with["engine"]["events"], without["engine"]["events"]);
    EXPECT_EQ(with["metrics"].size(), without["metrics"].size() + 8 + 1 + 1 + 2);
}

TEST_F(RunMeasurementsTest, ProgressHasARowPerSampleAndFlow)
{
    Run("[]",
        {{"outputs.reports", R"(["flow_progress"])"},
         {"outputs.sampling_interval_us", "500"},
         {"simulation.stop_time_s", "0.0015"}});
    std::istringstream rows(m_folder.Read("progress.csv"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(rows, line);)
    {
        lines.push_back(line);
    }
    ASSERT_EQ(lines.size(), 1U + 1 + 2 + 2);
    EXPECT_EQ(lines[0], "time_ns,flow,delivered_bytes");
    EXPECT_EQ(lines[1].rfind("500000.000,0,", 0), 0U);
    // A RETH adds 16 B to the first frame. Each arrives behind those before it, once more its own
    // length in the switch, and 2 us of links.
    const int arrived = static_cast<int>((500 - 2 - 16 * 8e-4) / 0.8656 - 1);
    EXPECT_EQ(lines[1], "500000.000,0," + std::to_string(1000 * arrived));
    EXPECT_EQ(lines[3], "1000000.000,1,0");
}

TEST_F(RunMeasurementsTest, ErrorsSayWhere)
{
    EXPECT_NE(ErrorOf(R"([{"queues": ["leaf0.port7"]}])")
                  .find("outputs.measurements[0].queues[0]: unknown port 'leaf0.port7'"),
              std::string::npos);
    EXPECT_NE(ErrorOf(R"([{}, {"name": "b", "flows": [1, 2]}])")
                  .find("outputs.measurements[1].flows[1]: found 2, expected a number below"),
              std::string::npos);
    EXPECT_NE(ErrorOf(R"([{"tags": ["latte"]}])").find("did you mean 'late'"), std::string::npos);
    EXPECT_NE(ErrorOf(R"([{"start_us": 5, "end_us": 5}])")
                  .find("outputs.measurements[0]: found a measurement that ends before it starts"),
              std::string::npos);
    EXPECT_NE(ErrorOf(R"([{"name": "a"}, {"name": "a"}])")
                  .find("outputs.measurements[1].name: the name 'a' is taken"),
              std::string::npos);
    EXPECT_NE(ErrorOf(R"([{"queue": []}])").find("outputs.measurements[0].queue: unknown key"),
              std::string::npos);
}

} // namespace
} // namespace ns3::aifabric
