// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace ns3::aifabric
{
namespace
{

/// Seven hosts send to one at once, into buffers that make switches pause them.
std::string
Incast(const std::string& more)
{
    return R"({"topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 2,
                   "hosts_per_leaf": 4, "switches": {"leaf": {"buffer_bytes": 2000000},
                   "spine": {"buffer_bytes": 2000000}}},
               "transport": {"congestion_control": "none"},
               "traffic": [{"pattern": "incast", "sources": "1-7", "destinations": [0],
                            "size_bytes": 500000}])" +
           more + "}";
}

RunResult
ResultOf(const std::string& json, Tick* end = nullptr)
{
    const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(json));
    ScenarioRun run(file.runs.front());
    run.Run();
    EXPECT_EQ(run.GetFailure(), "");
    RunResult result = run.TakeResult();
    if (end)
    {
        *end = static_cast<Tick>(result.engine.simulatedS * 1e12 + 0.5);
    }
    return result;
}

constexpr const char* kSampled = R"(, "outputs": {"sampling_interval_ns": 700,
    "reports": ["queue_depth", "pfc_pause"]})";

TEST(RunLinks, SamplesChangeNothing)
{
    const RunResult plain = ResultOf(Incast(""));
    const RunResult sampled = ResultOf(Incast(kSampled));
    EXPECT_EQ(plain.queueSamples.size(), 0U);
    EXPECT_EQ(plain.pauseSamples.size(), 0U);
    EXPECT_EQ(plain.engine.events, sampled.engine.events);
    EXPECT_EQ(plain.engine.frameHops, sampled.engine.frameHops);
    for (std::size_t i = 0; i < plain.flows.size(); ++i)
    {
        EXPECT_EQ(plain.flows[i].fct, sampled.flows[i].fct);
    }
    for (std::size_t i = 0; i < plain.links.size(); ++i)
    {
        EXPECT_EQ(plain.links[i].pauseTime, sampled.links[i].pauseTime);
        EXPECT_EQ(plain.links[i].maxQueueBytes, sampled.links[i].maxQueueBytes);
    }
}

TEST(RunLinks, SampledPausesAreAllPauses)
{
    const RunResult result = ResultOf(Incast(kSampled));
    std::map<uint32_t, Tick> paused;
    for (const PauseSample& s : result.pauseSamples)
    {
        paused[s.link] += s.paused;
        EXPECT_LE(s.paused, 10 * kMicrosecond) << "a sample, or the time in which the rest drains";
    }
    EXPECT_GT(paused.size(), 1U) << "nobody was paused";
    for (uint32_t i = 0; i < result.links.size(); ++i)
    {
        EXPECT_EQ(result.links[i].pauseTime, paused[i]) << result.links[i].link;
    }
}

TEST(RunLinks, SampledQueuesAreThoseOfTheInstant)
{
    const RunResult result = ResultOf(Incast(kSampled));
    uint32_t most = 0;
    for (const QueueSample& s : result.queueSamples)
    {
        const LinkResult& link = result.links[s.link];
        EXPECT_LE(s.bytes, link.maxQueueBytes) << link.link;
        most = std::max(most, link.link == "leaf0.port0" ? s.bytes : 0);
    }
    auto longest = std::find_if(result.links.begin(), result.links.end(), [](const auto& link) {
        return link.link == "leaf0.port0";
    });
    ASSERT_NE(longest, result.links.end());
    EXPECT_GT(most, 0.9 * longest->maxQueueBytes) << "a sample is never far from the longest";
}

TEST(RunLinks, PausesUnderWayCountAtTheEnd)
{
    // Cut off in the middle: host 1 has been paused, and still is.
    Tick end = 0;
    const RunResult result = ResultOf(
        Incast(R"(, "simulation": {"stop_time_us": 20}, "network": {"pfc": {"sticky": true}})"),
        &end);
    EXPECT_EQ(end, 20 * kMicrosecond);
    Tick paused = 0;
    for (const LinkResult& link : result.links)
    {
        paused += link.pauseTime;
        EXPECT_LE(link.busy, end) << link.link;
    }
    EXPECT_GT(paused, 10 * kMicrosecond);
}

} // namespace
} // namespace ns3::aifabric
