// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/joint-table.h"
#include "ns3/readable-units.h"
#include "ns3/run-progress.h"
#include "ns3/run-report.h"
#include "ns3/run-result.h"
#include "ns3/summary-writer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>

using namespace ns3::aifabric;
using nlohmann::json;

namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RunResult
SmallRun()
{
    RunResult result;
    result.name = "small";
    result.seed = 7;
    result.metrics = {{"flow_count", 3}, {"flow_fct_p99_ns", 4177.25}};
    result.engine.events = 1000;
    result.engine.frameHops = 500;
    result.engine.cpuS = 0.5;
    result.engine.wallS = 0.625;
    result.engine.peakRssBytes = 1 << 20;
    result.engine.simulatedS = 1e-3;
    return result;
}

std::vector<std::string>
Keys(const json& object)
{
    std::vector<std::string> keys;
    for (const auto& item : object.items())
    {
        keys.push_back(item.key());
    }
    return keys; // nlohmann sorts them
}

} // namespace

TEST(Summary, HasAllThatUsersRelyOn)
{
    CheckOutcome check{R"({"metric": "flow_count", "minimum": 4, "note": "mine"})", 3, 0, false};
    TemporaryFolder folder;
    WriteSummary(
        SmallRun(), R"({"topology": {"type": "star"}, "name": "small"})", {check}, folder.Path());
    auto summary = json::parse(folder.Read("summary.json"));
    EXPECT_EQ(Keys(summary),
              (std::vector<std::string>{"checks",
                                        "engine",
                                        "metrics",
                                        "name",
                                        "pfc",
                                        "scenario",
                                        "schema_version",
                                        "seed",
                                        "versions",
                                        "warnings"}));
    EXPECT_EQ(summary["schema_version"], kSummarySchemaVersion);
    EXPECT_EQ(summary["scenario"], (json{{"topology", {{"type", "star"}}}, {"name", "small"}}));
    EXPECT_EQ(summary["name"], "small");
    EXPECT_EQ(summary["seed"], 7);
    EXPECT_EQ(summary["metrics"], (json{{"flow_count", 3}, {"flow_fct_p99_ns", 4177.25}}));
    EXPECT_EQ(summary["metrics"]["flow_count"].dump(), "3") << "an integer looks like one";
    EXPECT_EQ(summary["checks"],
              json::parse(R"([{"metric": "flow_count", "minimum": 4, "note": "mine",
                               "obtained": 3, "holds": false}])"));
    EXPECT_EQ(summary["warnings"], json::array());
    auto engine = summary["engine"];
    for (const char* key : {"events",
                            "frame_hops",
                            "wall_s",
                            "cpu_s",
                            "setup_cpu_s",
                            "events_per_s",
                            "frame_hops_per_s",
                            "peak_rss_bytes",
                            "simulated_s"})
    {
        EXPECT_TRUE(engine.contains(key)) << key;
    }
    EXPECT_EQ(engine["events_per_s"], 2000);
    EXPECT_EQ(engine["frame_hops_per_s"], 1000);
    EXPECT_EQ(engine["wall_s"], 0.625);
    for (const char* key : {"ai_fabric", "ns3", "compiler"})
    {
        EXPECT_NE(summary["versions"].value(key, "unknown"), "unknown") << key;
    }
}

TEST(Summary, NeverHoldsWhatIsNoJson)
{
    RunResult result = SmallRun();
    result.variant = "fast";
    result.engine.cpuS = 0;
    result.engine.wallS = kNan;
    result.metrics["a"] = kNan;
    result.metrics["b"] = -std::numeric_limits<double>::infinity();
    result.metrics["c"] = 1e300;
    result.warnings = {"a name with a broken byte: \xff"};
    std::string text = SummaryText(result, "{}", {{R"({"metric": "d"})", kNan, kNan, false}});
    auto summary = json::parse(text);
    EXPECT_EQ(summary["variant"], "fast");
    EXPECT_TRUE(summary["metrics"]["a"].is_null());
    EXPECT_TRUE(summary["metrics"]["b"].is_null());
    EXPECT_EQ(summary["metrics"]["c"], 1e300);
    EXPECT_TRUE(summary["checks"][0]["obtained"].is_null());
    EXPECT_EQ(summary["engine"]["events_per_s"], 0);
    EXPECT_TRUE(summary["engine"]["wall_s"].is_null());
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(JointTable, HasARowPerRunAndMeansOverSeeds)
{
    JointTable table("comparison");
    RunResult run = SmallRun();
    for (const char* variant : {"ecmp", "drill, new"})
    {
        run.variant = variant;
        for (uint64_t seed : {1, 2})
        {
            run.seed = seed;
            run.metrics = {{"flow_slowdown_p99", 2.5 * static_cast<double>(seed)}};
            if (run.variant == "ecmp" && seed == 2)
            {
                run.metrics["extra"] = 1;
            }
            table.Add(run, std::string(variant) + "/" + std::to_string(seed));
        }
    }
    EXPECT_EQ(table.Variants(), (std::vector<std::string>{"ecmp", "drill, new"}));
    auto metrics = table.Metrics();
    EXPECT_EQ(metrics.at("ecmp/flow_slowdown_p99").mean, 3.75);
    // Student's t at 0.975 with 1 degree of freedom is 12.7062; the standard error is 1.25.
    EXPECT_NEAR(metrics.at("ecmp/flow_slowdown_p99").halfWidth, 12.7062 * 1.25, 1e-3);
    EXPECT_EQ(metrics.at("ecmp/extra").count, 1U);
    TemporaryFolder folder;
    table.Write({{R"({"metric": "ecmp/extra", "maximum": 2})", 1, 0, true}}, folder.Path());
    EXPECT_EQ(folder.Read("runs.csv"),
              "variant,seed,folder,extra,flow_slowdown_p99\n"
              "ecmp,1,ecmp/1,,2.5\n"
              "ecmp,2,ecmp/2,1,5\n"
              "\"drill, new\",1,\"drill, new/1\",,2.5\n"
              "\"drill, new\",2,\"drill, new/2\",,5\n");
    auto joint = json::parse(folder.Read("runs.json"));
    EXPECT_EQ(joint["name"], "comparison");
    EXPECT_EQ(joint["runs"].size(), 4U);
    EXPECT_EQ(joint["runs"][1]["metrics"]["extra"], 1);
    EXPECT_EQ(joint["metrics"]["drill, new/flow_slowdown_p99"]["mean"], 3.75);
    EXPECT_EQ(joint["checks"][0]["holds"], true);
    std::string report = ReportText(table, {});
    EXPECT_NE(report.find("comparison, 4 runs\n  variant     runs   slowdown p99\n"),
              std::string::npos)
        << report;
    EXPECT_NE(report.find("3.750 ± 15.88"), std::string::npos) << report;
}

TEST(JointTable, WithoutVariantsNamesAreBare)
{
    JointTable table("seeds");
    table.Add(SmallRun());
    EXPECT_EQ(table.Metrics().at("flow_count").mean, 3);
}

TEST(RunProgress, LinesComeEveryTenSecondsOnly)
{
    double now = 100;
    std::ostringstream out;
    RunProgress progress(ProgressStyle::Lines, out, [&] { return now; });
    progress.Begin("dcqcn");
    for (int i = 1; i <= 2500; ++i)
    {
        now = 100 + 0.01 * i;
        progress.Update(1e-6 * i, i / 10000.0, 20000U * i);
    }
    progress.End();
    EXPECT_EQ(out.str(),
              "dcqcn:  10 %, 1 ms simulated, 2 M events/s, ETA 90 s\n"
              "dcqcn:  20 %, 2 ms simulated, 2 M events/s, ETA 80 s\n");
}

TEST(RunProgress, BarIsRedrawnAndTakenAway)
{
    double now = 0;
    std::ostringstream out;
    {
        RunProgress progress(ProgressStyle::Bar, out, [&] { return now; });
        progress.Update(0, 0, 0);
        EXPECT_EQ(out.str(), "") << "a short run shows none";
        now = 1;
        progress.Update(2e-6, 0.5, 1000);
        EXPECT_NE(out.str().find("[############............]  50 %, 2 µs simulated, 1000 "
                                 "events/s, ETA 1 s"),
                  std::string::npos)
            << out.str();
        out.str("");
        now = 1.1;
        progress.Update(3e-6, 0.6, 1100);
        EXPECT_EQ(out.str(), "") << "not that often";
    }
    EXPECT_EQ(out.str(), "\r\033[K");
}

TEST(RunProgress, SaysNothingWhenSilentAndGuessesNothing)
{
    double now = 0;
    std::ostringstream out;
    RunProgress silent(ProgressStyle::Silent, out, [&] { return now; });
    now = 1000;
    silent.Update(1, 0.5, 1);
    EXPECT_EQ(out.str(), "");
    EXPECT_EQ(RunProgress::StyleFor(true), ProgressStyle::Silent);
    EXPECT_EQ(RunProgress::Describe(30, 1, kNan, 5), "1 s simulated, 5 events/s, 30 s so far");
    EXPECT_EQ(RunProgress::Describe(30, 1, 0, 5), "  0 %, 1 s simulated, 5 events/s, 30 s so far");
    EXPECT_EQ(RunProgress::Describe(9000, 1, 2, 5),
              "100 %, 1 s simulated, 5 events/s, 2 h 30 min so far");
}

TEST(ReadableUnits, ArePeoples)
{
    EXPECT_EQ(ReadableNumber(1.0 / 3), "0.3333");
    EXPECT_EQ(ReadableNumber(0.0656), "0.06560");
    EXPECT_EQ(ReadableNumber(12345.678), "12346");
    EXPECT_EQ(ReadableNumber(1e-7), "1e-07");
    EXPECT_EQ(ReadableTime(4177.3e-9), "4.177 µs");
    EXPECT_EQ(ReadableTime(81.92e-9), "81.92 ns");
    EXPECT_EQ(ReadableTime(1e-3), "1 ms");
    EXPECT_EQ(ReadableTime(0.682), "682 ms");
    EXPECT_EQ(ReadableTime(0), "0 s");
    EXPECT_EQ(ReadableTime(1e-12), "0.001000 ns");
    EXPECT_EQ(ReadableTime(200), "3 min 20 s");
    EXPECT_EQ(ReadableBytes(999), "999 B");
    EXPECT_EQ(ReadableBytes(26843545600.0), "26.84 GB");
    EXPECT_EQ(ReadableCount(9999), "9999");
    EXPECT_EQ(ReadableCount(12345678), "12.35 M");
    EXPECT_EQ(ReadableMetric("tp_busbw_gbytes_per_s", 370), "370 GB/s");
    EXPECT_EQ(ReadableMetric("flow_fct_p99_ns", 4177.3), "4.177 µs");
    EXPECT_EQ(ReadableMetric("tp_payload_bytes_per_gpu_per_iteration", 1e9), "1 GB");
    EXPECT_EQ(ReadableMetric("flow_goodput_gbps", 98.7654), "98.77 Gb/s");
    EXPECT_EQ(ReadableMetric("flow_slowdown_p99", 2.5), "2.500");
}

TEST(RunReport, ReadsLikeThis)
{
    RunResult result = SmallRun();
    result.name = "two-servers";
    result.variant = "dcqcn";
    result.metrics = {{"iterations_completed", 5},
                      {"iteration_time_s", 0.682},
                      {"compute_time_s", 0.418},
                      {"communication_time_s", 0.264},
                      {"communication_share_raw", 0.387},
                      {"busbw_gbytes_per_s", 150.25},
                      {"tp_payload_bytes_per_gpu_per_iteration", 26843545600.0},
                      {"tp_bytes_sent_per_gpu_per_iteration", 46976204800.0},
                      {"tp_busbw_gbytes_per_s", 240.5},
                      {"tp_allreduce_count_per_gpu_per_iteration", 1280},
                      {"tp_allreduce_time_s", 0.2},
                      {"embedding_payload_bytes_per_gpu_per_iteration", 1000},
                      {"embedding_allgather_time_s", 0.001},
                      {"embedding_gradient_payload_bytes_per_gpu_per_iteration", 2000},
                      {"embedding_gradient_allreduce_time_s", 0.002}};
    FlowResult flow;
    flow.fct = 2 * kMicrosecond;
    flow.idealFct = kMicrosecond;
    flow.bytes = flow.deliveredBytes = 1000;
    flow.status = "done";
    result.flows = {flow, flow};
    result.flows[1].bytes = 5000;
    LinkResult link;
    link.link = "leaf0.port1";
    link.from = "leaf0";
    link.to = "host1";
    link.bandwidthBps = 400e9;
    link.frames = 3;
    link.payloadBytes = 2000;
    link.busy = kMillisecond / 2;
    result.links = {link};
    result.warnings = {"something to know"};
    std::vector<CheckOutcome> checks{
        {R"({"metric": "iteration_time_s", "expected": 0.7, "relative_tolerance": 0.1})",
         0.682,
         0,
         true},
        {R"({"metric": "a/flow_fct_p99_ns", "ratio_to": "b/flow_fct_p99_ns", "minimum": 2})",
         1.5,
         0.25,
         false},
        {R"({"metric": "typo", "maximum": 2})", kNan, 0, false}};
    EXPECT_EQ(ReportText(result, checks),
              R"(two-servers, dcqcn, seed 7: 1 ms simulated

Job
  iterations completed               5
  iteration time                682 ms
  computation                   418 ms
  communication                 264 ms
  communication share, raw      38.7 %
  bus bandwidth             150.2 GB/s

  per GPU and iteration  calls   payload      sent    time  bus bandwidth
  embedding                  0      1 kB              1 ms
  embedding_gradient         0      2 kB              2 ms
  tp                      1280  26.84 GB  46.98 GB  200 ms     240.5 GB/s

Flows
  goodput        8 Gb/s
  retransmitted     0 B
  frames marked       0
  CNPs                0

  size      flows  done  slowdown mean    p50    p95    p99    max  FCT p50   p99   max
  to 1 kB       1     1          2.000  2.000  2.000  2.000  2.000     2 µs  2 µs  2 µs
  to 10 kB      1     1          2.000  2.000  2.000  2.000  2.000     2 µs  2 µs  2 µs
  all           2     2          2.000  2.000  2.000  2.000  2.000     2 µs  2 µs  2 µs

Links
  dropped frames        0
  paused, all links   0 s
  paused, worst link  0 s
  longest queue       0 B

  from   to     most used    links      rate  used, mean     max  payload  dropped  paused  queue
  leaf*  host*  leaf0.port1      1  400 Gb/s      50.0 %  50.0 %     2 kB        0     0 s    0 B

Checks: obtained, expected
  PASS  iteration_time_s                               682 ms  700 ms ± 10 %
  FAIL  a/flow_fct_p99_ns / b/flow_fct_p99_ns  1.500 ± 0.2500     at least 2
  FAIL  typo                                   no such metric      at most 2

Warnings
  something to know

Engine
  events                         1000
  frame hops                      500
  events per frame hop          2.000
  CPU time                     500 ms
  wall time                    625 ms
  CPU time of set-up              0 s
  events per CPU second          2000
  frame hops per CPU second      1000
  memory, peak               1.049 MB
)");
}
