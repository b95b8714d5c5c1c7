// SPDX-License-Identifier: GPL-2.0-only
#include "keyed-pair.h"

#include "ns3/address-handle.h"

#include <cstring>

using namespace ns3;
using namespace ns3::aifabric;
using test::Events;

namespace
{

/// Shared receives, drain, transports without acknowledgements, depth, fences, bytes on their way.
class VerbsService : public test::KeyedPair
{
};

TEST_F(VerbsService, SharedReceivesServeAndTellTheirLimit)
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

TEST_F(VerbsService, DrainEndsWhatHasBegunAndTells)
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

TEST_F(VerbsService, TheFirstMessageBeforeRtsIsTold)
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

TEST_F(VerbsService, AnUnreliableConnectionEndsWhatHasLeft)
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

TEST_F(VerbsService, UnreliableWritesSayHowLongTheyAre)
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

TEST_F(VerbsService, DatagramsTellWhoSentThem)
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
TEST_F(VerbsService, SendQueueErrorOfADatagram)
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

// A receive of memory that may not be written is a fault of who posted it, on each transport: it ends
// with an error and its queue pair with it, while the sender learns nothing of it.
TEST_F(VerbsService, ReceivesOfMemoryThatRefusesEndTheirQueuePair)
{
    const AddressHandle handle{{11}};
    Make(QpType::Uc);
    QueuePair* const connected[2] = {end[0], end[1]};
    QueuePairInit init;
    init.type = QpType::Ud;
    init.profile = profile;
    init.sendQueue = &sendQueue;
    init.receiveQueue = &receiveQueue;
    init.domain = &*domain[1];
    QueuePair& to = nic[1].CreateQueuePair(init);
    init.domain = &*domain[0];
    QueuePair& from = nic[0].CreateQueuePair(init);
    ASSERT_EQ(to.Connect({10}, 0), Status::Ok);
    ASSERT_EQ(from.Connect({11}, 0), Status::Ok);
    MemoryRegion* readOnly = domain[1]->Register(memory[1], 20000, 0);
    const ReceiveRequest bad{5, 20000, readOnly->GetAddress(), readOnly->GetKey()};
    uint64_t wrId = 0;
    for (QueuePair* q : {connected[1], &to})
    {
        ASSERT_EQ(q->PostReceive(bad), Status::Ok);
        ASSERT_EQ(q->PostReceive({6, 20000}), Status::Ok);
        WorkRequest r = Request(WrOpcode::Send, 3000, ++wrId);
        r.addressHandle = &handle;
        r.remoteNumber = to.GetNumber();
        QueuePair& sender = q == &to ? from : *connected[0];
        ASSERT_EQ(sender.PostSend(r), Status::Ok);
        Run();
        ASSERT_EQ(received.size(), 2 * wrId);
        EXPECT_EQ(received[2 * wrId - 2].completion.wrId, 5U);
        EXPECT_EQ(received[2 * wrId - 2].completion.status, WcStatus::LocalProtectionError);
        EXPECT_EQ(received[2 * wrId - 1].completion.wrId, 6U);
        EXPECT_EQ(received[2 * wrId - 1].completion.status, WcStatus::WrFlushError);
        EXPECT_EQ(q->GetState(), QpState::Err);
        EXPECT_EQ(sender.GetState(), QpState::Rts);
        EXPECT_EQ(sent.size(), wrId);
        EXPECT_EQ(sent.back().completion.status, WcStatus::Success);
    }
}

// Messages that are flushed take no sequence numbers, be they as many as the peer takes for a step back:
// what is sent next has the one behind what was sent last (IBA vol. 1, 9.8.2.1).
TEST_F(VerbsService, FlushedMessagesTakeNoSequenceNumbers)
{
    std::vector<uint32_t> numbers;
    tamper[1].lose = [&numbers](Frame& f, Tick) {
        numbers.push_back(f.psn);
        return false;
    };
    Make(QpType::Uc);
    WorkRequest bad = Request(WrOpcode::Write, 100);
    bad.localKey += 1;
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 10000)), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(bad), Status::Ok);
    WorkRequest longest;
    longest.bytes = kMaxMessageBytes;
    for (int i = 0; i < 16; ++i)
    {
        ASSERT_EQ(end[0]->PostSend(longest), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 18U);
    EXPECT_EQ(sent[1].completion.status, WcStatus::LocalProtectionError);
    EXPECT_EQ(end[0]->Query().sendPsn, 3U);
    ASSERT_EQ(end[0]->Modify(QpState::Rts), Status::Ok);
    ASSERT_EQ(end[1]->PostReceive({9, 200}), Status::Ok);
    ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Send, 100)), Status::Ok);
    Run();
    EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(received.size(), 1U);
}

// Depth 1, 64 KiB, 100 Gb/s, a round trip of 10 us: one READ after the other.
TEST_F(VerbsService, ReadsOfDepthOneTakeARoundTripEach)
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
TEST_F(VerbsService, BytesAreThoseThatLeft)
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

TEST_F(VerbsService, AnAnswerWhoseMemoryHasGoneFailsItsRequestOnly)
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

TEST_F(VerbsService, InlinedBytesAreTakenWhenPosted)
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
TEST_F(VerbsService, FramesOfAnotherTransportAreDropped)
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
TEST_F(VerbsService, NaksOfNothing)
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

TEST_F(VerbsService, FencedRequestsWaitForAnswers)
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
