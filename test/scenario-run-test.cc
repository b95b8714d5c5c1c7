// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"
#include "ns3/scenario-error.h"
#include "ns3/scenario-run.h"
#include "ns3/scenario-runner.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace ns3::aifabric
{
namespace
{

const char* const kLeafSpine = R"({
  "name": "small",
  "topology": {"type": "leaf_spine", "leaf_count": 4, "spine_count": 2, "hosts_per_leaf": 4,
               "links": {"nic_to_leaf": {"bandwidth_gbps": 100, "propagation_delay_ns": 500},
                         "leaf_to_spine": {"bandwidth_gbps": 100, "propagation_delay_ns": 500}},
               "switches": {"leaf": {"buffer_bytes": 1000000}, "spine": {"buffer_bytes": 1000000}}},
  "transport": {"congestion_control": "dcqcn"},
  "network": {"ecn": {"kmin_bytes": 100000, "kmax_bytes": 400000, "pmax": 0.2}},
  "traffic": [
    {"name": "load", "pattern": "poisson", "size_distribution": "web_search", "load_ratio": 0.4,
     "duration_s": 0.0005},
    {"name": "burst", "pattern": "incast", "sources": "1-12", "destinations": [0],
     "size_bytes": 200000, "start_time_s": 0.0001}
  ]
})";

class ScenarioRunTest : public ::testing::Test
{
  protected:
    ScenarioRunTest()
        : m_folder(std::filesystem::temp_directory_path() /
                   ("aifabric-run-" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(m_folder);
    }

    ~ScenarioRunTest() override
    {
        std::filesystem::remove_all(m_folder);
        EXPECT_EQ(FramePool::Out(), 0U);
    }

    ExitStatus Run(const std::string& json,
                   const std::string& name,
                   const std::vector<ScenarioOverride>& overrides = {},
                   std::optional<uint64_t> seed = {})
    {
        RunOptions options;
        options.output = m_folder / name;
        options.quiet = true;
        return RunScenario(ReadScenarioFile(JsonValue::Parse(json), overrides, seed), options);
    }

    std::string Text(const std::string& file) const
    {
        std::ifstream in(m_folder / file);
        EXPECT_TRUE(in.good()) << file;
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }

    nlohmann::json Summary(const std::string& name) const
    {
        return nlohmann::json::parse(Text(name + "/summary.json"));
    }

    std::filesystem::path m_folder;
};

TEST_F(ScenarioRunTest, SameBytesWithEveryScheduler)
{
    ASSERT_EQ(Run(kLeafSpine, "radix"), ExitStatus::Ok);
    const std::string flows = Text("radix/flows.csv");
    const std::string links = Text("radix/links.csv");
    EXPECT_GT(std::count(flows.begin(), flows.end(), '\n'), 20);
    EXPECT_GT(Summary("radix")["metrics"]["link_pause_time_ns"], 0) << "nothing was paused";
    EXPECT_GT(Summary("radix")["metrics"]["flow_ecn_marked_frames"], 0) << "nothing was marked";
    for (const char* scheduler : {"radix", "map", "priority_queue"})
    {
        const std::string name = std::string("again-") + scheduler;
        ASSERT_EQ(Run(kLeafSpine, name, {{"simulation.scheduler", scheduler}}), ExitStatus::Ok);
        EXPECT_EQ(Text(name + "/flows.csv"), flows) << scheduler;
        EXPECT_EQ(Text(name + "/links.csv"), links) << scheduler;
    }
    ASSERT_EQ(Run(kLeafSpine, "other", {}, 2), ExitStatus::Ok);
    EXPECT_NE(Text("other/flows.csv"), flows);
}

TEST_F(ScenarioRunTest, RunsOnTheFastEngineWhateverWasThereBefore)
{
    Simulator::Now();
    const auto file = ReadScenarioFile(JsonValue::Parse(kLeafSpine));
    const ScenarioRun run(file.runs.front());
    EXPECT_NE(SequentialSimulatorImpl::Current(), nullptr);
}

TEST_F(ScenarioRunTest, NothingIsFasterThanAlone)
{
    ASSERT_EQ(Run(kLeafSpine, "run"), ExitStatus::Ok);
    EXPECT_GE(Summary("run")["metrics"]["flow_slowdown_min"], 1.0);
    EXPECT_EQ(Summary("run")["metrics"]["link_dropped_frames"], 0);
}

// Frames that find no room lose their payload, and are sent again: nothing is dropped.
TEST_F(ScenarioRunTest, TrimmingInsteadOfDrops)
{
    ASSERT_EQ(
        Run(kLeafSpine,
            "run",
            {{"network.pfc.enabled", "false"},
             {"network.buffer", R"({"type": "static_threshold", "limit_bytes": 100000})"},
             {"network.trimming.enabled", "true"},
             {"transport", R"({"congestion_control": "none", "retransmission": "out_of_order"})"}}),
        ExitStatus::Ok);
    const auto metrics = Summary("run")["metrics"];
    EXPECT_EQ(metrics["link_dropped_frames"], 0);
    EXPECT_EQ(metrics["flow_done_count"], metrics["flow_count"]);
    EXPECT_GT(metrics["flow_retransmitted_bytes"], 0);
    // Each trimmed frame has at most one full payload.
    const auto trimmed = metrics["link_trimmed_frames"].get<uint64_t>();
    EXPECT_GE(4096 * trimmed, metrics["flow_retransmitted_bytes"].get<uint64_t>());
}

// Every frame that a link did not get or that it destroyed has a cause.
TEST_F(ScenarioRunTest, DropsByCause)
{
    ASSERT_EQ(Run(kLeafSpine,
                  "run",
                  {{"network.pfc.enabled", "false"},
                   {"network.buffer", R"({"type": "static_threshold", "limit_bytes": 200000})"},
                   {"transport.congestion_control", "none"},
                   {"topology.links.leaf_to_spine.loss_probability", "0.001"}}),
              ExitStatus::Ok);
    const auto metrics = Summary("run")["metrics"];
    EXPECT_GT(metrics["dropped_buffer_full_frames"], 0);
    EXPECT_GT(metrics["dropped_link_loss_frames"], 0);
    EXPECT_EQ(metrics["dropped_buffer_full_frames"].get<int>() +
                  metrics["dropped_link_loss_frames"].get<int>(),
              metrics["link_dropped_frames"].get<int>());
    for (const char* none :
         {"no_route", "hop_limit", "headroom_full", "watchdog", "early", "trimmed"})
    {
        EXPECT_EQ(metrics["dropped_" + std::string(none) + "_frames"], 0) << none;
    }
    // No queue is longer than its limit, but for those of NICs.
    std::istringstream rows(Text("run/links.csv"));
    int switches = 0;
    for (std::string row; std::getline(rows, row);)
    {
        if (row.rfind("leaf", 0) == 0 || row.rfind("spine", 0) == 0)
        {
            EXPECT_LE(std::stoul(row.substr(row.rfind(',') + 1)), 200000U) << row;
            ++switches;
        }
    }
    EXPECT_EQ(switches, 16 + 2 * 8);
}

TEST_F(ScenarioRunTest, StopTimeLeavesFlowsUnfinished)
{
    ASSERT_EQ(Run(kLeafSpine, "run", {{"simulation.stop_time_s", "0.0003"}}), ExitStatus::Ok);
    const auto summary = Summary("run");
    EXPECT_GT(summary["metrics"]["flow_unfinished_count"], 0);
    EXPECT_DOUBLE_EQ(summary["engine"]["simulated_s"], 0.0003);
    EXPECT_NE(Text("run/flows.csv").find(",unfinished,"), std::string::npos);
}

// Whatever a run is given up in, its frames come back and the next one is as the first.
TEST_F(ScenarioRunTest, RunsThatAreGivenUpLeaveNothing)
{
    ASSERT_EQ(Run(kLeafSpine, "first"), ExitStatus::Ok);
    const JsonValue json = JsonValue::Parse(kLeafSpine);
    for (const char* stop : {"0.000101", "0.00015", "0.0002"})
    {
        const ScenarioFile file = ReadScenarioFile(json, {{"simulation.stop_time_s", stop}});
        {
            ScenarioRun run(file.runs.front());
            run.Run();
            EXPECT_GT(FramePool::Out(), 0U) << "nothing is in flight at " << stop;
        }
        EXPECT_EQ(FramePool::Out(), 0U) << stop;
        // Never run; then one whose last entry of traffic does not fit.
        ScenarioRun(file.runs.front());
        const ScenarioFile broken = ReadScenarioFile(json, {{"traffic.1.destinations", "[4711]"}});
        EXPECT_THROW(ScenarioRun(broken.runs.front()), ScenarioError);
    }
    EXPECT_EQ(Simulator::Now().GetTimeStep(), 0);
    EXPECT_TRUE(Simulator::IsFinished());
    ASSERT_EQ(Run(kLeafSpine, "last"), ExitStatus::Ok);
    EXPECT_EQ(Text("last/flows.csv"), Text("first/flows.csv"));
    EXPECT_EQ(Text("last/links.csv"), Text("first/links.csv"));
}

TEST_F(ScenarioRunTest, EmptyScenarioRunsToAnEmptyResult)
{
    ASSERT_EQ(Run(R"({"topology": {"type": "star", "host_count": 2}})", "run"), ExitStatus::Ok);
    EXPECT_EQ(Summary("run")["metrics"]["flow_count"], 0);
}

TEST_F(ScenarioRunTest, ChecksDecideTheExitStatus)
{
    auto with = [&](const std::string& check) {
        return Run(kLeafSpine, "run", {{"checks", "[" + check + "]"}});
    };
    EXPECT_EQ(with(R"({"metric": "flow_slowdown_min", "minimum": 1})"), ExitStatus::Ok);
    EXPECT_EQ(with(R"({"metric": "flow_slowdown_min", "maximum": 0.5})"), ExitStatus::CheckFailed);
    EXPECT_EQ(with(R"({"metric": "no_such_metric", "minimum": 0})"), ExitStatus::CheckFailed);
    EXPECT_EQ(with(R"({"metric": "flow_done_count", "ratio_to": "flow_count", "expected": 1,
                       "relative_tolerance": 0})"),
              ExitStatus::Ok);
    EXPECT_THROW(with(R"({"metric": "x", "expected": 1})"), ScenarioError);
    const auto check = Summary("run")["checks"][0];
    EXPECT_EQ(check["obtained"], 1);
    EXPECT_EQ(check["holds"], true);
}

TEST_F(ScenarioRunTest, VariantsAndSeedsHaveFoldersAndAJointTable)
{
    const std::string variants = R"([
        {"name": "dcqcn", "set": {"transport.congestion_control": "dcqcn"}},
        {"name": "none", "set": {"transport.congestion_control": "none"}}])";
    const std::string checks = R"([{"metric": "none/flow_slowdown_p99",
        "ratio_to": "dcqcn/flow_slowdown_p99", "minimum": 0.01}])";
    ASSERT_EQ(
        Run(kLeafSpine, "study", {{"variants", variants}, {"seeds", "[1, 2]"}, {"checks", checks}}),
        ExitStatus::Ok);
    for (const char* run : {"dcqcn/seed-1", "dcqcn/seed-2", "none/seed-1", "none/seed-2"})
    {
        EXPECT_EQ(Summary(std::string("study/") + run)["seed"], run[std::strlen(run) - 1] - '0');
    }
    EXPECT_EQ(Text("study/dcqcn/seed-1/flows.csv").substr(0, 9), "flow,job,");
    const std::string table = Text("study/runs.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
}

TEST_F(ScenarioRunTest, VariantsOfSeveralAxesAreEachWithEach)
{
    const std::string variants = R"([
        [{"name": "slow", "set": {"topology.links.nic_to_leaf.bandwidth_gbps": 100}},
         {"name": "fast", "set": {"topology.links.nic_to_leaf.bandwidth_gbps": 200}}],
        [{"name": "small"}, {"name": "large", "set": {"traffic.0.size_bytes": 2000000}}]])";
    ASSERT_EQ(Run(R"({"topology": {"type": "star", "host_count": 4},
                      "traffic": [{"pattern": "permutation", "size_bytes": 1000000}]})",
                  "axes",
                  {{"variants", variants}}),
              ExitStatus::Ok);
    const auto runs = nlohmann::json::parse(Text("axes/runs.json"))["runs"];
    std::vector<std::string> names;
    for (const auto& run : runs)
    {
        names.push_back(run["variant"]);
        const auto scenario = Summary("axes/" + names.back())["scenario"];
        EXPECT_EQ(scenario["topology"]["links"]["nic_to_leaf"]["bandwidth_gbps"],
                  names.back().substr(0, 4) == "slow" ? 100 : 200);
        EXPECT_EQ(scenario["traffic"][0]["size_bytes"],
                  names.back().substr(5) == "small" ? 1000000 : 2000000);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"slow_small", "slow_large", "fast_small", "fast_large"}));
}

TEST_F(ScenarioRunTest, QueuesShareByTheirQuanta)
{
    // Both flows want the whole link to host 2; while both last they get 3 to 1.
    ASSERT_EQ(Run(R"({"topology": {"type": "star", "host_count": 3},
                      "transport": {"congestion_control": "none"},
                      "network": {"ecn": {"enabled": false},
                                  "pfc": {"lossless_priorities": [1, 2]},
                                  "queues": [{"priority": 1, "quantum_bytes": 10000},
                                             {"priority": 2, "quantum_bytes": 30000}]},
                      "traffic": [{"pattern": "flows", "flows": [
                          {"source": 0, "destination": 2, "size_bytes": 10000000, "priority": 1},
                          {"source": 1, "destination": 2, "size_bytes": 30000000, "priority": 2}]}]})",
                  "run"),
              ExitStatus::Ok);
    const auto metrics = Summary("run")["metrics"];
    EXPECT_NEAR(metrics["flow_slowdown_max"], 4, 0.05);
    EXPECT_NEAR(metrics["flow_slowdown_min"], 4. / 3, 0.02);
}

TEST_F(ScenarioRunTest, LinksThatLoseEverythingEndInRetryExceeded)
{
    ASSERT_EQ(Run(R"({"topology": {"type": "star", "host_count": 2,
                       "links": {"nic_to_leaf": {"bandwidth_gbps": 100, "propagation_delay_ns": 100,
                                                 "loss_probability": 1}}},
                      "transport": {"retransmission_timeout_us": 100, "retry_count": 2},
                      "traffic": [{"pattern": "flows", "flows": [
                          {"source": 0, "destination": 1, "size_bytes": 10000}]}]})",
                  "run"),
              ExitStatus::Ok);
    EXPECT_NE(Text("run/flows.csv").find(",retry_exceeded,0"), std::string::npos);
}

TEST_F(ScenarioRunTest, TrainingAndBackgroundTrafficShareTheNetwork)
{
    ASSERT_EQ(Run(R"({
        "topology": {"type": "rail_optimized", "server_count": 2, "gpus_per_server": 8,
                     "nics_per_server": 8, "rail_count": 8, "servers_per_segment": 32,
                     "spine_count": 2, "leaf_uplink_count": 2},
        "node": {"template": "hgx_h100", "gpu": {"achieved_tflops": 400}},
        "jobs": [{"name": "tiny", "iterations": 2,
                  "model": {"layer_count": 2, "hidden_size": 1024, "ffn_hidden_size": 4096,
                            "attention_head_count": 16, "vocabulary_size": 32000,
                            "sequence_length": 1024},
                  "parallelism": {"tensor": 8, "data": 2},
                  "batch": {"global_batch_size": 4, "micro_batch_size": 1}}],
        "traffic": [{"pattern": "permutation", "size_bytes": 1000000}]})",
                  "run"),
              ExitStatus::Ok);
    const auto metrics = Summary("run")["metrics"];
    EXPECT_EQ(metrics["iterations_completed"], 2);
    EXPECT_EQ(metrics["tp_allreduce_count_per_gpu_per_iteration"], 2 * 4 * 2);
    EXPECT_GT(metrics["iteration_time_s"], metrics["compute_time_s"]);
    EXPECT_NE(Text("run/flows.csv").find(",tiny,dp,"), std::string::npos);
}

TEST_F(ScenarioRunTest, CollectivesOfGroupsThatShareGpus)
{
    // A group of ranks of a larger one, both at once; and one over three servers, as TP 24 would be.
    ASSERT_EQ(Run(R"({
        "topology": {"type": "rail_optimized", "server_count": 3, "gpus_per_server": 8,
                     "nics_per_server": 8, "rail_count": 8, "servers_per_segment": 32,
                     "spine_count": 2, "leaf_uplink_count": 2},
        "jobs": [
          {"name": "some", "collective": {"type": "all_reduce", "algorithm": "ring", "group": "4-7",
                                          "size_bytes": 1000003, "iterations": 3}},
          {"name": "server", "collective": {"type": "all_gather", "group": "0-7",
                                            "size_bytes": 8000000}},
          {"name": "all", "collective": {"type": "all_to_all", "algorithm": "pairwise",
                                         "size_bytes": 2400000}},
          {"name": "none", "collective": {"size_bytes": 0, "group": [0, 9, 23]}},
          {"name": "alone", "collective": {"group": [5]}}]})",
                  "run"),
              ExitStatus::Ok);
    const auto metrics = Summary("run")["metrics"];
    const std::string sent = ".collective_bytes_sent_per_gpu_per_iteration";
    EXPECT_NEAR(metrics["jobs.some" + sent], 1.5 * 1000003, 1e-6);
    EXPECT_EQ(metrics["jobs.some.iterations_completed"], 3);
    EXPECT_EQ(metrics["jobs.server" + sent], 7e6);
    EXPECT_EQ(metrics["jobs.all" + sent], 2300000);
    EXPECT_EQ(metrics["jobs.none.busbw_gbytes_per_s"], 0);
    EXPECT_EQ(metrics["jobs.alone.iterations_completed"], 1);
    for (const char* job : {"some", "server", "all"})
    {
        const std::string prefix = "jobs." + std::string(job) + ".";
        EXPECT_GT(metrics[prefix + "busbw_gbytes_per_s"], 0.1) << job;
    }
}

} // namespace
} // namespace ns3::aifabric
