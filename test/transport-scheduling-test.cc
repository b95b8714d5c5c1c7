// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/congestion-control.h"
#include "ns3/link-frames.h"

#include <map>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Does what a test tells it, and writes down what it is told.
struct Script
{
    std::function<void(FlowView&)> begin;
    std::function<void(FlowView&, Tick)> cnp;
    std::function<void(FlowView&, Tick)> timer;
    std::function<void(FlowView&, Tick)> bytes;
    CongestionNotification notification;
    std::vector<AckEvent> acks;
    std::vector<Tick> losses;
    std::vector<Tick> cnps;
};

Script* g_script;

struct NoState
{
};

class ScriptedControl : public CongestionControlFor<ScriptedControl, NoState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::test::ScriptedControl")
                                .SetParent<Object>()
                                .AddConstructor<ScriptedControl>();
        return tid;
    }

    void OnBegin(FlowView& flow, NoState&) const
    {
        if (g_script->begin)
        {
            g_script->begin(flow);
        }
    }

    void OnAck(FlowView&, NoState&, const AckEvent& event) const
    {
        g_script->acks.push_back(event);
    }

    void OnCnp(FlowView& flow, NoState&, Tick now) const
    {
        g_script->cnps.push_back(now);
        if (g_script->cnp)
        {
            g_script->cnp(flow, now);
        }
    }

    void OnLoss(FlowView&, NoState&, Tick now, LossKind) const
    {
        g_script->losses.push_back(now);
    }

    void OnTimer(FlowView& flow, NoState&, Tick at) const
    {
        flow.timerAt = kNever;
        g_script->timer(flow, at);
    }

    void OnBytes(FlowView& flow, NoState&, Tick now) const
    {
        flow.bytesDue = std::numeric_limits<uint64_t>::max();
        g_script->bytes(flow, now);
    }

    CongestionNotification GetNotification() const override
    {
        return g_script->notification;
    }
};

class TransportScheduling : public test::Pair
{
  protected:
    TransportScheduling()
    {
        g_script = &script;
        tamper[1].lose = [this](Frame& f, Tick) {
            starts.emplace_back(f.sentAt, f.flow);
            return false;
        };
    }

    void UseScript()
    {
        control = CreateObject<ScriptedControl>();
    }

    Script script;
    std::vector<std::pair<Tick, uint32_t>> starts; ///< of data frames, and whose they are
};

TEST_F(TransportScheduling, QueuePairsTakeTurns)
{
    Build();
    for (int i = 1; i < 4; ++i)
    {
        Connect();
    }
    for (int i = 0; i < 4; ++i)
    {
        Write(20 * 4096, i, i);
    }
    Run();
    ASSERT_EQ(starts.size(), 80U);
    // The first is alone when it begins, so that it ends one turn early; else all take turns.
    for (std::size_t i = 1; i + 7 < starts.size(); ++i)
    {
        EXPECT_EQ(starts[i].second, starts[i + 4].second) << i;
        EXPECT_NE(starts[i].second, starts[i + 1].second) << i;
    }
}

TEST_F(TransportScheduling, HigherPriorityGoesFirst)
{
    Build();
    Connect(0, 5);
    Write(20 * 4096, 0, 0);
    Simulator::Schedule(NanoSeconds(1000), [this] { Write(5 * 4096, 1, 1); });
    Run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].completion.wrId, 1U);
    // The frame on the wire at 1000 ns is the third of the first flow.
    EXPECT_EQ(sent[0].at, (3 * 4178 + 16 + 5 * 4178 + 16 + 86) * 80 + 2 * kDelay);
}

// Three flows at a quarter, a fifth and an eighth of the line: each frame starts one spacing after
// its predecessor, or as soon as the wire is free then.
TEST_F(TransportScheduling, PacedFlowsKeepTheirRates)
{
    UseScript();
    std::vector<double> rates{25e9, 20e9, 12.5e9};
    std::size_t next = 0;
    script.begin = [&](FlowView& flow) { flow.rate = rates[next++ / 2 % 3]; };
    Build();
    Connect();
    Connect();
    for (int i = 0; i < 3; ++i)
    {
        Write(1000 * 4096, i, i);
    }
    Run();
    std::map<uint32_t, std::vector<Tick>> byFlow;
    for (const auto& [start, flow] : starts)
    {
        byFlow[flow].push_back(start);
    }
    for (int i = 0; i < 3; ++i)
    {
        const std::vector<Tick>& s = byFlow[peer[i]->GetNumber()];
        ASSERT_EQ(s.size(), 1000U);
        const double spacing = 4178 * 8e12 / rates[i];
        for (std::size_t k = 2; k < s.size(); ++k)
        {
            EXPECT_GE(static_cast<double>(s[k] - s[k - 1]), spacing - 1);
            // At most two others are before it.
            EXPECT_LE(static_cast<double>(s[k] - s[k - 1]), spacing + 3 * 4194 * 80);
        }
    }
}

// Bursts of four frames at a quarter of the line: back to back, and from the first of one to the first of
// the next four times what it takes on the wire. A message ends its last one.
TEST_F(TransportScheduling, BurstsAreBackToBack)
{
    UseScript();
    script.begin = [](FlowView& flow) {
        flow.rate = 25e9;
        flow.burstBytes = 4 * 4096;
    };
    Build();
    Write(10 * 4096);
    Write(4096);
    Run();
    std::vector<std::pair<Tick, uint32_t>> expected;
    Tick burst = 0;
    for (int frames : {4, 4, 2, 1})
    {
        Tick bytes = 0;
        for (int i = 0; i < frames; ++i)
        {
            expected.emplace_back(burst + bytes * 80, peer[0]->GetNumber());
            const bool first = expected.size() == 1 || frames == 1;
            bytes += first ? 4194 : 4178;
        }
        burst += bytes * 320;
    }
    EXPECT_EQ(starts, expected);
}

// The last frame of each burst is acknowledged. Two flows' bursts of four take turns on the wire; the
// first flow is a frame ahead until it is out of frames. What the others' frames cost a burst counts
// as delay, beyond the last frame and its acknowledgement on the wire, 4178 and 86 bytes, and the links.
TEST_F(TransportScheduling, BurstsAreTimedFromTheirBeginning)
{
    UseScript();
    settings->ackInterval = 1000;
    script.begin = [](FlowView& flow) { flow.burstBytes = 4 * 4096; };
    Build();
    Connect();
    Write(8 * 4096, 0, 0);
    Write(8 * 4096, 1, 1);
    Run();
    std::vector<Tick> delays;
    for (const AckEvent& ack : script.acks)
    {
        EXPECT_EQ(ack.ackedBytes, 4U * 4096);
        delays.push_back((ack.rtt - 2 * kDelay - (4178 + 86) * 80) / 80);
    }
    // Frames of the two leave as a ab ab ab ab ab ab ab b: between the first and the last of a burst are
    // two or three of the other's, of which the very first has a RETH.
    EXPECT_EQ(delays, (std::vector<Tick>{4194 + 4178, 3 * 4178, 3 * 4178, 2 * 4178}));
}

TEST_F(TransportScheduling, CutOfTheRateTakesEffectAtOnce)
{
    UseScript();
    script.begin = [](FlowView& flow) { flow.rate = 10e9; };
    script.cnp = [](FlowView& flow, Tick) { flow.rate = 5e9; };
    script.notification.mode = CongestionNotification::InAck;
    tamper[1].lose = [this](Frame& f, Tick) {
        starts.emplace_back(f.sentAt, f.flow);
        f.flags |= f.psn == 1 ? kCe : 0;
        return false;
    };
    Build();
    Write(4 * 4096);
    Run();
    ASSERT_EQ(starts.size(), 4U);
    ASSERT_EQ(script.cnps.size(), 1U);
    EXPECT_EQ(nic[0].GetCounters().notificationsReceived, 1U);
    EXPECT_EQ(nic[1].GetCounters().markedFrames, 1U);
    EXPECT_EQ(starts[1].first, 4194 * 800);
    EXPECT_EQ(starts[2].first - starts[1].first, 4178 * 1600);
    EXPECT_EQ(starts[3].first - starts[2].first, 4178 * 1600);
}

TEST_F(TransportScheduling, NotificationsAreSpacedPerFlow)
{
    UseScript();
    script.notification = {CongestionNotification::Cnp, 4 * kMicrosecond};
    tamper[1].lose = [](Frame& f, Tick) {
        f.flags |= kCe;
        return false;
    };
    Build();
    Write(100 * 4096);
    Run();
    // Frames arrive during (100 * 4178) * 80 ps = 33.4 us, the first at once.
    EXPECT_EQ(nic[1].GetCounters().cnpsSent, 9U);
    EXPECT_EQ(nic[0].GetCounters().notificationsReceived, 9U);
    ASSERT_EQ(script.cnps.size(), 9U);
    EXPECT_EQ(script.cnps[0], (4194 + 98) * 80 + 2 * kDelay);
    for (std::size_t i = 1; i < script.cnps.size(); ++i)
    {
        EXPECT_GE(script.cnps[i] - script.cnps[i - 1], 4 * kMicrosecond - 86 * 80);
    }
}

// A window of ten frames, far below the product of rate and round trip: ten frames a round.
TEST_F(TransportScheduling, WindowLimitsWhatIsUnderWay)
{
    UseScript();
    delay = 10 * kMicrosecond;
    script.begin = [](FlowView& flow) { flow.window = 10 * 4096; };
    Build();
    Write(100 * 4096);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    ASSERT_EQ(script.acks.size(), 100U);
    // The k-th frame waits for the ACK of the (k - 10)-th.
    for (std::size_t k = 11; k < starts.size(); ++k)
    {
        EXPECT_EQ(starts[k].first - starts[k - 10].first, (4178 + 86) * 80 + 2 * delay) << k;
    }
    EXPECT_EQ(script.acks[50].ackedBytes, 4096U);
    EXPECT_EQ(script.acks[50].rtt, (4178 + 86) * 80 + 2 * delay);
    EXPECT_EQ(script.acks[50].inFlight, 9U * 4096);
    EXPECT_EQ(script.acks[99].inFlight, 0U);
}

// With fewer acknowledgements than frames in the window the last frame of the window asks for one.
TEST_F(TransportScheduling, SmallWindowIsAcknowledged)
{
    UseScript();
    settings->ackInterval = 64;
    script.begin = [](FlowView& flow) { flow.window = 3 * 4096; };
    Build();
    Write(30 * 4096);
    Run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(script.acks.size(), 10U);
    EXPECT_EQ(nic[0].GetCounters().timeouts, 0U);
}

TEST_F(TransportScheduling, TimersRunBeforeTheRateIsLookedAt)
{
    UseScript();
    std::vector<Tick> fired;
    script.begin = [](FlowView& flow) {
        flow.rate = 10e9;
        flow.timerAt = 5 * kMicrosecond;
        flow.bytesDue = 3 * 4194;
    };
    script.timer = [&](FlowView& flow, Tick at) {
        fired.push_back(at);
        flow.rate = 20e9;
        if (at < 12 * kMicrosecond)
        {
            flow.timerAt = at + kMicrosecond;
        }
    };
    std::vector<Tick> counted;
    script.bytes = [&](FlowView&, Tick now) { counted.push_back(now); };
    Build();
    Write(10 * 4096);
    Run();
    // The peer never sends: its timers are never looked at.
    ASSERT_EQ(fired.size(), 8U);
    EXPECT_EQ(fired.front(), 5 * kMicrosecond);
    EXPECT_EQ(fired.back(), 12 * kMicrosecond);
    // The rate is looked at when the first acknowledgement after the timer's instant arrives: the
    // third frame would have been due before then.
    EXPECT_EQ(starts[2].first - starts[1].first, (4178 + 86) * 80 + 2 * kDelay);
    EXPECT_EQ(starts[4].first - starts[3].first, 4178 * 400);
    // The third frame ends at 3 * 4178 + 16 B, the fourth is the first at or above 3 * 4194.
    ASSERT_EQ(counted.size(), 1U);
    EXPECT_EQ(counted[0], starts[3].first);
}

TEST_F(TransportScheduling, LossesAreTold)
{
    UseScript();
    tamper[1].lose = [n = 0](Frame& f, Tick) mutable { return f.psn == 3 && n++ == 0; };
    Build();
    Write(10 * 4096);
    Run();
    ASSERT_EQ(script.losses.size(), 1U);
    EXPECT_EQ(script.losses[0], (5 * 4178 + 16 + 86) * 80 + 2 * kDelay);
}

TEST_F(TransportScheduling, PauseStopsItsPriorityOnly)
{
    Build();
    Connect(0, 2);
    // 1000 quanta of 512 bit times are 5.12 us at 100 Gb/s.
    Simulator::Schedule(NanoSeconds(1000),
                        [this] { nic[0].Receive(MakePauseFrame(3, 1000), 0, kMicrosecond); });
    Write(20 * 4096, 0, 0);
    Simulator::Schedule(NanoSeconds(2000), [this] { Write(4096, 1, 1); });
    Run();
    ASSERT_EQ(starts.size(), 21U);
    // Three frames have begun by 1 us.
    EXPECT_EQ(starts[2].first, (2 * 4178 + 16) * 80);
    EXPECT_EQ(starts[3], std::make_pair(2 * kMicrosecond, peer[1]->GetNumber()));
    EXPECT_EQ(starts[4].first, kMicrosecond + 5120 * kNanosecond);
}

TEST_F(TransportScheduling, ManyQueuePairsShareTheWireEvenly)
{
    Build();
    for (int i = 1; i < 100; ++i)
    {
        Connect();
    }
    for (int i = 0; i < 100; ++i)
    {
        Write(50 * 4096, i, i);
    }
    Run();
    ASSERT_EQ(sent.size(), 100U);
    EXPECT_EQ(sent.back().at, (100 * (50 * 4178 + 16) + 86) * 80 + 2 * kDelay);
    // All but the first, which was alone for a frame, end within one round.
    EXPECT_LE(sent.back().at - sent[1].at, 100 * 4178 * 80);
}

} // namespace
