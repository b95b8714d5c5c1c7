// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-case.h"

#include "ns3/fabric-compat.h"
#include "ns3/queue-pair-attributes.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// A WRITE of 1 MiB: its frames go back to back, the first waits for itself at the switch, the last
/// one's acknowledgement comes back.
class CompletionTimeCase : public FabricCase
{
  public:
    CompletionTimeCase()
        : FabricCase("a WRITE takes its ideal time")
    {
    }

  private:
    void DoRun() override
    {
        UseStar(2);
        Install();
        Write(0, 1, 1 << 20);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 1, "it ends");
        NS_TEST_EXPECT_MSG_EQ(
            ended[0].at, 257 * kFrame + 2 * kAddress + 2 * kAck + 4 * kDelay, "when it ends");
    }
};

/// Long WRITEs one behind the other get 1 MiB / (frames x (MTU + 82 B) + 16 B) of the line: 98.036
/// Gb/s with 4096 B, 92.585 Gb/s with 1024 B.
class GoodputCase : public FabricCase
{
  public:
    GoodputCase(uint32_t mtu, double gbps)
        : FabricCase("goodput with an MTU of " + std::to_string(mtu)),
          m_mtu(mtu),
          m_gbps(gbps)
    {
    }

  private:
    void DoRun() override
    {
        UseStar(2).Settings().mtuPayloadBytes = m_mtu;
        Install();
        QueuePairs pair = Connect(0, 1);
        for (uint64_t i = 0; i < 20; ++i)
        {
            pair.sender->PostSend({i, 1 << 20});
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 20, "all end");
        const double seconds = static_cast<double>(ended[19].at - ended[9].at) / kSecond;
        NS_TEST_EXPECT_MSG_EQ_TOL(10 * 8e-9 * (1 << 20) / seconds, m_gbps, 0.001, "Gb/s");
    }

    uint32_t m_mtu;
    double m_gbps;
};

/// Whatever the links lose, every byte is delivered once and in order; a link that loses everything
/// ends the work with the status that the verbs have for it.
class LossCase : public FabricCase
{
  public:
    explicit LossCase(double probability)
        : FabricCase("links lose frames with probability " + std::to_string(probability)),
          m_probability(probability)
    {
    }

  private:
    void DoRun() override
    {
        UseStar(2).SetLinks(DataRate("100Gbps"), FromTick(kDelay), m_probability);
        Fabric& fabric = Install();
        QueuePairs pair = Write(0, 1, 1 << 20);
        pair.sender->PostSend({1, 1 << 20});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "both end");
        const bool dead = m_probability == 1;
        NS_TEST_EXPECT_MSG_EQ(ToString(ended[0].completion.status),
                              std::string(dead ? "retry_exceeded" : "done"),
                              "status of the first");
        NS_TEST_EXPECT_MSG_EQ(ToString(ended[1].completion.status),
                              std::string(dead ? "flushed" : "done"),
                              "status of the second");
        NS_TEST_EXPECT_MSG_EQ(DeliveredTo(1), (dead ? 0 : 2 << 20), "delivered");
        NS_TEST_EXPECT_MSG_GT(fabric.GetNic(0).GetCounters().retransmittedBytes, 0, "sent again");
    }

    double m_probability;
};

/// A SEND needs a receive, posted in time or later.
class ReceiveCase : public FabricCase
{
  public:
    ReceiveCase()
        : FabricCase("a SEND waits for a receive")
    {
    }

  private:
    void DoRun() override
    {
        UseStar(2);
        Install();
        QueuePairs pair = Connect(0, 1);
        const Tick late = 100 * kMicrosecond;
        pair.sender->PostSend({1, 4096, WrOpcode::Send});
        Simulator::Schedule(FromTick(late), [pair] { pair.receiver->PostReceive({2, 4096}); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "both ends report");
        NS_TEST_EXPECT_MSG_EQ(ended[0].completion.wrId, 2, "the receive first");
        NS_TEST_EXPECT_MSG_EQ(ended[0].completion.bytes, 4096, "its length");
        NS_TEST_EXPECT_MSG_GT(ended[0].at, late, "not before there was room");
        NS_TEST_EXPECT_MSG_EQ(ended[1].at - ended[0].at, 2 * (kAck + kDelay), "the way back");
    }
};

/// Which steps a queue pair may take at all: rows from, columns to, RESET to ERR; u: not of an RC.
class StateMachineCase : public TestCase
{
  public:
    StateMachineCase()
        : TestCase("the steps of the state machine")
    {
    }

  private:
    void DoRun() override
    {
        constexpr const char* kSteps[] = {
            "xx....x", "xxx...x", "x..x..x", "x..xx.x", "x..xx.x", "x..u..x", "x.....x"};
        for (int from = 0; from < 7; ++from)
        {
            for (int to = 0; to < 7; ++to)
            {
                Check(static_cast<QpState>(from), static_cast<QpState>(to), kSteps[from][to]);
            }
        }
    }

    void Check(QpState from, QpState to, char expected)
    {
        for (QpType type : {QpType::Rc, QpType::Uc, QpType::Ud})
        {
            // Steps that require more are legal, though not with this mask.
            const bool legal =
                CheckTransition(type, from, to, kQpState) != Status::IllegalTransition;
            NS_TEST_EXPECT_MSG_EQ(legal,
                                  (expected == 'x' || (expected == 'u' && type != QpType::Rc)),
                                  ToString(from) << " to " << ToString(to));
        }
    }
};

class TransportSuite : public TestSuite
{
  public:
    TransportSuite()
        : TestSuite("ai-fabric-transport", compat::SuiteType<TestSuite>::kUnit)
    {
        AddTestCase(new CompletionTimeCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new GoodputCase(4096, 98.036), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new GoodputCase(1024, 92.585), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new LossCase(0.01), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new LossCase(1), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new ReceiveCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new StateMachineCase, compat::CaseDuration<TestCase>::kQuick);
    }
};

TransportSuite g_transportSuite;

} // namespace
