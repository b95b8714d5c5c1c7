// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/double.h"
#include "ns3/link-frames.h"

namespace ns3::aifabric::test
{
namespace
{

constexpr Tick kFrame = 4178 * 80;   ///< a full frame on 100 Gb/s, gap included
constexpr Tick kAddress = 16 * 80;   ///< what the first of a message has more
constexpr Tick kPauseWire = 84 * 80; ///< a pause frame there

/// Two hosts at a switch, 100 Gb/s and 1 us; pause frames are sent to host 0 by hand.
class PausedHost : public ::testing::Test
{
  protected:
    PausedHost()
        : bed("star")
    {
        bed.Set("HostCount", 2);
        bed.Build();
    }

    /// @return when it arrives.
    Tick SendPause(Tick at, uint8_t priority, uint32_t quanta)
    {
        Simulator::Schedule(FromTick(at), [=] {
            bed.GetFabric()
                .GetSwitch(bed.Find("leaf0"))
                ->GetPort(0)
                .EnqueueLinkFrame(MakePauseFrame(priority, quanta), at);
        });
        return at + kPauseWire + kMicrosecond;
    }

    /// @return how much later a flow begun at 0 ends for not sending from then to then. What its first
    /// frame, which is longer, makes the others wait at the switch is caught up meanwhile.
    static Tick Delay(Tick from, Tick until)
    {
        return until - NextStart(from) - kAddress;
    }

    /// @return the instant not before from at which a frame of a flow begun at 0 starts.
    static Tick NextStart(Tick from)
    {
        return (from - kAddress + kFrame - 1) / kFrame * kFrame + kAddress;
    }

    FabricBed bed;
};

// 65535 quanta of 512 bits last 335.5392 us at 100 Gb/s (IEEE 802.3 Annex 31B); the frame under way
// is finished.
TEST_F(PausedHost, LongestPauseExpires)
{
    // Between two acknowledgements on their way to host 0.
    const Tick arrival = SendPause(10 * kFrame, 3, kMaxPauseQuanta);
    bed.AddFlow(0, 1, 1 << 20);
    const FlowResult& flow = bed.Run()[0];
    EXPECT_EQ(flow.fct - flow.idealFct, Delay(arrival, arrival + 335539200));
    const PortCounters& counters = bed.GetFabric().GetHostPort(0).GetCounters();
    EXPECT_EQ(counters.pausedTime, 335539200);
    EXPECT_EQ(counters.pauses, 1U);
}

TEST_F(PausedHost, ResumeCancels)
{
    const Tick arrival = SendPause(10 * kFrame, 3, kMaxPauseQuanta);
    const Tick end = SendPause(10 * kFrame + 100 * kMicrosecond, 3, 0);
    bed.AddFlow(0, 1, 1 << 20);
    const FlowResult& flow = bed.Run()[0];
    EXPECT_EQ(flow.fct - flow.idealFct, Delay(arrival, end));
    EXPECT_EQ(bed.GetFabric().GetHostPort(0).GetCounters().pausedTime, 100 * kMicrosecond);
}

TEST_F(PausedHost, AnotherPauseReplacesTheFirst)
{
    const Tick arrival = SendPause(10 * kFrame, 3, kMaxPauseQuanta);
    const Tick second = SendPause(10 * kFrame + 100 * kMicrosecond, 3, 1000);
    bed.AddFlow(0, 1, 1 << 20);
    const FlowResult& flow = bed.Run()[0];
    EXPECT_EQ(flow.fct - flow.idealFct, Delay(arrival, second + 5120000));
    EXPECT_EQ(bed.GetFabric().GetHostPort(0).GetCounters().pauses, 1U);
}

TEST_F(PausedHost, OtherPrioritiesDoNotNotice)
{
    SendPause(0, 3, kMaxPauseQuanta);
    bed.AddFlow(0, 1, 1 << 20, 2 * kMicrosecond, 3);
    bed.AddFlow(0, 1, 1 << 20, 2 * kMicrosecond, 2);
    bed.Run();
    EXPECT_EQ(bed.results[1].fct, bed.results[1].idealFct);
    EXPECT_EQ(bed.results[0].fct,
              kPauseWire + kMicrosecond + 335539200 - 2 * kMicrosecond + bed.results[0].idealFct);
}

/// Host 1 sends to host 0, whose link the switch does not use for 200 us.
class StalledReceiver : public ::testing::Test
{
  protected:
    static constexpr Tick kStall = 200 * kMicrosecond;

    StalledReceiver()
        : bed("star")
    {
        bed.Set("HostCount", 2);
        bed.SetSwitches({0, 1000000, 0});
    }

    void Start(const std::vector<std::pair<std::string, std::string>>& pfc)
    {
        bed.settings.pfc = Make<PfcSettings>(pfc);
        bed.Build();
        at = PeekPointer(bed.GetFabric().GetSwitch(bed.Find("leaf0")));
        at->GetPort(0).Pause(3, kStall, 0);
        bed.AddFlow(1, 0, 2000000);
    }

    FabricBed bed;
    FabricSwitch* at{nullptr};
};

// 1000 quanta are 5.12 us: without a refresh the sender would go on long before the stall ends.
TEST_F(StalledReceiver, RefreshKeepsThePause)
{
    Start({{"PauseQuanta", "1000"}});
    Tick stoppedAt = kNever;
    for (Tick when = 0; when < kStall; when += kMicrosecond / 4)
    {
        Simulator::Schedule(FromTick(when), [&, when] {
            stoppedAt = at->GetPfc().GetStopped() ? std::min(stoppedAt, when) : kNever;
            if (stoppedAt < when - 2 * kMicrosecond)
            {
                EXPECT_GT(bed.GetFabric().GetHostPort(1).GetPausedUntil(3), when);
            }
        });
    }
    bed.Run();
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
    ASSERT_GE(bed.pauses.size(), 2U);
    // The first at once, then one every 2.56 us.
    const Tick first = bed.pauses[1].at - bed.pauses[0].at;
    EXPECT_GE(at->GetPfc().GetPausesSent(), static_cast<uint64_t>(1 + first / 2560000));
    EXPECT_GT(first, 150 * kMicrosecond);
    EXPECT_EQ(bed.GetFabric().GetHostPort(1).GetCounters().pauses, bed.pauses.size() / 2);
}

TEST_F(StalledReceiver, StickyPausesNeedNoRefresh)
{
    Start({{"Sticky", "true"}});
    bed.Run();
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
    EXPECT_EQ(at->GetPfc().GetPausesSent(), bed.pauses.size() / 2);
    EXPECT_GT(bed.GetFabric().GetHostPort(1).GetCounters().pausedTime, 150 * kMicrosecond);
}

TEST_F(StalledReceiver, LostResumeOnlyDelays)
{
    Start({{"PauseQuanta", "20000"}});
    Tamper tamper;
    int lost = 0;
    tamper.lose = [&](Frame& f, Tick) {
        const bool resumes = f.op == Opcode::Pause && f.psn == 0;
        lost += resumes;
        return resumes;
    };
    bed.Intercept(bed.Find("leaf0"), 1, tamper);
    bed.Run();
    EXPECT_GT(lost, 0);
    EXPECT_EQ(bed.results[0].retransmittedBytes, 0U);
    // Each pause outlives its end by 20000 quanta of 5.12 ns at most.
    EXPECT_LT(bed.results[0].fct, bed.results[0].idealFct + kStall + lost * 102400000LL);
}

// A pause until it is taken back freezes its port for good when that frame is lost.
TEST_F(StalledReceiver, LostResumeOfAStickyPauseFreezes)
{
    bed.expected = "unfinished";
    Start({{"Sticky", "true"}});
    Tamper tamper;
    tamper.lose = [&](Frame& f, Tick) { return f.op == Opcode::Pause && f.psn == 0; };
    bed.Intercept(bed.Find("leaf0"), 1, tamper);
    bed.Run();
    EXPECT_EQ(bed.GetFabric().GetHostPort(1).GetPausedUntil(3), kNever);
}

TEST_F(StalledReceiver, LossyWayBackNeverFreezes)
{
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
    Start({{"PauseQuanta", "2000"}});
    for (NodeIdx sender : {0, 1})
    {
        PortSettings changed = at->GetPort(sender).GetSettings();
        changed.lossProbability = 0.3;
        bed.Rewire(bed.Find("leaf0"), sender, changed);
    }
    at->GetPort(0).Pause(3, kStall, 0);
    bed.AddFlow(0, 1, 500000);
    bed.Run();
    EXPECT_GT(at->GetPort(1).GetCounters().lost, 10U);
}

/// Two hosts with 300 m of cable send to a third over a switch with that headroom. Host 2 sends
/// back, so that pause frames have to wait.
class HeadroomBed : public FabricBed
{
  public:
    HeadroomBed(const std::string& headroom, Tick offset)
        : FabricBed("star")
    {
        Set("HostCount", 3);
        SetLinks({100e9, 1500 * kNanosecond, 0, 0});
        SetSwitches({0, 700000, 0});
        settings.pfc = Make<PfcSettings>({{"HeadroomBytes", headroom}});
        Build();
        AddFlow(0, 2, 1000000);
        AddFlow(1, 2, 1000000, offset);
        AddFlow(2, 0, 1000000, offset / 2);
        Run();
    }

    uint64_t CountLost() const
    {
        return CountDropped(DropReason::HeadroomFull);
    }
};

// Cable both ways, the frame before ours, our pause frame, and the frame just begun at the far end
// (IEEE 802.1Qbb Annex O without time to respond): 37.5 KB + 2 x 4178 B + 84 B = 45.94 KB.
constexpr uint64_t kCable = 2 * 1500 * 100 / 8;
constexpr uint64_t kBase = kCable + 2 * 4178 + 84;

TEST(FabricHeadroom, BaseIsLossless)
{
    uint64_t most = 0;
    for (int run = 0; run < 20; ++run)
    {
        HeadroomBed bed(std::to_string(kBase + 32), run * 17 * kNanosecond);
        EXPECT_EQ(bed.CountLost(), 0U);
        EXPECT_LE(bed.GetPeakHeadroomBytes(), kBase);
        EXPECT_TRUE(bed.GetFabric().GetWarnings().empty());
        EXPECT_GT(bed.pauses.size(), 4U);
        most = std::max(most, bed.GetPeakHeadroomBytes());
    }
    // The buffer holds frames without their gaps.
    EXPECT_GE(most, kCable * 4158 / 4178);
}

TEST(FabricHeadroom, ComputedFromRateLengthAndMtu)
{
    HeadroomBed bed("auto", 0);
    // The longest frame begins a message: 4194 B.
    EXPECT_EQ(bed.GetFabric().GetSwitch(bed.Find("leaf0"))->GetHeadroomBytes(0),
              kCable + 2 * 4194 + 84);
    EXPECT_TRUE(bed.GetFabric().GetWarnings().empty());
    EXPECT_EQ(bed.CountLost(), 0U);
}

TEST(FabricHeadroom, SmallestThatIsLossless)
{
    uint64_t smallest = kBase;
    for (uint64_t headroom = kBase; headroom > kCable - 6000; headroom -= 700)
    {
        HeadroomBed bed(std::to_string(headroom), 0);
        if (bed.CountLost() > 0)
        {
            break;
        }
        smallest = headroom;
    }
    EXPECT_GE(smallest, kBase - 2 * 4178 - 84);
    EXPECT_LE(smallest, kBase);
}

TEST(FabricHeadroom, HalfIsTooLittle)
{
    HeadroomBed bed(std::to_string(kBase / 2), 0);
    EXPECT_GT(bed.CountLost(), 0U);
    EXPECT_EQ(bed.GetFabric().GetWarnings().size(), 3U);
    EXPECT_GT(bed.results[0].retransmittedBytes + bed.results[1].retransmittedBytes, 0U);
}

// N ingresses that fill alike are stopped at alpha B / (1 + alpha N) each (Choudhury and Hahne, ToN
// 1998): 3.56, 2.67 and 1.33 MB for 1, 4 and 16 of them with 32 MB and 1/8.
TEST(FabricThreshold, FirstPauseOfEachIngress)
{
    for (uint32_t senders : {1, 4, 16})
    {
        FabricBed bed("star");
        bed.Set("HostCount", senders + 1);
        // One sender alone needs a receiver that is slower than itself.
        bed.SetSwitches({0, 32000000 + (senders + 1) * 40000ULL, 0});
        bed.settings.pfc = Make<PfcSettings>({{"HeadroomBytes", "40000"}});
        bed.Build();
        auto leaf = bed.Find("leaf0");
        if (senders == 1)
        {
            bed.GetFabric().GetPort(leaf, 0).Pause(3, 400 * kMicrosecond, 0);
        }
        for (NodeIdx sender = 1; sender <= senders; ++sender)
        {
            bed.AddFlow(sender, 0, 5000000);
        }
        bed.Run();
        const double expected = 32e6 / 8 / (1 + senders / 8.0);
        std::vector<bool> seen(senders + 1);
        uint32_t count = 0;
        for (const PauseSeen& pause : bed.pauses)
        {
            if (pause.stops && !seen[pause.in])
            {
                seen[pause.in] = true;
                ++count;
                EXPECT_NEAR(pause.held, expected, 2 * 4178) << senders;
            }
        }
        EXPECT_EQ(count, senders);
        EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
    }
}

// One hot queue that drops takes alpha / (1 + alpha) of the buffer.
TEST(FabricThreshold, ShareOfAQueueThatDrops)
{
    for (auto [alpha, share] : {std::pair{1.0, 0.5}, {2.0, 0.6667}, {8.0, 0.8889}})
    {
        FabricBed bed("star");
        bed.Set("HostCount", 3);
        bed.SetSwitches({0, 1000000, 0});
        bed.settings.pfc = nullptr;
        auto buffer = MakePlugin<BufferManager>("dynamic_threshold");
        buffer->SetAttribute("LossyAlpha", DoubleValue(alpha));
        bed.settings.buffer = buffer;
        bed.Build();
        bed.AddFlow(1, 0, 3000000);
        bed.AddFlow(2, 0, 3000000);
        bed.Run();
        const PortCounters& port = bed.GetFabric().GetPort(bed.Find("leaf0"), 0).GetCounters();
        EXPECT_NEAR(port.maxQueueBytes, share * 1e6, 2 * 4178) << alpha;
        EXPECT_GT(port.dropped, 0U);
        EXPECT_EQ(port.dropped, bed.CountDropped(DropReason::BufferFull));
        EXPECT_TRUE(bed.pauses.empty());
    }
}

// Where nothing leaves, a switch is full when the line has brought its threshold; the switch before it
// begins to fill once the pause frame has come over and the frame under way is finished.
TEST(FabricThreshold, PausesSpreadHopByHop)
{
    constexpr uint32_t kSwitches = 4;
    constexpr uint64_t kPool = 1000000;
    constexpr uint64_t kHeadroom = 40000;
    FabricGraph graph;
    std::vector<GraphNodeIdx> chain;
    const SwitchSpec spec{0, kPool + 2 * kHeadroom, 0};
    const LinkSpec link{100e9, kMicrosecond, 0, 0};
    for (uint32_t i = 0; i < kSwitches; ++i)
    {
        chain.push_back(
            graph.AddNode("switch" + std::to_string(i), NodeKind::Switch, "switch", spec));
    }
    const GraphNodeIdx sender = graph.AddNode("host0", NodeKind::Host, "host");
    const GraphNodeIdx receiver = graph.AddNode("host1", NodeKind::Host, "host");
    graph.AddLink(sender, chain.front(), link, "link");
    for (uint32_t i = 1; i < kSwitches; ++i)
    {
        graph.AddLink(chain[i - 1], chain[i], link, "link");
    }
    graph.AddLink(chain.back(), receiver, link, "link");
    FabricBed bed(std::move(graph));
    bed.settings.pfc = Make<PfcSettings>({{"HeadroomBytes", std::to_string(kHeadroom)}});
    bed.Build();
    // Its last port leads to the receiver.
    bed.GetFabric().GetPort(chain.back(), 1).Pause(3, kMillisecond, 0);
    bed.AddFlow(0, 1, 2000000);
    bed.Run();
    std::vector<Tick> stopped(kSwitches, kNever);
    for (const PauseSeen& pause : bed.pauses)
    {
        const auto i = std::find(chain.begin(), chain.end(), pause.node) - chain.begin();
        stopped[i] = std::min(stopped[i], pause.stops ? pause.at : kNever);
    }
    const double threshold = kPool / 8.0 / (1 + 1 / 8.0);
    const auto fills = static_cast<Tick>(threshold / 4158 * kFrame);
    for (uint32_t i = kSwitches; --i > 0;)
    {
        const Tick spread = stopped[i - 1] - stopped[i];
        EXPECT_GE(spread, fills + kMicrosecond - kFrame) << i;
        EXPECT_LE(spread, fills + kMicrosecond + kPauseWire + 2 * kFrame) << i;
    }
    EXPECT_EQ(bed.CountDropped(DropReason::HeadroomFull), 0U);
}

} // namespace
} // namespace ns3::aifabric::test
