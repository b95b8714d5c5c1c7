// SPDX-License-Identifier: GPL-2.0-only
// Credits from the receiver: what a sender may send, how a receiver grants, and the figures of the
// simulator of Ultra Ethernet's authors (uet-htsim, August 2025).
#include "congestion-flow.h"
#include "fabric-bed.h"

#include "ns3/credit-policy.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kLine = 100e9;
constexpr Tick kRtt = 12 * kMicrosecond;
constexpr uint64_t kMessage = 490 * 4096; ///< 2 MB

/// A flow of frames of 1100 B with 1000 B of payload, at 100 Gb/s and 12 us: 225 kB unscheduled.
class RcccFlow : public CongestionFlow
{
  public:
    explicit RcccFlow(const AttributeTexts& attributes = {})
        : CongestionFlow(MakeControl("rccc", attributes), kLine, kRtt, 100)
    {
    }

    bool MaySend() const
    {
        return view.window > 0;
    }

    /// @return how much it sent until it had to stop.
    uint64_t SendAll()
    {
        const uint64_t before = view.bytesSent;
        while (MaySend())
        {
            Send(1100);
        }
        return view.bytesSent - before;
    }

    void Hear(uint64_t acknowledged)
    {
        Acknowledge({0, kRtt, 1000, 0, acknowledged, false, nullptr});
    }
};

/// Notes what a policy wants.
class NotingPort : public CreditPort
{
  public:
    double GetLineRate() const override
    {
        return kLine;
    }

    void SendCredit(uint32_t flow, uint64_t credit, Tick now) override
    {
        granted.push_back({flow, credit});
        at.push_back(now);
    }

    void WakeAt(Tick when, Tick) override
    {
        EXPECT_EQ(wake, kNever);
        wake = when;
    }

    /// Wakes the policy as it wants.
    void RunAll(CreditPolicy& policy)
    {
        while (wake != kNever)
        {
            policy.Wake(std::exchange(wake, kNever));
        }
    }

    std::vector<std::pair<uint32_t, uint64_t>> granted;
    std::vector<Tick> at;
    Tick wake{kNever};
};

using Grants = std::vector<std::pair<uint32_t, uint64_t>>;

} // namespace

TEST(Rccc, SendsAWindowThatNobodyHasGranted)
{
    RcccFlow f;
    EXPECT_EQ(f.SendAll(), 225500U) << "the first number of frames that is no less than 225 kB";
    EXPECT_EQ(f.view.rate, kLine);
    RcccFlow g(AttributeTexts{{"UnscheduledWindow", "0.5"}});
    EXPECT_EQ(g.SendAll(), 75900U);
}

TEST(Rccc, SendsWhatWasGranted)
{
    RcccFlow f;
    f.SendAll();
    f.Grant(4400);
    EXPECT_EQ(f.SendAll(), 4400U) << "500 B of which are owed";
    f.Grant(4400);
    EXPECT_FALSE(f.MaySend()) << "no news";
    f.Grant(13200);
    f.Grant(8800);
    EXPECT_EQ(f.SendAll(), 8800U) << "overtaken by the later one, which counts";
    // The wire has 32 bits.
    uint64_t credit = 13200;
    for (int i = 0; i < 5; ++i)
    {
        credit += 1100000000;
        f.Grant(static_cast<uint32_t>(credit));
        EXPECT_EQ(f.SendAll(), 1100000000U);
    }
}

// What is still needed, the frame that tells included, less what nobody has to grant.
TEST(Rccc, TellsWhatItNeeds)
{
    RcccFlow f;
    EXPECT_EQ(f.Announce({10, 10000, 11000, 1100}), 0U) << "within the window";
    EXPECT_EQ(f.Announce({299, 299000, 300000, 1100}), 300 * 1100U - 225000);
    f.Send(1100);
    EXPECT_EQ(f.Announce({298, 298000, 300000, 1100}), 300 * 1100U - 225000) << "the same";
    f.Lose(0, LossKind::Trimmed);
    EXPECT_EQ(f.Announce({299, 299000, 300000, 1100}), 300 * 1100U - 225000)
        << "one more, of which the receiver knows";
    EXPECT_EQ(f.Announce({300, 300000, 300000, 1100}), 301 * 1100U - 225000)
        << "one that was lost without a trace";
}

TEST(Rccc, HasAWindowAgainWhenAllHasArrived)
{
    RcccFlow f;
    for (uint64_t left = 300; left > 0;)
    {
        if (!f.MaySend())
        {
            f.Grant(300 * 1100 - 225000);
        }
        --left;
        f.Announce({left, left * 1000, 300000, 1100});
        f.Send(1100);
    }
    EXPECT_FALSE(f.MaySend());
    f.Hear(299000);
    EXPECT_FALSE(f.MaySend());
    f.Hear(300000);
    EXPECT_EQ(f.SendAll(), 225500U);
}

TEST(Rccc, HasAWindowAgainAfterATimeout)
{
    RcccFlow f;
    f.SendAll();
    f.Lose(0, LossKind::Nak);
    f.Lose(0, LossKind::Trimmed);
    EXPECT_FALSE(f.MaySend());
    f.Lose(0, LossKind::Timeout);
    EXPECT_EQ(f.SendAll(), 225500U);
}

// Four frames each in turn, one share of the line rate apart; less where no more is wanted.
TEST(RcccReceiver, GrantsInTurn)
{
    NotingPort port;
    auto policy = MakeControl("rccc", {{"CreditShare", "0.5"}})->MakeCreditPolicy(port);
    policy->Arrive({kMicrosecond, 7, 1000, 0, false, false});
    EXPECT_EQ(port.wake, kNever) << "nothing is wanted";
    policy->Arrive({kMicrosecond, 7, 1000, 10000, false, false});
    policy->Arrive({kMicrosecond, 8, 1000, 4500, false, false});
    policy->Arrive({kMicrosecond, 7, 1000, 9000, false, false});
    policy->Arrive({kMicrosecond, 9, 1000, 0, true, false});
    EXPECT_EQ(port.wake, kMicrosecond);
    port.RunAll(*policy);
    EXPECT_EQ(port.granted,
              (Grants{{7, 4000}, {8, 4000}, {9, 1000}, {7, 8000}, {8, 4500}, {7, 10000}}));
    const Tick each = 160 * 1000; // of 1000 B at 50 Gb/s
    EXPECT_EQ(port.at,
              (std::vector<Tick>{kMicrosecond,
                                 kMicrosecond + 4 * each,
                                 kMicrosecond + 8 * each,
                                 kMicrosecond + 9 * each,
                                 kMicrosecond + 13 * each,
                                 kMicrosecond + 27 * each / 2}));
    EXPECT_EQ(policy->GetCounters().wanted, 15500U);
    EXPECT_EQ(policy->GetCounters().granted, 15500U);
    // The credits before are for a time that is not over.
    policy->Arrive({kMicrosecond + 14 * each, 8, 1000, 5000, false, false});
    EXPECT_EQ(port.wake, kMicrosecond + 31 * each / 2);
    policy->Arrive({kMicrosecond + 14 * each, 7, 1000, 12000, false, false});
    policy->Forget(8);
    policy->Forget(77);
    port.RunAll(*policy);
    EXPECT_EQ(port.granted.back(), (std::pair<uint32_t, uint64_t>{7, 12000}));
    EXPECT_EQ(policy->GetCounters().wanted, 18000U);
    EXPECT_EQ(policy->GetCounters().granted, 17500U);
}

namespace
{

/// 100 Gb/s, a base RTT of 12 us, queues of one bandwidth-delay product that trim.
class RcccBed : public FabricBed
{
  public:
    explicit RcccBed(uint32_t hosts, const std::string& way = "out_of_order")
        : FabricBed("star")
    {
        Set("HostCount", hosts);
        SetLinks({kLine, 2829 * kNanosecond, 0, 0});
        SetSwitches({0, 8000000, 0});
        control = MakeControl("rccc");
        settings.pfc = nullptr;
        settings.trimming = Make<TrimmingSettings>({{"Enabled", "true"}});
        settings.buffer = With(MakePlugin<BufferManager>("static_threshold"),
                               {{"LimitBytes", "150000"},
                                {"Priorities", R"([{"priority": 6, "limit_bytes": 4000000}])"}});
        recovery = MakePlugin<LossRecovery>(way);
        transport->retransmissionTimeout = MilliSeconds(1);
    }

    CreditCounters Credits(NodeIdx host)
    {
        return GetFabric()
            .GetNic(host)
            .GetCreditPolicy(GetFabric().GetNicPort(host), control->ForLineRate(kLine))
            ->GetCounters();
    }

    /// @return bytes that a host has put on its wire, preambles and gaps included.
    uint64_t OnWire(NodeIdx host)
    {
        const PortCounters& counters = CountersOf(GetFabric().GetGraph().NodeOf(host), 0);
        return counters.bytes + counters.frames * 20;
    }
};

Tick
Last(const std::vector<FlowResult>& flows)
{
    Tick last = 0;
    for (const FlowResult& flow : flows)
    {
        last = std::max(last, flow.fct);
    }
    return last;
}

Tick
First(const std::vector<FlowResult>& flows)
{
    Tick first = kNever;
    for (const FlowResult& flow : flows)
    {
        first = std::min(first, flow.fct);
    }
    return first;
}

} // namespace

// uet-htsim: 177.4 us.
TEST(RcccFabric, FlowAlone)
{
    RcccBed bed(2);
    bed.Build();
    bed.AddFlow(1, 0, kMessage);
    EXPECT_NEAR(bed.Run().at(0).fct, 177.4 * kMicrosecond, 0.03 * 177.4 * kMicrosecond);
    EXPECT_EQ(bed.results[0].retransmittedBytes, 0U);
}

// uet-htsim: 15 flows of 2 MB into one port end from 2368 to 2464 us, 127 in 20891, of 20663 ideal. Every
// byte on the wires of the senders was in their first windows, or was granted, and nothing was granted
// that was not sent.
TEST(RcccFabric, Incasts)
{
    for (const auto& [senders, ideal] : {std::pair{15U, 2440}, std::pair{127U, 20663}})
    {
        RcccBed bed(senders + 1);
        bed.Build();
        for (NodeIdx host = 1; host <= senders; ++host)
        {
            bed.AddFlow(host, 0, kMessage);
        }
        bed.Run();
        const auto last = static_cast<double>(Last(bed.results));
        EXPECT_LE(last, 1.03 * ideal * kMicrosecond) << senders;
        EXPECT_LE(last, 1.1 * static_cast<double>(First(bed.results))) << senders;
        EXPECT_EQ(bed.CountersTo(0).dropped, 0U);
        uint64_t sent = 0;
        for (NodeIdx host = 1; host <= senders; ++host)
        {
            sent += bed.OnWire(host);
        }
        const double product = kLine * static_cast<double>(bed.GetPaths().BaseRtt(1, 0)) / 8e12;
        const CreditCounters credits = bed.Credits(0);
        EXPECT_EQ(credits.wanted, credits.granted);
        EXPECT_EQ(sent, credits.granted + senders * static_cast<uint64_t>(1.5 * product));
    }
}

// Whose senders share nothing have the same completion times as alone, to the picosecond.
TEST(RcccFabric, TwoReceivers)
{
    std::map<std::pair<std::string, std::string>, Tick> alone;
    for (const int run : {1, 2, 3})
    {
        RcccBed bed(10);
        bed.Build();
        for (NodeIdx host = 2; host < 10; ++host)
        {
            const NodeIdx to = host & 1;
            if (run >> to & 1)
            {
                bed.AddFlow(host, to, kMessage / 2);
            }
        }
        for (const FlowResult& flow : bed.Run())
        {
            Tick& fct = alone[{flow.source, flow.destination}];
            EXPECT_TRUE(run < 3 || fct == flow.fct) << flow.source;
            fct = flow.fct;
        }
        EXPECT_EQ(bed.Credits(0).wanted, bed.Credits(0).granted);
        EXPECT_EQ(bed.Credits(1).wanted, bed.Credits(1).granted);
    }
}

// Lost credits, lost frames, by each way of recovery: all ends well, and is accounted for.
TEST(RcccFabric, Losses)
{
    for (const char* way : {"out_of_order", "selective_repeat", "go_back_n"})
    {
        SCOPED_TRACE(way);
        RcccBed bed(5, way);
        bed.transport->retransmissionTimeout = MicroSeconds(200);
        bed.SetLinks({kLine, 2829 * kNanosecond, 1e-3, 0});
        bed.Build();
        for (NodeIdx host = 1; host < 5; ++host)
        {
            bed.AddFlow(host, 0, kMessage);
        }
        bed.Run();
    }
}

// All credits of a flow are lost: after each timeout it has a window, and so it ends.
TEST(RcccFabric, WithoutAnyCredit)
{
    RcccBed bed(2);
    bed.transport->retransmissionTimeout = MicroSeconds(100);
    bed.Build();
    Tamper tamper;
    tamper.lose = [](const Frame& f, Tick) { return f.op == Opcode::Credit; };
    bed.Intercept(bed.Find("leaf0"), 1, tamper);
    bed.AddFlow(1, 0, kMessage);
    bed.Run();
    // Windows of 225 kB, and a timeout and a round trip between two of them.
    const double windows = std::ceil(490. * 4194 / 225e3);
    EXPECT_NEAR(bed.results[0].fct,
                163.8 * kMicrosecond + (windows - 1) * 112 * kMicrosecond,
                20. * kMicrosecond);
}

// One message after the other: each begins with a window.
TEST(RcccFabric, MessagesOneByOne)
{
    RcccBed bed(2);
    bed.Build();
    std::vector<Tick> ended;
    CompletionQueue completions([&](const WorkCompletion&) {
        ended.push_back(Simulator::Now().GetTimeStep());
        if (ended.size() < 5)
        {
            EXPECT_EQ(bed.pairs[0].sender->PostSend({ended.size(), kMessage, WrOpcode::Write}),
                      Status::Ok);
        }
    });
    const QueuePairs pair = bed.Connect(1, 0, completions);
    ASSERT_EQ(pair.sender->PostSend({0, kMessage, WrOpcode::Write}), Status::Ok);
    Simulator::Run();
    ASSERT_EQ(ended.size(), 5U);
    for (int i = 1; i < 5; ++i)
    {
        EXPECT_EQ(ended[i] - ended[i - 1], ended[0]);
    }
    const CreditCounters credits = bed.Credits(0);
    EXPECT_EQ(credits.wanted, credits.granted);
}

// A queue pair that reads and writes: answers to READs need no credit, and take none.
TEST(RcccFabric, ReadsAndWrites)
{
    RcccBed bed(2);
    bed.responds = true;
    bed.Build();
    uint32_t ended = 0;
    CompletionQueue completions([&](const WorkCompletion& c) {
        EXPECT_EQ(c.status, WcStatus::Success);
        ++ended;
    });
    const QueuePairs pair = bed.Connect(1, 0, completions);
    for (uint64_t i = 0; i < 4; ++i)
    {
        ASSERT_EQ(pair.sender->PostSend({i, kMessage, i & 1 ? WrOpcode::Read : WrOpcode::Write}),
                  Status::Ok);
        ASSERT_EQ(pair.receiver->PostSend({i, kMessage, i & 1 ? WrOpcode::Write : WrOpcode::Read}),
                  Status::Ok);
    }
    Simulator::Run();
    EXPECT_EQ(ended, 8U);
}

} // namespace ns3::aifabric::test
