// SPDX-License-Identifier: GPL-2.0-only
// What a receiver answers to a frame that has lost its payload, and what its sender makes of it.
#include "recovery-pair.h"

#include "ns3/frame-codec.h"
#include "ns3/hop-log.h"
#include "ns3/trimmed-frames.h"

#include <map>
#include <vector>

namespace ns3::aifabric::test
{
namespace
{

constexpr uint32_t kFrames = 10;
constexpr uint64_t kBytes = kFrames * 4096;

std::vector<LossKind> g_kinds;
uint32_t g_acknowledgements;

struct NoState
{
};

/// Notes what it is told.
class LossNoter : public CongestionControlFor<LossNoter, NoState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::test::LossNoter")
                                .SetParent<Object>()
                                .AddConstructor<LossNoter>();
        return tid;
    }

    void OnBegin(FlowView&, NoState&) const
    {
    }

    void OnAck(FlowView&, NoState&, const AckEvent&) const
    {
        ++g_acknowledgements;
    }

    void OnLoss(FlowView&, NoState&, Tick, LossKind kind) const
    {
        g_kinds.push_back(kind);
    }
};

/// Cuts the payload off, as a switch does.
void
Trim(Frame& f)
{
    f.bytes = std::max(f.bytes - f.payload, 64U);
    f.payload = 0;
    f.flags |= kTrimmed;
}

class TrimmedFramesTest : public RecoveryPair
{
  protected:
    /// Trims the given transmissions of some data frames.
    void TrimData(std::set<uint32_t> psns, std::set<int> transmissions = {0})
    {
        tamper[1].lose = [=, seen = std::map<uint32_t, int>()](Frame& f, Tick) mutable {
            if (IsData(f) && psns.count(f.psn) && transmissions.count(seen[f.psn]++))
            {
                Trim(f);
            }
            return false;
        };
    }

    /// Lets one WRITE of ten full frames go through. @return how long it took.
    Tick RunFrames()
    {
        g_kinds.clear();
        g_acknowledgements = 0;
        control = CreateObject<LossNoter>();
        Restart();
        const Tick begin = Simulator::Now().GetTimeStep();
        Write(kBytes);
        Run();
        EXPECT_EQ(sent.size(), 1U);
        EXPECT_EQ(sent.at(0).completion.status, WcStatus::Success);
        EXPECT_EQ(Receiver().deliveredBytes, kBytes);
        EXPECT_EQ(Sender().timeouts, 0U);
        return sent.at(0).at - begin;
    }

    const QueuePairCounters& Sender() const
    {
        return qp[0]->GetCounters();
    }

    const QueuePairCounters& Receiver() const
    {
        return peer[0]->GetCounters();
    }

    /// @return when the answer to a frame that ends then is at its sender.
    Tick AnswerTo(Tick end, uint32_t bytes) const
    {
        return end + 2 * delay + WireTime(bytes);
    }

    /// @return when all frames up to that one, which included, have left.
    Tick EndOf(uint32_t psn) const
    {
        const bool everyone = profile->addressesEveryFrame;
        return (psn + 1) * Slot() + (everyone ? 0 : 16 * 80);
    }
};

/// Each frame of a short flow, by each way.
class SingleTrim : public TrimmedFramesTest,
                   public ::testing::WithParamInterface<std::tuple<const char*, uint32_t>>
{
};

} // namespace

// Nobody waits for a timer, not even for that of the last frame.
TEST_P(SingleTrim, IsSentAgainAtOnce)
{
    const auto [id, psn] = GetParam();
    const bool goesBack = std::string(id) == "go_back_n";
    Recover(id,
            goesBack || id[0] == 'o' ? AttributeTexts()
                                     : AttributeTexts{{"MaxOutstandingFrames", "100"}});
    TrimData({psn});
    const Tick took = RunFrames();
    EXPECT_EQ(Receiver().duplicateFrames, 0U);
    EXPECT_EQ(Sender().naksReceived, Receiver().naksSent);
    if (goesBack)
    {
        EXPECT_EQ(Receiver().naksSent, 1U);
        EXPECT_GE(Sender().retransmittedBytes, 4096U);
        EXPECT_EQ(g_kinds, std::vector<LossKind>{LossKind::Nak});
        return;
    }
    EXPECT_EQ(Sender().retransmittedBytes, 4096U);
    EXPECT_EQ(g_kinds, std::vector<LossKind>{LossKind::Trimmed});
    // Its NACK is longer by the number that it names. The frame goes on at once, or when the one on the
    // wire has left, and its acknowledgement or that of the last frame ends it all.
    const Tick nack = AnswerTo(EndOf(psn), 66 + 4);
    Tick start = nack;
    for (uint32_t i = 0; i < kFrames; ++i)
    {
        start = EndOf(i) - Slot() < nack && nack < EndOf(i) ? EndOf(i) : start;
    }
    const Tick again = start + Slot() + (psn == 0 && id[0] == 's' ? 16 * 80 : 0);
    const Tick others = EndOf(kFrames - 1) + (nack < EndOf(kFrames - 1) ? again - start : 0);
    EXPECT_EQ(took, AnswerTo(std::max(again, others), 66));
}

INSTANTIATE_TEST_SUITE_P(
    Everywhere,
    SingleTrim,
    ::testing::Combine(::testing::Values("go_back_n", "selective_repeat", "out_of_order"),
                       ::testing::Range(0U, kFrames)));

TEST_F(TrimmedFramesTest, EachTransmissionIsToldOf)
{
    for (const char* id : {"selective_repeat", "out_of_order", "go_back_n"})
    {
        SCOPED_TRACE(id);
        Recover(id);
        TrimData({4}, {0, 1, 2});
        RunFrames();
        EXPECT_EQ(Receiver().naksSent >= 3, true);
        if (std::string(id) != "go_back_n")
        {
            EXPECT_EQ(Sender().retransmittedBytes, 3 * 4096U);
            EXPECT_EQ(g_kinds, std::vector<LossKind>(3, LossKind::Trimmed));
        }
    }
}

TEST_F(TrimmedFramesTest, AllAreTrimmed)
{
    for (const char* id : {"selective_repeat", "out_of_order"})
    {
        SCOPED_TRACE(id);
        Recover(id);
        TrimData({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        RunFrames();
        EXPECT_EQ(Sender().retransmittedBytes, kBytes);
        EXPECT_EQ(Receiver().naksSent, 10U);
        EXPECT_EQ(g_kinds, std::vector<LossKind>(10, LossKind::Trimmed));
    }
}

// The one is told of, the other found out: each is sent once more.
TEST_F(TrimmedFramesTest, LossesBesides)
{
    for (const uint32_t lost : {3U, 5U})
    {
        Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
        tamper[1].lose = [lost, seen = std::map<uint32_t, int>()](Frame& f, Tick) mutable {
            const bool first = IsData(f) && seen[f.psn]++ == 0;
            if (first && f.psn == 4)
            {
                Trim(f);
            }
            return first && f.psn == lost;
        };
        RunFrames();
        EXPECT_EQ(Sender().retransmittedBytes, 2 * 4096U) << lost;
        EXPECT_EQ(std::count(g_kinds.begin(), g_kinds.end(), LossKind::Trimmed), 1);
        EXPECT_EQ(std::count(g_kinds.begin(), g_kinds.end(), LossKind::Nak), 1);
    }
}

// A NACK is no acknowledgement: what it names has not arrived.
TEST_F(TrimmedFramesTest, NacksAreNoAcknowledgements)
{
    Recover("out_of_order");
    TrimData({2, 6});
    RunFrames();
    // 0 and 1, the six that come out of order, and one for each gap that closes.
    EXPECT_EQ(g_acknowledgements, 10U);
}

// The copy of a frame that has arrived: an acknowledgement says so.
TEST_F(TrimmedFramesTest, WhatIsHereIsNotAskedFor)
{
    Recover("out_of_order");
    std::vector<Frame> answers;
    tamper[0].lose = [&](Frame& f, Tick) {
        answers.push_back(f);
        return false;
    };
    tamper[1].lose = [this, n = 0](Frame& f, Tick now) mutable {
        if (IsData(f) && f.psn == 3 && n++ == 0)
        {
            return true; // so that 4 and 5 are kept
        }
        if (IsData(f) && (f.psn == 1 || f.psn == 5))
        {
            Frame* copy = FramePool::Take();
            *copy = f;
            nic[1].Receive(copy, 0, now);
            Trim(f);
        }
        return false;
    };
    g_kinds.clear();
    control = CreateObject<LossNoter>();
    Restart();
    Write(kBytes);
    Run();
    ExpectDelivered(kBytes);
    EXPECT_TRUE(std::find(g_kinds.begin(), g_kinds.end(), LossKind::Trimmed) == g_kinds.end());
    EXPECT_EQ(Receiver().duplicateFrames >= 2, true);
    for (const Frame& f : answers)
    {
        EXPECT_FALSE(f.sack & kSackTrimmed);
    }
}

// Part of the answer to a READ: its requester sees for itself, and asks for that part again.
TEST_F(TrimmedFramesTest, AnswersOfReads)
{
    for (const char* id : {"selective_repeat", "out_of_order", "go_back_n"})
    {
        for (const uint32_t psn : {0U, 4U, 9U})
        {
            SCOPED_TRACE(std::string(id) + " " + std::to_string(psn));
            Recover(id);
            tamper[0].lose = [psn, n = 0](Frame& f, Tick) mutable {
                if (opcodes::Has(opcodes::kReadResponses, f.op) && f.psn == psn && n++ < 2)
                {
                    Trim(f);
                }
                return false;
            };
            Restart();
            EXPECT_EQ(qp[0]->PostSend({1, kBytes, WrOpcode::Read}), Status::Ok);
            Run();
            ASSERT_EQ(sent.size(), 1U);
            EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
            EXPECT_EQ(Sender().timeouts, 0U);
            EXPECT_EQ(Sender().answersLost, 2U);
            if (std::string(id) != "go_back_n")
            {
                EXPECT_EQ(Sender().deliveredBytes, kBytes);
                EXPECT_EQ(Receiver().duplicateFrames, 2U) << "requests for one frame each";
            }
        }
    }
}

// Who waits for a receive to be posted goes on waiting as long as he was told, whatever is trimmed.
TEST_F(TrimmedFramesTest, WhileNoReceiveIsPosted)
{
    settings->retransmissionTimeout = MilliSeconds(100);
    settings->minRnrTimer = 3; // 30 us
    for (const char* id : {"selective_repeat", "out_of_order"})
    {
        SCOPED_TRACE(id);
        Recover(id);
        TrimData({1});
        Restart();
        const Tick begin = Simulator::Now().GetTimeStep();
        Simulator::Schedule(MicroSeconds(20), [this] {
            EXPECT_EQ(peer[0]->PostReceive({5, kBytes}), Status::Ok);
        });
        Send(kBytes);
        Run();
        ASSERT_EQ(sent.size(), 1U);
        EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
        EXPECT_EQ(Sender().timeouts, 0U);
        EXPECT_LT(sent[0].at - begin, 50 * kMicrosecond);
    }
}

// A trimmed frame and its NACK as bytes.
TEST(TrimmedBytes, ThereAndBack)
{
    for (const uint32_t bytes : {64U, 78U, 128U})
    {
        Frame f{};
        f.op = bytes == 64 ? Opcode::WriteMiddle : Opcode::WriteFirst;
        f.bytes = bytes;
        f.length = bytes == 64 ? 0 : 8192;
        f.psn = 5;
        f.flow = 6;
        f.priority = 6;
        f.flags = kEct | kAckReq | kTrimmed;
        const std::vector<uint8_t> wire = FrameCodec().Encode(f);
        EXPECT_EQ(wire.size(), bytes);
        std::string why;
        Frame* back = FrameCodec::Decode(wire.data(), wire.size(), why);
        ASSERT_TRUE(back) << why;
        EXPECT_EQ(back->op, f.op);
        EXPECT_EQ(back->flags, f.flags);
        EXPECT_EQ(back->payload, 0U);
        EXPECT_EQ(back->psn, 5U);
        EXPECT_EQ(back->length, f.length);
        FramePool::Discard(back);
    }
    Frame nack{};
    nack.op = Opcode::Acknowledge;
    nack.bytes = 70;
    nack.aeth = 0x60000001;
    nack.psn = 9;
    nack.sack = kSacks | kSackTrimmed | 12;
    const std::vector<uint8_t> wire = FrameCodec().Encode(nack);
    EXPECT_EQ(wire.size(), 70U);
    std::string why;
    Frame* back = FrameCodec::Decode(wire.data(), wire.size(), why);
    ASSERT_TRUE(back) << why;
    EXPECT_EQ(back->sack, nack.sack);
    FramePool::Discard(back);
}

TEST(TrimmedFrames, RingOfNumbers)
{
    TrimmedFrames frames(100);
    constexpr uint64_t kNone = ~0ULL;
    EXPECT_EQ(frames.FindWaiting(0, kNone), kNone);
    EXPECT_TRUE(frames.Add(70));
    EXPECT_FALSE(frames.Add(70));
    EXPECT_TRUE(frames.Add(65));
    EXPECT_EQ(frames.CountWaiting(), 2U);
    EXPECT_EQ(frames.FindWaiting(0, kNone), 65U);
    EXPECT_TRUE(frames.NoteResent(65));
    EXPECT_FALSE(frames.NoteResent(65));
    EXPECT_TRUE(frames.Has(65));
    EXPECT_FALSE(frames.Has(66));
    EXPECT_EQ(frames.FindWaiting(0, kNone), 70U);
    EXPECT_TRUE(frames.Add(65)) << "trimmed again";
    EXPECT_EQ(frames.FindWaiting(0, kNone), 65U);
    frames.Forget(60, 70);
    EXPECT_EQ(frames.CountWaiting(), 1U);
    EXPECT_FALSE(frames.Has(65));
    frames.Forget(70, 1000);
    EXPECT_EQ(frames.CountWaiting(), 0U);
    // 128 later the same bits are those of other frames.
    EXPECT_FALSE(frames.Has(70 + 128));
    EXPECT_TRUE(frames.Add(70 + 128));
    EXPECT_EQ(frames.FindWaiting(150, kNone), 198U);
}

} // namespace ns3::aifabric::test
