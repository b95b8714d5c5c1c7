// SPDX-License-Identifier: GPL-2.0-only
// Answers of READs and atomics that overtake each other, or are lost.
#include "keyed-pair.h"
#include "recovery-pair.h"

#include "ns3/random-stream.h"

#include <cstring>
#include <utility>

namespace ns3::aifabric::test
{
namespace
{

constexpr Tick kAeth = 4 * 80; // at 100 Gb/s

bool
IsAnswer(const Frame& f)
{
    return opcodes::Has(opcodes::kReadResponses, f.op) || f.op == Opcode::AtomicAcknowledge;
}

/// The first host reads from the second.
class EarlyAnswers : public RecoveryPair
{
  protected:
    /// @param frames of the answer. @return how long it took.
    Tick Read(uint64_t frames)
    {
        const Tick begin = Simulator::Now().GetTimeStep();
        EXPECT_EQ(qp[0]->PostSend({1, frames * mtu, WrOpcode::Read}), Status::Ok);
        Run();
        EXPECT_EQ(sent.size(), 1U);
        EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
        EXPECT_EQ(Reader().timeouts, 0U);
        return sent[0].at - begin;
    }

    const QueuePairCounters& Reader() const
    {
        return qp[0]->GetCounters();
    }

    /// @return requests that the peer had seen before.
    uint64_t CountAgain() const
    {
        return peer[0]->GetCounters().duplicateFrames;
    }

    /// @return how long a full frame of an answer takes, without AETH.
    Tick AnswerSlot() const
    {
        return WireTime(62 + mtu);
    }

    Tick RequestTime() const
    {
        return WireTime(62 + 16);
    }

    /// Every other answer comes by a path that is longer by so much.
    void HoldUpHalf(Tick longer)
    {
        tamper[0].hold = [longer, n = 0](Frame& f) mutable {
            return IsAnswer(f) && n++ % 2 ? longer : 0;
        };
    }

    /// Loses the first transmission of that answer.
    void LoseAnswer(uint32_t psn)
    {
        tamper[0].lose = [psn, lost = false](Frame& f, Tick) mutable {
            return IsAnswer(f) && f.psn == psn && !std::exchange(lost, true);
        };
    }
};

// Placed as they come: the answer takes the time of its frames, a round trip, and the delay of the
// longer path, which the last one takes.
TEST_F(EarlyAnswers, PlacementOutOfOrderDoesNotNotice)
{
    constexpr uint64_t kFrames = 20000;
    delay = 10 * kMicrosecond;
    Recover("out_of_order");
    for (const double slots : {0.5, 1.5, 5.5, 20.5, 60.5})
    {
        Restart();
        const auto longer = static_cast<Tick>(slots * AnswerSlot());
        HoldUpHalf(longer);
        EXPECT_EQ(Read(kFrames),
                  RequestTime() + 2 * delay + kFrames * AnswerSlot() + 2 * kAeth + longer)
            << slots;
        EXPECT_EQ(CountAgain(), 0U);
        EXPECT_EQ(Reader().answersLost, 0U);
    }
}

// Each answer of the slower path is overtaken, taken for lost and given again, as it is with frames of
// a WRITE: two or three new ones of three or four get through, and the timer never has to tell.
TEST_F(EarlyAnswers, SelectiveRepeatIsGivenTheSlowHalfTwice)
{
    constexpr uint64_t kFrames = 20000;
    delay = 10 * kMicrosecond;
    Recover("selective_repeat");
    for (const double slots : {1.5, 20.5})
    {
        Restart();
        HoldUpHalf(static_cast<Tick>(slots * AnswerSlot()));
        const double share = 1.0 * kFrames * AnswerSlot() / Read(kFrames);
        EXPECT_GT(share, 2.0 / 3 - 0.005) << slots;
        EXPECT_LT(share, 3.0 / 4 + 0.005) << slots;
        EXPECT_NEAR(share, kFrames / (kFrames + 1.0 * CountAgain()), 0.005) << slots;
    }
}

// A frame that is missing is asked for as soon as that is known, and given before the others: the
// answer is longer by one frame, which has an AETH, as the first and the last one have.
TEST_F(EarlyAnswers, OneIsGivenAgainBeforeTheOthers)
{
    for (const char* id : {"selective_repeat", "out_of_order"})
    {
        Recover(id);
        for (const uint32_t psn : {0U, 1U, 40U, 79U})
        {
            Restart();
            LoseAnswer(psn);
            EXPECT_EQ(Read(100), RequestTime() + 2 * delay + 101 * AnswerSlot() + 3 * kAeth)
                << id << " " << psn;
            EXPECT_EQ(CountAgain(), 1U);
            EXPECT_EQ(Reader().answersLost, 1U);
        }
    }
}

// The next one tells (IBA vol. 1, 9.7.5.1.1: implied NAK), and all from the missing one on are read
// again, as soon as the responder has ended the frame that it is sending.
TEST_F(EarlyAnswers, GoBackNReadsAgainAtOnce)
{
    for (const uint32_t psn : {1U, 40U, 98U})
    {
        Restart();
        LoseAnswer(psn);
        const Tick first = RequestTime() + delay;
        const Tick told =
            first + kAeth + (psn + 2) * AnswerSlot() + (psn == 98 ? kAeth : 0) + delay;
        const Tick asked = told + RequestTime() + delay;
        const Tick sending = first + kAeth;
        const Tick slots = (asked - sending + AnswerSlot() - 1) / AnswerSlot();
        const Tick again = psn == 98 ? asked : sending + slots * AnswerSlot();
        EXPECT_EQ(Read(100), again + (100 - psn) * AnswerSlot() + 2 * kAeth + delay) << psn;
        EXPECT_EQ(Reader().answersLost, 1U);
        EXPECT_EQ(CountAgain(), 1U);
    }
}

// What follows a READ is acknowledged behind its answer: the acknowledgement tells of a lost last
// frame.
TEST_F(EarlyAnswers, AnAcknowledgementTellsOfALostTail)
{
    Recover("selective_repeat", {{"MaxOutstandingFrames", "100"}});
    Build();
    LoseAnswer(9);
    ASSERT_EQ(qp[0]->PostSend({1, 10 * 4096, WrOpcode::Read}), Status::Ok);
    ASSERT_EQ(qp[0]->PostSend({2, 10, WrOpcode::Write}), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(Reader().timeouts, 0U);
    EXPECT_EQ(Reader().answersLost, 1U);
    // The acknowledgement leaves behind ten frames; then one goes to and fro.
    EXPECT_EQ(sent[0].at,
              RequestTime() + delay + 10 * AnswerSlot() + 2 * kAeth + WireTime(66) + delay +
                  RequestTime() + delay + AnswerSlot() + kAeth + delay);
    EXPECT_EQ(sent[1].at, sent[0].at);
}

/// READs, atomics and WRITEs whose frames take paths of lengths that differ by up to 2 us.
TEST_F(EarlyAnswers, WhereNothingIsLostNothingIsAskedTwice)
{
    for (const int seed : {1, 2, 3})
    {
        // The request of a READ is one frame and takes the numbers of many: others overtake by more
        // numbers than frames.
        mtu = 1024;
        Recover("out_of_order", {{"MinReorderFrames", "400"}});
        RandomStream dice(seed);
        for (auto& wire : tamper)
        {
            wire.hold = [&dice](Frame&) { return static_cast<Tick>(dice.Uniform() * 2e6); };
        }
        Restart(0xFFFFC0);
        uint64_t read = 0;
        for (uint64_t i = 0; i < 300; ++i)
        {
            const WrOpcode opcode = i % 5 == 4 ? WrOpcode::FetchAdd
                                    : i % 2    ? WrOpcode::Read
                                               : WrOpcode::Write;
            const uint64_t bytes = opcode == WrOpcode::FetchAdd ? 8 : i * 371 % 9000;
            read += opcode == WrOpcode::Read ? bytes : 0;
            ASSERT_EQ(qp[0]->PostSend({i, bytes, opcode}), Status::Ok);
        }
        const uint64_t before = nic[0].GetCounters().deliveredBytes;
        Run();
        ASSERT_EQ(sent.size(), 300U);
        for (uint64_t i = 0; i < 300; ++i)
        {
            EXPECT_EQ(sent[i].completion.wrId, i);
            EXPECT_EQ(sent[i].completion.status, WcStatus::Success);
        }
        EXPECT_EQ(nic[0].GetCounters().deliveredBytes - before, read);
        EXPECT_EQ(CountAgain(), 0U);
        EXPECT_EQ(Reader().timeouts, 0U);
    }
}

class EarlyBytes : public KeyedPair, public ::testing::WithParamInterface<const char*>
{
  protected:
    void MakeWith()
    {
        recovery = MakePlugin<LossRecovery>(GetParam());
        Make();
        for (std::size_t i = 0; i < sizeof(memory[1]); ++i)
        {
            memory[1][i] = static_cast<unsigned char>(i * 7 / 5);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Ways,
                         EarlyBytes,
                         ::testing::Values("go_back_n", "selective_repeat", "out_of_order"));

// Whichever frame is lost, the first that brings the others' bytes too, all bytes are there.
TEST_P(EarlyBytes, AreWhereTheyBelong)
{
    MakeWith();
    for (uint32_t lost = 0; lost < 16; ++lost)
    {
        std::memset(memory[0], 0, sizeof(memory[0]));
        tamper[0].lose = [first = uint32_t{16} * lost, lost, done = false](Frame& f, Tick) mutable {
            return IsAnswer(f) && f.psn == first + lost && !std::exchange(done, true);
        };
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 65536)), Status::Ok);
        Run();
        ASSERT_EQ(sent.size(), lost + 1);
        EXPECT_EQ(sent[lost].completion.status, WcStatus::Success);
        EXPECT_EQ(std::memcmp(memory[0], memory[1], 65536), 0) << lost;
    }
}

// The answer of an atomic overtakes the last frame of a READ: it is done once, and ends behind it.
TEST_P(EarlyBytes, AnAtomicThatOvertakesIsDoneOnce)
{
    MakeWith();
    tamper[0].hold = [](Frame& f) {
        return f.op == Opcode::ReadResponseLast ? 3 * kMicrosecond : 0;
    };
    std::memset(memory[1], 0, 8);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 10000, 1)), Status::Ok);
    WorkRequest add = Request(WrOpcode::FetchAdd, 8, 2);
    add.address += 16384;
    add.compareAdd = 5;
    ASSERT_EQ(end[0]->PostSend(add), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    uint64_t values[2];
    std::memcpy(&values[0], memory[0] + 16384, 8);
    std::memcpy(&values[1], memory[1], 8);
    EXPECT_EQ(values[0], 0U);
    EXPECT_EQ(values[1], 5U);
    EXPECT_EQ(end[0]->GetCounters().timeouts, 0U);
    EXPECT_EQ(sent[0].completion.wrId, 1U);
    EXPECT_EQ(sent[1].completion.wrId, 2U);
}

} // namespace
} // namespace ns3::aifabric::test
