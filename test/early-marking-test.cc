// SPDX-License-Identifier: GPL-2.0-only
#include "held-switch.h"

#include <cmath>

namespace ns3::aifabric::test
{
namespace
{

constexpr int kFrames = 10000;

/// A queue of any length, and the switch before it.
class HeldQueue : public HeldSwitch
{
  public:
    explicit HeldQueue(Ptr<const EcnSettings> ecn, uint64_t bufferBytes = 0, bool lossless = false)
        : HeldSwitch(Settings(ecn, bufferBytes, lossless))
    {
    }

    /// @return how many are marked of frames that find a queue of that length: they have none
    /// themselves, and so leave it as it is.
    int CountMarks(uint32_t queued, uint8_t flags = kEct, uint8_t priority = kData)
    {
        const uint32_t now = Port().GetQueuedBytes(priority);
        EXPECT_LE(now, queued);
        if (queued > now)
        {
            Send(queued - now, priority, 1, 0, kEct | kCe);
        }
        const uint64_t before = Port().GetCounters().marked;
        for (int i = 0; i < kFrames; ++i)
        {
            Send(0, priority, 1, 0, flags);
        }
        return static_cast<int>(Port().GetCounters().marked - before);
    }

  private:
    static SwitchSettings Settings(Ptr<const EcnSettings> ecn, uint64_t bytes, bool lossless)
    {
        SwitchSettings settings;
        settings.ecn = ecn;
        settings.bufferBytes = bytes;
        settings.pfc = lossless ? CreateObject<PfcSettings>() : nullptr;
        return settings;
    }
};

double
ThreeSigma(double p)
{
    return 3 * std::sqrt(kFrames * p * (1 - p));
}

// p(q) of Zhu et al., SIGCOMM'15, eq. 5: 0 up to Kmin, Pmax at Kmax, 1 above.
TEST(EarlyMarking, CurveByTheQueueThatAFrameFinds)
{
    HeldQueue queue(Make<EcnSettings>({{"Position", "enqueue"},
                                       {"KminBytes", "40000"},
                                       {"KmaxBytes", "200000"},
                                       {"Pmax", "0.1"}}));
    EXPECT_EQ(queue.CountMarks(0), 0);
    EXPECT_EQ(queue.CountMarks(40000), 0);
    EXPECT_NEAR(queue.CountMarks(80000), 250, ThreeSigma(0.025));
    EXPECT_NEAR(queue.CountMarks(120000), 500, ThreeSigma(0.05));
    EXPECT_NEAR(queue.CountMarks(200000), 1000, ThreeSigma(0.1));
    EXPECT_EQ(queue.CountMarks(200001), kFrames);
}

// DCTCP's step (RFC 8257, 3.1): what finds more than K is marked, whatever Pmax is.
TEST(EarlyMarking, StepWhereTheThresholdsAreEqual)
{
    HeldQueue queue(Make<EcnSettings>({{"Position", "enqueue"},
                                       {"KminBytes", "65000"},
                                       {"KmaxBytes", "65000"},
                                       {"Pmax", "0.3"}}));
    EXPECT_EQ(queue.CountMarks(65000), 0);
    EXPECT_EQ(queue.CountMarks(65001), kFrames);
}

TEST(EarlyMarking, WhatHasAMarkGetsNoOtherAndWhatCannotHaveOneNone)
{
    HeldQueue queue(
        Make<EcnSettings>({{"Position", "enqueue"}, {"KminBytes", "10"}, {"KmaxBytes", "10"}}));
    EXPECT_EQ(queue.CountMarks(11, kEct | kCe), 0);
    EXPECT_EQ(queue.CountMarks(11, 0), 0);
    EXPECT_EQ(queue.Switch().GetDropped(DropReason::Early), 0U);
    EXPECT_EQ(queue.CountMarks(11), kFrames);
}

// A queue is marked once: where frames are marked when they come, they are not when they leave.
TEST(EarlyMarking, LeavingFramesAreLeftAlone)
{
    for (const char* position : {"enqueue", "dequeue"})
    {
        HeldQueue queue(
            Make<EcnSettings>({{"Position", position}, {"KminBytes", "10"}, {"KmaxBytes", "10"}}));
        Frame f{};
        f.op = Opcode::WriteMiddle;
        f.flags = kEct;
        queue.Switch().OnDeparture(queue.Port(), f, 1000, 0, 0);
        EXPECT_EQ(f.flags & kCe, *position == 'd' ? kCe : 0) << position;
        EXPECT_EQ(queue.CountMarks(1000), *position == 'd' ? 0 : kFrames) << position;
    }
}

// A frame that finds no room is dropped, not marked.
TEST(EarlyMarking, DroppedFramesAreNotCounted)
{
    HeldQueue queue(
        Make<EcnSettings>({{"Position", "enqueue"}, {"KminBytes", "10"}, {"KmaxBytes", "10"}}),
        10000);
    EXPECT_EQ(queue.CountMarks(4000), kFrames);
    EXPECT_FALSE(queue.Send(6000));
    EXPECT_EQ(queue.Port().GetCounters().marked, uint64_t{kFrames});
    EXPECT_EQ(queue.Switch().GetDropped(DropReason::BufferFull), 1U);
    EXPECT_EQ(queue.Port().GetCounters().dropped, 1U);
}

// WRED: what cannot be marked is dropped with the probability of a mark, where it may be dropped.
TEST(EarlyDrop, FramesThatCannotBeMarked)
{
    for (const char* position : {"enqueue", "dequeue"})
    {
        auto ecn = Make<EcnSettings>({{"Position", position},
                                      {"DropUnmarkable", "true"},
                                      {"KminBytes", "40000"},
                                      {"KmaxBytes", "200000"},
                                      {"Pmax", "0.1"}});
        HeldQueue lossy(ecn);
        lossy.CountMarks(40000, 0);
        EXPECT_EQ(lossy.Switch().GetDropped(DropReason::Early), 0U);
        lossy.Send(80000);
        lossy.CountMarks(120000, 0);
        EXPECT_NEAR(lossy.Switch().GetDropped(DropReason::Early), 500, ThreeSigma(0.05));
        EXPECT_EQ(lossy.Port().GetCounters().dropped, lossy.Switch().GetDropped(DropReason::Early));
        const uint64_t before = lossy.Switch().GetDropped(DropReason::Early);
        lossy.CountMarks(120000, kEct);
        EXPECT_EQ(lossy.Switch().GetDropped(DropReason::Early), before);
        HeldQueue lossless(ecn, 10000000, true);
        lossless.Send(300000);
        lossless.CountMarks(300000, 0);
        EXPECT_EQ(lossless.Switch().GetDropped(DropReason::Early), 0U);
        lossless.Send(300000, 1);
        lossless.CountMarks(300000, 0, 1);
        EXPECT_EQ(lossless.Switch().GetDropped(DropReason::Early), uint64_t{kFrames});
    }
}

// The first entry that fits counts; one without a rate or a priority fits all of them.
TEST(EcnThresholds, ByRateAndPriority)
{
    auto ecn = Make<EcnSettings>(
        {{"KminBytes", "1"},
         {"KmaxBytes", "2"},
         {"Thresholds",
          R"([{"bandwidth_gbps": 100, "priority": 3, "kmin_bytes": 10, "kmax_bytes": 20, "pmax": 1},
              {"priority": 3, "kmin_bytes": 30, "kmax_bytes": 40, "pmax": 0.5},
              {"bandwidth_gbps": 100, "kmin_bytes": 50, "kmax_bytes": 60, "pmax": 0}])"}});
    EXPECT_EQ(ecn->For(100e9, 3).kmin, 10U);
    EXPECT_EQ(ecn->For(400e9, 3).kmin, 30U);
    EXPECT_EQ(ecn->For(400e9, 3).pmax, 0.5);
    EXPECT_EQ(ecn->For(100e9, 2).kmin, 50U);
    EXPECT_EQ(ecn->For(400e9, 2).kmin, 1U);
    // And so queues of one port differ.
    ecn->SetAttribute("Position", StringValue("enqueue"));
    HeldQueue queue(ecn);
    EXPECT_EQ(queue.CountMarks(20, kEct, 2), 0);
    EXPECT_NEAR(queue.CountMarks(15, kEct, 3), kFrames / 2, ThreeSigma(0.5));
}

} // namespace
} // namespace ns3::aifabric::test
