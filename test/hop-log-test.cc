// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/congestion-control.h"
#include "ns3/hop-log.h"
#include "ns3/loss-recovery.h"

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;

namespace
{

/// What acknowledgements told, of all flows of a test.
struct Heard
{
    Tick now;
    Tick rtt;
    Tick baseRtt;
    uint64_t acknowledged;
    uint64_t sent;
    std::vector<HopRecord> hops;
    uint64_t backlogBytes;
    uint32_t digest;
};

std::vector<Heard> g_heard;

/// Counts the ports that a frame leaves by.
class Counter : public HopStamper
{
  public:
    void Stamp(HopLog& log, const HopRecord&, const void*) override
    {
        ++log.digest;
    }
};

struct NoState
{
};

/// Sends at line rate, or with a window, and writes down what comes back.
class Listener : public CongestionControlFor<Listener, NoState>
{
  public:
    void OnBegin(FlowView& flow, NoState&) const
    {
        flow.window = window;
    }

    void OnAck(FlowView& flow, NoState&, const AckEvent& ack) const
    {
        Heard heard{ack.now, ack.rtt, flow.baseRtt, ack.acknowledged, ack.GetSent(), {}, 0, 0};
        if (ack.hops)
        {
            heard.hops.assign(ack.hops->hops, ack.hops->hops + ack.hops->count);
            heard.backlogBytes = ack.hops->backlogBytes;
            heard.digest = ack.hops->digest;
        }
        g_heard.push_back(heard);
    }

    CongestionNotification GetNotification() const override
    {
        return notification;
    }

    PathTelemetry GetTelemetry() const override
    {
        return telemetry;
    }

    uint64_t window{std::numeric_limits<uint64_t>::max()};
    PathTelemetry telemetry{true, 42, nullptr, true};
    CongestionNotification notification;
};

constexpr uint32_t kMtu = 1000;
constexpr Tick kLatency = 400 * kNanosecond;

/// Of a frame of the HPCC header profile, 42 bytes of telemetry included, at 100 Gb/s.
constexpr uint32_t kFrameBytes = 48 + 42 + kMtu;
constexpr Tick kFrameTime = kFrameBytes * 80;

Ptr<Listener>
Prepare(FabricBed& bed)
{
    g_heard.clear();
    bed.topology->SetLink("nic_to_leaf", {100e9, kMicrosecond, 0, 0});
    bed.settings.headers = kHpccHeaders;
    bed.settings.mtuPayloadBytes = kMtu;
    auto control = Create<Listener>();
    bed.control = control;
    return control;
}

} // namespace

// A flow alone meets no queue, however long the switch takes; each frame is told of those before.
TEST(HopLog, TellsOfTheFrameBefore)
{
    FabricBed bed("star");
    Prepare(bed);
    bed.SetSwitches({0, 0, kLatency});
    bed.Build();
    bed.AddFlow(0, 1, 20 * kMtu);
    bed.Run();
    ASSERT_EQ(g_heard.size(), 20U);
    for (uint32_t i = 0; i < 20; ++i)
    {
        SCOPED_TRACE(i);
        ASSERT_EQ(g_heard[i].hops.size(), 1U);
        const HopRecord& hop = g_heard[i].hops[0];
        EXPECT_EQ(hop.at, (i + 1) * kFrameTime + kMicrosecond + kLatency);
        EXPECT_EQ(hop.sentBytes, i * kFrameBytes);
        EXPECT_EQ(hop.bandwidthBps, 100e9);
        EXPECT_EQ(hop.queuedBytes, 0U);
        EXPECT_EQ(g_heard[i].backlogBytes, (19 - i) * kMtu);
        EXPECT_EQ(g_heard[i].acknowledged, (i + 1) * kMtu);
    }
}

// Two senders at line rate: behind the k-th frame out of the bottleneck k - 1 frames wait, as one
// more comes in than goes out in every frame's time.
TEST(HopLog, TellsOfTheQueueWithoutWhatIsOnItsWayThrough)
{
    FabricBed bed("star");
    Prepare(bed);
    bed.SetSwitches({0, 0, kLatency});
    bed.Build();
    bed.AddFlow(0, 2, 10 * kMtu);
    bed.AddFlow(1, 2, 10 * kMtu);
    bed.Run();
    ASSERT_EQ(g_heard.size(), 20U);
    for (uint32_t i = 0; i < 20; ++i)
    {
        // Both sources send 10 frames each; the k-th pair is here when k - 1 frames have left.
        const uint32_t here = std::min(2 * (i + 1), 20U);
        EXPECT_EQ(g_heard[i].hops[0].queuedBytes, (here - i - 1) * kFrameBytes) << i;
    }
}

TEST(HopLog, HasARecordOfEveryPortInOrder)
{
    FabricBed bed("leaf_spine");
    auto control = Prepare(bed);
    bed.topology->SetLink("leaf_to_spine", {400e9, kMicrosecond, 0, 0});
    bed.Build();
    const NodeIdx far = bed.GetFabric().GetGraph().HostCount() - 1;
    bed.AddFlow(0, far, 3 * kMtu);
    bed.Run();
    ASSERT_EQ(g_heard.size(), 3U);
    for (const Heard& heard : g_heard)
    {
        ASSERT_EQ(heard.hops.size(), 3U);
        EXPECT_EQ(heard.hops[0].bandwidthBps, 400e9);
        EXPECT_EQ(heard.hops[1].bandwidthBps, 400e9);
        EXPECT_EQ(heard.hops[2].bandwidthBps, 100e9);
        EXPECT_LT(heard.hops[0].at, heard.hops[1].at);
        EXPECT_LT(heard.hops[1].at, heard.hops[2].at);
    }
}

TEST(HopLog, AStamperWritesInItsPlace)
{
    Counter counter;
    FabricBed bed("leaf_spine");
    Prepare(bed)->telemetry = {true, 1, &counter};
    bed.Build();
    bed.AddFlow(0, bed.GetFabric().GetGraph().HostCount() - 1, 3 * kMtu);
    bed.Run();
    ASSERT_EQ(g_heard.size(), 3U);
    for (const Heard& heard : g_heard)
    {
        EXPECT_TRUE(heard.hops.empty());
        EXPECT_EQ(heard.digest, 3U);
    }
}

// Losses, duplicates and frames that wait for earlier ones: no log is left (the bed looks), and a
// frame that fills a gap brings its own back.
TEST(HopLog, OutlivesLosses)
{
    for (const char* recovery : {"go_back_n", "selective_repeat", "out_of_order"})
    {
        SCOPED_TRACE(recovery);
        FabricBed bed("star");
        Prepare(bed)->window = 100 * kMtu;
        bed.recovery = MakePlugin<LossRecovery>(recovery);
        bed.topology->SetLink("nic_to_leaf", {100e9, kMicrosecond, 0.01, 0});
        bed.transport->retransmissionTimeout = MicroSeconds(100);
        bed.Build();
        bed.AddFlow(0, 1, 2000 * kMtu);
        bed.Run();
        std::size_t told = 0;
        for (const Heard& heard : g_heard)
        {
            told += heard.hops.size();
        }
        EXPECT_GT(told, g_heard.size() * 9 / 10);
    }
}

// The base round trip is what a frame alone takes, from its start to its acknowledgement.
TEST(HopLog, BaseRttIsThatOfAFrameAlone)
{
    FabricBed bed("star");
    Prepare(bed)->telemetry = {};
    bed.settings.nicLatency = 300 * kNanosecond;
    bed.SetSwitches({0, 0, kLatency});
    bed.Build();
    bed.AddFlow(0, 1, 5 * kMtu);
    bed.Run();
    ASSERT_EQ(g_heard.size(), 5U);
    for (const Heard& heard : g_heard)
    {
        EXPECT_EQ(heard.rtt, heard.baseRtt);
        EXPECT_TRUE(heard.hops.empty());
    }
}

// Two flows of one host, and one of another, each marked all the time: pacing by flow lets three
// CNPs go per interval, by destination two, by port one.
TEST(CnpPacing, ByFlowDestinationAndPort)
{
    using Cn = CongestionNotification;
    constexpr Tick kInterval = 20 * kMicrosecond;
    std::map<Cn::Scope, uint64_t> sent;
    for (Cn::Scope scope : {Cn::Flow, Cn::Destination, Cn::Port})
    {
        FabricBed bed("star");
        Prepare(bed)->notification = {Cn::Cnp, kInterval, scope, 0};
        bed.settings.ecn = Make<EcnSettings>({{"KminBytes", "0"}, {"KmaxBytes", "0"}});
        bed.Build();
        bed.AddFlow(0, 2, 1000 * kMtu);
        bed.AddFlow(0, 2, 1000 * kMtu);
        bed.AddFlow(1, 2, 2000 * kMtu);
        bed.Run();
        sent[scope] = bed.GetFabric().GetNic(2).GetCounters().cnpsSent;
    }
    const double intervals = 4000.0 * kFrameTime / kInterval;
    EXPECT_NEAR(sent[Cn::Flow], 3 * intervals, 4);
    EXPECT_NEAR(sent[Cn::Destination], 2 * intervals, 3);
    EXPECT_NEAR(sent[Cn::Port], intervals, 2);
}
