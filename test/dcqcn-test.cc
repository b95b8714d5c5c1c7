// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Attributes = std::map<std::string, std::string>;

constexpr Tick kUs = kMicrosecond;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

Ptr<CongestionControl>
MakeDcqcn(const Attributes& attributes)
{
    UsePicoseconds();
    auto cc = MakePlugin<CongestionControl>("dcqcn");
    for (const auto& [name, value] : attributes)
    {
        cc->SetAttribute(name, StringValue(value));
    }
    return cc;
}

/// A flow, and what a queue pair does with it.
struct Flow
{
    Flow(const Attributes& attributes, double line, Tick baseRtt = 0)
        : cc(MakeDcqcn(attributes)->ForLineRate(line))
    {
        view.rate = view.lineRate = line;
        view.baseRtt = baseRtt;
        cc->Begin(view, state);
    }

    double Rate(Tick now)
    {
        cc->CatchUp(view, state, now);
        return view.rate;
    }

    void Cnp(Tick now)
    {
        cc->Cnp(view, state, now);
    }

    void Sent(uint32_t bytes, Tick now)
    {
        cc->CatchUp(view, state, now);
        cc->Sent(view, state, bytes, now);
    }

    /// What alpha was at a cut, from what it did to the rate.
    static double Alpha(double before, double after)
    {
        return 2 * (1 - after / before);
    }

    Ptr<const CongestionControl> cc;
    FlowView view;
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
};

const Attributes kPaper40G{{"Variant", "paper"}};

std::string
RefusedAttribute(Attributes attributes)
{
    try
    {
        MakeDcqcn(attributes)->ForLineRate(100e9);
    }
    catch (const ScenarioError& e)
    {
        return e.GetPath();
    }
    return "";
}

} // namespace

// Zhu et al., SIGCOMM 2015: with alpha 1 the first CNP halves the rate; five fast recovery steps halve
// the distance to the old rate, one per 55 us; then the target stays at line rate.
TEST(Dcqcn, PaperFirstCutAndFastRecovery)
{
    Flow f(kPaper40G, 40e9);
    f.Cnp(7 * kUs);
    EXPECT_EQ(f.view.rate, 20e9);
    EXPECT_EQ(f.Rate(62 * kUs - 1), 20e9);
    double expected[] = {30e9, 35e9, 37.5e9, 38.75e9, 39.375e9, 39.6875e9};
    for (int i = 0; i < 6; ++i)
    {
        EXPECT_EQ(f.Rate((62 + 55 * i) * kUs), expected[i]) << i;
    }
}

// The same from a target below line rate, which shows where fast recovery ends: the sixth step is the
// first that raises the target by 40 Mb/s.
TEST(Dcqcn, PaperAdditiveIncreaseFollowsFiveSteps)
{
    Flow f(kPaper40G, 40e9);
    f.Cnp(0);
    f.Cnp(50 * kUs); // alpha still 1: 20 -> 10, target 20
    EXPECT_DOUBLE_EQ(f.view.rate, 10e9);
    double rate = 10e9;
    double target = 20e9;
    for (int step = 1; step <= 12; ++step)
    {
        target += step > 5 ? 40e6 : 0;
        rate = (rate + target) / 2;
        EXPECT_NEAR(f.Rate((50 + 55 * step) * kUs) / rate, 1, 1e-12) << step;
    }
}

// Hyper increase needs more than F steps of both kinds, and grows by R_HAI per joint step.
TEST(Dcqcn, PaperHyperIncreaseNeedsTimerAndBytes)
{
    Flow f({{"Variant", "paper"}, {"IncreaseBytes", "1000"}}, 40e9);
    f.Cnp(0);
    f.Cnp(50 * kUs);
    double rate = 10e9;
    double target = 20e9;
    auto step = [&](double raise) {
        target = std::min(40e9, target + raise);
        rate = (rate + target) / 2;
    };
    for (int i = 1; i <= 7; ++i)
    {
        step(i > 5 ? 40e6 : 0);
    }
    EXPECT_NEAR(f.Rate((50 + 55 * 7) * kUs) / rate, 1, 1e-12);
    Tick now = (50 + 55 * 7) * kUs + 1;
    for (int b = 1; b <= 8; ++b)
    {
        f.Sent(1000, now);
        step(b > 5 ? std::min(b - 5, 2) * 200e6 : 40e6);
        EXPECT_NEAR(f.view.rate / rate, 1, 1e-12) << b;
    }
    // A CNP sets both stages and the byte counter back.
    f.Sent(999, now);
    f.Cnp(now);
    double cut = f.view.rate;
    f.Sent(999, now);
    EXPECT_EQ(f.view.rate, cut);
    f.Sent(1, now);
    EXPECT_NEAR(f.view.rate, (cut + rate) / 2, 1);
}

// alpha stays 1 under CNPs closer than its interval, and is (1-g)^m after m intervals without.
TEST(Dcqcn, PaperAlphaDecay)
{
    for (int m : {0, 1, 2, 10, 177, 1000})
    {
        Flow f({{"Variant", "paper"}, {"IncreaseInterval", "10s"}, {"MinRate", "1kb/s"}}, 40e9);
        Tick now = 0;
        for (int i = 0; i < 10; ++i, now += 50 * kUs)
        {
            double before = f.view.rate;
            f.Cnp(now);
            EXPECT_EQ(Flow::Alpha(before, f.view.rate), 1);
        }
        now += 5 * kUs * (m > 0); // 55 us after the last
        now += (m > 0 ? m - 1 : 0) * 55 * kUs;
        double before = f.view.rate;
        f.Cnp(now);
        EXPECT_NEAR(Flow::Alpha(before, f.view.rate), std::pow(255.0 / 256, m), 1e-9) << m;
    }
}

TEST(Dcqcn, NothingIsDueAtLineRate)
{
    for (const char* variant : {"paper", "connectx"})
    {
        Flow f({{"Variant", variant}}, 100e9);
        EXPECT_EQ(f.view.timerAt, kNever);
        EXPECT_EQ(f.view.bytesDue, kUnlimited);
        EXPECT_FALSE(f.cc->UsesAcks());
        f.Cnp(0);
        EXPECT_NE(f.view.timerAt, kNever);
        EXPECT_EQ(f.Rate(kSecond), 100e9);
        EXPECT_EQ(f.view.timerAt, kNever) << variant << ": back at line rate";
        EXPECT_EQ(f.view.bytesDue, kUnlimited) << variant;
        EXPECT_EQ(f.view.window, kUnlimited) << variant;
    }
}

// Li et al., SIGCOMM 2019 (parameters of their simulator at 100 Gb/s): alpha starts at 1 with the
// first notification and is checked each microsecond, the cut comes with the check 4 us later.
TEST(Dcqcn, ConnectXCutsAtItsChecks)
{
    Flow f({}, 100e9);
    Tick t0 = 10 * kUs;
    f.Cnp(t0);
    EXPECT_EQ(f.Rate(t0 + 4 * kUs - 1), 100e9);
    double alpha = std::pow(255.0 / 256, 4);
    double rate = 100e9 * (1 - alpha / 2);
    EXPECT_NEAR(f.Rate(t0 + 4 * kUs) / rate, 1, 1e-12);
    EXPECT_NEAR(f.Rate(t0 + 12 * kUs) / rate, 1, 1e-12) << "no notification, no cut";

    // A notification within microsecond 13: alpha rises at 13, decays at 14, 15 and 16; cut at 16.
    f.Cnp(t0 + 12 * kUs + 1);
    alpha *= std::pow(255.0 / 256, 8);
    alpha = (alpha * 255 + 1) / 256 * std::pow(255.0 / 256, 3);
    rate *= 1 - alpha / 2;
    EXPECT_NEAR(f.Rate(t0 + 16 * kUs) / rate, 1, 1e-12);

    // Fast recovery aims at the rate before the first of the two cuts; then AI once, then HAI.
    double target = 100e9;
    Tick riseAt = t0 + 316 * kUs;
    EXPECT_NEAR(f.Rate(riseAt - 1) / rate, 1, 1e-12);
    rate = (rate + target) / 2;
    EXPECT_NEAR(f.Rate(riseAt) / rate, 1, 1e-12);
}

TEST(Dcqcn, ConnectXTarget)
{
    for (bool clamp : {false, true})
    {
        Flow f({{"ClampTarget", clamp ? "true" : "false"},
                {"AdditiveIncrease", "50Mb/s"},
                {"HyperIncrease", "100Mb/s"},
                {"MinRate", "100Mb/s"}},
               100e9);
        f.Cnp(0);
        double once = f.Rate(4 * kUs);
        f.Cnp(5 * kUs);
        double rate = f.Rate(8 * kUs);
        double target = clamp ? once : 100e9;
        double raise[] = {0, 50e6, 100e6, 100e6, 100e6};
        for (int i = 0; i < 5; ++i)
        {
            target = std::min(100e9, target + raise[i]);
            rate = (rate + target) / 2;
            EXPECT_NEAR(f.Rate((308 + 300 * i) * kUs) / rate, 1, 1e-12) << clamp << i;
        }
        // Having risen, even the unclamped target starts from the rate.
        f.Cnp(1509 * kUs);
        double cut = f.Rate(1512 * kUs);
        EXPECT_NEAR(f.Rate(1812 * kUs), (cut + rate) / 2, 1);
    }
}

TEST(Dcqcn, FirstCnpRateAndMinRate)
{
    Flow f({{"FirstCnpRate", "0.5"}, {"MinRate", "10Gb/s"}}, 100e9);
    f.Cnp(0);
    EXPECT_EQ(f.view.rate, 50e9);
    for (int i = 0; i < 1000; ++i)
    {
        f.Cnp(i * kUs + 1);
    }
    EXPECT_EQ(f.view.rate, 10e9);
}

TEST(Dcqcn, WindowFollowsTheRate)
{
    Flow f({{"Window", "true"}, {"Variant", "paper"}}, 40e9, 10 * kUs);
    EXPECT_EQ(f.view.window, 50000u); // 40 Gb/s x 10 us
    f.Cnp(0);
    EXPECT_EQ(f.view.window, 25000u);
    f.Rate(55 * kUs);
    EXPECT_EQ(f.view.window, 37500u);
}

// 40 and 200 Mb/s at 40 Gb/s in the paper; 20 and 200 at 100 Gb/s in the simulator of Li et al.
TEST(Dcqcn, PresetsFollowTheLineRate)
{
    auto get = [](Ptr<const CongestionControl> cc, const char* name) {
        StringValue value;
        cc->GetAttribute(name, value);
        return value.Get();
    };
    auto paper = MakeDcqcn({{"Variant", "paper"}});
    EXPECT_EQ(get(paper->ForLineRate(40e9), "AdditiveIncrease"), "40000000bps");
    EXPECT_EQ(get(paper->ForLineRate(40e9), "HyperIncrease"), "200000000bps");
    EXPECT_EQ(get(paper->ForLineRate(400e9), "AdditiveIncrease"), "400000000bps");
    auto connectx = MakeDcqcn({});
    EXPECT_EQ(get(connectx->ForLineRate(100e9), "AdditiveIncrease"), "20000000bps");
    EXPECT_EQ(get(connectx->ForLineRate(100e9), "HyperIncrease"), "200000000bps");
    EXPECT_EQ(get(connectx->ForLineRate(100e9), "MinRate"), "100000000bps");
    EXPECT_EQ(get(connectx, "MinRate"), "0bps") << "the user's object stays as it is";
    EXPECT_EQ(get(MakeDcqcn({{"MinRate", "1Gb/s"}})->ForLineRate(100e9), "MinRate"),
              "1000000000bps");
}

TEST(Dcqcn, Notification)
{
    auto of = [](const Attributes& attributes) {
        return MakeDcqcn(attributes)->ForLineRate(100e9)->GetNotification();
    };
    EXPECT_EQ(of({}).mode, CongestionNotification::InAck);
    EXPECT_EQ(of({{"Variant", "paper"}}).mode, CongestionNotification::Cnp);
    EXPECT_EQ(of({{"Variant", "paper"}}).interval, 50 * kUs);
    EXPECT_EQ(of({{"Notification", "cnp"}}).mode, CongestionNotification::Cnp);
    EXPECT_EQ(of({{"Notification", "cnp"}}).interval, 4 * kUs);
    EXPECT_EQ(of({{"Notification", "cnp"}, {"CnpInterval", "2us"}}).interval, 2 * kUs);
}

TEST(Dcqcn, RefusesMixedVariants)
{
    EXPECT_EQ(RefusedAttribute({}), "");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}}), "");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}, {"CutInterval", "4us"}}), "cut_interval");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}, {"ClampTarget", "true"}}), "clamp_target");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}, {"FirstCnpRate", "0.5"}}), "first_cnp_rate");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}, {"Notification", "in_ack"}}), "notification");
    EXPECT_EQ(RefusedAttribute({{"Variant", "paper"}, {"AlphaInterval", "1us"}}), "alpha_interval");
    EXPECT_EQ(RefusedAttribute({{"IncreaseBytes", "10000000"}}), "increase_bytes");
    EXPECT_EQ(RefusedAttribute({{"CnpInterval", "50us"}}), "cnp_interval");
    EXPECT_EQ(RefusedAttribute({{"CnpInterval", "50us"}, {"Notification", "cnp"}}), "cnp_interval");
    EXPECT_EQ(RefusedAttribute({{"FirstCnpRate", "0"}}), "first_cnp_rate");
    EXPECT_EQ(RefusedAttribute({{"MinRate", "100Gb/s"}}), "min_rate");
    // The timers of the paper in the algorithm of the NIC: published too (SIGCOMM 2019, evaluation).
    EXPECT_EQ(
        RefusedAttribute(
            {{"AlphaInterval", "50us"}, {"CutInterval", "50us"}, {"IncreaseInterval", "55us"}}),
        "");
    EXPECT_EQ(ErrorOf([] {
                  MakeDcqcn({{"Variant", "paper"}, {"CutInterval", "4us"}})->ForLineRate(100e9);
              }),
              "cut_interval: found 4 us, expected none: it belongs to variant 'connectx', and this "
              "is 'paper'");
    EXPECT_FALSE(MakeDcqcn({})->SetAttributeFailSafe("Variant", StringValue("papre")));
    EXPECT_FALSE(MakeDcqcn({})->SetAttributeFailSafe("Gain", StringValue("1.5")));
}
