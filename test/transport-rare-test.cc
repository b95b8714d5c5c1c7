// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/frame-extension.h"
#include "ns3/object-factory.h"

#include <string>

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
    Run();
    ExpectAllWell(2);
    EXPECT_EQ(nic[0].GetCounters().rnrNaksReceived, 2U);
    EXPECT_LT(sent[1].at, 20 * kMicrosecond);
}

} // namespace
