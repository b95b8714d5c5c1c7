// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/double.h"

#include <cmath>
#include <functional>

namespace ns3::aifabric::test
{
namespace
{

Ptr<CongestionControl>
FixedRate(double lineFraction)
{
    auto control = MakePlugin<CongestionControl>("fixed");
    control->SetAttribute("LineFraction", DoubleValue(lineFraction));
    return control;
}

/// Senders to host 0 of a star, HPCC's frames of 1048 B, no pauses.
class MarkingBed : public FabricBed
{
  public:
    MarkingBed(uint32_t senders, double lineFraction, Ptr<const EcnSettings> ecn)
        : FabricBed("star")
    {
        Set("HostCount", senders + 1);
        settings.headers = kHpccHeaders;
        settings.mtuPayloadBytes = 1000;
        settings.ecn = ecn;
        control = FixedRate(lineFraction);
        Build();
        m_port = &GetFabric().GetPort(Find("leaf0"), 0);
    }

    /// @return marks by then at the port to host 0.
    uint64_t CountMarks()
    {
        m_port->Sync(Simulator::Now().GetTimeStep());
        return m_port->GetCounters().marked;
    }

    uint32_t GetQueue()
    {
        m_port->Sync(Simulator::Now().GetTimeStep());
        return m_port->GetQueuedBytes(3);
    }

  private:
    EgressPort* m_port;
};

// Two flows at 0.6 of the line leave 0.2 frames behind with each frame that departs: the queue needs
// 5 (Kmax - Kmin) / frame departures from Kmin to Kmax, and marks half of them on average where Pmax
// is 1. Their variance is the sum of p (1 - p), a sixth of their number.
TEST(FabricMarking, GrowingQueueMarksInProportion)
{
    MarkingBed bed(
        2,
        0.6,
        Make<EcnSettings>({{"KminBytes", "400000"}, {"KmaxBytes", "1600000"}, {"Pmax", "1"}}));
    bed.AddFlow(1, 0, 8000000);
    bed.AddFlow(2, 0, 8000000);
    uint64_t below = 0;
    uint64_t between = 0;
    // Every frame time, until the flows have ended.
    std::function<void()> look = [&] {
        const uint32_t queued = bed.GetQueue();
        below = queued <= 400000 ? bed.CountMarks() : below;
        between = queued <= 1600000 ? bed.CountMarks() : between;
        if (queued <= 1600000)
        {
            Simulator::Schedule(FromTick(83840), look);
        }
    };
    look();
    bed.Run();
    EXPECT_EQ(below, 0U);
    EXPECT_NEAR(between, 0.5 * 5 * (1600000 - 400000) / 1048, 93);
    EXPECT_EQ(bed.results[0].markedFrames + bed.results[1].markedFrames, bed.CountMarks());
}

// A burst of that size stays in the queue while two flows at half the line keep it there.
TEST(FabricMarking, QueueThatStaysMarksWithItsProbability)
{
    for (double share : {0.25, 0.5, 0.9})
    {
        MarkingBed bed(
            12,
            0.5,
            Make<EcnSettings>({{"KminBytes", "100000"}, {"KmaxBytes", "300000"}, {"Pmax", "0.2"}}));
        const double held = 100000 + share * 200000;
        // Ten senders make the burst in a time in which little leaves.
        for (NodeIdx sender = 3; sender <= 12; ++sender)
        {
            bed.AddFlow(sender, 0, std::lround(held / 1048 / 10) * 1000);
        }
        bed.AddFlow(1, 0, 20000000);
        bed.AddFlow(2, 0, 20000000);
        uint64_t before = 0;
        uint64_t after = 0;
        double sum = 0;
        int looks = 0;
        Simulator::Schedule(MicroSeconds(100), [&] { before = bed.CountMarks(); });
        for (int i = 100; i < 3000; i += 10)
        {
            Simulator::Schedule(MicroSeconds(i), [&] {
                sum += bed.GetQueue();
                ++looks;
            });
        }
        Simulator::Schedule(MicroSeconds(3000), [&] { after = bed.CountMarks(); });
        bed.Run();
        const double p = 0.2 * (sum / looks - 100000) / 200000;
        const double frames = 2900 / 0.08384;
        EXPECT_NEAR(sum / looks, held, 11000);
        EXPECT_NEAR((after - before) / frames, p, 3 * std::sqrt(p * (1 - p) / frames)) << share;
    }
}

/// A switch with a port of each of those rates, to be told of departures.
class Marker : public FrameSink
{
  public:
    explicit Marker(Ptr<const EcnSettings> ecn, std::vector<double> gbps = {100})
        : m_switch(CreateObject<FabricSwitch>())
    {
        m_switch->MakePorts(gbps.size());
        for (PortIdx port = 0; port < gbps.size(); ++port)
        {
            PortSettings settings;
            settings.bandwidthBps = gbps[port] * 1e9;
            settings.peer = this;
            m_switch->GetPort(port).Wire(
                settings, port, PeekPointer(m_switch), m_switch->GetWatching());
        }
        SwitchSettings settings;
        settings.ecn = ecn;
        m_switch->Seal(settings, std::vector<Tick>(gbps.size()));
    }

    /// @return how many of 10000 frames are marked that leave so much behind.
    int Count(uint32_t queued, PortIdx port = 0, uint8_t flags = kEct)
    {
        int marks = 0;
        for (int i = 0; i < 10000; ++i)
        {
            Frame f{};
            f.op = Opcode::WriteMiddle;
            f.flags = flags;
            m_switch->OnDeparture(m_switch->GetPort(port), f, queued, 0, 0);
            marks += f.flags & kCe ? 1 : 0;
        }
        return marks;
    }

    void Receive(Frame* f, PortIdx, Tick) override
    {
        FramePool::Return(f);
    }

    FabricSwitch& GetSwitch()
    {
        return *m_switch;
    }

  private:
    Ptr<FabricSwitch> m_switch;
};

// p(q) of Zhu et al., SIGCOMM'15, eq. 5, at its edges.
TEST(FabricMarking, EdgesOfTheCurve)
{
    Marker marker(
        Make<EcnSettings>({{"KminBytes", "40000"}, {"KmaxBytes", "200000"}, {"Pmax", "0.1"}}));
    EXPECT_EQ(marker.Count(0), 0);
    EXPECT_EQ(marker.Count(40000), 0);
    EXPECT_NEAR(marker.Count(120000), 500, 3 * std::sqrt(10000 * 0.05 * 0.95));
    EXPECT_NEAR(marker.Count(200000), 1000, 3 * std::sqrt(10000 * 0.1 * 0.9));
    EXPECT_EQ(marker.Count(200001), 10000);
}

// DCTCP's step (RFC 8257).
TEST(FabricMarking, StepWhereTheThresholdsAreEqual)
{
    Marker marker(
        Make<EcnSettings>({{"KminBytes", "65000"}, {"KmaxBytes", "65000"}, {"Pmax", "0.3"}}));
    EXPECT_EQ(marker.Count(65000), 0);
    EXPECT_EQ(marker.Count(65001), 10000);
}

TEST(FabricMarking, OnlyWhatMayBeMarkedAndOnce)
{
    Marker marker(Make<EcnSettings>({{"KminBytes", "1000"}, {"KmaxBytes", "2000"}}));
    EXPECT_EQ(marker.Count(5000, 0, 0), 0);
    EXPECT_EQ(marker.Count(5000, 0, kEct), 10000);
    EXPECT_EQ(marker.GetSwitch().GetPort(0).GetCounters().marked, 10000U);
    EXPECT_EQ(marker.Count(5000, 0, kEct | kCe), 10000);
    EXPECT_EQ(marker.GetSwitch().GetPort(0).GetCounters().marked, 10000U) << "counted twice";
    Marker off(
        Make<EcnSettings>({{"Enabled", "false"}, {"KminBytes", "1000"}, {"KmaxBytes", "2000"}}));
    EXPECT_EQ(off.Count(5000), 0);
}

TEST(FabricMarking, ThresholdsByRate)
{
    Marker scaled(
        Make<EcnSettings>(
            {{"KminBytes", "100000"}, {"KmaxBytes", "100000"}, {"ReferenceBandwidthGbps", "25"}}),
        {25, 100, 400});
    Marker listed(
        Make<EcnSettings>(
            {{"KminBytes", "7000"},
             {"KmaxBytes", "7000"},
             {"Thresholds",
              R"([{"bandwidth_gbps": 25, "kmin_bytes": 100000, "kmax_bytes": 100000, "pmax": 1},
                                          {"bandwidth_gbps": 400, "kmin_bytes": 1600000, "kmax_bytes": 1600000, "pmax": 1}])"}}),
        {25, 100, 400});
    const uint32_t inProportion[] = {100000, 400000, 1600000};
    const uint32_t inList[] = {100000, 7000, 1600000};
    for (PortIdx port = 0; port < 3; ++port)
    {
        EXPECT_EQ(scaled.Count(inProportion[port], port), 0) << port;
        EXPECT_EQ(scaled.Count(inProportion[port] + 1, port), 10000) << port;
        EXPECT_EQ(listed.Count(inList[port], port), 0) << port;
        EXPECT_EQ(listed.Count(inList[port] + 1, port), 10000) << port;
    }
}

// Both directions of the bottleneck are congested: data gets marks, its acknowledgements, which
// share the queue, none.
TEST(FabricMarking, AcknowledgementsAreNeverMarked)
{
    FabricBed bed("star");
    bed.Set("HostCount", 3);
    bed.settings.ecn = Make<EcnSettings>({{"KminBytes", "10000"}, {"KmaxBytes", "10000"}});
    bed.transport->SetAttribute("AckPriority", UintegerValue(3));
    bed.Build();
    uint64_t markedData = 0;
    uint64_t acknowledgements = 0;
    Tamper tamper;
    tamper.lose = [&](Frame& f, Tick) {
        if (CarriesPayload(f.op))
        {
            markedData += f.flags & kCe ? 1 : 0;
        }
        else if (f.op == Opcode::Acknowledge)
        {
            ++acknowledgements;
            EXPECT_FALSE(f.flags & (kCe | kEct));
        }
        return false;
    };
    bed.Intercept(bed.Find("leaf0"), 0, tamper);
    bed.AddFlow(0, 1, 2000000);
    bed.AddFlow(1, 0, 2000000);
    bed.AddFlow(2, 0, 2000000);
    bed.Run();
    EXPECT_GT(markedData, 400U);
    EXPECT_EQ(bed.results[1].markedFrames + bed.results[2].markedFrames, markedData);
    EXPECT_GE(acknowledgements, 489U);
}

} // namespace
} // namespace ns3::aifabric::test
