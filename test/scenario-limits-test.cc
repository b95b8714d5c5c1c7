// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

#include <limits>

namespace ns3::aifabric
{
namespace
{

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

/// Two hosts at 400 Gb/s, whose NICs take no time.
std::string
Pair(const std::string& traffic, const std::string& simulation)
{
    return R"({"topology": {"type": "star", "host_count": 2},
               "node": {"nic": {"processing_latency_ns": 0}},
               "transport": {"congestion_control": "none"},
               "traffic": [)" +
           traffic + R"(], "simulation": )" + simulation + "}";
}

RunResult
ResultOf(const std::string& json)
{
    const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(json));
    ScenarioRun run(file.runs.front());
    run.Run();
    EXPECT_EQ(run.GetFailure(), "");
    return run.TakeResult();
}

TEST(ScenarioLimits, FlowsOfAnySizeUpToTheStopTime)
{
    // Another flow of any size, whose queue pair has messages that were not posted at the end.
    const RunResult result = ResultOf(Pair(R"({"pattern": "flows", "flows": [
                {"source": 0, "destination": 1, "size_bytes": 18446744073709551615},
                {"source": 1, "destination": 0, "size_bytes": 1000000000000000000}]})",
                                           R"({"stop_time_us": 100})"));
    ASSERT_EQ(result.flows.size(), 2U);
    EXPECT_EQ(result.flows[0].bytes, kMost);
    EXPECT_EQ(result.flows[0].status, "unfinished");
    EXPECT_EQ(result.flows[0].idealFct, kNever) << "370 million s at 400 Gb/s";
    // 10^18 B at 4096 B in 4178 B on the wire: 20.4 million s are too long as well.
    EXPECT_EQ(result.flows[1].idealFct, kNever);
    // 100 us are 5 MB on the wire, of which 4096 / 4178 is payload, less some microseconds of way
    // and an ACK of 86 B for each frame the other way.
    for (const FlowResult& flow : result.flows)
    {
        EXPECT_GT(flow.deliveredBytes, 0.93 * 5e6 * 4096 / 4178);
        EXPECT_LT(flow.deliveredBytes, 5e6 * 4096 / (4178 + 86));
    }
}

TEST(ScenarioLimits, FlowsBeyondSimulatedTimeNeedAStopTime)
{
    const std::string json =
        Pair(R"({"pattern": "permutation", "size_bytes": 18446744073709551615})", "{}");
    const std::string what = ErrorOf([&] { ResultOf(json); });
    EXPECT_NE(what.find("traffic[0]: the flow of 18446744073709551615 bytes from host"),
              std::string::npos)
        << what;
    EXPECT_NE(what.find("expected fewer bytes or simulation.stop_time_s"), std::string::npos)
        << what;
}

// 4.6e17 B last 9.38e6 s at 400 Gb/s with headers, more than the 9.22e6 s that there are; from 8e6 s
// on only 1.22e6 s are left, which are 6e16 B.
TEST(ScenarioLimits, TimeThatIsLeftCountsFromTheStart)
{
    auto valid = [](const std::string& flow) {
        const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(Pair(
            R"({"pattern": "flows", "flows": [{"source": 0, "destination": 1, )" + flow + "}]}",
            "{}")));
        return ErrorOf([&] { ScenarioRun run(file.runs.front()); }) == "no error";
    };
    EXPECT_TRUE(valid(R"("size_bytes": 450000000000000000)"));
    EXPECT_FALSE(valid(R"("size_bytes": 460000000000000000)"));
    EXPECT_TRUE(valid(R"("size_bytes": 59000000000000000, "start_time_s": 8e6)"));
    EXPECT_FALSE(valid(R"("size_bytes": 61000000000000000, "start_time_s": 8e6)"));
}

// Poisson arrivals at twice the rate of the NIC: 2 * 400 Gb/s * 2 ms / (8 * 10^5 B) = 2000 for each
// of two hosts; four standard deviations are 6.3 % of their sum.
TEST(ScenarioLimits, SourcesMayOfferMoreThanTheirNicsSend)
{
    const RunResult result =
        ResultOf(Pair(R"({"pattern": "poisson", "size_bytes": 100000, "load_ratio": 2,
                          "duration_ms": 2})",
                      R"({"stop_time_us": 1})"));
    EXPECT_NEAR(static_cast<double>(result.flows.size()), 4000, 253);
}

} // namespace
} // namespace ns3::aifabric
