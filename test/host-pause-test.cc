// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"
#include "fabric-bed.h"

#include "ns3/link-frames.h"
#include "ns3/receive-buffer.h"

#include <set>

namespace ns3::aifabric::test
{
namespace
{

constexpr Tick kFrame = 4178 * 80;   ///< a full frame on 100 Gb/s, gap included
constexpr Tick kPauseWire = 84 * 80; ///< a pause frame there

/// Host 1 of a star of 100 Gb/s and 1 us writes to host 0, which takes 40 Gb/s of frames.
class SlowReceiver : public ::testing::Test
{
  protected:
    static constexpr int64_t kFrames = 512;
    static constexpr int64_t kHeadroom = 2 * 1000 * 100 / 8 + 2 * 4178 + 84;

    SlowReceiver()
        : bed("star")
    {
        bed.Set("HostCount", 2);
        bed.settings.receive.rateBps = 40e9;
        bed.settings.slowReceivers = {0};
    }

    void Run()
    {
        bed.Build();
        buffer = bed.GetFabric().GetReceiveBuffer(0);
        bed.AddFlow(1, 0, kFrames * 4096);
        bed.Run();
    }

    FabricBed bed;
    const ReceiveBuffer* buffer{nullptr};
};

// It never runs dry: from the arrival of the first frame to the end of the last it takes frames of
// 4158 B, the first 16 B longer, one after the other. The rest is the way of one frame there and of
// its acknowledgement back, which may have to wait for pause frames.
TEST_F(SlowReceiver, SetsTheRate)
{
    Run();
    const Tick taking = (kFrames * 4158 + 16) * 200;
    const Tick expected = bed.GetPaths().IdealFct(1, 0, 4096) + taking;
    EXPECT_GE(bed.results[0].fct, expected);
    EXPECT_LE(bed.results[0].fct, expected + 2 * kPauseWire);
    EXPECT_EQ(buffer->GetDropped(3), 0U);
    EXPECT_EQ(bed.GetFabric().GetReceiveBuffer(1), nullptr);
}

// What comes after the threshold: cable both ways, a frame that keeps the pause frame waiting, that
// itself, and a frame just begun (IEEE 802.1Qbb Annex O).
TEST_F(SlowReceiver, PausesItsSwitchInTime)
{
    Run();
    const ReceiveBufferSettings& settings = bed.settings.receive;
    EXPECT_GT(buffer->GetPeakBytes(3), settings.xoffBytes);
    EXPECT_LE(buffer->GetPeakBytes(3), settings.xoffBytes + kHeadroom);
    EXPECT_TRUE(bed.GetFabric().GetWarnings().empty());
    const Tick now = ToTick(Simulator::Now());
    EgressPort& toHost = bed.GetFabric().GetPort(bed.Find("leaf0"), 0);
    EgressPort& ofHost = bed.GetFabric().GetHostPort(0);
    const PauseCounters received = toHost.GetPauseCounters(3, now);
    const PauseCounters sent = ofHost.GetPauseCounters(3, now);
    EXPECT_GT(sent.xonSent, 0U);
    EXPECT_EQ(received.xonReceived, sent.xonSent);
    EXPECT_EQ(received.xoffReceived, sent.xoffSent);
    // Frames take 80.4 ps per byte to come and 200 to be taken: the sender stands still for the
    // difference, but for what is left in the buffer when the last one has come. That is between the
    // thresholds, or beyond them by what comes after a pause frame.
    const Tick stands = kFrames * (4158 * 200 - kFrame);
    EXPECT_GE(received.pausedTime, stands - (settings.xoffBytes + kHeadroom) * 200);
    EXPECT_LE(received.pausedTime, stands - (settings.xonBytes - kHeadroom) * 200);
    EXPECT_EQ(received.pausedTime, toHost.GetCounters().pausedTime);
    EXPECT_EQ(toHost.GetPauseCounters(4, now).xoffReceived, 0U);
}

TEST_F(SlowReceiver, StopsTheSenderThroughASmallSwitch)
{
    bed.SetSwitches({0, 500000, 0});
    Run();
    EXPECT_GT(bed.GetFabric().GetHostPort(1).GetCounters().pauses, 0U);
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
    EXPECT_EQ(buffer->GetDropped(3), 0U);
    EXPECT_EQ(bed.results[0].retransmittedBytes, 0U);
}

TEST_F(SlowReceiver, DropsWithoutPauses)
{
    bed.settings.pfc = nullptr;
    bed.settings.receive.bytes = 200000;
    bed.settings.receive.xoffBytes = 100000;
    bed.settings.receive.xonBytes = 100000;
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
    Run();
    EXPECT_GT(buffer->GetDropped(3), 0U);
    EXPECT_LE(buffer->GetPeakBytes(3), 200000U);
    EXPECT_GT(bed.results[0].retransmittedBytes, 0U);
    EXPECT_EQ(bed.GetFabric().GetPort(bed.Find("leaf0"), 0).GetCounters().pauses, 0U);
}

TEST_F(SlowReceiver, TooLittleRoomIsToldOf)
{
    bed.settings.receive.xoffBytes = bed.settings.receive.bytes - 10000;
    Run();
    ASSERT_EQ(bed.GetFabric().GetWarnings().size(), 1U);
    // 25 KB of cable, two frames of 4194 B, 84 B.
    EXPECT_EQ(
        bed.GetFabric().GetWarnings()[0],
        "host0: 10000 bytes above receive_xoff_bytes are less than the 33472 that rate, length "
        "and MTU ask for");
}

TEST(SlowReceiverSettings, ThresholdsAreInOrder)
{
    FabricBed bed("star");
    bed.settings.receive.rateBps = 40e9;
    bed.settings.receive.xonBytes = bed.settings.receive.xoffBytes + 1;
    EXPECT_THROW(bed.Build(), ScenarioError);
}

/// Hosts of a star of 100 Gb/s and 1 us, of which the first gone mad.
class PauseStorm : public ::testing::Test
{
  protected:
    static constexpr Tick kBegin = 10 * kMicrosecond;
    static constexpr Tick kEnd = 2000 * kMicrosecond;

    PauseStorm()
        : bed("star")
    {
    }

    void Build(uint32_t hosts)
    {
        bed.Set("HostCount", hosts);
        bed.Build();
        nic = &bed.GetFabric().GetNic(0);
        Simulator::Schedule(FromTick(kBegin), &RdmaNic::PauseSender, nic, 0, 3);
        Simulator::Schedule(FromTick(kEnd), &RdmaNic::ResumeSender, nic, 0, 3);
    }

    FabricBed bed;
    RdmaNic* nic{nullptr};
};

// 65535 quanta are 335.5392 us; a frame every half of that keeps the port stopped to the end.
TEST_F(PauseStorm, LastsAsLongAsItIsSent)
{
    Build(2);
    bed.AddFlow(1, 0, 1 << 20, 20 * kMicrosecond);
    bed.Run();
    const Tick now = ToTick(Simulator::Now());
    EgressPort& stopped = bed.GetFabric().GetPort(bed.Find("leaf0"), 0);
    const PauseCounters counters = stopped.GetPauseCounters(3, now);
    EXPECT_EQ(counters.pausedTime, kEnd - kBegin);
    EXPECT_EQ(counters.xoffReceived, 1U + (kEnd - kBegin) / 167769600);
    EXPECT_EQ(counters.xonReceived, 1U);
    EXPECT_EQ(stopped.GetCounters().pauses, 1U);
    // The switch holds the whole message back, and sends it in one go when the storm is over.
    const Tick resumes = kEnd + kPauseWire + kMicrosecond;
    const Tick sends = (256 * 4178 + 16) * 80 + kMicrosecond;
    EXPECT_EQ(20 * kMicrosecond + bed.results[0].fct,
              resumes + sends + 2 * kMicrosecond + 2 * 86 * 80);
}

TEST_F(PauseStorm, OtherPrioritiesDoNotNotice)
{
    Build(2);
    bed.AddFlow(1, 0, 1 << 20, 20 * kMicrosecond, 4);
    bed.Run();
    EXPECT_EQ(bed.results[0].fct, bed.results[0].idealFct);
}

TEST_F(PauseStorm, WhoAskTwiceMustLeaveTwice)
{
    Build(2);
    Simulator::Schedule(FromTick(kBegin + 1), &RdmaNic::PauseSender, nic, 0, 3);
    Simulator::Schedule(FromTick(2 * kEnd), &RdmaNic::ResumeSender, nic, 0, 3);
    Simulator::Run();
    const PauseCounters counters =
        bed.GetFabric().GetPort(bed.Find("leaf0"), 0).GetPauseCounters(3, ToTick(Simulator::Now()));
    EXPECT_EQ(counters.pausedTime, 2 * kEnd - kBegin);
    EXPECT_EQ(counters.xonReceived, 1U);
}

// Everybody who sends to the mad host also has a message for a host that is well. The first fills the
// switch, which pauses everybody: the second has to wait for the end of the storm as well.
TEST_F(PauseStorm, SpreadsToTheWholeRack)
{
    bed.SetSwitches({0, 1000000, 0});
    Build(6);
    for (NodeIdx sender = 2; sender < 6; ++sender)
    {
        bed.AddFlow(sender, 0, 1000000, 20 * kMicrosecond);
        bed.AddFlow(sender, 1, 100000, 100 * kMicrosecond);
    }
    bed.Run();
    for (NodeIdx sender = 2; sender < 6; ++sender)
    {
        const EgressPort& port = bed.GetFabric().GetHostPort(sender);
        EXPECT_GT(port.GetCounters().pausedTime, kEnd - 300 * kMicrosecond) << sender;
    }
    for (const FlowResult& flow : bed.results)
    {
        EXPECT_GT(flow.fct, kEnd - 100 * kMicrosecond);
    }
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
}

/// Hosts 1 to 3 of a star send to host 0 at once, through a small buffer.
class OwnClasses : public ::testing::Test
{
  protected:
    OwnClasses()
        : bed("star")
    {
        bed.Set("HostCount", 4);
        bed.SetSwitches({0, 500000, 0});
        bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
    }

    void Run(const std::string& ports)
    {
        bed.settings.pfc = Make<PfcSettings>({{"Ports", ports}});
        bed.Build();
        FabricSwitch& leaf = *bed.GetFabric().GetSwitch(bed.Find("leaf0"));
        leaf.TraceConnectWithoutContext("Drop",
                                        Callback<void, const Frame&, PortIdx, DropReason>(
                                            [this](const Frame&, PortIdx in, DropReason reason) {
                                                ++drops[{in, reason}];
                                            }));
        for (NodeIdx sender = 1; sender < 4; ++sender)
        {
            bed.AddFlow(sender, 0, 1000000);
        }
        bed.Run();
    }

    uint64_t CountPauses(NodeIdx host)
    {
        return bed.GetFabric().GetHostPort(host).GetCounters().pauses;
    }

    FabricBed bed;
    std::map<std::pair<PortIdx, DropReason>, int> drops; ///< by ingress, which is the host
};

TEST_F(OwnClasses, SameEverywhereByDefault)
{
    Run("[]");
    EXPECT_TRUE(drops.empty());
    EXPECT_GT(CountPauses(1), 0U);
}

// It is paused as the others are, and does not care: its headroom overflows, theirs don't.
TEST_F(OwnClasses, WhoDoesNotObeyHurtsItself)
{
    Run(R"([{"at": "host1", "obeys": []}])");
    EXPECT_EQ(CountPauses(1), 0U);
    EXPECT_GT(CountPauses(2), 0U);
    EXPECT_GT((drops[{1, DropReason::HeadroomFull}]), 0);
    drops.erase({1, DropReason::HeadroomFull});
    EXPECT_TRUE(drops.empty());
    const EgressPort& deaf = bed.GetFabric().GetHostPort(1);
    EXPECT_GT(deaf.GetPauseCounters(3, ToTick(Simulator::Now())).xoffReceived, 0U);
}

// Without pauses toward one host its frames are lossy there, and only there.
TEST_F(OwnClasses, WhoIsNotPausedIsDropped)
{
    Run(R"([{"at": "leaf", "toward": "host1", "sends": []}])");
    EXPECT_EQ(CountPauses(1), 0U);
    EXPECT_GT(CountPauses(2), 0U);
    EXPECT_GT((drops[{1, DropReason::BufferFull}]), 0);
    drops.erase({1, DropReason::BufferFull});
    EXPECT_TRUE(drops.empty());
    const FabricSwitch& leaf = *bed.GetFabric().GetSwitch(bed.Find("leaf0"));
    EXPECT_EQ(leaf.GetHeadroomBytes(1), 0U);
    EXPECT_GT(leaf.GetHeadroomBytes(2), 0U);
}

TEST_F(OwnClasses, LaterEntriesWin)
{
    Run(R"([{"at": "leaf0", "sends": [5]}, {"at": "leaf", "toward": "host3", "sends": [3]}])");
    EXPECT_EQ(CountPauses(1) + CountPauses(2), 0U);
    EXPECT_GT(CountPauses(3), 0U);
}

// Links between switches lossless, those from hosts not: hosts are never paused, leaves are.
TEST(OwnClassesOfLayers, LosslessBetweenSwitchesOnly)
{
    FabricBed bed("leaf_spine");
    bed.Set("LeafCount", 3);
    bed.Set("SpineCount", 1);
    bed.Set("HostsPerLeaf", 2);
    bed.SetSwitches({0, 500000, 0});
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
    bed.settings.pfc =
        Make<PfcSettings>({{"Ports", R"([{"at": "leaf", "toward": "host", "sends": []},
                                                        {"at": "host", "sends": []}])"}});
    bed.Build();
    for (NodeIdx sender = 1; sender < 6; ++sender)
    {
        bed.AddFlow(sender, 0, 1000000);
    }
    bed.Run();
    for (NodeIdx host = 0; host < 6; ++host)
    {
        EXPECT_EQ(bed.GetFabric().GetHostPort(host).GetCounters().pauses, 0U);
    }
    EXPECT_GT(bed.pauses.size(), 0U);
    EXPECT_GT(bed.CountDropped(DropReason::BufferFull), 0U);
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
}

TEST(OwnClassesOfLayers, PausesOfOtherPrioritiesAreIgnored)
{
    FabricBed bed("star");
    bed.Set("HostCount", 2);
    bed.Build();
    for (uint8_t priority : {3, 4})
    {
        bed.GetFabric().GetHostPort(0).EnqueueLinkFrame(MakePauseFrame(priority, 1000), 0);
    }
    Simulator::Run();
    const EgressPort& port = bed.GetFabric().GetPort(bed.Find("leaf0"), 0);
    const Tick now = ToTick(Simulator::Now());
    EXPECT_EQ(port.GetCounters().pauses, 1U);
    EXPECT_EQ(port.GetPauseCounters(4, now).xoffReceived, 1U);
    EXPECT_EQ(port.GetPauseCounters(4, now).pausedTime, 0);
}

TEST(PfcPorts, ErrorsSayWhatIsWrong)
{
    auto error = [](const std::string& ports) {
        return ErrorOf([&] { Make<PfcSettings>({{"Ports", ports}}); });
    };
    EXPECT_EQ(
        error(R"([{"sends": [3]}])"),
        "ports[0]: found {\"sends\":[3]}, expected an object with 'at', and 'sends' or 'obeys'");
    EXPECT_EQ(error(R"([{"at": "leaf", "send": [3]}])"),
              "ports[0]: unknown key 'send', did you mean 'sends'?");
    EXPECT_EQ(error(R"([{"at": "leaf"}, {"at": "leaf", "obeys": [8]}])"),
              "ports[1].obeys: found [8], expected a list of priorities from 0 to 7");
    FabricBed bed("star");
    bed.settings.pfc = Make<PfcSettings>({{"Ports", R"([{"at": "host", "toward": "lefa"}])"}});
    EXPECT_EQ(ErrorOf([&] { bed.Build(); }),
              "network.pfc.ports[0].toward: unknown node 'lefa', did you mean 'leaf'?");
}

} // namespace
} // namespace ns3::aifabric::test
