// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-pool.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <map>

namespace ns3::aifabric
{
namespace
{

/// Takes what it gets.
class Sink final : public FrameSink
{
  public:
    void Receive(Frame* f, PortIdx, Tick) override
    {
        ++frames;
        FramePool::Return(f);
    }

    uint64_t frames{0};
};

/**
 * Two switches of 40 Gb/s, each of which has the way to endpoints 0 to 9 through the other: what is
 * for them goes round. Port 0 of the first leads to a host, port 1 of each to the other switch.
 */
class RoutingLoop : public ::testing::Test
{
  protected:
    static constexpr double kRate = 40e9;
    static constexpr uint32_t kFrame = 1000;
    static constexpr uint8_t kHops = 16;

    RoutingLoop()
    {
        UsePicoseconds();
    }

    ~RoutingLoop() override
    {
        Simulator::Destroy();
        m_switch[0] = m_switch[1] = nullptr;
        EXPECT_EQ(FramePool::Out(), 0U);
    }

    void Build(Ptr<const PfcSettings> pfc = CreateObject<PfcSettings>())
    {
        for (auto& at : m_switch)
        {
            at = CreateObject<FabricSwitch>();
            at->MakePorts(2);
        }
        for (int i = 0; i < 2; ++i)
        {
            PortSettings link{kRate, kMicrosecond};
            link.peer = &m_host;
            m_switch[i]->GetPort(0).Wire(link, 0, PeekPointer(m_switch[i]), Watching(i));
            link.peer = PeekPointer(m_switch[1 - i]);
            link.peerPort = 1;
            m_switch[i]->GetPort(1).Wire(link, 1, PeekPointer(m_switch[i]), Watching(i));
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            SwitchSettings settings;
            settings.id = i;
            settings.bufferBytes = 1000000;
            settings.maxFrameBytes = kFrame;
            settings.hopLimit = kHops;
            settings.pfc = pfc;
            settings.buffer = MakePlugin<BufferManager>("dynamic_threshold");
            settings.table = ForwardingTable({{1}}, {{0, 9, 0}}, 12);
            EXPECT_TRUE(m_switch[i]->Seal(settings, {kMicrosecond, kMicrosecond}).empty());
        }
    }

    const uint32_t* Watching(int i)
    {
        return m_switch[i]->GetWatching();
    }

    void Inject(NodeIdx destination)
    {
        Frame* f = FramePool::Take();
        *f = {};
        f->op = Opcode::WriteOnly;
        f->dst = destination;
        f->priority = 3;
        f->bytes = kFrame;
        const Tick now = Simulator::Now().GetTimeStep();
        m_switch[0]->Receive(f, 0, now);
    }

    /// A frame every so often; what the host is told about pauses is of no interest to it.
    void InjectAll(Tick period, uint64_t count)
    {
        if (count > 0)
        {
            Inject(5);
            Simulator::Schedule(FromTick(period), [=] { InjectAll(period, count - 1); });
        }
    }

    uint64_t Departed(int i)
    {
        EgressPort& port = m_switch[i]->GetPort(1);
        port.Sync(Simulator::Now().GetTimeStep());
        return port.GetCounters().dataFrames;
    }

    uint64_t Dropped(DropReason reason)
    {
        return m_switch[0]->GetDropped(reason) + m_switch[1]->GetDropped(reason);
    }

    Ptr<FabricSwitch> m_switch[2];
    Sink m_host;
};

TEST_F(RoutingLoop, EndsAtTheHopLimit)
{
    Build();
    std::map<DropReason, int> traced;
    for (auto& at : m_switch)
    {
        at->TraceConnectWithoutContext(
            "Drop",
            Callback<void, const Frame&, PortIdx, DropReason>(
                [&](const Frame&, PortIdx, DropReason reason) { ++traced[reason]; }));
    }
    Inject(5);
    Simulator::Run();
    EXPECT_EQ(Dropped(DropReason::HopLimit), 1U);
    EXPECT_EQ(traced[DropReason::HopLimit], 1);
    // Sixteen switches forward it; the seventeenth does not.
    EXPECT_EQ(Departed(0) + Departed(1), 16U);
    EXPECT_EQ(m_switch[0]->GetBuffer()->GetUsedBytes(), 0U);
    EXPECT_EQ(m_switch[1]->GetBuffer()->GetUsedBytes(), 0U);
}

TEST_F(RoutingLoop, DestinationsWithoutRouteAreDropped)
{
    Build();
    Inject(10);
    Inject(11);
    Simulator::Run();
    EXPECT_EQ(Dropped(DropReason::NoRoute), 2U);
    EXPECT_EQ(Departed(0), 0U);
    EXPECT_EQ(m_switch[0]->GetBuffer()->GetUsedBytes(), 0U);
}

// Each frame costs 16 of the 2 x 40 Gb/s in the loop: up to 5 Gb/s it drains, above it fills until
// both directions are paused for good (Hu et al., HotNets 2016).
TEST_F(RoutingLoop, DrainsBelowTheThreshold)
{
    Build();
    InjectAll(2000 * kNanosecond, 5000);
    Simulator::Run();
    EXPECT_EQ(Dropped(DropReason::HopLimit), 5000U);
    EXPECT_EQ(Dropped(DropReason::HeadroomFull), 0U);
    EXPECT_EQ(m_switch[0]->GetPfc().GetStopped() + m_switch[1]->GetPfc().GetStopped(), 0U);
}

TEST_F(RoutingLoop, DeadlocksAboveTheThreshold)
{
    Build();
    InjectAll(4000 * kNanosecond / 3, 15000);
    Simulator::Stop(MilliSeconds(25));
    Simulator::Run();
    const uint64_t before = Departed(0) + Departed(1);
    EXPECT_GT(m_switch[0]->GetPfc().GetStopped(), 0U);
    EXPECT_GT(m_switch[1]->GetPfc().GetStopped(), 0U);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    EXPECT_EQ(Departed(0) + Departed(1), before);
    EXPECT_GT(m_switch[0]->GetBuffer()->GetUsedBytes(), 0U);
    EXPECT_LT(Dropped(DropReason::HopLimit), 15000U);
}

/// The same with a watchdog of a hundredth of the usual times.
class WatchedLoop : public RoutingLoop
{
  protected:
    static constexpr Tick kPoll = kMillisecond;
    static constexpr Tick kDetection = 2 * kMillisecond;
    static constexpr Tick kRestoration = 2 * kMillisecond;

    void BuildWatched(const std::string& action)
    {
        auto pfc = CreateObject<PfcSettings>();
        PointerValue value;
        pfc->GetAttribute("Watchdog", value);
        Ptr<Object> watchdog = value.GetObject();
        watchdog->SetAttribute("Enabled", BooleanValue(true));
        watchdog->SetAttribute("PollInterval", TimeValue(FromTick(kPoll)));
        watchdog->SetAttribute("DetectionTime", TimeValue(FromTick(kDetection)));
        watchdog->SetAttribute("RestorationTime", TimeValue(FromTick(kRestoration)));
        watchdog->SetAttribute("Action", StringValue(action));
        Build(pfc);
        for (auto& at : m_switch)
        {
            at->TraceConnectWithoutContext("Storm",
                                           Callback<void, PortIdx, uint8_t, bool>(
                                               [this](PortIdx, uint8_t priority, bool begins) {
                                                   EXPECT_EQ(priority, 3);
                                                   storms.push_back({Now(), begins});
                                               }));
            at->TraceConnectWithoutContext("Pause",
                                           Callback<void, PortIdx, uint8_t, bool, PortIdx>(
                                               [this](PortIdx, uint8_t, bool, PortIdx out) {
                                                   EXPECT_EQ(out, 1);
                                                   lastEdge = Now();
                                               }));
        }
    }

    static Tick Now()
    {
        return Simulator::Now().GetTimeStep();
    }

    uint64_t CountDetected() const
    {
        return m_switch[0]->GetWatchdog()->GetDetected() +
               m_switch[1]->GetWatchdog()->GetDetected();
    }

    std::vector<std::pair<Tick, bool>> storms; ///< when, and whether it begins
    Tick lastEdge{0};
};

// At 6 Gb/s the loop stands still within a millisecond or two, for good without a watchdog; with it
// the queues are dropped after the detection time and a look at most, and all is as before another
// restoration time and a look later.
TEST_F(WatchedLoop, IsFreedByDropping)
{
    BuildWatched("drop");
    InjectAll(4000 * kNanosecond / 3, 3000);
    Tick stoodStill = 0;
    for (Tick at = 0; at < 20 * kMillisecond; at += 100 * kMicrosecond)
    {
        Simulator::Schedule(FromTick(at), [&] {
            const bool stands =
                m_switch[0]->GetPort(1).IsPaused(3) && m_switch[1]->GetPort(1).IsPaused(3);
            stoodStill = stands ? stoodStill + 100 * kMicrosecond : 0;
            EXPECT_LE(stoodStill, kDetection + kPoll);
        });
    }
    Simulator::Run();
    ASSERT_GE(storms.size(), 2U);
    EXPECT_EQ(storms.size(), 2 * CountDetected());
    EXPECT_LE(storms.back().first, storms[storms.size() - 2].first + kRestoration + kPoll);
    EXPECT_FALSE(storms.back().second);
    const uint64_t dropped = Dropped(DropReason::Watchdog);
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(dropped + Dropped(DropReason::HopLimit) + Dropped(DropReason::HeadroomFull), 3000U);
    for (auto& at : m_switch)
    {
        EXPECT_EQ(at->GetBuffer()->GetUsedBytes(), 0U);
        EXPECT_EQ(at->GetPfc().GetStopped(), 0U);
        EXPECT_EQ(at->GetWatchdog()->GetActive(), 0U);
    }
}

// Sent on in spite of pauses, frames come to their hop limit, or to a headroom that is full.
TEST_F(WatchedLoop, IsFreedByForwarding)
{
    BuildWatched("forward");
    InjectAll(4000 * kNanosecond / 3, 3000);
    Simulator::Run();
    EXPECT_GE(CountDetected(), 1U);
    EXPECT_EQ(Dropped(DropReason::Watchdog), 0U);
    EXPECT_EQ(Dropped(DropReason::HopLimit) + Dropped(DropReason::HeadroomFull), 3000U);
    EXPECT_EQ(m_switch[0]->GetPfc().GetStopped() + m_switch[1]->GetPfc().GetStopped(), 0U);
}

// Pauses that end by themselves are none of its business, and without any it does not look at all.
TEST_F(WatchedLoop, LeavesAlivePausesAlone)
{
    BuildWatched("drop");
    InjectAll(2000 * kNanosecond, 5000);
    Simulator::Run();
    EXPECT_EQ(CountDetected(), 0U);
    EXPECT_EQ(Dropped(DropReason::HopLimit), 5000U);
}

} // namespace
} // namespace ns3::aifabric
