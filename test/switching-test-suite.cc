// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-case.h"

#include "ns3/boolean.h"
#include "ns3/fabric-compat.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr Tick kFrames = 256; ///< of each message

/// Two hosts send to a third at once. The link to it never runs dry: before the last frame of all it
/// carries all others, two of which are the first of their message, and begins one such frame late.
class IncastCase : public FabricCase
{
  public:
    IncastCase()
        : FabricCase("an incast keeps the last link busy")
    {
    }

  private:
    void DoRun() override
    {
        UseStar(3);
        Install();
        Write(0, 2, kFrames * 4096);
        Write(1, 2, kFrames * 4096);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "both end");
        NS_TEST_EXPECT_MSG_EQ(ended[1].at,
                              3 * (kFrame + kAddress) + (2 * kFrames - 2) * kFrame + 2 * kAck +
                                  4 * kDelay,
                              "the last to end");
        NS_TEST_EXPECT_MSG_EQ(CountersTo(2).payloadBytes, 2 * kFrames * 4096, "no byte twice");
    }
};

/// The same through a small buffer. With pauses nothing is lost; without, what is lost is sent again.
class SmallBufferCase : public FabricCase
{
  public:
    explicit SmallBufferCase(bool lossless)
        : FabricCase(lossless ? "pauses prevent losses" : "without pauses a full buffer drops"),
          m_lossless(lossless)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper& helper = UseStar(3);
        helper.SetSwitches(500000, Time(0));
        auto pfc = CreateObject<PfcSettings>();
        pfc->SetAttribute("Enabled", BooleanValue(m_lossless));
        helper.Settings().pfc = pfc;
        Fabric& fabric = Install();
        Write(0, 2, kFrames * 4096);
        Write(1, 2, kFrames * 4096);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "both end");
        const uint64_t pauses = fabric.GetHostPort(0).GetCounters().pauses;
        NS_TEST_EXPECT_MSG_EQ((pauses > 0), m_lossless, "host 0 was paused");
        NS_TEST_EXPECT_MSG_EQ((CountersTo(2).dropped > 0), !m_lossless, "frames were dropped");
        NS_TEST_EXPECT_MSG_EQ(DeliveredTo(2), 2 * kFrames * 4096, "every byte came once");
    }

    bool m_lossless;
};

/// One flow alone has no queue to be marked in, two have.
class MarkingCase : public FabricCase
{
  public:
    explicit MarkingCase(NodeIdx senders)
        : FabricCase("marks begin at Kmin, senders: " + std::to_string(senders)),
          m_senders(senders)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t kKmin = 100000;
        auto ecn = CreateObject<EcnSettings>();
        ecn->SetAttribute("KmaxBytes", UintegerValue(kKmin));
        ecn->SetAttribute("KminBytes", UintegerValue(kKmin));
        UseStar(3).Settings().ecn = ecn;
        Install();
        for (NodeIdx sender = 0; sender < m_senders; ++sender)
        {
            Write(sender, 2, kFrames * 4096);
        }
        Simulator::Run();
        // With two the queue grows to one message and shrinks again, by a frame in the time of one;
        // what leaves while it is longer than Kmin is marked.
        const double longest = kFrames * 4158 * (m_senders - 1);
        const double expected = longest > kKmin ? 2 * (longest - kKmin) / 4158 : 0;
        NS_TEST_EXPECT_MSG_EQ_TOL(CountersTo(2).marked, expected, 8, "frames marked");
    }

    NodeIdx m_senders;
};

class SwitchingSuite : public TestSuite
{
  public:
    SwitchingSuite()
        : TestSuite("ai-fabric-switching", compat::SuiteType<TestSuite>::kUnit)
    {
        AddTestCase(new IncastCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new SmallBufferCase(true), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new SmallBufferCase(false), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new MarkingCase(1), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new MarkingCase(2), compat::CaseDuration<TestCase>::kQuick);
    }
};

SwitchingSuite g_switchingSuite;

} // namespace
