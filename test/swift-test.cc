// SPDX-License-Identifier: GPL-2.0-only
#include "bottleneck.h"
#include "control-flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;

namespace
{

constexpr Tick kUs = kMicrosecond;
constexpr Tick kMs = kMillisecond;
constexpr double kLine = 100e9;
constexpr uint32_t kFrame = 1000;

/// A flow at 100 Gb/s over 8 us, 100 frames of 1000 bytes; what small windows and switches add to its
/// target of 20 us is off unless given.
struct Delayed
{
    explicit Delayed(const Attributes& attributes)
        : flow(Make(attributes))
    {
    }

    static ControlFlow Make(Attributes attributes)
    {
        attributes.insert({{"FlowScalingRange", "0us"}, {"PerHop", "0us"}});
        FlowView view;
        view.lineRate = kLine;
        view.baseRtt = 8 * kUs;
        view.mtuBytes = view.frameBytes = kFrame;
        return {MakeControl("swift", attributes, kLine), view};
    }

    /// The acknowledgement of a frame, much later.
    void Ack(Tick rtt, const HopLog* hops = nullptr)
    {
        now += kMs;
        flow.Ack(now, rtt, kFrame, false, hops);
    }

    /// @return how many whole frames may be in flight.
    uint64_t GetFrames() const
    {
        return flow.view.window / kFrame;
    }

    ControlFlow flow;
    Tick now{0};
};

/// @return the least round-trip time, in steps of 1 ns, that makes a flow with such a window slow down:
/// its target.
Tick
FindTarget(double window, Attributes attributes, const HopLog* hops = nullptr)
{
    attributes["InitialWindow"] = std::to_string(window);
    attributes.insert({{"AdditiveIncrease", "1000"}});
    Tick low = 0;
    Tick high = 1000 * kUs;
    while (high - low > 1)
    {
        const Tick middle = (low + high) / 2;
        Delayed f(attributes);
        f.Ack(middle, hops);
        // Below it the window grows by far more than a frame.
        (f.GetFrames() > window + 2 ? low : high) = middle;
    }
    return high;
}

} // namespace

// Kumar et al., SIGCOMM 2020, algorithm 1: additive increase of a frame per round trip.
TEST(Swift, GrowsBelowTheTarget)
{
    Delayed f(Attributes{{"InitialWindow", "4"}});
    EXPECT_EQ(f.flow.view.rate, kLine);
    EXPECT_EQ(f.flow.view.window, 4U * kFrame);
    double window = 4;
    for (int ack = 0; ack < 5; ++ack)
    {
        EXPECT_EQ(f.GetFrames(), 4U) << ack;
        window += 1 / window;
        f.Ack(20 * kUs - 1);
    }
    EXPECT_GT(window, 5);
    EXPECT_EQ(f.GetFrames(), 5U);
    Delayed two(Attributes{{"InitialWindow", "4"}, {"AdditiveIncrease", "8"}});
    two.Ack(10 * kUs);
    EXPECT_EQ(two.GetFrames(), 6U) << "4 + 8/4";
}

// The share that a decrease takes is beta (delay - target) / delay, at most max_mdf.
TEST(Swift, ShrinksAboveTheTargetInProportion)
{
    Delayed f(Attributes{{"InitialWindow", "100"}});
    f.Ack(20 * kUs);
    EXPECT_EQ(f.GetFrames(), 100U) << "at the target";
    f.Ack(25 * kUs);
    EXPECT_EQ(f.GetFrames(), 84U) << "0.8 of a fifth less";
    f.Ack(400 * kUs);
    EXPECT_EQ(f.GetFrames(), 42U) << "half at most";
}

TEST(Swift, ShrinksOncePerRoundTrip)
{
    Delayed f(Attributes{{"InitialWindow", "100"}});
    f.flow.Ack(kMs, 25 * kUs, kFrame);
    EXPECT_EQ(f.GetFrames(), 84U);
    f.flow.Ack(kMs + 25 * kUs - 1, 25 * kUs, kFrame);
    EXPECT_EQ(f.GetFrames(), 84U);
    f.flow.Ack(kMs + 25 * kUs, 25 * kUs, kFrame);
    EXPECT_EQ(f.GetFrames(), 70U) << "70.56";
}

// A window below a frame is one frame that waits for RTT/cwnd.
TEST(Swift, WindowBelowAFrameIsPaced)
{
    Delayed f(Attributes{{"InitialWindow", "0.5"}});
    EXPECT_EQ(f.flow.view.window, kFrame);
    EXPECT_DOUBLE_EQ(f.flow.view.rate, kFrame * 8 / 16e-6) << "a frame in twice the base RTT";
    f.Ack(25 * kUs);
    double window = 0.5 * 0.84;
    EXPECT_DOUBLE_EQ(f.flow.view.rate, kFrame * 8 * window / 25e-6);
    f.flow.Ack(f.now + 1, 50 * kUs, kFrame);
    EXPECT_DOUBLE_EQ(f.flow.view.rate, kFrame * 8 * window / 50e-6) << "no cut, but a longer RTT";
    // Below one it grows by ai for a frame, and not by ai/cwnd.
    Delayed slow(Attributes{{"InitialWindow", "0.5"}, {"AdditiveIncrease", "0.25"}});
    slow.Ack(16 * kUs);
    EXPECT_DOUBLE_EQ(slow.flow.view.rate, kFrame * 8 * 0.75 / 16e-6);
    slow.Ack(16 * kUs);
    EXPECT_EQ(slow.flow.view.rate, kLine) << "a whole one leaves at once";
    EXPECT_EQ(slow.flow.view.window, kFrame);
}

// With fs_range 100 us, fs_min 0.1 and fs_max 100 frames: alpha = 100 / (1/sqrt(0.1) - 1/sqrt(100)) =
// 32.655 us, beta -3.2655 us, and alpha/sqrt(cwnd) + beta is 100, 42.9, 29.4, 13.1, 4.9, 0.8 and 0 us.
TEST(Swift, SmallWindowsHaveALongerTarget)
{
    const double alpha = 100 / (1 / std::sqrt(0.1) - 0.1);
    const Attributes on{{"FlowScalingRange", "100us"}};
    const double published[][2]{
        {0.1, 100}, {0.5, 42.9}, {1, 29.4}, {4, 13.1}, {16, 4.9}, {64, 0.8}, {100, 0}};
    for (const auto& [window, scaled] : published)
    {
        const double added = (FindTarget(window, on) - 20.0 * kUs) / kUs;
        EXPECT_NEAR(added, alpha / std::sqrt(window) - alpha / 10, 1e-5) << window;
        EXPECT_NEAR(added, scaled, 0.05) << window;
    }
    EXPECT_NEAR(FindTarget(0.02, on), 120.0 * kUs, 1) << "never more than the range";
    EXPECT_NEAR(FindTarget(200, on), 20.0 * kUs, 1);
    EXPECT_NEAR(FindTarget(0.1, {}), 20.0 * kUs, 1) << "off";
}

TEST(Swift, EachSwitchAddsToTheTarget)
{
    HopLog hops;
    const Ptr<const CongestionControl> control = MakeControl("swift", {}, kLine);
    const PathTelemetry telemetry = control->GetTelemetry();
    ASSERT_TRUE(telemetry.wanted);
    EXPECT_EQ(telemetry.bytes, 0U);
    for (int i = 0; i < 3; ++i)
    {
        telemetry.stamper->Stamp(hops, {0, 0, 100e9, 0}, &hops);
    }
    EXPECT_EQ(FindTarget(10, {{"PerHop", "2us"}}, &hops), 26 * kUs);
    // The base target over 6.55, unless given.
    EXPECT_NEAR(FindTarget(10, {{"PerHop", "3053ns"}}, &hops) / 1e6, 20 + 3 * 20 / 6.55, 0.01);
    EXPECT_FALSE(MakeControl("swift", {{"PerHop", "0us"}}, kLine)->GetTelemetry().wanted);
}

TEST(Swift, LossesTakeTheLargestDecreaseOncePerRoundTrip)
{
    Delayed f(Attributes{{"InitialWindow", "64"}});
    f.flow.Lose(kMs, LossKind::Nak);
    EXPECT_EQ(f.GetFrames(), 32U);
    f.flow.Lose(kMs + 7 * kUs, LossKind::Nak);
    EXPECT_EQ(f.GetFrames(), 32U) << "less than the base RTT after it";
    f.flow.Lose(kMs + 8 * kUs, LossKind::Trimmed);
    EXPECT_EQ(f.GetFrames(), 16U);
}

TEST(Swift, FiveTimeoutsInARowLeaveTheLeast)
{
    Delayed f(Attributes{{"InitialWindow", "64"}, {"MinWindow", "0.25"}});
    for (int timeout = 1; timeout <= 4; ++timeout)
    {
        f.flow.Lose(timeout * kMs, LossKind::Timeout);
        EXPECT_EQ(f.GetFrames(), 64U >> timeout);
    }
    f.flow.Lose(5 * kMs, LossKind::Timeout);
    EXPECT_DOUBLE_EQ(f.flow.view.rate, kFrame * 8 * 0.25 / 8e-6);

    Delayed between(Attributes{{"InitialWindow", "64"}});
    between.flow.Lose(kMs, LossKind::Timeout);
    between.flow.Ack(2 * kMs, 10 * kUs, kFrame);
    for (int timeout = 1; timeout <= 4; ++timeout)
    {
        between.flow.Lose((2 + timeout) * kMs, LossKind::Timeout);
    }
    EXPECT_EQ(between.GetFrames(), 2U) << "progress starts the count anew";
}

TEST(Swift, WindowKeepsWithinItsBounds)
{
    Delayed f(Attributes{});
    EXPECT_EQ(f.GetFrames(), 100U) << "100 Gb/s for 8 us";
    for (int ack = 0; ack < 30000; ++ack)
    {
        f.Ack(8 * kUs);
    }
    EXPECT_EQ(f.GetFrames(), 250U) << "100 Gb/s for the target of 20 us";
    Delayed given(Attributes{{"InitialWindow", "8"}, {"MaxWindow", "8.5"}});
    for (int ack = 0; ack < 100; ++ack)
    {
        given.Ack(8 * kUs);
    }
    EXPECT_EQ(given.GetFrames(), 8U);
    EXPECT_EQ(Delayed(Attributes{{"MaxWindow", "8.5"}}).GetFrames(), 8U) << "a new flow too";
}

TEST(Swift, SaysWhereEmptyPathsAreLongerThanAnyTarget)
{
    FlowView view;
    view.lineRate = kLine;
    const auto control = MakeControl("swift", {{"PerHop", "2us"}}, kLine);
    view.baseRtt = 36 * kUs - 1;
    EXPECT_TRUE(control->Advise(view).empty()) << "20 us and eight switches";
    view.baseRtt = 36 * kUs;
    ASSERT_EQ(control->Advise(view).size(), 1U);
    EXPECT_NE(control->Advise(view)[0].find("36000 ns"), std::string::npos);
}

TEST(Swift, RefusesWhatCannotBe)
{
    EXPECT_EQ(RefusedAttribute("swift", {}), "");
    EXPECT_EQ(RefusedAttribute("swift", {{"FlowScalingMinWindow", "100"}}),
              "flow_scaling_min_window");
    EXPECT_EQ(RefusedAttribute("swift", {{"MaxWindow", "0.01"}}), "min_window");
    EXPECT_EQ(RefusedAttribute("swift", {{"InitialWindow", "0.001"}}), "initial_window");
    EXPECT_EQ(RefusedAttribute("swift", {{"MaxDecrease", "1"}}), "max_decrease");
}

namespace
{

constexpr Tick kLoop = 5 * kUs;

struct Steady
{
    Outcome outcome;
    double queue;      ///< where the round-trip time is at the target, bytes
    double mostWindow; ///< of the flows at the end, frames
};

/// Flows of 10 Gb/s in one queue, over an empty round trip of 5.8 us.
Steady
Greedy(std::size_t flows, const Attributes& attributes = {})
{
    BottleneckSettings settings;
    settings.lineRate = 10e9;
    settings.loopDelay = kLoop;
    Bottleneck b(settings, {flows, MakeControl("swift", attributes, 10e9)});
    std::vector<Tick> starts;
    for (std::size_t i = 0; i < flows; ++i)
    {
        starts.push_back(static_cast<Tick>(i) * 800 * kNanosecond);
    }
    Steady s{b.Run(starts, 50 * kMs, 150 * kMs), 0, 0};
    // The target by the share of C target that each window is.
    const double alpha = 100 / (1 / std::sqrt(0.1) - 0.1);
    double target = 20;
    for (int i = 0; i < 100; ++i)
    {
        const double window = target / 0.8 / static_cast<double>(flows);
        target = 20 + std::min(100.0, std::max(0.0, alpha / std::sqrt(window) - alpha / 10));
    }
    s.queue = 10e9 / 8 * (target * 1e-6 - (kLoop / 1e12 + 0.8e-6));
    for (std::size_t i = 0; i < flows; ++i)
    {
        s.mostWindow = std::max(s.mostWindow, b.GetView(i).window / 1000.0);
    }
    return s;
}

} // namespace

// In its steady state the delay is about the target: what of it the path does not take is queue.
TEST(Swift, QueueIsWhatTheTargetLeaves)
{
    for (std::size_t flows : {2, 4, 8})
    {
        const Steady s = Greedy(flows);
        EXPECT_NEAR(s.outcome.meanQueue, s.queue, 0.15 * s.queue) << flows;
        EXPECT_GE(s.outcome.utilisation, 0.98) << flows;
        EXPECT_GE(Fairness(s.outcome.shares), 0.98) << flows;
    }
}

TEST(Swift, AFlowAloneFillsTheLink)
{
    EXPECT_GE(Greedy(1).outcome.utilisation, 0.98);
}

// A hundred windows of 0.7 frames; with the ai of 1 each acknowledgement below the target would add
// more than that, and the queue swing.
TEST(Swift, HundredFlowsShareWithLessThanAFrameEach)
{
    const Steady s = Greedy(100, {{"AdditiveIncrease", "0.1"}});
    EXPECT_EQ(s.mostWindow, 1);
    EXPECT_NEAR(s.outcome.meanQueue, s.queue, 0.15 * s.queue);
    EXPECT_GE(s.outcome.utilisation, 0.98);
    EXPECT_GE(Fairness(s.outcome.shares), 0.95);
}
