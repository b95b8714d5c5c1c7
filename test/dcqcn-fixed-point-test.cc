// SPDX-License-Identifier: GPL-2.0-only
#include "bottleneck.h"
#include "control-flow.h"

#include <gtest/gtest.h>

#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;

namespace
{

constexpr Tick kMs = kMillisecond;

/// Kmin 5 KB, Kmax 200 KB, Pmax 1 %.
double
Red(double queue)
{
    return queue <= 5e3 ? 0 : queue > 200e3 ? 1 : 0.01 * (queue - 5e3) / (200e3 - 5e3);
}

/// What the fluid model of Zhu et al. (CoNEXT 2016, theorem 1) describes: flows at 40 Gb/s, the
/// congestion point, the notification point and this module's reaction point.
Bottleneck
Dumbbell(const char* variant, std::size_t flows, Tick loopDelay)
{
    BottleneckSettings settings;
    settings.loopDelay = loopDelay;
    settings.marking = Red;
    return {settings, {flows, MakeControl("dcqcn", {{"Variant", variant}}, settings.lineRate)}};
}

Outcome
Greedy(int flows, Tick loopDelay, Tick to = 200 * kMs)
{
    std::vector<Tick> starts;
    for (int i = 0; i < flows; ++i)
    {
        starts.push_back(i * 7 * kNanosecond);
    }
    return Dumbbell("paper", flows, loopDelay).Run(starts, 100 * kMs, to);
}

} // namespace

// The fixed point of the fluid model at 40 Gb/s, with Kmin 5 KB, Kmax 200 KB, Pmax 1 %, timers of
// 55 us, 10 MB, g 1/256: equal rates, and queues of 20.2, 41.8 and 122.6 KB for 2, 4 and 10 flows.
// Frames and random marks instead of a fluid keep the mean some 15 to 30 % above it.
TEST(DcqcnFixedPoint, TwoFlowsShareEquallyAtTheQueueOfTheFluidModel)
{
    // Long enough for the lots of the marks: shares wander for some 100 ms.
    Outcome o = Greedy(2, 4 * kMicrosecond, 600 * kMs);
    EXPECT_NEAR(o.shares[0], 0.5, 0.025);
    EXPECT_GE(Fairness(o.shares), 0.99);
    EXPECT_GE(o.utilisation, 0.97);
    EXPECT_NEAR(o.meanQueue, 20.2e3, 0.5 * 20.2e3);
}

TEST(DcqcnFixedPoint, QueueGrowsWithTheNumberOfFlows)
{
    Outcome four = Greedy(4, 4 * kMicrosecond);
    EXPECT_NEAR(four.meanQueue, 41.8e3, 0.4 * 41.8e3);
    EXPECT_GE(Fairness(four.shares), 0.98);
    Outcome ten = Greedy(10, 4 * kMicrosecond);
    EXPECT_NEAR(ten.meanQueue, 122.6e3, 0.25 * 122.6e3);
    EXPECT_GE(Fairness(ten.shares), 0.98);
}

// CoNEXT 2016: ten flows are stable with a loop of 4 us and oscillate with one of 85 us.
TEST(DcqcnFixedPoint, TenFlowsAreStableOnlyOverAShortLoop)
{
    Outcome near = Greedy(10, 4 * kMicrosecond);
    EXPECT_LT(near.deviation / near.meanQueue, 0.4);
    EXPECT_GT(near.utilisation, 0.99);
    Outcome far = Greedy(10, 85 * kMicrosecond);
    EXPECT_GT(far.deviation / far.meanQueue, 0.8);
    EXPECT_LT(far.utilisation, 0.97);
}

// CoNEXT 2016 bounds the time to fair shares of two flows by 96.9 ms.
TEST(DcqcnFixedPoint, AFlowThatJoinsGetsItsShare)
{
    Bottleneck b = Dumbbell("paper", 2, 4 * kMicrosecond);
    Outcome o = b.Run({0, 20 * kMs}, 117 * kMs, 137 * kMs);
    EXPECT_NEAR(o.shares[1], 0.5, 0.1);
    EXPECT_GE(o.utilisation, 0.97);
}

// Every mark is reported (in_ack), and the periods of the NIC's variant make that no more than a cut
// per 4 us.
TEST(DcqcnFixedPoint, ConnectXFillsTheLinkWithItsOwnNotification)
{
    Bottleneck b = Dumbbell("connectx", 2, 4 * kMicrosecond);
    Outcome o = b.Run({0, 7 * kNanosecond}, 50 * kMs, 350 * kMs);
    EXPECT_NEAR(o.shares[0], 0.5, 0.05);
    EXPECT_GE(o.utilisation, 0.97);
}
