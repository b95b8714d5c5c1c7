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

/// A flow at 100 Gb/s over 8 us, 100 KB, in frames of 1000 bytes.
struct Marked
{
    explicit Marked(const Attributes& attributes = {})
        : flow(Make(attributes))
    {
    }

    static ControlFlow Make(const Attributes& attributes)
    {
        FlowView view;
        view.lineRate = kLine;
        view.baseRtt = 8 * kUs;
        view.mtuBytes = view.frameBytes = 1000;
        return {MakeControl("dctcp", attributes, kLine), view};
    }

    /// The acknowledgement of so many frames, of ten that are in flight after it.
    /// @return the rate then.
    double Ack(uint32_t frames, bool marked = false)
    {
        flow.inFlight = 10000;
        flow.Ack(now += kUs, 8 * kUs, 1000 * frames, marked);
        return flow.view.rate;
    }

    ControlFlow flow;
    Tick now{0};
};

/// One frame of 1000 bytes per 8 us.
constexpr double kStep = 1e9;

} // namespace

// Alizadeh et al., SIGCOMM 2010, equations 1 and 2, g 1/16: alpha follows the share of marked bytes of
// each window, the first mark of a window cuts by alpha/2, windows without a cut add a frame.
TEST(Dctcp, BeginsAtLineRateWithTheBandwidthDelayProduct)
{
    Marked f;
    EXPECT_EQ(f.flow.view.rate, kLine);
    EXPECT_EQ(f.flow.view.window, 100000U);
    EXPECT_EQ(f.flow.control->GetNotification().mode, CongestionNotification::InAck);
    EXPECT_EQ(f.Ack(1), kLine) << "no more than that";
}

TEST(Dctcp, CutsOncePerWindowByHalfOfAlpha)
{
    Marked f;
    EXPECT_EQ(f.Ack(1, true), 50e9) << "alpha is 1 still: all bytes were marked";
    EXPECT_EQ(f.flow.view.window, 50000U);
    EXPECT_EQ(f.Ack(9, true), 50e9) << "within the window of the cut";
    EXPECT_EQ(f.Ack(1, true), 50e9) << "what it ends with is acknowledged, but nothing beyond it";
    EXPECT_EQ(f.Ack(1, true), 25e9) << "sent after the cut";
}

TEST(Dctcp, AlphaFollowsTheShareOfMarkedBytes)
{
    Marked f;
    EXPECT_EQ(f.Ack(1, true), 50e9);
    // A window of ten frames, and the one that tells of its end, of which four are marked.
    f.Ack(3, true);
    f.Ack(7);
    const double before = f.Ack(1, true);
    const double alpha = 15.0 / 16 + 4.0 / 11 / 16;
    EXPECT_DOUBLE_EQ(before, 50e9 * (1 - alpha / 2));
    // A window without marks adds a frame, and takes a sixteenth off alpha.
    EXPECT_EQ(f.Ack(10), before) << "its window has not ended";
    EXPECT_DOUBLE_EQ(f.Ack(1), before + kStep);
    EXPECT_DOUBLE_EQ(f.Ack(1), before + kStep) << "once per window";
    const double next = alpha * 15 / 16;
    EXPECT_DOUBLE_EQ(f.Ack(1, true), (before + kStep) * (1 - next / 2)) << "in the next one";
}

TEST(Dctcp, AlphaFadesWithoutMarks)
{
    Marked f({{"InitialAlpha", "0.5"}, {"Gain", "0.25"}});
    for (int window = 0; window < 5; ++window)
    {
        f.Ack(11);
    }
    EXPECT_DOUBLE_EQ(f.Ack(5, true), kLine * (1 - 0.5 * std::pow(0.75, 5) / 2));
}

TEST(Dctcp, LossHalvesOncePerWindow)
{
    Marked f;
    f.Ack(1);
    f.flow.Lose(f.now, LossKind::Nak);
    EXPECT_EQ(f.flow.view.rate, 50e9);
    f.flow.Lose(f.now, LossKind::Timeout);
    EXPECT_EQ(f.Ack(10, true), 50e9);
    f.Ack(1);
    f.flow.Lose(f.now, LossKind::Timeout);
    EXPECT_EQ(f.flow.view.rate, 25.5e9) << "half of it and the step";

    Marked deaf(Attributes{{"LossDecrease", "0"}});
    deaf.Ack(1);
    deaf.flow.Lose(deaf.now, LossKind::Nak);
    EXPECT_EQ(deaf.flow.view.rate, kLine);
    EXPECT_LT(deaf.Ack(1, true), kLine) << "nor does it count as a cut";
}

TEST(Dctcp, AttributesHoldWhereGiven)
{
    Marked f({{"AdditiveIncrease", "615Mb/s"}, {"MinRate", "40Gb/s"}});
    EXPECT_EQ(f.Ack(1, true), 50e9);
    EXPECT_EQ(f.Ack(11), 50.615e9);
    for (int window = 0; window < 3; ++window)
    {
        f.Ack(11, true);
    }
    EXPECT_EQ(f.flow.view.rate, 40e9);
    EXPECT_EQ(RefusedAttribute("dctcp", {}), "");
    EXPECT_EQ(RefusedAttribute("dctcp", {{"MinRate", "100Gb/s"}}), "min_rate");
}

namespace
{

/// Two flows of 10 Gb/s through a queue that marks above so many frames of 1000 bytes.
Outcome
Greedy(double markAbove, double bandwidthDelay)
{
    BottleneckSettings settings;
    settings.lineRate = 10e9;
    settings.loopDelay = static_cast<Tick>((bandwidthDelay - 1) * 800 * kNanosecond);
    settings.marking = [markAbove](double queue) { return queue > markAbove * 1000 ? 1.0 : 0.0; };
    Bottleneck b(settings, {2, MakeControl("dctcp", {}, 10e9)});
    return b.Run({0, 400 * kNanosecond}, 50 * kMs, 250 * kMs);
}

/// Alpha of flows whose windows begin to be marked at w frames: alpha^2 (1 - alpha/4) = (2 w + 1) /
/// (w + 1)^2 (Alizadeh et al., SIGCOMM 2010, equation 6).
double
SteadyAlpha(double w)
{
    double alpha = 0;
    for (int i = 0; i < 50; ++i)
    {
        alpha = std::sqrt((2 * w + 1) / ((w + 1) * (w + 1)) / (1 - alpha / 4));
    }
    return alpha;
}

} // namespace

// SIGCOMM 2010, section 3.3, for two flows with C RTT 160 frames and K 40: windows of (C RTT + K) / 2 =
// 100 frames, alpha 0.143; the queue rises to K + N and swings by N W alpha / 2 = 14 frames; K above
// C RTT / 7 keeps the link busy.
TEST(Dctcp, TwoFlowsAreMarkedAsTheModelSays)
{
    EXPECT_NEAR(SteadyAlpha(100), 0.143, 0.001);
    const Outcome o = Greedy(40, 160);
    // Alpha's mean is the share of marks; a cut comes before it rises, by up to g.
    EXPECT_NEAR(o.marked, SteadyAlpha(100), 0.2 * SteadyAlpha(100));
    EXPECT_NEAR(2 * o.meanCut, o.marked, 0.5 / 16);
    EXPECT_GE(o.utilisation, 0.99);
    EXPECT_GE(Fairness(o.shares), 0.99);
    EXPECT_NEAR(o.meanQueue, 1000 * (40 + 2 - 14.3 / 2), 0.2 * 40e3);
}

TEST(Dctcp, ThresholdOfASeventhKeepsTheLinkBusy)
{
    EXPECT_GE(Greedy(160.0 / 7, 160).utilisation, 0.99);
    EXPECT_LT(Greedy(2, 160).utilisation, 0.99) << "and less than that does not";
}
