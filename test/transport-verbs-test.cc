// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class TransportVerbs : public test::Pair
{
};

TEST_F(TransportVerbs, PostingNeedsTheRightState)
{
    Build();
    QueuePair& q = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
    EXPECT_EQ(q.PostSend({1, 1, WrOpcode::Write, true}), Status::WrongState);
    EXPECT_EQ(q.PostReceive({1, 1}), Status::WrongState);
    EXPECT_EQ(q.Modify(QpState::Rts), Status::IllegalTransition);
    QueuePairAttributes init;
    init.state = QpState::Init;
    EXPECT_EQ(q.Modify(init, kQpState | kQpPkeyIndex | kQpPort | kQpAccessFlags), Status::Ok);
    EXPECT_EQ(q.PostReceive({1, 1}), Status::Ok);
    EXPECT_EQ(q.PostSend({1, 1, WrOpcode::Write, true}), Status::WrongState);
    EXPECT_EQ(q.Modify(QpState::Err), Status::Ok);
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(q.Modify(QpState::Init), Status::IllegalTransition);
    EXPECT_EQ(q.Modify(QpState::Reset), Status::Ok);
    EXPECT_EQ(qp[0]->PostSend({1, kMaxMessageBytes + 1, WrOpcode::Write, true}),
              Status::InvalidLength);
    EXPECT_EQ(qp[0]->Connect({}, 2), Status::WrongState);
    EXPECT_TRUE(sent.empty());
}

TEST_F(TransportVerbs, CompletionsComeInOrderAndOnlyWhenAsked)
{
    Build();
    for (uint64_t i = 0; i < 10; ++i)
    {
        ASSERT_EQ(qp[0]->PostSend({i, i * 1000, WrOpcode::Write, i % 3 == 0}), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 4U);
    for (uint64_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(sent[i].completion.wrId, 3 * i);
        EXPECT_EQ(sent[i].completion.bytes, 3000 * i);
        EXPECT_EQ(sent[i].completion.opcode, WcOpcode::Write);
    }
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 45000U);
}

// 24-bit numbers wrap: 64 frames from 0xFFFFF0, without a NAK.
TEST_F(TransportVerbs, SequenceNumbersWrap)
{
    Build();
    Connect(0xFFFFF0);
    Write(64 * 4096, 0, 1);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(nic[1].GetCounters().naksSent, 0U);
    EXPECT_EQ(peer[1]->GetCounters().deliveredBytes, 64 * 4096U);
}

TEST_F(TransportVerbs, SequenceNumbersWrapUnderLosses)
{
    int count = 0;
    tamper[1].lose = [&count](Frame&, Tick) { return ++count % 17 == 0; };
    Build();
    Connect(0xFFFFF0);
    Write(64 * 4096, 0, 1);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(peer[1]->GetCounters().deliveredBytes, 64 * 4096U);
}

TEST_F(TransportVerbs, OpcodesAndLengthsOfAMessage)
{
    std::vector<std::pair<Opcode, uint32_t>> seen;
    tamper[1].lose = [&seen](Frame& f, Tick) {
        seen.emplace_back(f.op, f.bytes);
        return false;
    };
    Build();
    ASSERT_EQ(peer[0]->PostReceive({1}), Status::Ok);
    ASSERT_EQ(peer[0]->PostReceive({2}), Status::Ok);
    Write(3 * 4096);
    Write(4097);
    Write(4096);
    Send(8193);
    Send(0);
    Run();
    const std::vector<std::pair<Opcode, uint32_t>> expected{{Opcode::WriteFirst, 4096 + 78},
                                                            {Opcode::WriteMiddle, 4096 + 62},
                                                            {Opcode::WriteLast, 4096 + 62},
                                                            {Opcode::WriteFirst, 4096 + 78},
                                                            {Opcode::WriteLast, 4 + 62},
                                                            {Opcode::WriteOnly, 4096 + 78},
                                                            {Opcode::SendFirst, 4096 + 62},
                                                            {Opcode::SendMiddle, 4096 + 62},
                                                            {Opcode::SendLast, 4 + 62},
                                                            {Opcode::SendOnly, 64}};
    EXPECT_EQ(seen, expected);
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].completion.wrId, 1U);
    EXPECT_EQ(received[0].completion.bytes, 8193U);
    EXPECT_EQ(received[1].completion.bytes, 0U);
    EXPECT_EQ(sent.size(), 5U);
}

// The longest message has 2^31 B, in frames of a jumbo 64 KiB here to be quick: 32768 of them.
TEST_F(TransportVerbs, LongestMessage)
{
    mtu = 65536;
    Build();
    Write(kMaxMessageBytes);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.bytes, 1U << 31);
    EXPECT_EQ(nic[0].GetCounters().dataFramesSent, 32768U);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 1ULL << 31);
}

// Code 12 is 0.64 ms (IBA vol. 1, table 45); two retries, so the third RNR NAK is the end.
TEST_F(TransportVerbs, SendWithoutReceiveEnds)
{
    settings->rnrRetryCount = 2;
    settings->minRnrTimer = 12;
    Build();
    Send(100, 5);
    Write(100, 6);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::RnrRetryExceeded);
    EXPECT_EQ(sent[0].completion.opcode, WcOpcode::Send);
    EXPECT_EQ(sent[1].completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(nic[0].GetCounters().rnrNaksReceived, 3U);
    const Tick turn = (62 + 100 + 20 + 86) * 80 + 2 * kDelay;
    EXPECT_EQ(sent[0].at, 2 * 640 * kMicrosecond + 3 * turn);
}

TEST_F(TransportVerbs, SendWaitsForTheReceive)
{
    Build();
    Send(10000, 5);
    Write(100, 6);
    Simulator::Schedule(MilliSeconds(3), [this] { peer[0]->PostReceive({9, 10000}); });
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.bytes, 10000U);
    // Asked at 0, 0.64, … ms: the sixth time is after 3 ms.
    EXPECT_EQ(nic[0].GetCounters().rnrNaksReceived, 5U);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 0U);
}

TEST_F(TransportVerbs, SendTooLongForTheReceiveEndsBothSides)
{
    Build();
    ASSERT_EQ(peer[0]->PostReceive({1, 5000}), Status::Ok);
    ASSERT_EQ(peer[0]->PostReceive({2, 5000}), Status::Ok);
    Send(10000, 5);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::RemoteInvalidRequest);
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].completion.status, WcStatus::LocalLengthError);
    EXPECT_EQ(received[1].completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(qp[0]->GetState(), QpState::Err);
    EXPECT_EQ(peer[0]->GetState(), QpState::Err);
}

TEST_F(TransportVerbs, AcknowledgementsAreCoalesced)
{
    settings->ackInterval = 16;
    Build();
    Write(100 * 4096);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    // Six of 16 frames, and the end of the message.
    EXPECT_EQ(port[1].GetCounters().frames, 7U);
    EXPECT_EQ(sent[0].at, (100 * 4178 + 16 + 86) * 80 + 2 * kDelay);
}

TEST_F(TransportVerbs, FramesForADestroyedQueuePairAreCounted)
{
    settings->retryCount = 1;
    Build();
    Connect();
    Write(40960, 0, 1);
    Simulator::Schedule(MicroSeconds(2), [this] { nic[1].DestroyQueuePair(*peer[1]); });
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::RetryExceeded);
    EXPECT_GT(nic[1].GetCounters().unknownQueuePair, 0U);
    const uint32_t last = peer[1]->GetNumber();
    EXPECT_EQ(nic[1].CreateQueuePair(0, profile, sendQueue, receiveQueue).GetNumber(), last + 1);
    EXPECT_EQ(nic[1].FindQueuePair(last), nullptr);
}

TEST_F(TransportVerbs, CallbackMayPostAndDestroy)
{
    Build();
    int left = 50;
    onSent = [&](const WorkCompletion& c) {
        if (--left > 0)
        {
            Write(5000, c.wrId + 1);
            return;
        }
        nic[0].DestroyQueuePair(*qp[0]);
        qp.clear();
    };
    Write(5000);
    Run();
    EXPECT_EQ(sent.size(), 50U);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 250000U);
    EXPECT_EQ(nic[0].GetCounters().dataFramesSent, 100U);
}

// What a callback posts after it has begun anew is none of what was being flushed.
TEST_F(TransportVerbs, CallbackOfAFlushMayResetAndBeginAnew)
{
    Build();
    Write(5000, 1);
    Write(5000, 2);
    ASSERT_EQ(qp[0]->PostReceive({7}), Status::Ok);
    int calls = 0;
    onSent = [&](const WorkCompletion&) {
        if (calls++ == 0)
        {
            peer[0]->Modify(QpState::Reset);
            qp[0]->Modify(QpState::Reset);
            qp[0]->Connect({11, -1, 0, 2 * delay}, peer[0]->GetNumber());
            peer[0]->Connect({10, -1, 0, 2 * delay}, qp[0]->GetNumber());
            Write(6000, 3);
            EXPECT_EQ(qp[0]->PostReceive({8}), Status::Ok);
        }
    };
    EXPECT_EQ(qp[0]->Modify(QpState::Err), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(sent[1].completion.wrId, 3U);
    EXPECT_EQ(sent[1].completion.status, WcStatus::Success);
    EXPECT_EQ(qp[0]->GetState(), QpState::Rts);
    EXPECT_TRUE(received.empty());
}

TEST_F(TransportVerbs, QueuePairsThatSignalAllDoSo)
{
    Build();
    QueuePairInit init;
    init.profile = profile;
    init.sendQueue = &sendQueue;
    init.receiveQueue = &receiveQueue;
    init.signalAll = true;
    QueuePair& q = nic[0].CreateQueuePair(init);
    ASSERT_EQ(q.Connect({11, -1, 0, 2 * delay}, peer[0]->GetNumber()), Status::Ok);
    peer[0]->Modify(QpState::Reset);
    ASSERT_EQ(peer[0]->Connect({10, -1, 0, 2 * delay}, q.GetNumber()), Status::Ok);
    ASSERT_EQ(q.PostSend({1, 100, WrOpcode::Write, false}), Status::Ok);
    Run();
    EXPECT_EQ(sent.size(), 1U);
}

// The verbs' codes of what a profile says: 4.096 us * 2^5 is the first from 100 us on.
TEST_F(TransportVerbs, QueryTellsWhatHolds)
{
    mtu = 1000;
    Build();
    const QueuePairAttributes a = qp[0]->Query();
    EXPECT_EQ(a.state, QpState::Rts);
    EXPECT_EQ(a.pathMtu, PathMtu::Bytes1024);
    EXPECT_EQ(a.timeout, 5);
    EXPECT_EQ(a.retryCount, settings->retryCount);
    EXPECT_EQ(a.addressVector.destination, 11U);
    EXPECT_EQ(a.destinationNumber, peer[0]->GetNumber());
    Write(2500);
    Run();
    EXPECT_EQ(qp[0]->Query().sendPsn, 3U);
    EXPECT_EQ(peer[0]->Query().receivePsn, 3U);
}

TEST_F(TransportVerbs, CallbackOfAFlushMayDestroyAndCreate)
{
    Build();
    Write(5000, 1);
    Write(5000, 2);
    onSent = [&](const WorkCompletion& c) {
        EXPECT_EQ(c.status, WcStatus::WrFlushError);
        if (!qp.empty())
        {
            nic[0].DestroyQueuePair(*qp[0]);
            qp.clear();
            nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        }
    };
    EXPECT_EQ(qp[0]->Modify(QpState::Err), Status::Ok);
    Run();
    // What a queue pair has not reported when it is destroyed is never reported.
    EXPECT_EQ(sent.size(), 1U);
}

} // namespace
