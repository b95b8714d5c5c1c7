// SPDX-License-Identifier: GPL-2.0-only
// HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1, with records
// made up here, and over a bottleneck.
#include "bottleneck-bed.h"
#include "congestion-flow.h"
#include "error-of.h"

#include <cmath>
#include <memory>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kLine = 100e9;
constexpr Tick kRtt = 13 * kMicrosecond;
constexpr uint64_t kBdp = 162500;          ///< bytes: 100 Gb/s for 13 us
constexpr double kIncrease = kBdp / 2500.; ///< W_AI: a 2,500th of the line rate, for a round trip
constexpr double kEta = 0.95;

/// A port behind which a bandwidth-delay product waits.
constexpr HopRecord kCongested{0, 0, kLine, kBdp};

/// A flow whose first acknowledgement has told of one port.
class HpccUnit : public CongestionFlow
{
  public:
    /// @param first what the port has told.
    explicit HpccUnit(HopRecord first = {0, 0, kLine, 0},
                      Ptr<const CongestionControl> control = MakeControl("hpcc"))
        : CongestionFlow(control, kLine, kRtt),
          m_at(first.at),
          m_bytes(first.sentBytes)
    {
        Hear(first.at + kMicrosecond, 1000, kFirstWindow, {first});
    }

    /// Time goes by in which the port sends at a share of its rate, and has queues at both ends of
    /// it; then the acknowledgement of so much payload comes.
    void Hear(Tick time, double share, uint32_t queue, uint64_t acknowledged, uint64_t sent)
    {
        m_at += time;
        m_bytes += static_cast<uint64_t>(share * static_cast<double>(time) * kLine / 8e12);
        Hear(m_at + kMicrosecond, acknowledged, sent, {{m_at, m_bytes, kLine, queue}});
    }

    using CongestionFlow::Hear;

    /// Sent before the first acknowledgement.
    static constexpr uint64_t kFirstWindow = 163000;

  private:
    Tick m_at;
    uint64_t m_bytes;
};

} // namespace

TEST(Hpcc, BeginsWithABandwidthDelayProductAtLineRate)
{
    CongestionFlow f(MakeControl("hpcc"), kLine, kRtt, 250);
    EXPECT_EQ(f.view.window, kBdp * 1000 / 1250) << "of payload: kBdp are on the wire";
    EXPECT_EQ(f.view.rate, kLine);
    EXPECT_EQ(f.GetControl().GetTelemetry().bytes, 42U);
    EXPECT_TRUE(f.GetControl().UsesAcks());
}

// A port that was busy for a round trip, without queue: U is 1, W is Wc eta + W_AI.
TEST(Hpcc, ABusyPortLeavesEta)
{
    HpccUnit f;
    f.Hear(kRtt, 1, 0, kBdp, 2 * kBdp);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta + kIncrease));
    EXPECT_NEAR(f.view.rate, kLine * (kEta + 1. / 2500), 1);
}

// A queue of one bandwidth-delay product besides makes U 2; only what is there at both ends counts.
TEST(Hpcc, TheShorterOfTwoQueuesCounts)
{
    HpccUnit f;
    f.Hear(kRtt, 1, kBdp, kBdp, 2 * kBdp);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta + kIncrease)) << "it was empty";
    f.Hear(kRtt, 1, 2 * kBdp, kBdp + 100, 2 * kBdp);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta / 2 + kIncrease))
        << "the round trip is not over: against the reference before";
    f.Hear(kRtt, 1, kBdp, HpccUnit::kFirstWindow + 1, 3 * kBdp);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta / 2 + kIncrease));
    const double halved = kBdp * kEta / 2 + kIncrease;
    f.Hear(kRtt, 1, kBdp, 3 * kBdp + 1, 4 * kBdp);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(halved * kEta / 2 + kIncrease));
}

// Until a round trip is over the same reference holds: no matter how many acknowledgements come.
TEST(Hpcc, AcknowledgementsOfOneRoundTripDoNotAddUp)
{
    HpccUnit f(kCongested);
    f.Hear(kRtt, 1, kBdp, 2000, kBdp);
    for (int i = 0; i < 20; ++i)
    {
        f.Hear(kRtt, 1, kBdp, 3000 + i * 1000, kBdp + i * 1000);
        EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta / 2 + kIncrease)) << i;
    }
    f.Hear(kRtt, 1, kBdp, HpccUnit::kFirstWindow + 1, 2 * kBdp);
    f.Hear(kRtt, 1, kBdp, HpccUnit::kFirstWindow + 1001, 2 * kBdp);
    const double reference = kBdp * kEta / 2 + kIncrease;
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(reference * kEta / 2 + kIncrease));
}

// Each fifth of a round trip moves U a fifth of the way.
TEST(Hpcc, UtilisationIsAveragedOverARoundTrip)
{
    HpccUnit f(kCongested);
    double u = 0;
    for (int i = 1; i <= 15; ++i)
    {
        f.Hear(kRtt / 5, 1, kBdp, 1000 * (i + 1), kBdp);
        u = 0.8 * u + 0.2 * 2;
        const double window = std::min<double>(kBdp * kEta / u + kIncrease, kBdp);
        EXPECT_NEAR(static_cast<double>(f.view.window), window, 1) << i;
    }
}

// The busiest port decides, by its own bandwidth and time.
TEST(Hpcc, TheBusiestPortDecides)
{
    CongestionFlow f(MakeControl("hpcc"), kLine, kRtt);
    const uint32_t queue = kBdp / 4;
    f.Hear(kRtt, 1000, 2 * kBdp, {{0, 0, 400e9, 0}, {0, 77, 100e9, queue}, {0, 0, 400e9, 0}});
    const Tick t = kRtt;
    // 2 of 4, 1 and a queue of 0.25, 1 of 4 bandwidth-delay products.
    f.Hear(2 * kRtt,
           kBdp,
           2 * kBdp,
           {{t, 2 * kBdp, 400e9, 0}, {t, 77 + kBdp, 100e9, queue}, {t, kBdp, 400e9, 0}});
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp * kEta / 1.25 + kIncrease));
}

// maxStage (the paper's 5, the simulator's 0): so many additive steps below eta before the window is
// set in proportion.
TEST(Hpcc, AdditiveStepsBelowEta)
{
    HpccUnit f(kCongested, MakeControl("hpcc", {{"MaxStage", "5"}}));
    uint64_t sent = HpccUnit::kFirstWindow + 1;
    auto roundTrip = [&](double share, uint32_t queue) {
        f.Hear(kRtt, share, queue, sent, sent + kBdp);
        sent += kBdp + 1;
        return static_cast<double>(f.view.window);
    };
    double window = kBdp * kEta / 2 + kIncrease;
    EXPECT_NEAR(roundTrip(1, kBdp), window, 1);
    for (int i = 0; i < 5; ++i)
    {
        window += kIncrease;
        EXPECT_NEAR(roundTrip(0.5, 0), window, 1) << i;
    }
    window = window * kEta / 0.5 + kIncrease;
    EXPECT_NEAR(roundTrip(0.5, 0), window, 1);
}

// Clocks and counters are kept short: what matters is how far they have gone.
TEST(Hpcc, ClocksAndCountersMayRunRound)
{
    for (Tick at = 200 * kMillisecond; at < 400 * kMillisecond; at += 7 * kMillisecond)
    {
        HpccUnit f({at, 0xFFFFFFFF, kLine, 0});
        f.Hear(kRtt, 1, 0, kBdp, 2 * kBdp);
        EXPECT_NEAR(f.view.rate, kLine * (kEta + 1. / 2500), kLine * 1e-5) << at;
    }
}

// What was said long ago, or on another way, is no measure: the window stays, and is measured anew.
TEST(Hpcc, OtherPortsAndOldRecordsAreNotCompared)
{
    const uint64_t eta = static_cast<uint64_t>(kBdp * kEta + kIncrease);
    auto begin = [&] {
        auto f = std::make_unique<HpccUnit>();
        f->Hear(kRtt, 1, 0, HpccUnit::kFirstWindow + 1, 2 * kBdp);
        EXPECT_EQ(f->view.window, eta);
        return f;
    };
    const Tick t = 2 * kRtt;
    auto idle = begin();
    idle->Hear(t + kSecond, 2 * kBdp, 3 * kBdp, {{t + kSecond, 123 * kBdp, kLine, 5 * kBdp}});
    EXPECT_EQ(idle->view.window, eta) << "after a second";
    auto longer = begin();
    longer->Hear(t + kRtt, 2 * kBdp, 3 * kBdp, {{t, 9, 400e9, 0}, {t, 4 * kBdp, kLine, 0}});
    EXPECT_EQ(longer->view.window, eta) << "two ports instead of one";
    auto other = begin();
    other->Hear(t + kRtt, 2 * kBdp, 3 * kBdp, {{t, 100, kLine, 0}});
    EXPECT_EQ(other->view.window, eta) << "a port that has sent less";
    other->Hear(t + 2 * kRtt, 2 * kBdp + 1, 3 * kBdp, {{t - kRtt, 200, kLine, 0}});
    EXPECT_EQ(other->view.window, eta) << "a port at an earlier time";
    other->Hear(t + 3 * kRtt, 2 * kBdp + 2, 3 * kBdp, {{t, 200 + kBdp, kLine, 0}});
    EXPECT_EQ(other->view.window,
              static_cast<uint64_t>((kBdp * kEta + kIncrease) * kEta + kIncrease))
        << "and measured anew";
    other->Hear(t + 4 * kRtt, 2 * kBdp + 3, 3 * kBdp, {{t + kRtt, 9000 * kBdp, kLine, 0}});
    EXPECT_EQ(other->view.window,
              static_cast<uint64_t>((kBdp * kEta + kIncrease) * kEta + kIncrease))
        << "a port that has sent more than it can";
}

TEST(Hpcc, NeverBelowItsLeastRate)
{
    HpccUnit f({0, 0, kLine, 100 * kBdp});
    uint64_t sent = HpccUnit::kFirstWindow + 1;
    for (int i = 0; i < 30; ++i, sent += kBdp)
    {
        f.Hear(kRtt, 1, 100 * kBdp, sent, sent + kBdp - 1);
    }
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp / 1000.));
    EXPECT_DOUBLE_EQ(f.view.rate, kLine / 1000);
}

TEST(Hpcc, RefusesWhatCannotBe)
{
    auto error = [](const std::string& id, const AttributeTexts& attributes) {
        return ErrorOf([&] { MakeControl(id, attributes)->ForLineRate(kLine); });
    };
    EXPECT_EQ(error("hpcc", {{"MinRate", "99Gb/s"}}), "no error");
    EXPECT_NE(error("hpcc", {{"MinRate", "100Gb/s"}}).find("min_rate"), std::string::npos);
}

namespace
{

constexpr uint32_t kFrame = 62 + 42 + 1000;               ///< bytes of a full frame
constexpr double kRates[] = {10e9, 100e9, 400e9, 1.6e12}; ///< bit/s

/// So long a link that a bandwidth-delay product has dozens of frames of 1000 B at least.
Tick
DelayFor(double lineRate)
{
    return lineRate < 100e9 ? 20 * kMicrosecond : kMicrosecond;
}

/// @return a bed of frames with 1000 B of payload.
std::unique_ptr<BottleneckBed>
MakeBed(uint32_t senders, double lineRate, Ptr<CongestionControl> control)
{
    auto bed = std::make_unique<BottleneckBed>(senders, lineRate, DelayFor(lineRate), control);
    bed->settings.mtuPayloadBytes = 1000;
    return bed;
}

} // namespace

// One flow: eta of the line rate after five round trips, and hardly a queue.
TEST(HpccFabric, OneFlowTakesEta)
{
    for (double lineRate : kRates)
    {
        SCOPED_TRACE(lineRate);
        auto bed = MakeBed(1, lineRate, MakeControl("hpcc"));
        bed->Start();
        bed->Send(1, 0);
        bed->RunUntil(40 * bed->rtt, bed->rtt / 4);
        EXPECT_NEAR(bed->Utilisation(5 * bed->rtt, 15 * bed->rtt), 0.95, 0.01);
        EXPECT_NEAR(bed->Utilisation(15 * bed->rtt, 40 * bed->rtt), 0.95, 0.01);
        EXPECT_LT(bed->maxQueue, 2 * kFrame);
    }
}

// A second flow joins at line rate: both hold a bandwidth-delay product at that instant, and each is
// left with half of eta. Of the three round trips that takes the second lasts twice as long, as a
// bandwidth-delay product waits.
TEST(HpccFabric, AFlowThatJoinsShares)
{
    for (double lineRate : kRates)
    {
        SCOPED_TRACE(lineRate);
        auto bed = MakeBed(2, lineRate, MakeControl("hpcc"));
        bed->Start();
        const Tick joins = 20 * bed->rtt;
        bed->Send(1, 0);
        bed->Send(2, joins);
        bed->RunUntil(joins + 24 * bed->rtt, bed->rtt / 4);
        EXPECT_LE(bed->maxQueue, bed->bdp);
        EXPECT_LE(bed->At(joins + 4 * bed->rtt).queue, 2 * kFrame);
        const std::vector<double> shares = bed->Shares(joins + 4 * bed->rtt, joins + 24 * bed->rtt);
        EXPECT_NEAR(shares[0], 0.475, 0.03);
        EXPECT_NEAR(shares[1], 0.475, 0.03);
        EXPECT_GE(Fairness(shares), 0.98);
        const double after = bed->Utilisation(joins + 10 * bed->rtt, joins + 24 * bed->rtt);
        EXPECT_NEAR(after, 0.95, 0.01);
    }
}

// Sixteen flows begin at line rate: no more waits than all but one of their bandwidth-delay products.
// When these have gone by, after 16 T, windows answer to a short queue, but still against the
// bandwidth-delay product that each flow began with: N eta / U = U. Each round trip later the root of
// U eta is left: queues of 2.9, 0.9, 0.3 bandwidth-delay products, for round trips of 3.9, 1.9 and 1.3 T.
TEST(HpccFabric, AnIncastDrainsInThreeRoundTrips)
{
    const double u1 = std::sqrt(16 * kEta);
    const double u2 = std::sqrt(u1 * kEta);
    const double u3 = std::sqrt(u2 * kEta);
    for (double lineRate : kRates)
    {
        SCOPED_TRACE(lineRate);
        auto bed = MakeBed(16, lineRate, MakeControl("hpcc"));
        bed->Start();
        for (NodeIdx host = 1; host <= 16; ++host)
        {
            bed->Send(host, 0);
        }
        bed->RunUntil(60 * bed->rtt, bed->rtt / 8);
        EXPECT_LE(bed->maxQueue, 15 * bed->bdp);
        EXPECT_GE(bed->maxQueue, 14 * bed->bdp);
        EXPECT_NEAR(
            bed->LongestQueue(16 * bed->rtt, 18 * bed->rtt), (u1 - 1) * bed->bdp, 0.6 * bed->bdp);
        const auto drained = static_cast<Tick>((16 + u1 + u2 + u3) * static_cast<double>(bed->rtt));
        EXPECT_LT(bed->LongestQueue(drained, 60 * bed->rtt), 0.05 * bed->maxQueue);
        EXPECT_NEAR(bed->Utilisation(30 * bed->rtt, 60 * bed->rtt), 0.95, 0.03);
    }
}

// DCQCN, with marks from 100 to 400 KB, needs more than a hundred round trips for that.
TEST(HpccFabric, AnIncastOfDcqcnDoesNotDrainSoon)
{
    auto bed = MakeBed(16, 100e9, MakeControl("dcqcn", {{"Variant", "paper"}}));
    bed->settings.ecn =
        Make<EcnSettings>({{"KminBytes", "100000"}, {"KmaxBytes", "400000"}, {"Pmax", "0.2"}});
    bed->Start();
    for (NodeIdx host = 1; host <= 16; ++host)
    {
        bed->Send(host, 0);
    }
    bed->RunUntil(130 * bed->rtt, bed->rtt);
    EXPECT_GT(bed->At(116 * bed->rtt).queue, 0.05 * bed->maxQueue);
}

} // namespace ns3::aifabric::test
