// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/address-handle.h"
#include "ns3/frame-extension.h"
#include "ns3/protection-domain.h"
#include "ns3/shared-receive-queue.h"

#include <cstring>
#include <optional>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Two queue pairs with memory on both sides; each way that a work request can end.
class VerbsStatus : public test::Pair
{
  protected:
    /// Makes the pair, of that type, with all access unless told otherwise.
    void Make(QpType type = QpType::Rc, uint32_t access = kAllAccess)
    {
        Build();
        for (int i = 0; i < 2; ++i)
        {
            domain[i].emplace(nic[i]);
            region[i] = domain[i]->Register(memory[i], sizeof(memory[i]), kAllAccess);
            nic[i].OnAsyncEvent([this, i](const AsyncEvent& e) { events[i].push_back(e.type); });
            QueuePairInit init;
            init.type = type;
            init.profile = profile;
            init.sendQueue = &sendQueue;
            init.receiveQueue = &receiveQueue;
            init.domain = &*domain[i];
            init.sharedReceives = i == 1 ? shared : nullptr;
            end[i] = &nic[i].CreateQueuePair(init);
        }
        for (int i = 0; i < 2; ++i)
        {
            QueuePairAttributes a;
            a.accessFlags = access;
            a.qkey = 0x11;
            a.addressVector.destination = 11 - i;
            a.destinationNumber = end[1 - i]->GetNumber();
            a.pathMtu = PathMtu::Bytes4096;
            a.timeout = 5;
            a.retryCount = 3;
            a.rnrRetry = rnrRetry;
            a.minRnrTimer = 1;
            a.maxReadAtomic = readAtomic;
            a.maxDestReadAtomic = 4;
            Walk(*end[i], type, a);
        }
    }

    static void Walk(QueuePair& q, QpType type, QueuePairAttributes a)
    {
        const bool rc = type == QpType::Rc;
        const bool ud = type == QpType::Ud;
        a.state = QpState::Init;
        ASSERT_EQ(q.Modify(a, kQpState | kQpPkeyIndex | kQpPort | (ud ? kQpQkey : kQpAccessFlags)),
                  Status::Ok);
        a.state = QpState::Rtr;
        ASSERT_EQ(q.Modify(a,
                           kQpState |
                               (ud ? 0U
                                   : kQpAddressVector | kQpPathMtu | kQpDestinationNumber |
                                         kQpReceivePsn) |
                               (rc ? kQpMaxDestReadAtomic | kQpMinRnrTimer : 0U)),
                  Status::Ok);
        a.state = QpState::Rts;
        ASSERT_EQ(
            q.Modify(a,
                     kQpState | kQpSendPsn |
                         (rc ? kQpTimeout | kQpRetryCount | kQpRnrRetry | kQpMaxReadAtomic : 0U)),
            Status::Ok);
    }

    WorkRequest Request(WrOpcode opcode, uint64_t bytes, uint64_t wrId = 1) const
    {
        WorkRequest r;
        r.wrId = wrId;
        r.opcode = opcode;
        r.bytes = bytes;
        r.address = region[0]->GetAddress();
        r.localKey = region[0]->GetKey();
        r.remoteAddress = region[1]->GetAddress();
        r.remoteKey = region[1]->GetKey();
        return r;
    }

    /// Posts a request that fails and two more, and checks how all three end.
    void ExpectFailure(const WorkRequest& bad, WcStatus status, QpState responder)
    {
        ASSERT_EQ(end[0]->PostSend(bad), Status::Ok);
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 10000, 2)), Status::Ok);
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 10, 3)), Status::Ok);
        Run();
        ASSERT_EQ(sent.size(), 3U);
        EXPECT_EQ(sent[0].completion.wrId, bad.wrId);
        EXPECT_EQ(sent[0].completion.status, status);
        for (uint64_t i : {1, 2})
        {
            EXPECT_EQ(sent[i].completion.wrId, i + 1);
            EXPECT_EQ(sent[i].completion.status, WcStatus::WrFlushError);
        }
        EXPECT_EQ(end[0]->GetState(), QpState::Err);
        EXPECT_EQ(end[1]->GetState(), responder);
    }

    void TearDown() override
    {
        test::Pair::TearDown();
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        for (QueuePair* q : end)
        {
            EXPECT_EQ(q->GetRequester().CountPending(), 0U);
            EXPECT_EQ(q->GetRequester().GetDeadline(), kNever);
            EXPECT_EQ(q->GetResponder().CountUnanswered(), 0U);
        }
    }

    uint8_t rnrRetry{7};
    uint8_t readAtomic{4};
    SharedReceiveQueue* shared{nullptr};
    alignas(8) unsigned char memory[2][65536]{};
    std::optional<ProtectionDomain> domain[2];
    MemoryRegion* region[2];
    QueuePair* end[2];
    std::vector<AsyncEventType> events[2];
};

using Events = std::vector<AsyncEventType>;

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

TEST_F(VerbsStatus, SharedReceivesServeAndTellTheirLimit)
{
    SharedReceiveQueue queue(4);
    std::vector<AsyncEventType> told;
    queue.OnAsyncEvent([&told](const AsyncEvent& e) { told.push_back(e.type); });
    shared = &queue;
    Make();
    EXPECT_EQ(end[1]->PostReceive({1}), Status::SharedReceives);
    ASSERT_EQ(queue.PostReceive({5, 5000}), Status::Ok);
    ASSERT_EQ(queue.PostReceive({6, 5000}), Status::Ok);
    ASSERT_EQ(queue.SetLimit(2), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Send, 5000)), Status::Ok);
    Run();
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.wrId, 5U);
    EXPECT_EQ(told, Events{AsyncEventType::SrqLimitReached});
    EXPECT_EQ(end[1]->Modify(QpState::Err), Status::Ok);
    EXPECT_EQ(events[1], Events{AsyncEventType::QpLastWqeReached});
}

TEST_F(VerbsStatus, DrainEndsWhatHasBegunAndTells)
{
    Make();
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 60000, 1)), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 60000, 2)), Status::Ok);
    Simulator::Schedule(NanoSeconds(1000), [this] {
        QueuePairAttributes a;
        a.state = QpState::Sqd;
        a.enableSqdNotify = true;
        EXPECT_EQ(end[0]->Modify(a, kQpState | kQpEnableSqdNotify), Status::Ok);
        EXPECT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 10, 3)), Status::Ok);
        EXPECT_TRUE(events[0].empty());
    });
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.wrId, 1U);
    EXPECT_EQ(events[0], Events{AsyncEventType::SqDrained});
    EXPECT_EQ(end[0]->Modify(QpState::Rts), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_EQ(sent[2].completion.wrId, 3U);
}

TEST_F(VerbsStatus, TheFirstMessageBeforeRtsIsTold)
{
    Make();
    EXPECT_EQ(end[1]->Modify(QpState::Reset), Status::Ok);
    QueuePairAttributes a;
    a.accessFlags = kAllAccess;
    a.addressVector.destination = 10;
    a.destinationNumber = end[0]->GetNumber();
    a.state = QpState::Init;
    ASSERT_EQ(end[1]->Modify(a, kQpState | kQpPkeyIndex | kQpPort | kQpAccessFlags), Status::Ok);
    a.state = QpState::Rtr;
    ASSERT_EQ(end[1]->Modify(a,
                             kQpState | kQpAddressVector | kQpPathMtu | kQpDestinationNumber |
                                 kQpReceivePsn | kQpMaxDestReadAtomic | kQpMinRnrTimer),
              Status::Ok);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 60000, 1)), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(events[1], Events{AsyncEventType::CommunicationEstablished});
    EXPECT_EQ(end[1]->PostSend(Request(WrOpcode::Write, 10)), Status::WrongState);
}

TEST_F(VerbsStatus, AnUnreliableConnectionEndsWhatHasLeft)
{
    tamper[1].lose = [](Frame& f, Tick) { return f.psn == 5; };
    Make(QpType::Uc);
    for (uint64_t i = 0; i < 3; ++i)
    {
        ASSERT_EQ(
            end[1]->PostReceive({20 + i, 65536, region[1]->GetAddress(), region[1]->GetKey()}),
            Status::Ok);
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Send, 4 * 4096, i)), Status::Ok);
    }
    EXPECT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 10)), Status::UnsupportedRequest);
    Run();
    ASSERT_EQ(sent.size(), 3U);
    // Of the second message the second frame was lost: it is dropped, its receive takes the third.
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].completion.wrId, 20U);
    EXPECT_EQ(received[1].completion.wrId, 21U);
    EXPECT_EQ(received[1].completion.bytes, 4 * 4096U);
    EXPECT_EQ(end[1]->Modify(QpState::Reset), Status::Ok);
}

TEST_F(VerbsStatus, UnreliableWritesSayHowLongTheyAre)
{
    std::vector<uint32_t> bytes;
    tamper[1].lose = [&bytes](Frame& f, Tick) {
        EXPECT_EQ(f.length, bytes.empty() ? 5000U : 0U);
        bytes.push_back(f.bytes);
        return true;
    };
    Make(QpType::Uc);
    WorkRequest plain;
    plain.bytes = 5000;
    ASSERT_EQ(end[0]->PostSend(plain), Status::Ok);
    Run();
    // A RETH is in the first frame, as it is on a reliable connection.
    EXPECT_EQ(bytes, (std::vector<uint32_t>{62 + 16 + 4096, 62 + 904}));
}

TEST_F(VerbsStatus, DatagramsTellWhoSentThem)
{
    Make(QpType::Ud);
    for (int i = 0; i < 1000; ++i)
    {
        memory[0][i] = static_cast<unsigned char>(i + 3);
    }
    AddressHandle handle{{11, -1, 0, 0}};
    WorkRequest r = Request(WrOpcode::SendWithImmediate, 1000, 1);
    EXPECT_EQ(end[0]->PostSend(r), Status::InvalidAttribute);
    r.addressHandle = &handle;
    r.remoteNumber = end[1]->GetNumber();
    r.remoteQkey = 0x11;
    r.immediate = 77;
    ASSERT_EQ(end[1]->PostReceive({30, 2000, region[1]->GetAddress(), region[1]->GetKey()}),
              Status::Ok);
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    // Neither a wrong key nor the lack of a receive is answered.
    r.remoteQkey = 0x12;
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    r.remoteQkey = 0x11;
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    r.bytes = 4097;
    EXPECT_EQ(end[0]->PostSend(r), Status::InvalidLength);
    Run();
    EXPECT_EQ(sent.size(), 3U);
    ASSERT_EQ(received.size(), 1U);
    const WorkCompletion& c = received[0].completion;
    EXPECT_EQ(c.bytes, 1000 + kGrhBytes);
    EXPECT_EQ(c.sourceNumber, end[0]->GetNumber());
    EXPECT_EQ(c.sourceAddress, 10U);
    EXPECT_EQ(c.immediate, 77U);
    EXPECT_EQ(std::memcmp(memory[0], memory[1] + kGrhBytes, 1000), 0);
}

// A datagram's bad key stops the sending half only (IBA vol. 1, 10.3.1.6).
TEST_F(VerbsStatus, SendQueueErrorOfADatagram)
{
    Make(QpType::Ud);
    AddressHandle handle{{11, -1, 0, 0}};
    WorkRequest r = Request(WrOpcode::Send, 100, 1);
    r.addressHandle = &handle;
    r.remoteNumber = end[1]->GetNumber();
    r.remoteQkey = 0x11;
    r.localKey += 1;
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    r.wrId = 2;
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::LocalProtectionError);
    EXPECT_EQ(sent[1].completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(end[0]->GetState(), QpState::Sqe);
    r.localKey = region[0]->GetKey();
    r.wrId = 3;
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    EXPECT_EQ(sent.back().completion.status, WcStatus::WrFlushError);
    EXPECT_EQ(end[0]->Modify(QpState::Rts), Status::Ok);
    ASSERT_EQ(end[1]->PostReceive({9, 200}), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    Run();
    EXPECT_EQ(sent.back().completion.status, WcStatus::Success);
    EXPECT_EQ(received.size(), 1U);
}

// Depth 1, 64 KiB, 100 Gb/s, a round trip of 10 us: one READ after the other.
TEST_F(VerbsStatus, ReadsOfDepthOneTakeARoundTripEach)
{
    readAtomic = 1;
    mtu = 1024;
    delay = 5 * kMicrosecond - 50 * kNanosecond;
    Build();
    QueuePairAttributes a;
    a.maxReadAtomic = 1;
    settings->maxReadAtomic = 1;
    profile = std::make_shared<TransportProfile>(*settings, headers, mtu, control, rateBps);
    Connect();
    const int kReads = 40;
    for (int i = 0; i < kReads; ++i)
    {
        ASSERT_EQ(qp[1]->PostSend({1, 65536, WrOpcode::Read}), Status::Ok);
    }
    end[0] = qp[1];
    end[1] = peer[1];
    Run();
    ASSERT_EQ(sent.size(), 40U);
    const double goodput = 65536.0 * 8 * kReads / (sent.back().at * 1e-12);
    const double expected = 65536 * 8 / (10e-6 + 65536 * 8 / 92.585e9);
    EXPECT_NEAR(goodput / expected, 1, 0.03);
    EXPECT_NEAR(expected, 33.5e9, 0.1e9);
}

// What has left is on its way, whatever becomes of the memory: here the sender's, after a datagram
// has ended, and the responder's, after it has answered.
TEST_F(VerbsStatus, BytesAreThoseThatLeft)
{
    Make();
    memory[1][0] = 5;
    WorkRequest read = Request(WrOpcode::Read, 1);
    ASSERT_EQ(end[0]->PostSend(read), Status::Ok);
    tamper[0].lose = [this](Frame& f, Tick) {
        if (f.op == Opcode::ReadResponseOnly)
        {
            memory[1][0] = 6;
            domain[1]->Deregister(region[1]);
        }
        return false;
    };
    Run();
    EXPECT_EQ(sent.back().completion.status, WcStatus::Success);
    EXPECT_EQ(memory[0][0], 5);
}

TEST_F(VerbsStatus, AnAnswerWhoseMemoryHasGoneFailsItsRequestOnly)
{
    Make();
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 100, 1)), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 100, 2)), Status::Ok);
    tamper[0].lose = [this](Frame& f, Tick) {
        if (f.op == Opcode::ReadResponseOnly)
        {
            domain[0]->Deregister(region[0]);
        }
        return f.op == Opcode::Acknowledge;
    };
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(sent[1].completion.status, WcStatus::LocalProtectionError);
}

TEST_F(VerbsStatus, InlinedBytesAreTakenWhenPosted)
{
    Make();
    unsigned char bytes[100] = {9};
    WorkRequest write = Request(WrOpcode::Write, 100);
    write.inlined = true;
    write.address = reinterpret_cast<uintptr_t>(bytes);
    write.localKey = 0;
    ASSERT_EQ(end[0]->PostSend(write), Status::Ok);
    bytes[0] = 1;
    write.bytes = 257;
    EXPECT_EQ(end[0]->PostSend(write), Status::InvalidLength);
    Run();
    EXPECT_EQ(memory[1][0], 9);
}

// Frames of another transport are none of a queue pair's, in whichever state it is.
TEST_F(VerbsStatus, FramesOfAnotherTransportAreDropped)
{
    tamper[1].lose = [](Frame& f, Tick) {
        f.op = On(BthTransport::Uc, f.op);
        return false;
    };
    Make();
    ExpectFailure(Request(WrOpcode::Write, 100), WcStatus::RetryExceeded, QpState::Rts);
    // Five frames, each sent four times.
    EXPECT_EQ(nic[1].GetCounters().unknownQueuePair, 20U);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 0U);
}

// A NAK that comes when everything has been acknowledged says nothing.
TEST_F(VerbsStatus, NaksOfNothing)
{
    Make();
    for (uint32_t posted : {0, 1})
    {
        for (uint32_t i = 0; i < posted; ++i)
        {
            ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 100)), Status::Ok);
            Run();
        }
        for (uint32_t syndrome : {0x21, 0x60, 0x61, 0x62, 0x63})
        {
            Frame* f = FramePool::Take();
            *f = Frame{};
            f->op = Opcode::Acknowledge;
            f->src = 11;
            f->dst = 10;
            f->flow = end[0]->GetNumber();
            f->psn = end[0]->GetRequester().GetPsn();
            f->aeth = syndrome << 24;
            nic[0].Receive(f, 0, Simulator::Now().GetTimeStep());
        }
        EXPECT_EQ(end[0]->GetState(), QpState::Rts);
    }
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 100)), Status::Ok);
    Run();
    EXPECT_EQ(sent.back().completion.status, WcStatus::Success);
    EXPECT_EQ(sent.size(), 2U);
}

TEST_F(VerbsStatus, FencedRequestsWaitForAnswers)
{
    std::vector<Opcode> order;
    tamper[1].lose = [&order](Frame& f, Tick) {
        order.push_back(f.op);
        return false;
    };
    std::vector<Opcode> answers;
    tamper[0].lose = [&](Frame& f, Tick) {
        if (f.op == Opcode::ReadResponseOnly)
        {
            order.push_back(f.op);
        }
        return false;
    };
    Make();
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 100, 1)), Status::Ok);
    WorkRequest fenced = Request(WrOpcode::Write, 100, 2);
    fenced.fence = true;
    ASSERT_EQ(end[0]->PostSend(fenced), Status::Ok);
    Run();
    EXPECT_EQ(
        order,
        (std::vector<Opcode>{Opcode::ReadRequest, Opcode::ReadResponseOnly, Opcode::WriteOnly}));
}

} // namespace
