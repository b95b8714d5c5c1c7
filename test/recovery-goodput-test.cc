// SPDX-License-Identifier: GPL-2.0-only
#include "recovery-pair.h"

#include "ns3/random-stream.h"

#include <cmath>
#include <cstdlib>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/**
 * One flow of MTU 1024 at 100 Gb/s over a round trip of W = 100 frames, without congestion control,
 * and independent losses of data, p = 1e-3. By default 2 million frames for each way in all, 10
 * million where AIFABRIC_LONG_TESTS is set.
 */
class RandomLossGoodput : public test::RecoveryPair
{
  protected:
    static constexpr double kP = 1e-3;
    static constexpr int kWindow = 100;

    /// @return frame times of a loss-free flow over those that this one took.
    double Measure(uint64_t frames)
    {
        mtu = 1024;
        delay = (kWindow * Tick{1106 * 80} - 1106 * 80 - 86 * 80) / 2;
        settings->retransmissionTimeout = NanoSeconds(1048576);
        frames *= std::getenv("AIFABRIC_LONG_TESTS") ? 5 : 1;
        // A frame that is lost and has been seen before is a retransmission.
        tamper[1].lose = [this, seen = std::vector<bool>(frames)](Frame& f, Tick) mutable {
            const bool again = seen[f.psn];
            seen[f.psn] = true;
            const bool lost = m_dice.Uniform() < kP;
            lostAgain += lost && again;
            return lost;
        };
        Restart();
        Write(frames * mtu);
        Run();
        ExpectDelivered(frames * mtu);
        const double share = static_cast<double>(frames) * Slot() / static_cast<double>(sent[0].at);
        RecordProperty("share", std::to_string(share));
        return share;
    }

    /// @return the share of a way that sends only what was lost again, if each retransmission that was
    /// lost stops the flow for so many frame times.
    double Expect(uint64_t frames, double stall) const
    {
        const double n = static_cast<double>(frames) * (std::getenv("AIFABRIC_LONG_TESTS") ? 5 : 1);
        return n / (n / (1 - kP) + lostAgain * stall);
    }

    int lostAgain{0}; ///< retransmissions

  private:
    RandomStream m_dice{3};
};

TEST_F(RandomLossGoodput, GoBackN)
{
    // Each loss wastes a window; a retransmission that is lost waits for the timeout, since the
    // receiver asks only once: 1 / (1 + p W / (1 - p) + p^2 RTO / slot), 0.899.
    const double share = Measure(2000000);
    const double rto = 1048576e3 / Slot();
    EXPECT_NEAR(share, 1 / (1 + kP * kWindow / (1 - kP) + kP * kP * rto), 0.01);
}

TEST_F(RandomLossGoodput, SelectiveRepeat)
{
    // 1 - p = 0.999, while the limit of frames under way does not bind: it counts from the oldest
    // unacknowledged frame, which a loss makes stand for two round trips. A retransmission that is
    // lost is found by the timeout, 320 us after the last progress; the limit of 5 W lets the flow
    // go on that far. There are p^2 of these per frame, a share of 0.003, but only 2 in 2 million.
    constexpr uint64_t kFrames = 2000000;
    Recover("selective_repeat", {{"MaxOutstandingFrames", "500"}});
    const double share = Measure(kFrames);
    const double stall = 320e6 / Slot() + 2 * kWindow - 500;
    EXPECT_NEAR(share, 0.999, 0.005);
    EXPECT_NEAR(share, Expect(kFrames, stall), 0.0005);
}

TEST_F(RandomLossGoodput, SelectiveRepeatWithinABandwidthDelayProduct)
{
    // As IRN has it (section 3.2) no more than W frames from the oldest unacknowledged one on are
    // under way: when the SACK behind a lost frame is back all are, and until the retransmission is
    // acknowledged nothing new leaves. Each loss costs a round trip, as with go-back-N: what is
    // saved is the bandwidth, not the time. Losses within one window share it: 1 / (1 + p W), with
    // those of the next window less.
    constexpr uint64_t kFrames = 500000;
    Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
    const double share = Measure(kFrames);
    EXPECT_NEAR(share, 1 / (1 + kP * kWindow + kP * kP * 320e6 / Slot()), 0.01);
}

TEST_F(RandomLossGoodput, SelectiveRepeatThatCountsWhatIsMissing)
{
    // Within a bandwidth-delay product of frames that may still be missing the flow goes on: 1 - p,
    // and for each retransmission that is lost the timeout, which stops it when W are missing.
    constexpr uint64_t kFrames = 2000000;
    Recover("selective_repeat", {{"CountsArrived", "false"}, {"MaxOutstandingFrames", "100"}});
    const double share = Measure(kFrames);
    EXPECT_NEAR(share, 0.999, 0.005);
}

TEST_F(RandomLossGoodput, OutOfOrder)
{
    // 1 - p too. A retransmission that is lost waits for the transport's timeout T = 11851 frame
    // times from the last progress on, W after the frame was first sent; the flow goes on for 8192
    // frames, and another W passes until the answer: p^2 (T + 2 W - 8192), a share of 0.004.
    constexpr uint64_t kFrames = 2000000;
    Recover("out_of_order");
    const double share = Measure(kFrames);
    const double stall = 1048576e3 / Slot() + 2 * kWindow - 8192;
    EXPECT_NEAR(share, Expect(kFrames, stall), 0.0005);
}

/// Two paths that take turns, one longer by a delay: every other frame is held up.
class TwoPaths : public test::RecoveryPair
{
  protected:
    static constexpr uint64_t kFrames = 20000;

    /// @param slots of delay, in frame times. @return payload rate over the line rate.
    double Measure(double slots)
    {
        delay = 10 * kMicrosecond;
        Restart();
        begin = Simulator::Now().GetTimeStep();
        longer = static_cast<Tick>(slots * Slot());
        tamper[1].hold = [=, n = 0](Frame& f) mutable { return IsData(f) && n++ % 2 ? longer : 0; };
        Write(kFrames * mtu);
        Run();
        EXPECT_EQ(sent.size(), 1U);
        EXPECT_EQ(peer[0]->GetCounters().deliveredBytes, kFrames * mtu);
        return kFrames * mtu * 8e12 / rateBps / static_cast<double>(sent[0].at - begin);
    }

    uint32_t CountAgain() const
    {
        return static_cast<uint32_t>(qp[0]->GetCounters().retransmittedBytes / mtu);
    }

    Tick begin;
    Tick longer; ///< by which one path is
};

TEST_F(TwoPaths, GoBackNCollapses)
{
    // Less than a frame's time changes nothing: 98.036 Gb/s, less one round trip at the end.
    EXPECT_NEAR(Measure(0.9), 0.98036, 0.005);
    EXPECT_EQ(CountAgain(), 0U);
    for (const double slots : {1.5, 5.5, 20.5})
    {
        EXPECT_LT(Measure(slots), 0.2 * 0.98036) << slots;
    }
}

TEST_F(TwoPaths, PlacementOutOfOrderDoesNotNotice)
{
    // 4096 of 4194 bytes, with a RETH in each frame: 97.66 Gb/s. The flow ends a round trip and the
    // delay after its last frame. Half of the frames of a delay wait for a slower one.
    Recover("out_of_order");
    for (const double slots : {0.5, 1.5, 5.5, 20.5, 60.5})
    {
        const double share = Measure(slots);
        const Tick ideal = kFrames * Slot() + 2 * delay + 86 * 80;
        EXPECT_GE(share, 0.98 * 0.98036);
        EXPECT_EQ(sent[0].at - begin, ideal + longer) << slots;
        EXPECT_NEAR(peer[0]->GetResponder().GetReorderPeak(), std::ceil(slots / 2), 2) << slots;
        EXPECT_EQ(CountAgain(), 0U) << slots;
        EXPECT_EQ(qp[0]->GetCounters().timeouts, 0U);
    }
}

TEST_F(TwoPaths, SelectiveRepeatSendsTheSlowHalfTwice)
{
    // Each frame of the slower path is overtaken, taken for lost and sent again. If the two paths
    // shared what is sent again evenly, a third of all frames would be; if the slower one carried all
    // of it, a quarter: three or two new frames of four or three get through. Which it is depends on
    // the phase of the round trip.
    for (const double slots : {1.5, 20.5})
    {
        Recover("selective_repeat", {{"MaxOutstandingFrames", "1000"}});
        const double share = Measure(slots) / 0.98036;
        EXPECT_GT(share, 2.0 / 3 - 0.005);
        EXPECT_LT(share, 3.0 / 4 + 0.005);
        EXPECT_NEAR(share, kFrames / (kFrames + 1.0 * CountAgain()), 0.005);
        EXPECT_EQ(peer[0]->GetCounters().duplicateFrames, CountAgain());
    }
}

TEST_F(TwoPaths, SelectiveRepeatIsLimitedByTheShorterPath)
{
    // 60 frames of the shorter path's round trip are not enough for the longer one.
    Recover("selective_repeat");
    const double share = Measure(20.5) / 0.98036;
    EXPECT_LT(share, 60 / (60 + 20.5));
    EXPECT_GT(share, 0.5 * 60 / (60 + 20.5));
    EXPECT_GT(CountAgain(), 0U);
}

} // namespace
