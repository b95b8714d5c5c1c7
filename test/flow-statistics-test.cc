// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-statistics.h"
#include "ns3/link-statistics.h"
#include "ns3/sample-statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace ns3::aifabric;

namespace
{

FlowResult
Flow(uint64_t bytes, Tick start, Tick fct, Tick ideal)
{
    FlowResult f;
    f.bytes = bytes;
    f.start = start;
    f.fct = fct;
    f.idealFct = ideal;
    f.status = fct == kNever ? "unfinished" : "done";
    f.deliveredBytes = fct == kNever ? 0 : bytes;
    return f;
}

} // namespace

// numpy.quantile([1, 2, 3, 4, 10], q) with its default method.
TEST(SampleStatistics, QuantilesAreLinear)
{
    const std::vector<double> sorted{1, 2, 3, 4, 10};
    EXPECT_DOUBLE_EQ(Quantile(sorted, 0), 1);
    EXPECT_DOUBLE_EQ(Quantile(sorted, 0.1), 1.4);
    EXPECT_DOUBLE_EQ(Quantile(sorted, 0.5), 3);
    EXPECT_DOUBLE_EQ(Quantile(sorted, 0.95), 8.8);
    EXPECT_DOUBLE_EQ(Quantile(sorted, 1), 10);
    EXPECT_DOUBLE_EQ(Quantile({7}, 0.99), 7);
}

TEST(SampleStatistics, SummaryOfOneToThousand)
{
    std::vector<double> values(1000);
    std::iota(values.rbegin(), values.rend(), 1.0);
    SampleSummary s = Summarize(values);
    EXPECT_EQ(s.count, 1000U);
    EXPECT_DOUBLE_EQ(s.min, 1);
    EXPECT_DOUBLE_EQ(s.mean, 500.5);
    // Of 1 to n it is sqrt(n (n + 1) / 12).
    EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(1000.0 * 1001 / 12));
    EXPECT_EQ(Summarize({7}).deviation, 0);
    EXPECT_DOUBLE_EQ(s.p50, 500.5);
    EXPECT_DOUBLE_EQ(s.p90, 900.1);
    EXPECT_DOUBLE_EQ(s.p95, 950.05);
    EXPECT_DOUBLE_EQ(s.p99, 990.01);
    EXPECT_DOUBLE_EQ(s.p999, 999.001);
    EXPECT_DOUBLE_EQ(s.max, 1000);
    EXPECT_EQ(Summarize(std::vector<double>()).count, 0U);
    EXPECT_EQ(Summarize(std::vector<double>(1000, 1.1)).mean, 1.1) << "without rounding";
}

// Student's t at 0.975 with 4 degrees of freedom is 2.7764451 (any table).
TEST(SampleStatistics, IntervalIsStudents)
{
    MeanInterval m = MeanOf({1, 2, 3, 4, 5});
    EXPECT_EQ(m.count, 5U);
    EXPECT_DOUBLE_EQ(m.mean, 3);
    EXPECT_NEAR(m.halfWidth, 2.7764451 * std::sqrt(2.5 / 5), 1e-6);
    EXPECT_EQ(MeanOf({4}).halfWidth, 0);
    EXPECT_EQ(MeanOf({4, 4, 4}).halfWidth, 0);
}

// Limits of one's own, also within each tag: 200 kB and 6 MB are those of the figures of HPCC.
TEST(FlowStatistics, SizesOfOnesOwn)
{
    RunResult result;
    result.engine.simulatedS = 100e-6;
    result.flows = {Flow(200'000, 0, 2 * kMicrosecond, kMicrosecond),
                    Flow(200'000, 0, 4 * kMicrosecond, kMicrosecond),
                    Flow(200'001, 0, 6 * kMicrosecond, kMicrosecond),
                    Flow(6'000'001, 0, 8 * kMicrosecond, kMicrosecond)};
    result.flows[0].tag = "a";
    result.flows[3].tag = "a";
    result.sizeLimits = {200'000, 6'000'000};
    AddFlowMetrics(result);
    auto& m = result.metrics;
    EXPECT_EQ(m.at("sizes.to_200kb.flow_count"), 2);
    EXPECT_DOUBLE_EQ(m.at("sizes.to_200kb.flow_slowdown_p90"), 3.8);
    EXPECT_DOUBLE_EQ(m.at("sizes.to_200kb.flow_slowdown_p95"), 3.9);
    EXPECT_DOUBLE_EQ(m.at("sizes.to_6mb.flow_slowdown_mean"), 6);
    EXPECT_DOUBLE_EQ(m.at("sizes.over_6mb.flow_slowdown_mean"), 8);
    EXPECT_DOUBLE_EQ(m.at("tags.a.sizes.to_200kb.flow_slowdown_p99"), 2);
    EXPECT_EQ(m.at("tags.a.sizes.over_6mb.flow_count"), 1);
    EXPECT_EQ(m.count("tags.a.sizes.to_6mb.flow_count"), 0U);
    EXPECT_EQ(m.count("sizes.to_1mb.flow_count"), 0U);
    result.sizeLimits = {999, 1500, 2'000'000'000};
    AddFlowMetrics(result);
    EXPECT_EQ(m.at("sizes.to_2gb.flow_count"), 4);
    result.sizeLimits = {1500};
    AddFlowMetrics(result);
    EXPECT_EQ(m.at("sizes.over_1500b.flow_count"), 4);
}

TEST(FlowStatistics, ByHand)
{
    RunResult result;
    result.engine.simulatedS = 100e-6;
    result.flows = {Flow(1000, 0, 2 * kMicrosecond, kMicrosecond),
                    Flow(1001, kMicrosecond, 3 * kMicrosecond, 2 * kMicrosecond),
                    Flow(200'000'000, 2 * kMicrosecond, kNever, kMicrosecond),
                    Flow(0, 2 * kMicrosecond, kNever, kMicrosecond)};
    result.flows[0].retransmittedBytes = 500;
    result.flows[0].markedFrames = 3;
    result.flows[1].cnps = 2;
    result.flows[2].deliveredBytes = 1'000'000;
    result.flows[3].status = "retry_exceeded";
    result.flows[1].tag = "incast";
    AddFlowMetrics(result);
    auto& m = result.metrics;
    EXPECT_EQ(m.at("flow_count"), 4);
    EXPECT_EQ(m.at("flow_done_count"), 2);
    EXPECT_EQ(m.at("flow_unfinished_count"), 1);
    EXPECT_EQ(m.at("flow_failed_count"), 1);
    EXPECT_EQ(m.at("flow_offered_bytes"), 200'002'001);
    EXPECT_EQ(m.at("flow_delivered_bytes"), 1'002'001);
    EXPECT_EQ(m.at("flow_retransmitted_bytes"), 500);
    EXPECT_EQ(m.at("flow_ecn_marked_frames"), 3);
    EXPECT_EQ(m.at("flow_cnps"), 2);
    EXPECT_DOUBLE_EQ(m.at("flow_slowdown_min"), 1.5);
    EXPECT_DOUBLE_EQ(m.at("flow_slowdown_mean"), 1.75);
    EXPECT_DOUBLE_EQ(m.at("flow_slowdown_p99"), 1.995);
    EXPECT_DOUBLE_EQ(m.at("flow_slowdown_max"), 2);
    EXPECT_DOUBLE_EQ(m.at("flow_fct_p50_ns"), 2500);
    EXPECT_DOUBLE_EQ(m.at("flow_fct_max_ns"), 3000);
    EXPECT_DOUBLE_EQ(m.at("flow_makespan_ns"), 100'000) << "one was still there at the end";
    EXPECT_DOUBLE_EQ(m.at("flow_goodput_gbps"), 1'002'001 * 8 / 100e-6 / 1e9);
    EXPECT_EQ(m.at("sizes.to_1kb.flow_count"), 2) << "a limit belongs to the bin below it";
    EXPECT_DOUBLE_EQ(m.at("sizes.to_1kb.flow_slowdown_p50"), 2);
    EXPECT_DOUBLE_EQ(m.at("sizes.to_10kb.flow_slowdown_p50"), 1.5);
    EXPECT_DOUBLE_EQ(m.at("sizes.to_10kb.flow_makespan_ns"), 3000);
    EXPECT_EQ(m.at("sizes.over_100mb.flow_count"), 1);
    EXPECT_EQ(m.count("sizes.over_100mb.flow_slowdown_p50"), 0U) << "none is done";
    EXPECT_EQ(m.count("sizes.to_1mb.flow_count"), 0U) << "no flow has such a size";
    EXPECT_DOUBLE_EQ(m.at("tags.incast.flow_slowdown_mean"), 1.5);
    EXPECT_EQ(result.warnings, std::vector<std::string>{"1 of 4 flows failed: retry_exceeded"});
}

TEST(FlowStatistics, NoFlowsGiveZerosAndNoQuantiles)
{
    RunResult result;
    AddFlowMetrics(result);
    EXPECT_EQ(result.metrics.at("flow_count"), 0);
    EXPECT_EQ(result.metrics.at("flow_goodput_gbps"), 0);
    EXPECT_EQ(result.metrics.count("flow_slowdown_p99"), 0U);
}

TEST(FlowStatistics, JobsAreApartWhereThereAreSeveral)
{
    RunResult result;
    result.flows = {Flow(1000, 0, 1000, 1000), Flow(1000, 0, 3000, 1000), Flow(1, 0, 1, 1)};
    result.flows[0].job = "a";
    AddFlowMetrics(result);
    EXPECT_EQ(result.metrics.count("jobs.a.flow_count"), 0U);
    result.flows[1].job = "b";
    AddFlowMetrics(result);
    EXPECT_EQ(result.metrics.at("jobs.b.flow_slowdown_max"), 3);
}

TEST(FlowStatistics, TagsWithoutEndDoNotFloodTheSummary)
{
    RunResult result;
    for (int i = 0; i < 101; ++i)
    {
        result.flows.push_back(Flow(1000, 0, 1000, 1000));
        result.flows.back().tag = std::to_string(i);
    }
    AddFlowMetrics(result);
    EXPECT_EQ(result.metrics.count("tags.7.flow_count"), 0U);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0], "flows: no metrics of 101 tags, which are more than 100");
}

TEST(LinkStatistics, SumsAndWorst)
{
    RunResult result;
    result.engine.simulatedS = 1e-6;
    result.links.resize(3);
    result.links[0].busy = kMicrosecond / 2;
    result.links[0].frames = 10;
    result.links[0].pauseTime = 3 * kNanosecond;
    result.links[1].busy = kMicrosecond / 4 * 3;
    result.links[1].frames = 5;
    result.links[1].pauseTime = 4 * kNanosecond;
    result.links[1].droppedFrames = 2;
    result.links[1].maxQueueBytes = 77;
    result.drops = {{"buffer_full", 2}, {"no_route", 0}};
    AddLinkMetrics(result);
    auto& m = result.metrics;
    EXPECT_EQ(m.at("dropped_buffer_full_frames"), 2);
    EXPECT_EQ(m.at("dropped_no_route_frames"), 0);
    EXPECT_EQ(m.at("link_frames"), 15);
    EXPECT_EQ(m.at("link_dropped_frames"), 2);
    EXPECT_EQ(m.at("link_pause_time_ns"), 7);
    EXPECT_EQ(m.at("link_pause_time_max_ns"), 4);
    EXPECT_EQ(m.at("link_queue_max_bytes"), 77);
    EXPECT_DOUBLE_EQ(m.at("link_utilization_max_ratio"), 0.75);
}

TEST(LinkStatistics, ClassesLeaveNumbersOut)
{
    auto link = [](const char* from, const char* to, double bps, Tick busy) {
        LinkResult l;
        l.from = from;
        l.to = to;
        l.bandwidthBps = bps;
        l.busy = busy;
        l.frames = busy > 0;
        return l;
    };
    RunResult result;
    result.links = {link("host10", "leaf0", 4e11, 5),
                    link("host2", "leaf0", 4e11, 7),
                    link("host3", "leaf0", 1e11, 1),
                    link("leaf0", "host2", 4e11, 9),
                    link("leaf0", "spine0", 4e11, 0)};
    std::vector<LinkClass> classes = SummarizeLinkClasses(result);
    ASSERT_EQ(classes.size(), 3U) << "nothing went up to the spine";
    EXPECT_EQ(classes[0].from, "leaf*");
    EXPECT_EQ(classes[1].from, "host*");
    EXPECT_EQ(classes[1].to, "leaf*");
    EXPECT_EQ(classes[1].count, 2U);
    EXPECT_EQ(classes[1].busiest, &result.links[1]);
    EXPECT_EQ(classes[1].links.sum.busy, 12);
    EXPECT_EQ(classes[2].bandwidthBps, 1e11);
}
