// SPDX-License-Identifier: GPL-2.0-only
#include "bottleneck.h"
#include "control-flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;

namespace
{

constexpr Tick kUs = kMicrosecond;
constexpr Tick kMs = kMillisecond;
constexpr double kLine = 10e9;
constexpr double kDelta = 10e6;

/// A flow at 5 of 10 Gb/s, with a sample for every frame of 1000 bytes.
struct Sampled
{
    explicit Sampled(const std::string& id, Attributes attributes = {})
        : flow(Make(id, attributes))
    {
    }

    static ControlFlow Make(const std::string& id, Attributes attributes)
    {
        attributes.insert({{"SegmentBytes", "1000"}, {"InitialLineFraction", "0.5"}});
        FlowView view;
        view.lineRate = kLine;
        view.mtuBytes = view.frameBytes = 1000;
        return {MakeControl(id, attributes, kLine), view};
    }

    /// @param rtt without the 0.8 us that the frame takes on the wire of its sender.
    /// @return the rate then.
    double Sample(Tick rtt)
    {
        now += 20 * kUs;
        flow.Ack(now, rtt + 800 * kNanosecond, 1000);
        return flow.view.rate;
    }

    ControlFlow flow;
    Tick now{0};
};

} // namespace

// The four branches of algorithm 1 (Mittal et al., SIGCOMM 2015), with T_low 50 us, T_high 500 us,
// minRTT 20 us, beta 0.8, alpha 0.875, delta 10 Mb/s.
TEST(Timely, RisesBelowTheLowThresholdWhateverTheGradient)
{
    Sampled s("timely");
    EXPECT_EQ(s.Sample(20 * kUs), 5e9 + kDelta);
    EXPECT_EQ(s.Sample(50 * kUs - 1), 5e9 + 2 * kDelta) << "a gradient of 1.3";
    EXPECT_LT(s.Sample(50 * kUs), 5e9 + 2 * kDelta) << "between the thresholds it counts";
}

TEST(Timely, FallsAboveTheHighThresholdWhateverTheGradient)
{
    Sampled s("timely");
    EXPECT_DOUBLE_EQ(s.Sample(625 * kUs), 5e9 * (1 - 0.8 * 0.2));
    EXPECT_DOUBLE_EQ(s.Sample(1000 * kUs), 5e9 * 0.84 * 0.6);
    EXPECT_DOUBLE_EQ(s.Sample(500 * kUs), 5e9 * 0.84 * 0.6 + kDelta) << "the gradient is negative";
}

TEST(Timely, AnswersToTheAveragedGradientBetweenTheThresholds)
{
    Sampled s("timely");
    EXPECT_EQ(s.Sample(100 * kUs), 5.01e9) << "no difference yet";
    double rate = 5.01e9 * (1 - 0.8 * 0.875 * 4 / 20);
    EXPECT_DOUBLE_EQ(s.Sample(104 * kUs), rate);
    rate *= 1 - 0.8 * 0.125 * 0.875 * 4 / 20;
    EXPECT_DOUBLE_EQ(s.Sample(104 * kUs), rate) << "the difference is forgotten by 7/8";
    EXPECT_DOUBLE_EQ(s.Sample(96 * kUs), rate + kDelta);
}

TEST(Timely, HyperIncreaseAfterFiveFallsInARow)
{
    Sampled s("timely");
    double rate = 5.01e9;
    EXPECT_DOUBLE_EQ(s.Sample(200 * kUs), rate);
    for (int fall = 1; fall <= 7; ++fall)
    {
        rate += fall < 5 ? kDelta : 5 * kDelta;
        EXPECT_DOUBLE_EQ(s.Sample((200 - fall) * kUs), rate) << fall;
    }
    EXPECT_DOUBLE_EQ(s.Sample(193 * kUs), rate + kDelta) << "none that is equal";

    Sampled two("timely", {{"HyperIncreaseAfter", "2"}, {"HyperIncreaseSteps", "3"}});
    two.Sample(200 * kUs);
    two.Sample(199 * kUs);
    EXPECT_DOUBLE_EQ(two.Sample(198 * kUs), 5e9 + 5 * kDelta);
}

TEST(Timely, KeepsWithinItsBounds)
{
    Sampled s("timely", {{"InitialLineFraction", "1"}});
    EXPECT_EQ(s.flow.view.rate, kLine);
    EXPECT_EQ(s.Sample(10 * kUs), kLine);
    EXPECT_EQ(s.Sample(300 * kUs), kLine / 1000) << "a gradient of 12.7";
    EXPECT_EQ(s.flow.view.window, std::numeric_limits<uint64_t>::max());
}

TEST(Timely, SamplesOncePerSegmentAndMinRtt)
{
    FlowView view;
    view.lineRate = kLine;
    view.mtuBytes = view.frameBytes = 1000;
    ControlFlow f(MakeControl("timely", {{"InitialLineFraction", "0.5"}}, kLine), view);
    for (int frame = 1; frame <= 15; ++frame)
    {
        f.Ack(frame * kUs, 10 * kUs, 1000);
    }
    EXPECT_EQ(f.view.rate, 5e9);
    f.Ack(16 * kUs, 10 * kUs, 1000);
    EXPECT_EQ(f.view.rate, 5e9 + kDelta) << "16 KB";
    f.Ack(35 * kUs, 10 * kUs, 20000);
    EXPECT_EQ(f.view.rate, 5e9 + kDelta) << "a segment, but 19 us";
    f.Ack(36 * kUs, 10 * kUs, 0);
    EXPECT_EQ(f.view.rate, 5e9 + 2 * kDelta);
    f.Ack(70 * kUs, 10 * kUs, 15000);
    EXPECT_EQ(f.view.rate, 5e9 + 2 * kDelta) << "34 us, but 15 KB";
}

// A burst's delay is that of its last frame: where samples are too close together a segment has none.
TEST(Timely, SamplesTheLastFrameOfABurst)
{
    FlowView view;
    view.lineRate = kLine;
    view.mtuBytes = view.frameBytes = 1000;
    ControlFlow f(
        MakeControl("timely", {{"InitialLineFraction", "0.5"}, {"Bursts", "true"}}, kLine), view);
    EXPECT_EQ(f.view.burstBytes, 16000U);
    f.Ack(0, 10 * kUs, 16000);
    EXPECT_EQ(f.view.rate, 5e9 + kDelta);
    f.Ack(19 * kUs, 10 * kUs, 16000);
    for (int frame = 1; frame < 16; ++frame)
    {
        f.Ack(20 * kUs, 10 * kUs, 1000);
        EXPECT_EQ(f.view.rate, 5e9 + kDelta) << frame;
    }
    f.Ack(20 * kUs, 10 * kUs, 1000);
    EXPECT_EQ(f.view.rate, 5e9 + 2 * kDelta);
}

TEST(Timely, StepsGoWithTheLineRateUnlessGiven)
{
    FlowView view;
    view.lineRate = 100e9;
    view.baseRtt = 8 * kUs;
    view.mtuBytes = view.frameBytes = 1000;
    Attributes attributes{
        {"SegmentBytes", "1"}, {"InitialLineFraction", "0.25"}, {"Window", "true"}};
    ControlFlow f(MakeControl("timely", attributes, 100e9), view);
    EXPECT_EQ(f.view.window, 25000U) << "25 Gb/s times 8 us";
    f.Ack(0, 10 * kUs, 1000);
    EXPECT_EQ(f.view.rate, 25.1e9);
    attributes.insert({{"AdditiveIncrease", "40Mb/s"}, {"MinRate", "2Gb/s"}});
    ControlFlow given(MakeControl("timely", attributes, 100e9), view);
    given.Ack(0, 10 * kUs, 1000);
    EXPECT_EQ(given.view.rate, 25.04e9);
    given.Ack(kMs, 400 * kUs, 1000);
    EXPECT_EQ(given.view.rate, 2e9);
}

TEST(Timely, SaysWhereEmptyPathsAreLongerThanItsThreshold)
{
    FlowView view;
    view.lineRate = kLine;
    const auto control = MakeControl("timely", {}, kLine);
    view.baseRtt = 50 * kUs - 1;
    EXPECT_TRUE(control->Advise(view).empty());
    view.baseRtt = 50 * kUs;
    EXPECT_EQ(control->Advise(view),
              std::vector<std::string>{"low_threshold of 50000 ns is no more than the round trip "
                                       "without queues, 50000 ns: flows slow down without cause"});
}

// Algorithm 2 of Zhu et al., CoNEXT 2016: w is 0 up to a gradient of -1/4, 1 from 1/4, linear between;
// rate = delta (1 - w) + rate (1 - beta w (RTT - T_low) / T_low), beta 0.008.
TEST(PatchedTimely, GradientWeighsIncreaseAgainstDecrease)
{
    Sampled s("patched_timely", {{"Gain", "1"}});
    double rate = 5e9 * (1 - 0.008 * 0.5 * 0.5) + 0.5 * kDelta;
    EXPECT_DOUBLE_EQ(s.Sample(75 * kUs), rate) << "no difference: w 1/2";
    rate = rate * (1 - 0.008 * 0.75 * 0.55) + 0.25 * kDelta;
    EXPECT_DOUBLE_EQ(s.Sample(77500 * kNanosecond), rate) << "gradient 1/8: w 3/4";
    rate *= 1 - 0.008 * 0.65;
    EXPECT_DOUBLE_EQ(s.Sample(82500 * kNanosecond), rate) << "gradient 1/4: w 1";
    rate *= 1 - 0.008;
    EXPECT_DOUBLE_EQ(s.Sample(100 * kUs), rate) << "no more than 1";
    rate = rate * (1 - 0.008 * 0.25 * 0.95) + 0.75 * kDelta;
    EXPECT_DOUBLE_EQ(s.Sample(97500 * kNanosecond), rate) << "gradient -1/8: w 1/4";
    EXPECT_DOUBLE_EQ(s.Sample(92500 * kNanosecond), rate + kDelta) << "gradient -1/4: w 0";
    EXPECT_DOUBLE_EQ(s.Sample(60 * kUs), rate + 2 * kDelta) << "no less than 0";
}

TEST(PatchedTimely, ThresholdsAreThoseOfTimely)
{
    Sampled low("patched_timely");
    EXPECT_EQ(low.Sample(50 * kUs - 1), 5e9 + kDelta);
    Sampled at("patched_timely");
    EXPECT_EQ(at.Sample(50 * kUs), 5e9 + kDelta / 2) << "no gradient, no error";
    Sampled high("patched_timely");
    EXPECT_DOUBLE_EQ(high.Sample(625 * kUs), 5e9 * (1 - 0.008 * 0.2));
}

TEST(Timely, RefusesWhatCannotBe)
{
    for (const char* id : {"timely", "patched_timely"})
    {
        EXPECT_EQ(RefusedAttribute(id, {}), "");
        EXPECT_EQ(RefusedAttribute(id, {{"LowThreshold", "500us"}}), "low_threshold");
        EXPECT_EQ(RefusedAttribute(id, {{"InitialLineFraction", "0"}}), "initial_line_fraction");
        EXPECT_EQ(RefusedAttribute(id, {{"MinRate", "100Gb/s"}}), "min_rate");
        EXPECT_EQ(RefusedAttribute(id, {{"Bursts", "true"}, {"Window", "true"}}), "bursts");
    }
}

namespace
{

constexpr Tick kLoop = 4 * kUs;

Bottleneck
Greedy(const std::string& id, const std::vector<double>& fractions, Attributes attributes = {})
{
    std::vector<Ptr<const CongestionControl>> controls;
    for (double fraction : fractions)
    {
        attributes["InitialLineFraction"] = std::to_string(fraction);
        controls.push_back(MakeControl(id, attributes, kLine));
    }
    BottleneckSettings settings;
    settings.lineRate = kLine;
    settings.loopDelay = kLoop;
    return {settings, controls};
}

/// The queue of patched TIMELY's fixed point, bytes: the round-trip time is T_low (1 + N delta /
/// (beta C)), and what of it the path does not take is queue (CoNEXT 2016, theorem on the patched
/// algorithm, where the path takes none).
double
PatchedQueue(double flows)
{
    const double rtt = 50e-6 * (1 + flows * kDelta / (0.008 * kLine));
    return kLine / 8 * (rtt - kLoop / 1e12);
}

} // namespace

// CoNEXT 2016, section 4: two flows of 10 Gb/s that begin at 7 and 3 Gb/s, segments of 16 KB: 4.83 and
// 5.15 Gb/s after 200 ms, a queue of 78.1 KB where the path takes no time, utilisation 0.998.
TEST(PatchedTimely, TwoUnequalFlowsGetEqual)
{
    const Outcome o = Greedy("patched_timely", {0.7, 0.3}).Run({0, 0}, 195 * kMs, 205 * kMs);
    EXPECT_NEAR(o.shares[0], 0.5, 0.05);
    EXPECT_GE(o.utilisation, 0.99);
    EXPECT_NEAR(o.meanQueue, 78.1e3, 0.2 * 78.1e3);
    EXPECT_NEAR(o.meanQueue, PatchedQueue(2), 0.1 * PatchedQueue(2));
}

TEST(PatchedTimely, TenFlowsHoldTheQueueOfTheFixedPoint)
{
    const std::vector<double> fractions(10, 0.1);
    std::vector<Tick> starts;
    for (int i = 0; i < 10; ++i)
    {
        starts.push_back(i * 80 * kNanosecond);
    }
    const Outcome o = Greedy("patched_timely", fractions).Run(starts, 100 * kMs, 200 * kMs);
    EXPECT_NEAR(o.meanQueue, PatchedQueue(10), 0.1 * PatchedQueue(10));
    EXPECT_GE(o.utilisation, 0.99);
    EXPECT_GE(Fairness(o.shares), 0.99);
}

// CoNEXT 2016, section 4: TIMELY has no fixed point, so that flows that begin unequal, paced frame by
// frame, stay unequal.
TEST(Timely, UnequalFlowsStayUnequal)
{
    const Outcome o = Greedy("timely", {0.7, 0.3}).Run({0, 0}, 195 * kMs, 205 * kMs);
    EXPECT_GT(o.shares[0] / o.shares[1], 1.3);
    EXPECT_GE(o.utilisation, 0.95);
}

// Two bursts of n frames that begin together at half the line take turns in the queue, so that the last
// of one leaves after 2 n - 1 frame times and the last of the other after 2 n. Without n of its own a
// sample is n - 1 or n frame times and the loop: 16 and 16.8 us, with 16 frames of 0.8 us and 4 us.
TEST(Timely, BurstsWaitForEachOther)
{
    // A first sample up to the high threshold has no gradient yet, and lets the rate rise.
    const auto risen = [](Tick high) {
        Bottleneck b = Greedy("timely",
                              {0.5, 0.5},
                              {{"Bursts", "true"},
                               {"AdditiveIncrease", "1Mb/s"},
                               {"LowThreshold", std::to_string(high - 1) + "ps"},
                               {"HighThreshold", std::to_string(high) + "ps"}});
        b.Run({0, 0}, 0, 30 * kUs);
        return (b.GetView(0).rate > 5e9) + (b.GetView(1).rate > 5e9);
    };
    EXPECT_EQ(risen(16 * kUs - 1), 0);
    EXPECT_EQ(risen(16 * kUs), 1);
    EXPECT_EQ(risen(16800 * kNanosecond - 1), 1);
    EXPECT_EQ(risen(16800 * kNanosecond), 2);
}

// CoNEXT 2016, section 4: the noise of bursts of 16 KB makes TIMELY's flows converge, where frames paced
// one by one do not; those of 64 KB make the link idle for long.
TEST(Timely, BurstsMakeUnequalFlowsEqual)
{
    const auto run = [](const char* bytes, Tick from, Tick to) {
        return Greedy("timely", {0.7, 0.3}, {{"Bursts", "true"}, {"SegmentBytes", bytes}})
            .Run({0, 0}, from, to);
    };
    const Outcome small = run("16000", 500 * kMs, 1000 * kMs);
    EXPECT_GT(Fairness(small.shares), 0.98);
    EXPECT_GE(small.utilisation, 0.85);
    EXPECT_LT(run("64000", 20 * kMs, 200 * kMs).utilisation, 0.5);
}
