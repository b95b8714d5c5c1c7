// SPDX-License-Identifier: GPL-2.0-only
// HPCC-PINT: Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020. Digest p
// stands for 1.05^p / 512 of the line rate.
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
constexpr double kBdp = 162500;
constexpr double kIncrease = kBdp / 2500;

double
Decode(uint32_t digest)
{
    return std::pow(1.05, digest) / 512;
}

/// Ports that stamp frames.
class Ports
{
  public:
    explicit Ports(const AttributeTexts& attributes = {})
        : control(MakeControl("hpcc_pint", attributes)->ForLineRate(kLine))
    {
    }

    /// A round trip goes by in which a port sends at a share of its rate, then a frame leaves by it.
    void Leave(HopLog& log, double share)
    {
        m_at += kRtt;
        m_sent += static_cast<uint64_t>(share * kBdp);
        control->GetTelemetry().stamper->Stamp(log, {m_at, m_sent, kLine, 0}, this);
    }

    Ptr<const CongestionControl> control;

  private:
    Tick m_at{0};
    uint64_t m_sent{0};
};

/// A flow that is told digests.
class PintFlow : public CongestionFlow
{
  public:
    explicit PintFlow(const std::string& sampling = "1")
        : CongestionFlow(MakeControl("hpcc_pint", {{"SamplingProbability", sampling}}), kLine, kRtt)
    {
    }

    void HearDigest(Tick now, uint64_t acknowledged, uint64_t sent, uint32_t digest)
    {
        HopLog log;
        log.digest = digest;
        Hear(now, acknowledged, sent, log);
    }
};

double
WindowFor(double utilisation)
{
    return std::min(kBdp * 0.95 / utilisation + kIncrease, kBdp);
}

} // namespace

// Rounding up or down at random: no error on average but what rounding to 1/512 makes, and never more
// than a step of 5 %.
TEST(HpccPint, DigestsAreRightOnAverage)
{
    for (double u : {0.5, 0.95, 1.0, 2.0, 17.0})
    {
        SCOPED_TRACE(u);
        Ports port;
        double sum = 0;
        constexpr int kDraws = 100000;
        const double exact = std::ceil(std::floor(u * kBdp) / kBdp * 512) / 512;
        for (int i = 0; i < kDraws; ++i)
        {
            HopLog log;
            port.Leave(log, u);
            const double told = Decode(log.digest);
            ASSERT_LE(told, exact * 1.0501);
            ASSERT_GE(told, exact / 1.0501);
            sum += told;
        }
        EXPECT_NEAR(sum / kDraws, exact, 5e-4 * exact);
        EXPECT_NEAR(sum / kDraws, u, 5e-3 * u);
    }
}

TEST(HpccPint, FramesKeepTheHighestDigest)
{
    Ports idle;
    Ports busy;
    HopLog log;
    idle.Leave(log, 0.01);
    const uint32_t low = log.digest;
    busy.Leave(log, 1);
    const uint32_t high = log.digest;
    EXPECT_GT(high, low);
    idle.Leave(log, 0.01);
    EXPECT_EQ(log.digest, high);
    HopLog saturated;
    busy.Leave(saturated, 1000);
    EXPECT_EQ(saturated.digest, 255U) << "one byte";
}

// What senders do with it is HPCC's, without an average of their own.
TEST(HpccPint, SendersTakeWhatTheyAreTold)
{
    PintFlow f;
    f.HearDigest(0, 1000, 163000, 200);
    EXPECT_EQ(f.view.window, static_cast<uint64_t>(kBdp)) << "the first begins a round trip";
    for (uint32_t digest : {200U, 180U, 215U})
    {
        f.HearDigest(1, 2000, 163000, digest);
        EXPECT_EQ(f.view.window, static_cast<uint64_t>(WindowFor(Decode(digest)))) << digest;
    }
    EXPECT_EQ(f.GetControl().GetTelemetry().bytes, 1U);
}

// One in sixteen of 32,000 acknowledgements counts: 2,000, give or take three deviations.
TEST(HpccPint, OnlySamplesCount)
{
    PintFlow f("0.0625");
    int counted = 0;
    for (int i = 0; i < 32000; ++i)
    {
        const uint32_t digest = 130 + i % 120;
        f.HearDigest(i, 1000, 1ULL << 40, digest);
        counted +=
            digest > 190 && f.view.window == static_cast<uint64_t>(WindowFor(Decode(digest)));
    }
    EXPECT_NEAR(counted, 32000 * 59 / 120 / 16., 3 * std::sqrt(32000 * 59 / 120 / 16.));
}

TEST(HpccPint, RefusesWhatCannotBe)
{
    auto error = [](const AttributeTexts& attributes) {
        return ErrorOf([&] { MakeControl("hpcc_pint", attributes)->ForLineRate(kLine); });
    };
    EXPECT_EQ(error({}), "no error");
    EXPECT_EQ(error({{"Base", "1.01"}, {"DigestBytes", "2"}}), "no error");
    EXPECT_NE(error({{"Base", "1.01"}}).find("base"), std::string::npos);
    EXPECT_NE(error({{"BaseRtt", "0s"}}).find("base_rtt"), std::string::npos);
}

// Over a bottleneck it is HPCC: within 2 % for one flow, and with the same queues in an incast but for
// a bandwidth-delay product. Where one digest in sixteen counts, a flow of the incast, which gets some
// three acknowledgements per round trip, hears once in six of them, and the queue goes that much later.
TEST(HpccPint, BehavesAsHpcc)
{
    struct Outcome
    {
        double alone;
        uint32_t aloneQueue;
        double peak;
        double after;
        double incast;
    };

    static constexpr Tick kEnd = 500 * kMicrosecond;
    const Tick soon = 116 * kMicrosecond; // after 16 + 3.9 + 1.9 + 1.3 round trips
    const Tick later = soon + 6 * 7 * 5 * kMicrosecond;
    auto measure = [](const std::string& id, AttributeTexts attributes, Tick drained) {
        attributes.emplace_back("BaseRtt", "5us");
        Outcome o{};
        BottleneckBed* bed = nullptr;
        auto begin = [&](uint32_t senders) {
            auto made = std::make_unique<BottleneckBed>(
                senders, kLine, kMicrosecond, MakeControl(id, attributes));
            made->settings.mtuPayloadBytes = 1000;
            made->Start();
            for (NodeIdx host = 1; host <= senders; ++host)
            {
                made->Send(host, 0);
            }
            made->RunUntil(kEnd, kMicrosecond);
            bed = made.get();
            return made;
        };
        constexpr double kDelayed = kLine * 5e-6 / 8;
        {
            auto held = begin(1);
            o.alone = bed->Utilisation(25 * kMicrosecond, kEnd);
            o.aloneQueue = bed->maxQueue;
        }
        {
            auto held = begin(16);
            o.peak = bed->maxQueue / kDelayed;
            o.after = bed->LongestQueue(drained, kEnd) / kDelayed;
            o.incast = bed->Utilisation(drained, kEnd);
        }
        return o;
    };
    const Outcome hpcc = measure("hpcc", {}, soon);
    for (bool all : {true, false})
    {
        SCOPED_TRACE(all);
        const Outcome pint = measure(
            "hpcc_pint", {{"SamplingProbability", all ? "1" : "0.0625"}}, all ? soon : later);
        EXPECT_NEAR(pint.alone, hpcc.alone, 0.02);
        EXPECT_LT(pint.aloneQueue, 4 * 1104U);
        EXPECT_NEAR(pint.peak, hpcc.peak, 1);
        EXPECT_LT(pint.after, hpcc.after + 1);
        EXPECT_NEAR(pint.incast, hpcc.incast, 0.05);
    }
}

} // namespace ns3::aifabric::test
