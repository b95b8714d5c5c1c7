// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRANSPORT_PAIR_H
#define AIFABRIC_TRANSPORT_PAIR_H

#include "tamper.h"

#include "ns3/completion-queue.h"
#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/simulator.h"
#include "ns3/transport-profile.h"
#include "ns3/transport-settings.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

/// A completion and when it came.
struct Ended
{
    Tick at;
    WorkCompletion completion;
};

/// Two NICs and the wire between them. Asserts at its end that nothing is left anywhere.
class Pair : public ::testing::Test
{
  protected:
    static constexpr Tick kDelay = kMicrosecond;

    Pair()
    {
        UsePicoseconds();
        settings = CreateObject<TransportSettings>();
        settings->retransmissionTimeout = MicroSeconds(100);
    }

    /// Wires and connects, with what the members hold by then.
    void Build()
    {
        for (int i = 0; i < 2; ++i)
        {
            tamper[1 - i].nic = &nic[1 - i];
            PortSettings wire;
            wire.bandwidthBps = rateBps;
            wire.delay = delay;
            wire.gapBytes = headers.gapBytes;
            wire.peer = &tamper[1 - i];
            port[i].Wire(wire, 0, nullptr, nullptr);
            nic[i].AddPort(port[i], 10 + i, latency, busBps);
        }
        profile =
            std::make_shared<TransportProfile>(*settings, headers, mtu, control, rateBps, recovery);
        Connect();
    }

    /// Adds a connection, numbered from 0.
    void Connect(uint32_t psn = 0, int priority = -1)
    {
        QueuePair& a = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        QueuePair& b = nic[1].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        a.Connect({11, priority, 0, 2 * delay}, b.GetNumber(), psn, psn);
        b.Connect({10, priority, 0, 2 * delay}, a.GetNumber(), psn, psn);
        qp.push_back(&a);
        peer.push_back(&b);
    }

    void Write(uint64_t bytes, uint64_t wrId = 0, std::size_t connection = 0)
    {
        ASSERT_EQ(qp[connection]->PostSend({wrId, bytes, WrOpcode::Write, true}), Status::Ok);
    }

    void Send(uint64_t bytes, uint64_t wrId = 0)
    {
        ASSERT_EQ(qp[0]->PostSend({wrId, bytes, WrOpcode::Send, true}), Status::Ok);
    }

    void Run()
    {
        Simulator::Run();
    }

    /// Nothing may be left when everything has been done.
    void TearDown() override
    {
        Simulator::Run();
        EXPECT_EQ(FramePool::Out(), 0U);
        for (const QueuePair* q : qp)
        {
            EXPECT_EQ(q->GetRequester().CountPending(), 0U);
            EXPECT_EQ(q->GetRequester().GetDeadline(), kNever);
        }
        EXPECT_EQ(port[0].CountFrames() + port[1].CountFrames(), 0U);
        Simulator::Destroy();
    }

    Ptr<TransportSettings> settings;
    HeaderProfile headers{kRoceV2Headers};
    uint32_t mtu{4096};
    double rateBps{100e9};
    Tick delay{kDelay};
    Tick latency{0};
    double busBps{0};
    Ptr<const CongestionControl> control;
    Ptr<const LossRecovery> recovery;

    std::vector<Ended> sent;
    std::vector<Ended> received;
    CompletionQueue sendQueue{[this](const WorkCompletion& c) {
        sent.push_back({Simulator::Now().GetTimeStep(), c});
        if (onSent)
        {
            onSent(c);
        }
    }};
    CompletionQueue receiveQueue{[this](const WorkCompletion& c) {
        received.push_back({Simulator::Now().GetTimeStep(), c});
    }};
    std::function<void(const WorkCompletion&)> onSent;
    Tamper tamper[2]; ///< in front of nic[0], nic[1]
    EgressPort port[2];
    RdmaNic nic[2];
    std::shared_ptr<const TransportProfile> profile;
    std::vector<QueuePair*> qp;
    std::vector<QueuePair*> peer;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_TRANSPORT_PAIR_H
