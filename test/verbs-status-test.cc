// SPDX-License-Identifier: GPL-2.0-only
#include "keyed-pair.h"

#include <cstring>

using namespace ns3;
using namespace ns3::aifabric;
using test::Events;

namespace
{

/// Each way that a work request can end.
class VerbsStatus : public test::KeyedPair
{
};

TEST_F(VerbsStatus, SuccessMovesTheBytes)
{
    Make();
    for (int i = 0; i < 30000; ++i)
    {
        memory[0][i] = static_cast<unsigned char>(i * 7 + 1);
        memory[1][i + 32768] = static_cast<unsigned char>(i * 5 + 2);
    }
    WorkRequest write = Request(WrOpcode::Write, 20000, 1);
    WorkRequest read = Request(WrOpcode::Read, 20000, 2);
    read.address += 32768;
    read.remoteAddress += 32768;
    ASSERT_EQ(end[0]->PostSend(write), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(read), Status::Ok);
    ReceiveRequest receive{7, 10000, region[1]->GetAddress() + 20000, region[1]->GetKey()};
    ASSERT_EQ(end[1]->PostReceive(receive), Status::Ok);
    WorkRequest send = Request(WrOpcode::SendWithImmediate, 9000, 3);
    send.immediate = 0xABCD;
    send.solicited = true;
    ASSERT_EQ(end[0]->PostSend(send), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 3U);
    for (const test::Ended& e : sent)
    {
        EXPECT_EQ(e.completion.status, WcStatus::Success);
    }
    EXPECT_EQ(sent[1].completion.opcode, WcOpcode::Read);
    EXPECT_EQ(std::memcmp(memory[0], memory[1], 20000), 0);
    EXPECT_EQ(std::memcmp(memory[0] + 32768, memory[1] + 32768, 20000), 0);
    EXPECT_EQ(std::memcmp(memory[0], memory[1] + 20000, 9000), 0);
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.wrId, 7U);
    EXPECT_EQ(received[0].completion.bytes, 9000U);
    EXPECT_TRUE(received[0].completion.hasImmediate);
    EXPECT_TRUE(received[0].completion.solicited);
    EXPECT_EQ(received[0].completion.immediate, 0xABCDU);
    EXPECT_EQ(end[0]->GetState(), QpState::Rts);
}

TEST_F(VerbsStatus, AtomicsReturnWhatWasThere)
{
    Make();
    uint64_t* word = reinterpret_cast<uint64_t*>(memory[1]);
    uint64_t* result = reinterpret_cast<uint64_t*>(memory[0]);
    *word = 40;
    WorkRequest add = Request(WrOpcode::FetchAdd, 8, 1);
    add.compareAdd = 2;
    WorkRequest swap = Request(WrOpcode::CompareSwap, 8, 2);
    swap.address += 8;
    swap.compareAdd = 42;
    swap.swap = 7;
    WorkRequest miss = swap;
    miss.address += 8;
    miss.wrId = 3;
    for (const WorkRequest& r : {add, swap, miss})
    {
        ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_EQ(sent[0].completion.opcode, WcOpcode::FetchAdd);
    EXPECT_EQ(sent[1].completion.opcode, WcOpcode::CompareSwap);
    EXPECT_EQ(result[0], 40U);
    EXPECT_EQ(result[1], 42U);
    EXPECT_EQ(result[2], 7U);
    EXPECT_EQ(*word, 7U);
}

TEST_F(VerbsStatus, LocalLengthError)
{
    Make();
    ASSERT_EQ(end[1]->PostReceive({7, 100, region[1]->GetAddress(), region[1]->GetKey()}),
              Status::Ok);
    ASSERT_EQ(end[1]->PostReceive({8, 100}), Status::Ok);
    ExpectFailure(Request(WrOpcode::Send, 101), WcStatus::RemoteInvalidRequest, QpState::Err);
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].completion.status, WcStatus::LocalLengthError);
    EXPECT_EQ(received[1].completion.status, WcStatus::WrFlushError);
}

TEST_F(VerbsStatus, LocalOperationErrorWhereNoReadMayBeUnderWay)
{
    readAtomic = 0;
    Make();
    ExpectFailure(Request(WrOpcode::Read, 100), WcStatus::LocalOperationError, QpState::Rts);
}

TEST_F(VerbsStatus, LocalProtectionError)
{
    Make();
    WorkRequest bad = Request(WrOpcode::Write, 100);
    bad.localKey += 1;
    ExpectFailure(bad, WcStatus::LocalProtectionError, QpState::Rts);
}

// What was posted before the bad one ends well, and first.
TEST_F(VerbsStatus, LocalProtectionErrorWaitsForWhatIsBefore)
{
    Make();
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 20000, 10)), Status::Ok);
    WorkRequest bad = Request(WrOpcode::Write, 100, 11);
    bad.address += sizeof(memory[0]);
    ASSERT_EQ(end[0]->PostSend(bad), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(sent[1].completion.status, WcStatus::LocalProtectionError);
}

TEST_F(VerbsStatus, ReceiveOfMemoryThatRefuses)
{
    Make();
    MemoryRegion* readOnly = domain[1]->Register(memory[1], 4096, 0);
    ASSERT_EQ(end[1]->PostReceive({7, 100, readOnly->GetAddress(), readOnly->GetKey()}),
              Status::Ok);
    ExpectFailure(Request(WrOpcode::Send, 100), WcStatus::RemoteOperationError, QpState::Err);
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.status, WcStatus::LocalProtectionError);
}

TEST_F(VerbsStatus, BadResponse)
{
    tamper[0].lose = [](Frame& f, Tick) {
        if (f.op == Opcode::ReadResponseOnly)
        {
            f.payload -= 1;
        }
        return false;
    };
    Make();
    ExpectFailure(Request(WrOpcode::Read, 100), WcStatus::BadResponse, QpState::Rts);
}

TEST_F(VerbsStatus, LocalAccessErrorOfAWriteWithImmediate)
{
    Make();
    ASSERT_EQ(end[1]->PostReceive({7, 100}), Status::Ok);
    WorkRequest bad = Request(WrOpcode::WriteWithImmediate, 100);
    bad.remoteAddress += sizeof(memory[1]) - 99;
    ExpectFailure(bad, WcStatus::RemoteAccessError, QpState::Err);
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.status, WcStatus::LocalAccessError);
    EXPECT_EQ(events[1], Events{AsyncEventType::QpAccessError});
}

TEST_F(VerbsStatus, RemoteInvalidRequestWhereTheQueuePairGivesNoAccess)
{
    Make(QpType::Rc, kRemoteWrite | kLocalWrite);
    ExpectFailure(Request(WrOpcode::Read, 100), WcStatus::RemoteInvalidRequest, QpState::Err);
    EXPECT_EQ(events[1], Events{AsyncEventType::QpRequestError});
}

TEST_F(VerbsStatus, RemoteInvalidRequestOfAnAtomicAcrossWords)
{
    Make();
    WorkRequest bad = Request(WrOpcode::FetchAdd, 8);
    bad.remoteAddress += 4;
    ExpectFailure(bad, WcStatus::RemoteInvalidRequest, QpState::Err);
}

TEST_F(VerbsStatus, RemoteAccessErrorOfAWrongKey)
{
    Make();
    WorkRequest bad = Request(WrOpcode::Write, 100);
    bad.remoteKey += 1;
    ExpectFailure(bad, WcStatus::RemoteAccessError, QpState::Err);
    EXPECT_EQ(events[1], Events{AsyncEventType::QpAccessError});
}

// The READ before still gets its bytes.
TEST_F(VerbsStatus, RemoteAccessErrorBehindARead)
{
    Make();
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 50000, 10)), Status::Ok);
    WorkRequest bad = Request(WrOpcode::Write, 100, 11);
    bad.remoteKey = 0;
    ASSERT_EQ(end[0]->PostSend(bad), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(sent[1].completion.status, WcStatus::RemoteAccessError);
}

TEST_F(VerbsStatus, RetryExceededOfABlackHole)
{
    tamper[1].lose = [](Frame&, Tick) { return true; };
    Make();
    ExpectFailure(Request(WrOpcode::Write, 100), WcStatus::RetryExceeded, QpState::Rts);
    // (retry_cnt + 1) timeouts of 4.096 us * 2^5.
    EXPECT_EQ(sent[0].at, 4 * 131072 * kNanosecond);
}

TEST_F(VerbsStatus, RnrRetryExceeded)
{
    rnrRetry = 2;
    Make();
    ExpectFailure(Request(WrOpcode::Send, 100), WcStatus::RnrRetryExceeded, QpState::Rts);
    EXPECT_EQ(end[1]->GetCounters().rnrNaksSent, 3U);
}

} // namespace
