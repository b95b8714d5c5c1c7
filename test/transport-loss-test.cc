// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/random-stream.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class TransportLoss : public test::Pair
{
  protected:
    /// Loses the given transmissions (from 0) of data frame psn on the way to the receiver.
    void LoseData(uint32_t psn, std::set<int> transmissions)
    {
        tamper[1].lose = [=, seen = 0](Frame& f, Tick) mutable {
            return f.psn == psn && f.op < Opcode::Acknowledge && transmissions.count(seen++);
        };
    }

    /// Loses the given answers (from 0) of that kind on the way back.
    void LoseAnswer(uint32_t kind, std::set<int> which)
    {
        tamper[0].lose = [=, seen = 0](Frame& f, Tick) mutable {
            return f.op == Opcode::Acknowledge && f.aeth >> 29 == kind && which.count(seen++);
        };
    }

    /// One WRITE of ten full frames went through, and only once.
    void ExpectDelivered()
    {
        ASSERT_EQ(sent.size(), 1U);
        EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
        EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 40960U);
        EXPECT_EQ(nic[0].GetCounters().deliveredBytes, 0U);
    }

    /// When a flow of ten frames ends without losses.
    Tick Ideal() const
    {
        return (10 * 4178 + 16 + 86) * 80 + 2 * kDelay;
    }
};

TEST_F(TransportLoss, LostFrameIsAskedForOnce)
{
    LoseData(4, {0});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(nic[1].GetCounters().naksSent, 1U);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 0U);
    // Frame 5 raises the NAK; it arrives when all ten have left, so 4 to 9 are sent twice.
    EXPECT_EQ(nic[0].GetCounters().retransmittedBytes, 6 * 4096U);
    const Tick nakAt = (6 * 4178 + 16 + 86) * 80 + 2 * kDelay;
    EXPECT_EQ(sent[0].at, nakAt + (6 * 4178 + 86) * 80 + 2 * kDelay);
}

TEST_F(TransportLoss, LastFrameLostEndsByTimeout)
{
    LoseData(9, {0});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(nic[0].GetCounters().timeouts, 1U);
    EXPECT_EQ(nic[0].GetCounters().retransmittedBytes, 4096U);
    // The timer was restarted by the ACK of frame 8.
    const Tick lastAck = Ideal() - 4178 * 80;
    EXPECT_EQ(sent[0].at, lastAck + 100 * kMicrosecond + (4178 + 86) * 80 + 2 * kDelay);
}

TEST_F(TransportLoss, LastAcknowledgementLostIsRepeated)
{
    LoseAnswer(kAethAck, {9});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(nic[0].GetCounters().timeouts, 1U);
    EXPECT_EQ(nic[1].GetCounters().duplicateFrames, 1U);
}

TEST_F(TransportLoss, OtherAcknowledgementsLostDoNoHarm)
{
    LoseAnswer(kAethAck, {0, 1, 2, 5, 8});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(sent[0].at, Ideal());
    EXPECT_EQ(nic[0].GetCounters().retransmittedBytes, 0U);
}

TEST_F(TransportLoss, NakLostEndsByTimeout)
{
    LoseData(4, {0});
    LoseAnswer(kAethNak, {0});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(nic[1].GetCounters().naksSent, 1U);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 1U);
}

TEST_F(TransportLoss, RetransmissionLostEndsByTimeout)
{
    LoseData(4, {0, 1});
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
    EXPECT_EQ(nic[1].GetCounters().naksSent, 1U);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 1U);
}

// IBA vol. 1, 9.7.6.1.3: code 8 is 4.096 us * 2^8; with 3 retries the fourth timeout is the end. The
// other messages are flushed in order.
TEST_F(TransportLoss, BlackHoleEndsWithRetryExceeded)
{
    settings->retransmissionTimeout = NanoSeconds(1048576);
    settings->retryCount = 3;
    tamper[1].lose = [](Frame&, Tick) { return true; };
    Build();
    for (int i = 0; i < 5; ++i)
    {
        Write(5000, i);
    }
    Run();
    ASSERT_EQ(sent.size(), 5U);
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_EQ(sent[i].at, 4 * 1048576 * kNanosecond);
        EXPECT_EQ(sent[i].completion.wrId, static_cast<uint64_t>(i));
        EXPECT_EQ(sent[i].completion.status,
                  i == 0 ? WcStatus::RetryExceeded : WcStatus::WrFlushError);
    }
    EXPECT_EQ(qp[0]->GetState(), QpState::Err);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 4U);
    Write(1, 77);
    ASSERT_EQ(sent.size(), 6U);
    EXPECT_EQ(sent[5].completion.status, WcStatus::WrFlushError);
}

TEST_F(TransportLoss, ProgressReloadsTheRetries)
{
    settings->retryCount = 2;
    // Each frame is lost twice, one after the other: two failures in a row, 20 in all.
    std::map<uint32_t, int> seen;
    tamper[1].lose = [&seen](Frame& f, Tick) { return seen[f.psn]++ < 2; };
    Build();
    Write(40960);
    Run();
    ExpectDelivered();
}

TEST_F(TransportLoss, NothingAnswersWithoutTimeoutEither)
{
    settings->retransmissionTimeout = Time(0);
    LoseData(9, {0});
    Build();
    Write(40960);
    Run();
    EXPECT_TRUE(sent.empty());
    ASSERT_EQ(qp[0]->Modify(QpState::Err), Status::Ok);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::WrFlushError);
}

/// Loss of both directions with probability p: every byte arrives once, or the retries are spent.
class TransportRandomLoss : public TransportLoss, public ::testing::WithParamInterface<double>
{
};

TEST_P(TransportRandomLoss, EveryByteArrivesOnce)
{
    const double p = GetParam();
    RandomStream dice(7);
    auto lose = [&dice, p](Frame&, Tick) { return dice.Uniform() < p; };
    tamper[0].lose = lose;
    tamper[1].lose = lose;
    Build();
    constexpr int kMessages = 200;
    uint64_t total = 0;
    for (int i = 0; i < kMessages; ++i)
    {
        const uint64_t bytes = i * 371 % 20000;
        total += bytes;
        Write(bytes, i);
    }
    Run();
    ASSERT_EQ(sent.size(), kMessages + 0U);
    uint64_t succeeded = 0;
    bool failed = false;
    for (int i = 0; i < kMessages; ++i)
    {
        const WorkCompletion& c = sent[i].completion;
        EXPECT_EQ(c.wrId, static_cast<uint64_t>(i));
        if (c.status == WcStatus::Success)
        {
            EXPECT_FALSE(failed);
            succeeded += c.bytes;
        }
        else
        {
            EXPECT_EQ(c.status, failed ? WcStatus::WrFlushError : WcStatus::RetryExceeded);
            failed = true;
        }
    }
    const uint64_t delivered = nic[1].GetCounters().deliveredBytes;
    if (failed)
    {
        EXPECT_GE(delivered, succeeded);
        EXPECT_LT(delivered, total);
    }
    else
    {
        EXPECT_EQ(delivered, total);
    }
    // Below a tenth, eight failures in a row have a probability of less than 1e-4 for all frames.
    EXPECT_TRUE(p > 0.1 || !failed);
}

INSTANTIATE_TEST_SUITE_P(Losses, TransportRandomLoss, ::testing::Values(0.01, 0.05, 0.1, 0.3, 0.5));

} // namespace
