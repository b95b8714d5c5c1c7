// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include <array>

namespace ns3::aifabric::test
{
namespace
{

/// Hosts 1 and 2 send to host 0 as fast as they can, on priorities 1 and 2 of equal right to be
/// lossless, which share by DWRR.
class Sharing : public ::testing::Test
{
  protected:
    Sharing()
        : bed("star")
    {
        bed.Set("HostCount", 3);
        bed.settings.pfc = Make<PfcSettings>({{"LosslessPriorities", "[1, 2]"}});
        bed.settings.dwrrWeights = {0, 5000, 15000, 0, 0, 0, 0, 0};
        bed.Build();
        port = &bed.GetFabric().GetPort(bed.Find("leaf0"), 0);
        tamper.lose = [this](Frame& f, Tick) {
            bytes[f.priority] += f.bytes + 20;
            return false;
        };
        bed.Intercept(bed.Find("leaf0"), 0, tamper);
    }

    /// Counts what arrives at host 0 from then to then.
    void Measure(Tick from, Tick until)
    {
        Simulator::Schedule(FromTick(from), [this] { bytes = {}; });
        Simulator::Schedule(FromTick(until), [this] { measured = bytes; });
    }

    FabricBed bed;
    EgressPort* port{nullptr};
    Tamper tamper;
    std::array<double, 8> bytes{};
    std::array<double, 8> measured{};
};

// Shares are as the quanta where both classes have frames; an error of a quantum and a frame is
// 0.16 % of the 12.5 MB that 1 ms takes.
TEST_F(Sharing, ThreeToOne)
{
    Measure(100 * kMicrosecond, 1100 * kMicrosecond);
    bed.AddFlow(1, 0, 15000000, 0, 1);
    bed.AddFlow(2, 0, 15000000, 0, 2);
    bed.Run();
    EXPECT_NEAR(measured[1] + measured[2], 12.5e6, 4200);
    EXPECT_NEAR(measured[2] / (measured[1] + measured[2]), 0.75, 0.005);
}

TEST_F(Sharing, PausedClassLeavesEverythingToTheOther)
{
    const Tick pause = 400 * kMicrosecond;
    Simulator::Schedule(FromTick(pause), [&] { port->Pause(2, pause + kMillisecond, pause); });
    Measure(pause + 2 * kMicrosecond, pause + 900 * kMicrosecond);
    bed.AddFlow(1, 0, 25000000, 0, 1);
    bed.AddFlow(2, 0, 25000000, 0, 2);
    bed.Run();
    EXPECT_EQ(measured[2], 0);
    EXPECT_NEAR(measured[1], 898e-6 * 12.5e9, 4200);
}

TEST_F(Sharing, ClassThatWasIdleHasSavedNothing)
{
    Measure(702 * kMicrosecond, 802 * kMicrosecond);
    bed.AddFlow(1, 0, 15000000, 0, 1);
    bed.AddFlow(2, 0, 100000, 0, 2);
    bed.AddFlow(2, 0, 15000000, 700 * kMicrosecond - kMicrosecond, 2);
    bed.Run();
    EXPECT_NEAR(measured[2] / (measured[1] + measured[2]), 0.75, 0.02);
}

// A frame of the highest priority waits for the one under way and for none else.
TEST(StrictPriority, WaitsForOneFrame)
{
    FabricBed bed("star");
    bed.Set("HostCount", 4);
    bed.Build();
    bed.AddFlow(1, 0, 4000000, 0, 3);
    bed.AddFlow(2, 0, 4000000, 0, 3);
    for (int i = 0; i < 200; ++i)
    {
        bed.AddFlow(3, 0, 64, (20 + i) * kMicrosecond + i * 1777, 5);
    }
    bed.Run();
    Tick most = 0;
    Tick least = kNever;
    for (const FlowResult& flow : bed.results)
    {
        if (flow.priority == 5)
        {
            most = std::max(most, flow.fct - flow.idealFct);
            least = std::min(least, flow.fct - flow.idealFct);
        }
    }
    // Its acknowledgement may have to wait for another one at host 0.
    EXPECT_LE(most, (4178 + 86) * 80);
    EXPECT_GT(most, 3800 * 80);
    EXPECT_LT(least, 400 * 80);
    EXPECT_GT(bed.results[0].fct, 1.9 * bed.results[0].idealFct) << "nothing was in the way";
}

} // namespace
} // namespace ns3::aifabric::test
