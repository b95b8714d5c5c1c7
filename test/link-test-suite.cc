// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-port.h"
#include "ns3/fabric-compat.h"
#include "ns3/frame-pool.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// One direction of a link of 400 Gb/s and 500 ns, with 20 B of preamble and gap, and who receives.
class LinkCase : public TestCase, public FrameSink
{
  protected:
    static constexpr Tick kDelay = 500 * kNanosecond;
    static constexpr Tick kByte = 20; ///< at 400 Gb/s

    struct Seen
    {
        uint32_t id;
        Tick at;
    };

    explicit LinkCase(const std::string& name)
        : TestCase(name)
    {
    }

    void Receive(Frame* f, PortIdx, Tick now) override
    {
        seen.push_back({f->flow, now});
        FramePool::Return(f);
    }

    void Enqueue(uint32_t id, uint8_t priority, uint32_t bytes)
    {
        Frame* f = FramePool::Take();
        *f = {};
        f->op = Opcode::WriteMiddle;
        f->flow = id;
        f->priority = priority;
        f->bytes = bytes;
        const Tick now = Simulator::Now().GetTimeStep();
        f->ready = now;
        port.Enqueue(f, now);
    }

    void ExpectSeen(std::size_t i, uint32_t id, Tick at)
    {
        NS_TEST_ASSERT_MSG_GT(seen.size(), i, "a frame is missing");
        NS_TEST_EXPECT_MSG_EQ(seen[i].id, id, "frame " << i);
        NS_TEST_EXPECT_MSG_EQ(seen[i].at, at, "arrival of frame " << id);
    }

    EgressPort port;
    std::vector<Seen> seen;

  private:
    void DoSetup() override
    {
        UsePicoseconds();
        PortSettings settings;
        settings.bandwidthBps = 400e9;
        settings.delay = kDelay;
        settings.gapBytes = 20;
        settings.peer = this;
        port.Wire(settings, 0, nullptr, nullptr);
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(port.CountFrames(), 0, "frames are left in the port");
        NS_TEST_EXPECT_MSG_EQ(FramePool::Out(), 0, "frames are left");
    }
};

/// The n-th of frames enqueued together arrives after n times its length and gap, and the delay.
class BackToBackCase : public LinkCase
{
  public:
    BackToBackCase()
        : LinkCase("frames leave back to back")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t i = 0; i < 100; ++i)
        {
            Enqueue(i, 3, 1000);
        }
        Simulator::Run();
        for (uint32_t i = 0; i < 100; ++i)
        {
            ExpectSeen(i, i, (i + 1) * 1020 * kByte + kDelay);
        }
        NS_TEST_EXPECT_MSG_EQ(port.GetCounters().bytes, 100000, "bytes without gaps");
        NS_TEST_EXPECT_MSG_EQ(port.GetCounters().maxQueueBytes, 99000, "all but the first waited");
        // Arrivals are all the events that there are.
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 100, "one event per frame");
    }
};

/// The frame under way is finished, then the highest priority goes first.
class PriorityCase : public LinkCase
{
  public:
    PriorityCase()
        : LinkCase("strict priority waits for one frame")
    {
    }

  private:
    void DoRun() override
    {
        Enqueue(0, 1, 4000);
        Enqueue(1, 1, 4000);
        Simulator::Schedule(FromTick(1), [this] {
            Enqueue(2, 3, 1000);
            Enqueue(3, 6, 1000);
        });
        Simulator::Run();
        ExpectSeen(0, 0, 4020 * kByte + kDelay);
        ExpectSeen(1, 3, (4020 + 1020) * kByte + kDelay);
        ExpectSeen(2, 2, (4020 + 2 * 1020) * kByte + kDelay);
        ExpectSeen(3, 1, (2 * 4020 + 2 * 1020) * kByte + kDelay);
    }
};

/// A pause stops one priority to the instant (IEEE 802.1Qbb).
class PauseCase : public LinkCase
{
  public:
    PauseCase()
        : LinkCase("a pause stops its priority until then")
    {
    }

  private:
    void DoRun() override
    {
        const Tick until = 100 * kMicrosecond;
        port.Pause(3, until, 0);
        Enqueue(0, 3, 1000);
        Enqueue(1, 2, 1000);
        Simulator::Run();
        ExpectSeen(0, 1, 1020 * kByte + kDelay);
        ExpectSeen(1, 0, until + 1020 * kByte + kDelay);
        NS_TEST_EXPECT_MSG_EQ(port.GetCounters().pausedTime, until, "time paused");
    }
};

class LinkSuite : public TestSuite
{
  public:
    LinkSuite()
        : TestSuite("ai-fabric-link", compat::SuiteType<TestSuite>::kUnit)
    {
        AddTestCase(new BackToBackCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new PriorityCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new PauseCase, compat::CaseDuration<TestCase>::kQuick);
    }
};

LinkSuite g_linkSuite;

} // namespace
