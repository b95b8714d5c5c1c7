// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-registry.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class TransportTiming : public test::Pair
{
  protected:
    /// Long WRITEs of 1 MiB one behind the other: the time between two completions is that of the
    /// frames of one message.
    double Goodput()
    {
        Build();
        for (int i = 0; i < 20; ++i)
        {
            Write(1 << 20, i);
        }
        Run();
        EXPECT_EQ(sent.size(), 20U);
        return 8e12 * 10 * (1 << 20) / static_cast<double>(sent[19].at - sent[9].at);
    }
};

// 256 frames of 4096 + 82 B on the wire, one of them with RETH (IBA vol. 1, A17; IEEE 802.3):
// 1048576 / (256 * 4178 + 16) of 100 Gb/s.
TEST_F(TransportTiming, GoodputOfLongWritesMtu4096)
{
    EXPECT_NEAR(Goodput() / 1e9, 98.036, 0.001);
}

TEST_F(TransportTiming, GoodputOfLongWritesMtu1024)
{
    mtu = 1024;
    EXPECT_NEAR(Goodput() / 1e9, 92.585, 0.001);
}

// 1 MiB: the last frame ends after 256 * 4178 + 16 B, then 1 us, the ACK of 86 B, 1 us.
TEST_F(TransportTiming, FlowCompletionTimeIsTheClosedForm)
{
    Build();
    Write(1 << 20);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, (256 * 4178 + 16) * 80 + kDelay + 86 * 80 + kDelay);
    EXPECT_EQ(nic[0].GetCounters().dataFramesSent, 256U);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 1048576U);
}

// HPCC's simulator: 100 MB in frames of 1000 + 48 B, ACK 60 B, nothing between frames.
TEST_F(TransportTiming, HpccProfile)
{
    headers = kHpccHeaders;
    mtu = 1000;
    Build();
    Write(1000000);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, 1000 * 1048 * 80 + kDelay + 60 * 80 + kDelay);
}

TEST_F(TransportTiming, LatencyOfTheNicCountsOnceEachWay)
{
    latency = 600 * kNanosecond;
    Build();
    Write(4096);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, 2 * latency + (4194 + 86) * 80 + 2 * kDelay);
}

// A WRITE of nothing is one frame: 62 + 16 B, and 20 around it.
TEST_F(TransportTiming, EmptyWriteIsOneFrame)
{
    Build();
    Write(0);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at, (98 + 86) * 80 + 2 * kDelay);
    EXPECT_EQ(nic[0].GetCounters().dataFramesSent, 1U);
}

// The payload is padded to 4 B, a frame to 64 B.
TEST_F(TransportTiming, Padding)
{
    EXPECT_EQ(kRoceV2Headers.DataFrame(5, true), 62U + 16 + 8);
    EXPECT_EQ(kRoceV2Headers.DataFrame(0, false), 64U);
    EXPECT_EQ(kHpccHeaders.DataFrame(5, true), 53U);
}

// 16 lanes of PCIe 4.0 carry 28.8 GB/s: 230.4 Gb/s of payload at most, whatever the port.
TEST_F(TransportTiming, BusLimitsThePayload)
{
    rateBps = 400e9;
    busBps = 28.8e9 * 8;
    EXPECT_NEAR(Goodput() / 1e9, 230.4, 0.01);
}

TEST_F(TransportTiming, FixedRatePacesFrames)
{
    Ptr<CongestionControl> fixed = MakePlugin<CongestionControl>("fixed");
    fixed->SetAttribute("Rate", DataRateValue(DataRate("25Gbps")));
    control = fixed;
    Build();
    Write(40960);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    // Nine spacings at a quarter of the line rate, the first frame with RETH; the last at line rate.
    EXPECT_EQ(sent[0].at, 320 * (9 * 4178 + 16) + 4178 * 80 + 86 * 80 + 2 * kDelay);
}

TEST_F(TransportTiming, RateOfTheLineIsNotPaced)
{
    control = MakePlugin<CongestionControl>("fixed");
    Build();
    Write(1 << 20);
    uint64_t before = Simulator::GetEventCount();
    Run();
    // One event for each frame and each ACK; one wake-up at the start, one of the timer.
    EXPECT_LE(Simulator::GetEventCount() - before, 512U + 4);
}

} // namespace
