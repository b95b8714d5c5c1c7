// SPDX-License-Identifier: GPL-2.0-only
// Queue pairs whose peer is at the same port of a NIC: what they send turns round inside.
#include "transport-pair.h"

#include "ns3/address-handle.h"
#include "ns3/fabric-registry.h"
#include "ns3/frame-extension.h"
#include "ns3/loss-recovery.h"
#include "ns3/nic-loop.h"
#include "ns3/protection-domain.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace ns3::aifabric::test
{
namespace
{

/// The pair of queue pairs at the first NIC, beside the ordinary one that goes over the wire.
class NicLoopTest : public Pair
{
  protected:
    static constexpr NodeIdx kSelf = 10;

    NicLoopTest()
    {
        // Whatever comes from there to itself has gone astray.
        tamper[1].lose = [this](Frame& f, Tick) {
            astray += f.dst == kSelf;
            return false;
        };
    }

    void BuildLoop()
    {
        Build();
        ConnectLoop();
    }

    /// Adds a connection within the NIC, with memory at both ends.
    void ConnectLoop(QpType type = QpType::Rc)
    {
        if (!domain)
        {
            domain.emplace(nic[0]);
            source = domain->Register(memory[0], sizeof(memory[0]), kAllAccess);
            target = domain->Register(memory[1], sizeof(memory[1]), kAllAccess);
        }
        QueuePairInit init;
        init.type = type;
        init.profile = profile;
        init.sendQueue = &sendQueue;
        init.receiveQueue = &receiveQueue;
        init.domain = &*domain;
        QueuePair& a = nic[0].CreateQueuePair(init);
        QueuePair& b = nic[0].CreateQueuePair(init);
        a.Connect({kSelf, -1, 0, Wire(62 + mtu)}, b.GetNumber(), 100, 200);
        b.Connect({kSelf, -1, 0, Wire(62 + mtu)}, a.GetNumber(), 200, 100);
        qp.push_back(&a);
        peer.push_back(&b);
    }

    WorkRequest Request(WrOpcode opcode, uint64_t bytes, uint64_t wrId = 1) const
    {
        WorkRequest r;
        r.wrId = wrId;
        r.opcode = opcode;
        r.bytes = bytes;
        r.address = source->GetAddress();
        r.localKey = source->GetKey();
        r.remoteAddress = target->GetAddress();
        r.remoteKey = target->GetKey();
        return r;
    }

    /// @return how long that many bytes of a frame occupy the wire.
    Tick Wire(uint32_t bytes) const
    {
        return static_cast<Tick>((bytes + headers.gapBytes) * 8e12 / rateBps + 0.5);
    }

    /// @return for how long the frames of a message do, if each has so much around its payload.
    Tick WireOf(uint64_t bytes, uint32_t around) const
    {
        return (bytes / mtu) * Wire(around + mtu) +
               (bytes % mtu ? Wire(around + (bytes % mtu + 3) / 4 * 4) : 0);
    }

    void TearDown() override
    {
        Pair::TearDown();
        EXPECT_EQ(astray, 0);
        EXPECT_EQ(nic[0].GetLoop(0) ? nic[0].GetLoop(0)->CountFrames() : 0, 0U);
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        EXPECT_EQ(nic[0].GetCounters().timeouts, 0U);
        EXPECT_EQ(nic[0].GetCounters().unknownQueuePair, 0U);
    }

    int astray{0};
    std::optional<ProtectionDomain> domain;
    MemoryRegion* source{nullptr};
    MemoryRegion* target{nullptr};
    alignas(8) unsigned char memory[2][65536]{};
};

// Every way of loss recovery, since all have state of their own.
class NicLoopRecovery : public NicLoopTest, public ::testing::WithParamInterface<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Ways,
                         NicLoopRecovery,
                         ::testing::Values("go_back_n", "selective_repeat", "out_of_order"),
                         [](const auto& way) { return std::string(way.param); });

// One wire from end to end: the frames one after the other, and the last one's acknowledgement; the
// NIC works on the message, and on the acknowledgement. A RETH takes 16 bytes.
TEST_P(NicLoopRecovery, WritesTakeTheTimeOfTheirFrames)
{
    recovery = MakePlugin<LossRecovery>(GetParam());
    latency = 300 * kNanosecond;
    BuildLoop();
    std::fill_n(memory[0], 50000, 7);
    ASSERT_EQ(qp[1]->PostSend(Request(WrOpcode::Write, 50000)), Status::Ok);
    Run();
    const Tick reth = 16 * Wire(62) / (62 + 20);
    const int addressed = recovery->AddressesEveryFrame() ? 13 : 1;
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(sent[0].at, latency + WireOf(50000, 62) + addressed * reth + latency + Wire(66));
    EXPECT_EQ(std::memcmp(memory[0], memory[1], 50000), 0);
    EXPECT_EQ(port[0].GetCounters().frames, 0U);
}

// A request of 78 bytes, then the answer's frames, the first and the last one with an AETH of 4.
TEST_P(NicLoopRecovery, ReadsTakeTheTimeOfTheirAnswers)
{
    recovery = MakePlugin<LossRecovery>(GetParam());
    latency = 300 * kNanosecond;
    BuildLoop();
    std::fill_n(memory[1], 50000, 9);
    ASSERT_EQ(qp[1]->PostSend(Request(WrOpcode::Read, 50000)), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
    EXPECT_EQ(sent[0].at,
              latency + Wire(78) + latency + WireOf(50000, 62) + 2 * 4 * Wire(62) / (62 + 20));
    EXPECT_EQ(std::memcmp(memory[0], memory[1], 50000), 0);
    EXPECT_EQ(port[0].GetCounters().frames, 0U);
}

// A request of 90 bytes, an answer of 74.
TEST_P(NicLoopRecovery, AtomicsTakeARoundTrip)
{
    recovery = MakePlugin<LossRecovery>(GetParam());
    latency = 300 * kNanosecond;
    BuildLoop();
    const uint64_t before = 41;
    std::memcpy(memory[1], &before, 8);
    WorkRequest add = Request(WrOpcode::FetchAdd, 8);
    add.compareAdd = 1;
    ASSERT_EQ(qp[1]->PostSend(add), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, latency + Wire(90) + latency + Wire(74));
    uint64_t value[2];
    std::memcpy(&value[0], memory[0], 8);
    std::memcpy(&value[1], memory[1], 8);
    EXPECT_EQ(value[0], 41U);
    EXPECT_EQ(value[1], 42U);
}

TEST_F(NicLoopTest, SendsFindTheirReceives)
{
    BuildLoop();
    std::fill_n(memory[0], 9000, 5);
    // Without a receive there is an RNR NAK; what comes after the wait finds one.
    ASSERT_EQ(qp[1]->PostSend(Request(WrOpcode::SendWithImmediate, 9000)), Status::Ok);
    Simulator::Schedule(NanoSeconds(500), [this] {
        ASSERT_EQ(peer[1]->PostReceive({8, 10000, target->GetAddress(), target->GetKey()}),
                  Status::Ok);
    });
    Run();
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.bytes, 9000U);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(qp[1]->GetCounters().rnrNaksReceived, 1U);
    EXPECT_EQ(std::memcmp(memory[0], memory[1], 9000), 0);
}

// A queue pair may be its own peer.
TEST_F(NicLoopTest, AQueuePairConnectedToItself)
{
    BuildLoop();
    QueuePair& q = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
    ASSERT_EQ(q.Connect({kSelf}, q.GetNumber()), Status::Ok);
    qp.push_back(&q);
    ASSERT_EQ(q.PostReceive({3}), Status::Ok);
    ASSERT_EQ(q.PostSend({1, 100000, WrOpcode::Write}), Status::Ok);
    ASSERT_EQ(q.PostSend({2, 100000, WrOpcode::Send}), Status::Ok);
    ASSERT_EQ(q.PostSend({4, 100000, WrOpcode::Read}), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(sent[i].completion.wrId, std::vector<uint64_t>({1, 2, 4})[i]);
        EXPECT_EQ(sent[i].completion.status, WcStatus::Success);
    }
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].completion.bytes, 100000U);
}

// Two that go round share the rate. What goes over the wire knows nothing of them.
TEST_F(NicLoopTest, LoopAndWireAreApart)
{
    BuildLoop();
    ConnectLoop();
    const uint64_t bytes = 16 * 4096;
    Write(bytes, 0, 0);
    for (std::size_t i : {1, 2})
    {
        ASSERT_EQ(qp[i]->PostSend(Request(WrOpcode::Write, bytes, i)), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 3U);
    Tick at[3];
    for (const Ended& end : sent)
    {
        at[end.completion.wrId] = end.at;
    }
    const Tick alone = WireOf(bytes, 62) + Wire(62 + 16) - Wire(62);
    EXPECT_EQ(at[0], alone + 2 * delay + Wire(66));
    EXPECT_EQ(at[2], 2 * alone + Wire(66));
    // The first one's second frame was due when the second one came.
    EXPECT_EQ(at[1], 2 * alone - 2 * Wire(62 + 4096) + Wire(66));
}

// The bus gives up a frame's payload every 4096 B / 50 Gb/s; the last one goes at the wire's rate.
TEST_F(NicLoopTest, TheBusLimitsTheLoopToo)
{
    busBps = 50e9;
    BuildLoop();
    ASSERT_EQ(qp[1]->PostSend(Request(WrOpcode::Write, 10 * 4096)), Status::Ok);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, 9 * 4096 * 160 + Wire(62 + 4096) + Wire(66));
}

// Datagrams go one after the other, each by its way.
TEST_F(NicLoopTest, DatagramsToOthersAndToItself)
{
    Build();
    QueuePairInit init;
    init.type = QpType::Ud;
    init.profile = profile;
    init.sendQueue = &sendQueue;
    init.receiveQueue = &receiveQueue;
    QueuePair* end[2];
    for (int i = 0; i < 2; ++i)
    {
        end[i] = &nic[i].CreateQueuePair(init);
        ASSERT_EQ(end[i]->Connect({}, 0), Status::Ok);
        for (uint64_t k = 0; k < 3; ++k)
        {
            ASSERT_EQ(end[i]->PostReceive({10 * i + k}), Status::Ok);
        }
    }
    const AddressHandle to[2] = {{{kSelf}}, {{11}}};
    for (uint64_t k = 0; k < 6; ++k)
    {
        WorkRequest r;
        r.wrId = k;
        r.opcode = WrOpcode::Send;
        r.bytes = 4000;
        r.addressHandle = &to[k % 2];
        r.remoteNumber = end[k % 2]->GetNumber();
        ASSERT_EQ(end[0]->PostSend(r), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 6U);
    for (uint64_t k = 0; k < 6; ++k)
    {
        EXPECT_EQ(sent[k].completion.wrId, k);
        EXPECT_EQ(sent[k].at, static_cast<Tick>(k + 1) * Wire(62 + 8 + 4000)) << k;
    }
    EXPECT_EQ(received.size(), 6U);
    EXPECT_EQ(port[0].GetCounters().frames, 3U);
}

// In SQD a queue pair may be told of another peer; answers that wait by then take the new way.
TEST_F(NicLoopTest, APathThatBecomesALoop)
{
    BuildLoop();
    QueuePair& q = *qp[0];
    Write(10000, 1, 0);
    Simulator::Schedule(MicroSeconds(10), [this, &q] {
        QueuePairAttributes a;
        ASSERT_EQ(q.Modify(QpState::Sqd), Status::Ok);
        a.addressVector.destination = kSelf;
        ASSERT_EQ(q.Modify(a, kQpAddressVector), Status::Ok);
        ASSERT_EQ(q.Modify(QpState::Rts), Status::Ok);
        ASSERT_EQ(q.Modify(QpState::Err), Status::Ok);
    });
    Run();
    EXPECT_EQ(sent.size(), 1U);
    const uint64_t frames = port[0].GetCounters().frames;
    EXPECT_EQ(q.Modify(QpState::Reset), Status::Ok);
    QueuePair& end = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
    ASSERT_EQ(end.Connect({kSelf}, q.GetNumber()), Status::Ok);
    ASSERT_EQ(q.Connect({kSelf}, end.GetNumber()), Status::Ok);
    Write(10000, 2, 0);
    Run();
    EXPECT_EQ(sent.size(), 2U);
    EXPECT_EQ(port[0].GetCounters().frames, frames);
}

} // namespace
} // namespace ns3::aifabric::test
