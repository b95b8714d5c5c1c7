// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/frame-extension.h"
#include "ns3/object-factory.h"
#include "ns3/protection-domain.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Conversations that only losses and overtaking bring about.
class TransportRare : public test::Pair
{
  protected:
    /// Connects by a way of recovering losses; the profile's values are settings' by then.
    void BuildWith(const std::string& recovery)
    {
        Build();
        profile = std::make_shared<TransportProfile>(
            *settings,
            headers,
            mtu,
            nullptr,
            rateBps,
            ObjectFactory("ns3::aifabric::" + recovery).Create<LossRecovery>());
        Connect();
    }

    void Read(uint64_t bytes, std::size_t connection = 0)
    {
        ASSERT_EQ(qp[connection]->PostSend({0, bytes, WrOpcode::Read, true}), Status::Ok);
    }

    /// Everything posted has ended well.
    void ExpectAllWell(std::size_t requests)
    {
        ASSERT_EQ(sent.size(), requests);
        for (const test::Ended& ended : sent)
        {
            EXPECT_EQ(ended.completion.status, WcStatus::Success);
        }
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
    }
};

// What is left of an answer is asked for again, without any address to tell which part that is.
TEST_F(TransportRare, RestOfAReadWithoutAKeyIsGivenAgain)
{
    mtu = 1024;
    tamper[0].lose = [lost = false](Frame& f, Tick) mutable {
        const bool loses = !lost && f.op == Opcode::ReadResponseLast;
        lost = lost || loses;
        return loses;
    };
    Build();
    Read(3000);
    Run();
    ExpectAllWell(1);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 1U);
    EXPECT_EQ(nic[0].GetCounters().deliveredBytes, 3000U);
}

// A READ that is answered a second time no longer counts: the peer has had its answer, and asks for
// the next one.
TEST_F(TransportRare, AnswersGivenAgainLeaveRoomForTheNextRead)
{
    mtu = 1024;
    settings->maxReadAtomic = 1;
    Build();
    tamper[1].lose = [this](Frame& f, Tick now) {
        if (f.op == Opcode::ReadRequest && f.psn == 0)
        {
            // A copy that comes when the answer has left.
            Frame* copy = FramePool::Take();
            *copy = f;
            Simulator::Schedule(TimeStep(2 * kDelay + 40 * kNanosecond), [this, copy, now] {
                nic[1].Receive(copy, 0, now + 2 * kDelay + 40 * kNanosecond);
            });
        }
        return false;
    };
    Read(16 * 1024);
    Read(1024);
    Run();
    ExpectAllWell(2);
}

// A READ's request that is kept by the receiver stands for all frames of the answer: after a timeout
// only what is missing is sent again, and no part of the READ is asked for before it was answered.
TEST_F(TransportRare, AKeptReadIsNotAskedForInParts)
{
    mtu = 1024;
    int requests = 0;
    tamper[1].lose = [&requests, seen = 0](Frame& f, Tick) mutable {
        requests += f.op == Opcode::ReadRequest;
        return f.op == Opcode::WriteOnly && f.psn == 0 && seen++ < 2;
    };
    BuildWith("OutOfOrder");
    Write(1000, 0, 1);
    Read(5 * 1024, 1);
    Write(1000, 0, 1);
    Run();
    ExpectAllWell(3);
    EXPECT_EQ(requests, 1);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 2U);
}

// The answers of two READs are missing, and of what lies between them everything has arrived: the
// second READ is waited for once the first has been answered again. Of one of three losses an
// acknowledgement tells, which is 20 numbers behind; of the others only time.
TEST_F(TransportRare, AReadThatArrivedIsWaitedFor)
{
    settings->maxReadAtomic = 2;
    tamper[1].lose = [](Frame& f, Tick now) {
        return f.psn >= 1 && f.psn <= 20 && now < 50 * kMicrosecond;
    };
    tamper[0].lose = [first = 0, second = 0](Frame& f, Tick) mutable {
        return f.op == Opcode::ReadResponseOnly && (f.psn == 0 ? first++ < 2 : second++ < 1);
    };
    BuildWith("OutOfOrder");
    Read(1000, 1);
    Write(20 * 4096, 0, 1);
    Read(1000, 1);
    Write(1000, 0, 1);
    Run();
    ExpectAllWell(4);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 2U);
}

// Who sent inline data may have given it up before it arrives: the bytes are the frame's.
TEST_F(TransportRare, InlineDataOutlivesItsRequest)
{
    mtu = 256;
    Build();
    ProtectionDomain domains[2] = {ProtectionDomain(nic[0]), ProtectionDomain(nic[1])};
    QueuePair* made[2];
    for (int i = 0; i < 2; ++i)
    {
        QueuePairInit init;
        init.profile = profile;
        init.sendQueue = &sendQueue;
        init.receiveQueue = &receiveQueue;
        init.domain = &domains[i];
        init.maxInlineBytes = 600;
        made[i] = &nic[i].CreateQueuePair(init);
    }
    ConnectQueuePairs(*made[0], *made[1], 2 * delay);
    const std::vector<std::byte> bytes(600, std::byte{7});
    std::vector<std::byte> room(600);
    const MemoryRegion* region = domains[1].Register(room.data(), room.size(), kLocalWrite);
    ASSERT_EQ(made[1]->PostReceive({1, 600, region->GetAddress(), region->GetKey()}), Status::Ok);
    WorkRequest request{1, 600, WrOpcode::Send};
    request.inlined = true;
    request.address = reinterpret_cast<uintptr_t>(bytes.data());
    ASSERT_EQ(made[0]->PostSend(request), Status::Ok);
    Simulator::Schedule(NanoSeconds(500), [&] {
        made[0]->Modify(QpState::Err);
        // Takes the place of the first one.
        const std::vector<std::byte> others(600, std::byte{9});
        made[0] = &nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        WorkRequest other{2, 200, WrOpcode::Write};
        other.inlined = true;
        other.address = reinterpret_cast<uintptr_t>(others.data());
        ASSERT_EQ(qp[0]->PostSend(other), Status::Ok);
    });
    Run();
    EXPECT_EQ(room, bytes);
}

// An RNR NAK that comes twice, the second time when the peer has answered the retransmission already
// or is about to: what it says is old, and nobody waits for it.
TEST_F(TransportRare, LateRnrNakIsOvertakenByProgress)
{
    settings->minRnrTimer = 1;
    Build();
    tamper[0].lose = [this](Frame& f, Tick now) {
        if (f.aeth >> 29 == kAethRnrNak)
        {
            // Between the retransmission and its acknowledgement.
            Frame* copy = FramePool::Take();
            *copy = f;
            const Tick later = 10 * kMicrosecond + kDelay;
            Simulator::Schedule(TimeStep(later),
                                [this, copy, now, later] { nic[0].Receive(copy, 0, now + later); });
        }
        return false;
    };
    Send(1000, 1);
    Write(1000, 2);
    Simulator::Schedule(MicroSeconds(5), [this] { peer[0]->PostReceive({9, 1000}); });
    Simulator::Schedule(MicroSeconds(17), [this] { Write(1000, 3); });
    Run();
    ExpectAllWell(3);
    EXPECT_EQ(nic[0].GetCounters().rnrNaksReceived, 2U);
    EXPECT_LT(sent[1].at, 20 * kMicrosecond);
}

} // namespace
