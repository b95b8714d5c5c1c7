// SPDX-License-Identifier: GPL-2.0-only
// PowerTCP: Addanki et al., "PowerTCP: Pushing the Performance Limits of Datacenter Networks", NSDI
// 2022, with records and round trips made up here, and over a bottleneck.
#include "bottleneck-bed.h"
#include "congestion-flow.h"
#include "error-of.h"

#include <algorithm>
#include <memory>
#include <string>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kLine = 100e9;
constexpr Tick kRtt = 13 * kMicrosecond;
constexpr uint64_t kBdp = 162500;    ///< bytes: 100 Gb/s for 13 us
constexpr double kBeta = kBdp / 10.; ///< of ten expected flows

/// @return the window after an update.
uint64_t
Updated(double reference, double power, double window, double gamma)
{
    return static_cast<uint64_t>(gamma * (reference / power + kBeta) + (1 - gamma) * window);
}

} // namespace

TEST(PowerTcp, BeginsWithABandwidthDelayProductAtLineRate)
{
    for (const char* id : {"powertcp", "theta_powertcp"})
    {
        CongestionFlow f(MakeControl(id), kLine, kRtt, 250);
        EXPECT_EQ(f.view.window, kBdp * 1000 / 1250);
        EXPECT_EQ(f.view.rate, kLine);
        EXPECT_TRUE(f.GetControl().UsesAcks());
    }
    EXPECT_TRUE(MakeControl("powertcp")->ForLineRate(kLine)->GetTelemetry().wanted);
    EXPECT_FALSE(MakeControl("theta_powertcp")->ForLineRate(kLine)->GetTelemetry().wanted);
}

// A port that sends all the time while its queue grows by half a bandwidth-delay product: current
// 1.5, voltage 1.5.
TEST(PowerTcp, PowerIsCurrentTimesVoltage)
{
    CongestionFlow f(MakeControl("powertcp"), kLine, kRtt);
    f.Hear(0, 1000, kBdp, {{0, 0, kLine, 0}});
    f.Hear(kRtt, 2000, kBdp, {{kRtt, kBdp, kLine, kBdp / 2}});
    EXPECT_EQ(f.view.window, Updated(kBdp, 2.25, kBdp, 0.9));
    // As long as it stays, the current is 1. Still the same round trip: against the same reference.
    const auto window = 0.9 * (kBdp / 2.25 + kBeta) + 0.1 * kBdp;
    f.Hear(2 * kRtt, 3000, kBdp, {{2 * kRtt, 2 * kBdp, kLine, kBdp / 2}});
    EXPECT_EQ(f.view.window, Updated(kBdp, 1.5, window, 0.9));
    // The window becomes the reference at the end of the round trip.
    const auto next = 0.9 * (kBdp / 1.5 + kBeta) + 0.1 * window;
    f.Hear(3 * kRtt, kBdp + 1, 2 * kBdp, {{3 * kRtt, 3 * kBdp, kLine, kBdp / 2}});
    const auto reference = 0.9 * (kBdp / 1.5 + kBeta) + 0.1 * next;
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(reference));
    f.Hear(4 * kRtt, kBdp + 1001, 2 * kBdp, {{4 * kRtt, 4 * kBdp, kLine, kBdp / 2}});
    EXPECT_EQ(f.view.window, Updated(reference, 1.5, reference, 0.9));
}

// A queue that drains lowers the current, to half at the least.
TEST(PowerTcp, ADrainingQueueLowersTheCurrent)
{
    for (double drained : {0.25, 0.75})
    {
        CongestionFlow f(MakeControl("powertcp"), kLine, kRtt);
        f.Hear(0, 1000, kBdp, {{0, 0, kLine, 4 * kBdp}});
        const auto left = static_cast<uint32_t>((4 - drained) * kBdp);
        f.Hear(kRtt, 2000, kBdp, {{kRtt, kBdp, kLine, left}});
        const double power = std::max(1 - drained, 0.5) * (5 - drained);
        EXPECT_NEAR(static_cast<double>(f.view.window),
                    static_cast<double>(Updated(kBdp, power, kBdp, 0.9)),
                    1);
    }
}

// A fifth of a round trip moves the power a fifth of the way; the port with most power decides, each
// measured by its own bandwidth.
TEST(PowerTcp, TheMostPowerDecidesAndIsSmoothed)
{
    CongestionFlow f(MakeControl("powertcp"), kLine, kRtt);
    f.Hear(0, 1000, kBdp, {{0, 0, 400e9, 0}, {0, 7, kLine, kBdp}});
    // 1.5 and 3/8 at four times the rate: less than 1 and 2 bandwidth-delay products.
    f.Hear(kRtt / 5,
           2000,
           kBdp,
           {{kRtt / 5, 4 * kBdp / 5, 400e9, 2 * kBdp / 5}, {kRtt / 5, 7 + kBdp / 5, kLine, kBdp}});
    const double power = 0.8 * 1 + 0.2 * 2;
    EXPECT_EQ(f.view.window, Updated(kBdp, power, kBdp, 0.9));
}

TEST(PowerTcp, OtherPortsAreNotCompared)
{
    CongestionFlow f(MakeControl("powertcp"), kLine, kRtt);
    f.Hear(0, 1000, kBdp, {{0, kBdp, kLine, 0}});
    f.Hear(kRtt, 2000, kBdp, {{kRtt, 5, kLine, 9 * kBdp}});
    f.Hear(2 * kRtt, 3000, kBdp, {{kRtt / 2, 5 * kBdp, kLine, 9 * kBdp}});
    f.Hear(3 * kRtt, 4000, kBdp, {{kRtt, 5 * kBdp, 400e9, 0}, {kRtt, 0, kLine, 9 * kBdp}});
    f.Hear(kSecond, 5000, kBdp, {{kSecond, 5 * kBdp, 400e9, 0}, {kSecond, 0, kLine, 9 * kBdp}});
    EXPECT_EQ(f.view.window, kBdp);
}

// Round trips that grow by half of one within one: current 1.5, voltage 1.5 / 1.05.
TEST(ThetaPowerTcp, PowerIsThatOfRoundTrips)
{
    CongestionFlow f(MakeControl("theta_powertcp"), kLine, kRtt);
    auto hear = [&f](Tick now, Tick rtt, uint64_t acknowledged, uint64_t sent) {
        f.Acknowledge({now, rtt, 1000, sent - acknowledged, acknowledged, false, nullptr});
    };
    hear(0, kRtt, 1000, kBdp);
    hear(kRtt, kRtt * 3 / 2, kBdp, kBdp);
    EXPECT_EQ(f.view.window, kBdp) << "only once per round trip";
    hear(2 * kRtt, kRtt * 3 / 2, kBdp + 1, 2 * kBdp);
    EXPECT_EQ(f.view.window, Updated(kBdp, 1.5 / 1.05, kBdp, 0.7)) << "no longer growing";
    const double reference = 0.7 * (kBdp * 1.05 / 1.5 + kBeta) + 0.3 * kBdp;
    hear(3 * kRtt, 2 * kRtt, 2 * kBdp + 1, 3 * kBdp);
    EXPECT_EQ(f.view.window, Updated(reference, 1.5 * 2 / 1.05, reference, 0.7));
    // Shrinking by more than half: the current is a half.
    const double next = 0.7 * (reference * 1.05 / 3 + kBeta) + 0.3 * reference;
    hear(4 * kRtt, kRtt, 3 * kBdp + 1, 4 * kBdp);
    EXPECT_EQ(f.view.window,
              static_cast<uint64_t>(
                  std::min(0.7 * (next * 1.05 / 0.5 + kBeta) + 0.3 * next, kBdp + kBeta)));
}

TEST(PowerTcp, RefusesWhatCannotBe)
{
    for (const char* id : {"powertcp", "theta_powertcp"})
    {
        const std::string error = ErrorOf([id] {
            MakeControl(id, {{"MinRate", "100Gb/s"}})->ForLineRate(kLine);
        });
        EXPECT_NE(error.find("min_rate"), std::string::npos);
    }
}

namespace
{

std::unique_ptr<BottleneckBed>
MakeBed(uint32_t senders, const std::string& id, const AttributeTexts& attributes = {})
{
    auto bed = std::make_unique<BottleneckBed>(
        senders, kLine, 3 * kMicrosecond, MakeControl(id, attributes));
    bed->settings.mtuPayloadBytes = 1000;
    bed->Start();
    return bed;
}

} // namespace

// The equilibrium: all windows together are B T + sum of beta, and the sum of beta waits. What
// theta-PowerTCP tolerates waits besides.
TEST(PowerTcpFabric, TheSumOfBetaWaits)
{
    struct Case
    {
        const char* id;
        AttributeTexts attributes;
        double besides;
    };

    const Case cases[] = {{"powertcp", {}, 0},
                          {"theta_powertcp", {{"RttTolerance", "1"}}, 0},
                          {"theta_powertcp", {}, 0.05}};
    for (const Case& c : cases)
    {
        for (uint32_t flows : {2, 8})
        {
            SCOPED_TRACE(c.id);
            SCOPED_TRACE(flows);
            auto bed = MakeBed(flows, c.id, c.attributes);
            for (NodeIdx host = 1; host <= flows; ++host)
            {
                bed->Send(host, host * bed->rtt / 3);
            }
            bed->RunUntil(200 * bed->rtt, bed->rtt / 8);
            const double queue = bed->MeanQueue(100 * bed->rtt, 200 * bed->rtt) / bed->bdp;
            EXPECT_NEAR(queue, flows / 10. + c.besides, 0.05);
            EXPECT_GE(bed->Utilisation(100 * bed->rtt, 200 * bed->rtt), 0.995);
        }
    }
}

// Ten flows join one at line rate. With F the power of the queue that their first windows leave behind,
// 11 / F + sum of beta = F: F is 3.9, and two round trips of such lengths later 2.3, a queue within 0.2
// bandwidth-delay products of the sum of beta, 1.1. The line is busy throughout; HPCC, which aims at
// empty queues, gives part of it away at that time.
TEST(PowerTcpFabric, AnIncastDrainsAndTheLineStaysBusy)
{
    for (const char* id : {"powertcp", "theta_powertcp", "hpcc"})
    {
        SCOPED_TRACE(id);
        auto bed = MakeBed(11, id);
        const Tick begins = 20 * bed->rtt;
        bed->Send(1, 0);
        for (NodeIdx host = 2; host <= 11; ++host)
        {
            bed->Send(host, begins);
        }
        const Tick end = begins + 60 * bed->rtt;
        bed->RunUntil(end, bed->rtt / 8);
        double least = 1;
        for (Tick t = begins; t + 2 * bed->rtt <= end; t += bed->rtt)
        {
            least = std::min(least, bed->Utilisation(t, t + 2 * bed->rtt));
        }
        EXPECT_LE(bed->maxQueue, 10.5 * bed->bdp);
        if (std::string(id) == "hpcc")
        {
            EXPECT_LT(least, 0.9);
            continue;
        }
        EXPECT_GE(least, 0.99);
        // Without telemetry windows are set once per round trip, and those are long at first.
        const Tick drained = begins + (std::string(id) == "powertcp" ? 18 : 30) * bed->rtt;
        EXPECT_NEAR(bed->MeanQueue(drained, end), 1.1 * bed->bdp, 0.15 * bed->bdp);
        EXPECT_LE(bed->LongestQueue(drained, end), 1.4 * bed->bdp);
    }
}

} // namespace ns3::aifabric::test
