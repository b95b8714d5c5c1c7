// SPDX-License-Identifier: GPL-2.0-only
#include "recovery-pair.h"

#include "ns3/congestion-control.h"
#include "ns3/random-stream.h"

#include <map>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint32_t kFrames = 10; ///< of a short flow
constexpr uint64_t kBytes = kFrames * 4096;
constexpr Tick kFrameTime = 4178 * 80;
constexpr Tick kAckTime = 86 * 80;

int g_losses;

struct NoState
{
};

/// Counts what it is told of losses.
class LossCounter : public CongestionControlFor<LossCounter, NoState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::test::LossCounter")
                                .SetParent<Object>()
                                .AddConstructor<LossCounter>();
        return tid;
    }

    void OnBegin(FlowView&, NoState&) const
    {
    }

    void OnLoss(FlowView&, NoState&, Tick, LossKind) const
    {
        ++g_losses;
    }
};

class LossRecoveryTest : public test::RecoveryPair
{
  protected:
    /// Lets one WRITE of that many full frames go through.
    void RunFrames(uint32_t frames = kFrames)
    {
        Build();
        Write(frames * uint64_t{4096});
        Run();
        ExpectDelivered(frames * uint64_t{4096});
    }

    const QueuePairCounters& Sender() const
    {
        return qp[0]->GetCounters();
    }

    const QueuePairCounters& Receiver() const
    {
        return peer[0]->GetCounters();
    }

    /// Collects acknowledgements that tell of a frame out of order, and loses the given ones.
    void CollectSacks(std::set<int> lost = {})
    {
        tamper[0].lose = [this, lost](Frame& f, Tick) {
            if (f.sack)
            {
                sacks.push_back(f);
                return lost.count(static_cast<int>(sacks.size()) - 1) > 0;
            }
            return false;
        };
    }

    std::vector<Frame> sacks;
};

/// Each single loss at any place of a short flow, by each way.
class SingleLoss : public LossRecoveryTest,
                   public ::testing::WithParamInterface<std::tuple<const char*, uint32_t>>
{
};

TEST_P(SingleLoss, IsRepaired)
{
    const auto [id, psn] = GetParam();
    Recover(id);
    LoseData({psn});
    RunFrames();
    const bool goesBack = std::string(id) == "go_back_n";
    const bool waits = std::string(id) == "out_of_order";
    // A round trip of 2 us holds six frames: placement out of order lets nine go by, and here are no
    // more. Behind the last frame there is none to tell of its loss.
    const bool seen = !waits && psn + 1 < kFrames;
    EXPECT_EQ(Sender().timeouts, seen ? 0U : 1U);
    EXPECT_EQ(Receiver().naksSent > 0, seen);
    EXPECT_GE(Sender().retransmittedBytes, 4096U);
    EXPECT_TRUE(goesBack || Sender().retransmittedBytes == 4096U);
    EXPECT_EQ(Receiver().duplicateFrames, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Everywhere,
    SingleLoss,
    ::testing::Combine(::testing::Values("go_back_n", "selective_repeat", "out_of_order"),
                       ::testing::Range(0U, kFrames)));

TEST_F(LossRecoveryTest, OneFrameIsSentAgainAtOnce)
{
    Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
    LoseData({4});
    RunFrames();
    // Frame 5 tells; all ten have left when its NAK, longer by the number it names, arrives.
    const Tick nakAt = 6 * kFrameTime + 16 * 80 + kAckTime + 4 * 80 + 2 * kDelay;
    EXPECT_EQ(sent[0].at, nakAt + kFrameTime + kAckTime + 2 * kDelay);
    EXPECT_EQ(Receiver().naksSent, 5U);
    EXPECT_EQ(Sender().naksReceived, 5U);
}

/// Mittal et al., section 3.1: 100 us with up to three frames under way, 320 us with more.
TEST_F(LossRecoveryTest, TimeoutIsShortWithFewFramesUnderWay)
{
    for (const uint32_t psn : {6U, 7U, 9U})
    {
        Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
        LoseData({psn}, {0, 1});
        Restart();
        const Tick begin = Simulator::Now().GetTimeStep();
        Write(kBytes);
        Run();
        ASSERT_EQ(sent.size(), 1U);
        // The timer starts with the last progress, the ACK of the frame before the lost one, or with
        // the retransmission if that is the oldest frame under way: it is.
        const Tick told = (psn + 2) * kFrameTime + 16 * 80 + kAckTime + 4 * 80 + 2 * kDelay;
        const Tick last = psn * kFrameTime + 16 * 80 + kAckTime + 2 * kDelay;
        const Tick again = psn < 9 ? told : last + 100 * kMicrosecond;
        const Tick timeout = (psn == 6 ? 320 : 100) * kMicrosecond;
        EXPECT_EQ(sent[0].at - begin, again + timeout + kFrameTime + kAckTime + 2 * kDelay) << psn;
        EXPECT_EQ(Sender().timeouts, psn < 9 ? 1U : 2U);
    }
}

TEST_F(LossRecoveryTest, TailsTakeATimeoutPerFrame)
{
    // Nothing later tells of them, and the oldest is all that a timeout repeats.
    Recover("selective_repeat");
    LoseData({7, 8, 9});
    RunFrames();
    EXPECT_EQ(Sender().timeouts, 3U);
    EXPECT_EQ(Sender().retransmittedBytes, 3 * 4096U);
}

TEST_F(LossRecoveryTest, TailsOfSprayedFlowsTakeOneTimeout)
{
    Recover("out_of_order");
    LoseData({2, 7, 8, 9});
    RunFrames();
    EXPECT_EQ(Sender().timeouts, 1U);
    EXPECT_EQ(Sender().retransmittedBytes, 4 * 4096U);
}

TEST_F(LossRecoveryTest, AnySackTellsOfALoss)
{
    Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
    LoseData({4});
    CollectSacks({0});
    RunFrames();
    EXPECT_EQ(Sender().timeouts, 0U);
    // Nobody said that frame 5 was there: it is taken for lost too.
    EXPECT_EQ(Sender().retransmittedBytes, 2 * 4096U);
    EXPECT_EQ(Receiver().duplicateFrames, 1U);
}

TEST_F(LossRecoveryTest, WithoutSacksThereIsTheTimeout)
{
    Recover("selective_repeat");
    LoseData({4});
    CollectSacks({0, 1, 2, 3, 4});
    RunFrames();
    EXPECT_EQ(Sender().timeouts, 1U);
    EXPECT_EQ(Sender().retransmittedBytes, 4096U);
}

TEST_F(LossRecoveryTest, AcknowledgementsNameTheFrame)
{
    for (const bool naks : {true, false})
    {
        sacks.clear();
        // No retransmission before all has arrived.
        Recover(naks ? "selective_repeat" : "out_of_order",
                naks ? test::AttributeTexts{{"MaxOutstandingFrames", "100"}}
                     : test::AttributeTexts{});
        LoseData({4});
        CollectSacks();
        Restart();
        Write(kBytes);
        Run();
        ASSERT_EQ(sacks.size(), 5U);
        for (uint32_t i = 0; i < 5; ++i)
        {
            EXPECT_EQ(sacks[i].op, Opcode::Acknowledge);
            EXPECT_EQ(sacks[i].sack, kSacks | (5 + i));
            EXPECT_EQ(sacks[i].psn, naks ? 4U : 3U);
            EXPECT_EQ(sacks[i].aeth, (naks ? kSyndromeSequenceError : kSyndromeAck) << 24);
            EXPECT_EQ(sacks[i].bytes, 66U + 4);
        }
        EXPECT_EQ(Receiver().naksSent, naks ? 5U : 0U);
    }
}

/// @return the most frames that were under way.
uint32_t
CountMost(const std::vector<std::pair<Tick, uint32_t>>& starts,
          const std::vector<std::pair<Tick, uint32_t>>& acks)
{
    uint32_t most = 0;
    for (const auto& [at, psn] : starts)
    {
        uint32_t acked = 0;
        for (const auto& [when, end] : acks)
        {
            acked = when <= at ? std::max(acked, end) : acked;
        }
        most = psn >= acked ? std::max(most, psn + 1 - acked) : most;
    }
    return most;
}

class Outstanding : public LossRecoveryTest
{
  protected:
    /// @return the most frames under way, where one stays lost until a timeout.
    uint32_t Measure()
    {
        std::vector<std::pair<Tick, uint32_t>> starts;
        std::vector<std::pair<Tick, uint32_t>> acks;
        tamper[1].lose = [&, lost = 0](Frame& f, Tick) mutable {
            starts.emplace_back(f.sentAt, f.psn);
            return f.psn == 100 && lost++ < 2;
        };
        tamper[0].lose = [&](Frame& f, Tick now) {
            acks.emplace_back(now, f.psn + (f.aeth >> 29 == kAethAck));
            return false;
        };
        RunFrames(200);
        return CountMost(starts, acks);
    }
};

TEST_F(Outstanding, IsABandwidthDelayProduct)
{
    // 2 us at 100 Gb/s are 5.98 frames of 4178 bytes.
    Recover("selective_repeat");
    EXPECT_EQ(Measure(), 6U);
}

TEST_F(Outstanding, IsWhatIsSet)
{
    Recover("selective_repeat", {{"MaxOutstandingFrames", "37"}});
    EXPECT_EQ(Measure(), 37U);
}

TEST_F(Outstanding, IsNoMoreThanTheReceiverKeeps)
{
    Recover("selective_repeat", {{"MaxOutstandingFrames", "37"}, {"ReorderFrames", "21"}});
    EXPECT_EQ(Measure(), 21U);
}

TEST_F(Outstanding, OfSprayedFlowsIsTheReorderBuffer)
{
    Recover("out_of_order", {{"ReorderFrames", "33"}});
    EXPECT_EQ(Measure(), 33U);
    EXPECT_LE(peer[0]->GetResponder().GetReorderPeak(), 32U);
}

TEST_F(LossRecoveryTest, EachEpisodeIsToldOnce)
{
    for (const char* id : {"selective_repeat", "out_of_order"})
    {
        g_losses = 0;
        control = CreateObject<LossCounter>();
        Recover(id,
                std::string(id) == "out_of_order"
                    ? test::AttributeTexts{}
                    : test::AttributeTexts{{"MaxOutstandingFrames", "40"}});
        // Three in one window, and one long after it.
        LoseData({10, 12, 13, 100});
        Restart();
        Write(200 * 4096);
        Run();
        EXPECT_EQ(g_losses, 2) << id;
        EXPECT_EQ(Sender().retransmittedBytes, 4 * 4096U) << id;
        EXPECT_EQ(Sender().timeouts, 0U) << id;
    }
}

TEST_F(LossRecoveryTest, OvertakingIsALossFromADistanceOn)
{
    const std::string distance = "7";
    for (const int by : {1, 6, 7, 8})
    {
        g_losses = 0;
        control = CreateObject<LossCounter>();
        Recover("out_of_order", {{"ReorderDistance", "0"}, {"MinReorderFrames", distance}});
        Restart();
        tamper[1].hold = [=, seen = false](Frame& f) mutable {
            return f.psn == 20 && !std::exchange(seen, true) ? by * Slot() + Slot() / 2 : 0;
        };
        Write(100 * 4096);
        Run();
        ASSERT_EQ(sent.size(), 1U);
        EXPECT_EQ(peer[0]->GetResponder().GetReorderPeak(), static_cast<uint32_t>(by));
        EXPECT_EQ(Sender().retransmittedBytes, by > 7 ? 4096U : 0U) << by;
        EXPECT_EQ(g_losses, by > 7 ? 1 : 0) << by;
    }
}

/// Kept frames whose turn comes when no receive is posted are asked for again.
class KeptSends : public LossRecoveryTest, public ::testing::WithParamInterface<const char*>
{
};

TEST_P(KeptSends, WaitForTheirReceives)
{
    Recover(GetParam());
    LoseData({1});
    Build();
    const ReceiveRequest room{1, 10000};
    ASSERT_EQ(peer[0]->PostReceive(room), Status::Ok);
    for (int i = 0; i < 4; ++i)
    {
        Send(8192, i);
    }
    Simulator::Schedule(MicroSeconds(500), [&] {
        EXPECT_EQ(received.size(), 1U);
        for (int i = 0; i < 3; ++i)
        {
            ASSERT_EQ(peer[0]->PostReceive(room), Status::Ok);
        }
    });
    Run();
    ASSERT_EQ(sent.size(), 4U);
    ASSERT_EQ(received.size(), 4U);
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_EQ(sent[i].completion.status, WcStatus::Success);
        EXPECT_EQ(sent[i].completion.wrId, static_cast<uint64_t>(i));
        EXPECT_EQ(received[i].completion.bytes, 8192U);
    }
    EXPECT_EQ(Receiver().deliveredBytes, 4 * 8192U);
    EXPECT_EQ(Sender().rnrNaksReceived, 1U);
}

INSTANTIATE_TEST_SUITE_P(Ways, KeptSends, ::testing::Values("selective_repeat", "out_of_order"));

/// Losses and overtaking of both directions: every byte arrives once, in order of the messages.
class Turmoil : public LossRecoveryTest,
                public ::testing::WithParamInterface<std::tuple<const char*, double, int>>
{
};

TEST_P(Turmoil, EveryByteArrivesOnce)
{
    const auto [id, p, seed] = GetParam();
    settings->retransmissionTimeout = MicroSeconds(50);
    Recover(id);
    RandomStream dice(11 + seed);
    for (auto& wire : tamper)
    {
        wire.lose = [&dice, p = p](Frame&, Tick) { return dice.Uniform() < p; };
        wire.hold = [&dice](Frame&) {
            return dice.Uniform() < 0.5 ? static_cast<Tick>(dice.Uniform() * 3e6) : 0;
        };
    }
    mtu = 1024;
    Restart(0xFFFFC0); // numbers wrap soon
    constexpr int kMessages = 300;
    uint64_t total = 0;
    for (int i = 0; i < kMessages; ++i)
    {
        const uint64_t bytes = i * 371 % 20000;
        total += bytes;
        if (i % 3 == 0)
        {
            ASSERT_EQ(peer[0]->PostReceive({static_cast<uint64_t>(i), 20000}), Status::Ok);
            Send(bytes, i);
        }
        else
        {
            Write(bytes, i);
        }
    }
    Run();
    ASSERT_EQ(sent.size(), kMessages + 0U);
    ASSERT_EQ(received.size(), kMessages / 3 + 0U);
    for (int i = 0; i < kMessages; ++i)
    {
        EXPECT_EQ(sent[i].completion.wrId, static_cast<uint64_t>(i));
        EXPECT_EQ(sent[i].completion.status, WcStatus::Success);
    }
    for (int i = 0; i < kMessages / 3; ++i)
    {
        EXPECT_EQ(received[i].completion.wrId, 3 * static_cast<uint64_t>(i));
        EXPECT_EQ(received[i].completion.bytes, 3 * i * 371U % 20000);
    }
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, total);
}

TEST_P(Turmoil, EveryAnswerArrivesOnce)
{
    const auto [id, p, seed] = GetParam();
    settings->retransmissionTimeout = MicroSeconds(50);
    Recover(id);
    RandomStream dice(111 + seed);
    for (auto& wire : tamper)
    {
        wire.lose = [&dice, p = p](Frame&, Tick) { return dice.Uniform() < p; };
        wire.hold = [&dice](Frame&) {
            return dice.Uniform() < 0.5 ? static_cast<Tick>(dice.Uniform() * 3e6) : 0;
        };
    }
    mtu = 1024;
    Restart(0xFFFFC0);
    constexpr int kMessages = 200;
    uint64_t written = 0;
    uint64_t read = 0;
    for (int i = 0; i < kMessages; ++i)
    {
        const bool reads = i % 2;
        const uint64_t bytes = i * 371 % 9000;
        (reads ? read : written) += bytes;
        ASSERT_EQ(
            qp[0]->PostSend(
                {static_cast<uint64_t>(i), bytes, reads ? WrOpcode::Read : WrOpcode::Write, true}),
            Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), kMessages + 0U);
    for (int i = 0; i < kMessages; ++i)
    {
        EXPECT_EQ(sent[i].completion.wrId, static_cast<uint64_t>(i));
        EXPECT_EQ(sent[i].completion.status, WcStatus::Success) << i;
    }
    EXPECT_EQ(nic[0].GetCounters().deliveredBytes, read);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, written);
}

INSTANTIATE_TEST_SUITE_P(
    Ways,
    Turmoil,
    ::testing::Combine(::testing::Values("go_back_n", "selective_repeat", "out_of_order"),
                       ::testing::Values(0.0, 0.01, 0.1),
                       ::testing::Range(0, 4)));

} // namespace
