// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr double kLine = 100e9;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

struct Flow
{
    explicit Flow(Ptr<const CongestionControl> c)
        : cc(c)
    {
        view.rate = view.lineRate = kLine;
        cc->Begin(view, state);
    }

    Ptr<const CongestionControl> cc;
    FlowView view;
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
};

/// Writes down what it is called with.
struct Recorded
{
    Tick timers[4]{};
    int n{0};
    int bytes{0};
};

class Recording : public CongestionControlFor<Recording, Recorded>
{
  public:
    void OnBegin(FlowView& flow, Recorded&) const
    {
        flow.timerAt = 10;
        flow.bytesDue = 1000;
    }

    void OnTimer(FlowView& flow, Recorded& s, Tick at) const
    {
        s.timers[s.n++] = at;
        flow.timerAt = s.n < 3 ? at + 10 : kNever;
    }

    void OnCnp(FlowView&, Recorded& s, Tick now) const
    {
        s.timers[3] = s.n * 1000 + now;
    }

    void OnBytes(FlowView& flow, Recorded& s, Tick) const
    {
        ++s.bytes;
        flow.bytesDue += 1000;
    }

    int made{0};

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        Ptr<Recording> copy = CopyObject(Ptr<const Recording>(this));
        copy->made = static_cast<int>(lineRate);
        return copy;
    }
};

} // namespace

TEST(CongestionControl, FamilyIsInTheRegistry)
{
    for (const char* id : {"fixed", "none"})
    {
        EXPECT_EQ(PluginId(FindPlugin(CongestionControl::GetTypeId(), id)), id);
    }
    EXPECT_THROW(MakePlugin<CongestionControl>("nine"), ScenarioError);
}

TEST(CongestionControl, TimersAreCaughtUpBeforeAnythingElse)
{
    Flow f(CreateObject<Recording>());
    auto& s = *reinterpret_cast<Recorded*>(f.state);
    f.cc->CatchUp(f.view, f.state, 9);
    EXPECT_EQ(s.n, 0);
    f.cc->CatchUp(f.view, f.state, 10);
    EXPECT_EQ(s.n, 1);
    f.cc->Cnp(f.view, f.state, 30);
    EXPECT_EQ(s.n, 3);
    EXPECT_EQ(s.timers[1], 20);
    EXPECT_EQ(s.timers[2], 30);
    EXPECT_EQ(s.timers[3], 3030) << "the timer of that instant came first";
    EXPECT_FALSE(f.cc->UsesAcks());
}

TEST(CongestionControl, BytesAreDueOncePerThreshold)
{
    Flow f(CreateObject<Recording>());
    auto& s = *reinterpret_cast<Recorded*>(f.state);
    f.cc->Sent(f.view, f.state, 999, 0);
    EXPECT_EQ(s.bytes, 0);
    f.cc->Sent(f.view, f.state, 1, 0);
    EXPECT_EQ(s.bytes, 1);
    f.cc->Sent(f.view, f.state, 2500, 0);
    EXPECT_EQ(s.bytes, 3);
    EXPECT_EQ(f.view.bytesSent, 3500u);
}

TEST(CongestionControl, OneObjectPerLineRate)
{
    auto cc = CreateObject<Recording>();
    auto fast = cc->ForLineRate(400);
    EXPECT_EQ(DynamicCast<const Recording>(fast)->made, 400);
    EXPECT_EQ(cc->ForLineRate(400), fast);
    EXPECT_NE(cc->ForLineRate(100), fast);
    EXPECT_EQ(cc->made, 0) << "the user's object stays as it is";
}

TEST(CongestionControl, NoneStaysAtLineRate)
{
    auto cc = MakePlugin<CongestionControl>("none");
    EXPECT_EQ(cc->ForLineRate(kLine), cc);
    Flow f(cc);
    f.cc->Cnp(f.view, f.state, 5);
    f.cc->Loss(f.view, f.state, 6, LossKind::Timeout);
    f.cc->Sent(f.view, f.state, 1 << 30, 7);
    EXPECT_EQ(f.view.rate, kLine);
    EXPECT_EQ(f.view.window, kUnlimited);
    EXPECT_EQ(f.view.timerAt, kNever);
    EXPECT_EQ(f.view.bytesDue, kUnlimited);
    EXPECT_EQ(f.cc->GetNotification().mode, CongestionNotification::None);
    EXPECT_FALSE(f.cc->UsesAcks());
}

TEST(CongestionControl, FixedKeepsItsRate)
{
    auto cc = MakePlugin<CongestionControl>("fixed");
    EXPECT_EQ(Flow(cc->ForLineRate(kLine)).view.rate, kLine);
    cc->SetAttribute("LineFraction", DoubleValue(0.25));
    EXPECT_EQ(Flow(cc->ForLineRate(kLine)).view.rate, 25e9);
    cc = MakePlugin<CongestionControl>("fixed");
    cc->SetAttribute("Rate", StringValue("5Gb/s"));
    Flow f(cc->ForLineRate(kLine));
    f.cc->Cnp(f.view, f.state, 5);
    f.cc->Loss(f.view, f.state, 6, LossKind::Timeout);
    EXPECT_EQ(f.view.rate, 5e9);
    EXPECT_EQ(f.view.timerAt, kNever);
}

TEST(CongestionControl, FixedRefusesWhatCannotBe)
{
    auto refused = [](const char* rate, double fraction) -> std::string {
        auto cc = MakePlugin<CongestionControl>("fixed");
        cc->SetAttribute("Rate", StringValue(rate));
        cc->SetAttribute("LineFraction", DoubleValue(fraction));
        try
        {
            cc->ForLineRate(kLine);
        }
        catch (const ScenarioError& e)
        {
            return e.GetPath();
        }
        return "";
    };
    EXPECT_EQ(refused("100Gb/s", 1), "");
    EXPECT_EQ(refused("200Gb/s", 1), "rate");
    EXPECT_EQ(refused("50Gb/s", 0.5), "line_fraction");
    EXPECT_EQ(refused("0b/s", 0), "line_fraction");
}
