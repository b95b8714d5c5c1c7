// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"
#include "scale-up-fixture.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace ns3::aifabric
{
namespace
{

class ScaleUp : public ScaleUpFixture
{
  protected:
    std::string Refusal(const std::string& attribute, const AttributeValue& value)
    {
        return ErrorOf([&] {
            auto fresh = CreateObject<ScaleUpSettings>();
            fresh->SetAttribute(attribute, value);
            fresh->Validate();
        });
    }
};

constexpr Tick kHops = 2 * 936 * kNanosecond;

TEST_F(ScaleUp, RatesPerGpuAreThoseOfNccl)
{
    // Usable GB/s per link and direction (nccl src/graph/topo.h) times links of a GPU.
    struct
    {
        const char* gpu;
        uint32_t links;
        double line;
        double usable;
        double expected;
    } gpus[] = {{"V100", 6, 25, 20, 120},
                {"A100", 12, 25, 20, 240},
                {"H100", 18, 25, 20.6, 370.8},
                {"H800", 8, 25, 20.6, 164.8},
                {"B200", 18, 50, 40.1, 721.8}};

    for (const auto& gpu : gpus)
    {
        settings->SetAttribute("LinksPerGpu", UintegerValue(gpu.links));
        settings->SetAttribute("LinkBandwidth", DataRateValue(DataRate(gpu.line * 8e9)));
        settings->SetAttribute("Efficiency", DoubleValue(gpu.usable / gpu.line));
        EXPECT_NEAR(settings->GetGpuBandwidth() / 8e9, gpu.expected, 1e-9) << gpu.gpu;
    }
}

TEST_F(ScaleUp, MessageAloneTakesTwoHopsAndItsBytes)
{
    Make(8);
    EXPECT_NEAR(domain->ZeroByteLatency(), kHops + 2 * 16 / 0.3708, 1);
    Tick now = 0;
    for (uint64_t bytes : {0ULL, 1ULL, 4096ULL, 5000ULL, 1ULL << 20, 1ULL << 30})
    {
        Send(0, 5, bytes, bytes);
        Simulator::Run();
        const uint64_t head = std::clamp<uint64_t>(bytes, 16, 256);
        const double expected = kHops + (head + std::max<uint64_t>(bytes, 16)) / 0.3708;
        // A cell is rounded to the picosecond.
        EXPECT_NEAR(arrived[bytes] - now, expected, 2 + bytes / settings->GetCellBytes(bytes) / 2.0)
            << bytes;
        now = Simulator::Now().GetTimeStep();
    }
    Send(3, 4, 0, 7);
    Simulator::Run();
    EXPECT_EQ(arrived[7] - now, domain->ZeroByteLatency());
}

TEST_F(ScaleUp, CellsAreASixtyFourthWithinLimits)
{
    for (auto [bytes, cell] : {std::pair<uint64_t, uint32_t>{0, 4096},
                               {262144, 4096},
                               {262145, 4097},
                               {1 << 20, 16384},
                               {4 << 20, 65536},
                               {UINT64_MAX, 65536}})
    {
        EXPECT_EQ(settings->GetCellBytes(bytes), cell) << bytes;
    }
    Make(2);
    Send(0, 1, 8 << 20, 1);
    Simulator::Run();
    EXPECT_EQ(CountHops(), 2 * 128U);
    Send(0, 1, 10000, 2);
    Simulator::Run();
    EXPECT_EQ(CountHops(), 2 * (128U + 3));
}

TEST_F(ScaleUp, OneEventPerCellAndLink)
{
    Make(8);
    for (uint32_t i = 0; i < 8; ++i)
    {
        Send(i, (i + 1) % 8, 64 << 20, i);
    }
    Simulator::Run();
    // Credit comes back without frames and without events as long as nobody waits for it.
    EXPECT_EQ(Simulator::GetEventCount(), CountHops());
    EXPECT_EQ(arrived.size(), 8U);
}

TEST_F(ScaleUp, ThroughputIsCreditsOverRoundTrip)
{
    // A buffer of one cell: the switch sends the next when the GPU has said that it took the last.
    settings->SetAttribute("CreditBufferBytes", StringValue("65536"));
    Make(2);
    Send(0, 1, 100 << 16, 0);
    Simulator::Run();
    const double cell = 65536 / 0.3708;
    EXPECT_NEAR(arrived[0], 99 * (cell + kHops) + 256 / 0.3708 + cell + kHops, 100);
}

TEST_F(ScaleUp, DefaultBufferKeepsTheLinkBusy)
{
    EXPECT_EQ(settings->GetCreditBufferBytes(), 2 * 694137U + 1 + 2 * 65536U);
    for (int64_t hop : {0, 1, 936, 20000})
    {
        settings->SetAttribute("HopLatency", TimeValue(NanoSeconds(hop)));
        Make(2);
        Send(0, 1, 64 << 20, 0);
        Simulator::Run();
        EXPECT_NEAR(arrived[0], 2000.0 * hop + ((64 << 20) + 256) / 0.3708, 1024);
        Clear();
    }
}

TEST_F(ScaleUp, IncastSharesEvenly)
{
    Make(8);
    const uint64_t bytes = 32 << 20;
    for (uint32_t i = 1; i < 8; ++i)
    {
        Send(i, 0, bytes, i);
    }
    Simulator::Run();
    const double ideal = 7 * bytes / 0.3708;
    for (uint32_t i = 1; i < 8; ++i)
    {
        // All end within the last round of cells, since all get a seventh all the time.
        EXPECT_NEAR(arrived[i], ideal + kHops, 8 * 65536 / 0.3708) << i;
    }
    EXPECT_NEAR(std::max_element(arrived.begin(),
                                 arrived.end(),
                                 [](auto& a, auto& b) { return a.second < b.second; })
                    ->second,
                ideal + kHops + 256 / 0.3708,
                7 * 512);
    // At worst an event for the departure too.
    EXPECT_LE(Simulator::GetEventCount(), 2 * CountHops());
    RecordProperty("events_per_hop",
                   std::to_string(double(Simulator::GetEventCount()) / CountHops()));
}

TEST_F(ScaleUp, DestinationsShareByBytesWhateverTheirCells)
{
    Make(3);
    Send(0, 1, 64 << 20, 1);
    Send(0, 2, 1 << 20, 2);
    Send(0, 2, 1 << 20, 3);
    Simulator::Run();
    // 64 KiB cells against 16 KiB cells: both get half. In order within a destination.
    EXPECT_NEAR(arrived[2], kHops + (2 << 20) / 0.3708, 2 * 65536 / 0.3708);
    EXPECT_NEAR(arrived[3], kHops + (4 << 20) / 0.3708, 2 * 65536 / 0.3708);
    EXPECT_NEAR(arrived[1], kHops + (66 << 20) / 0.3708, 2000);
}

TEST_F(ScaleUp, NothingSticksInRandomTraffic)
{
    std::mt19937 random(1);
    for (const char* buffer : {"1", "10000", "auto"})
    {
        settings->SetAttribute("CreditBufferBytes", StringValue(buffer));
        Make(8);
        for (uint32_t i = 0; i < 2000; ++i)
        {
            const uint32_t from = random() % 8;
            const uint32_t to = (from + 1 + random() % 7) % 8;
            const uint64_t bytes = random() % 5 ? random() % 1000000 : 0;
            Simulator::Schedule(Time(random() % (100 * kMicrosecond)),
                                [=] { Send(from, to, bytes, i); });
        }
        Simulator::Run();
        EXPECT_EQ(arrived.size(), 2000U);
        EXPECT_LE(Simulator::GetEventCount(), 2 * CountHops() + 2000);
        Clear();
    }
}

TEST_F(ScaleUp, RefusesWhatItCannotModel)
{
    EXPECT_EQ(Refusal("Type", StringValue("nvswich")),
              "type: unknown type 'nvswich', did you mean 'nvswitch'?");
    EXPECT_EQ(Refusal("Type", StringValue("torus")),
              "type: unknown type 'torus', expected one of nvswitch");
    EXPECT_EQ(Refusal("InNetworkReduction", BooleanValue(true)),
              "in_network_reduction: found true, expected false: reduction in switches is not "
              "modelled");
    EXPECT_EQ(Refusal("SwitchCount", UintegerValue(19)),
              "switch_count: found 19, expected at most the 18 of links_per_gpu: every GPU has a "
              "link to every switch");
    EXPECT_EQ(Refusal("LinkBandwidth", DataRateValue(DataRate(0))),
              "link_bandwidth_gbps: found 0, expected a rate above 0");
    EXPECT_EQ(Refusal("MinCellBytes", UintegerValue(65537)),
              "min_cell_bytes: found 65537, expected at most the 65536 of max_cell_bytes");
    for (const char* text : {"", "0", "-1", "1e6", "12 ", "automatic"})
    {
        EXPECT_EQ(Refusal("CreditBufferBytes", StringValue(text)),
                  std::string("credit_buffer_bytes: found ") + text +
                      ", expected a number of bytes above 0 or \"auto\"");
    }
    EXPECT_EQ(Refusal("CreditBufferBytes", StringValue("1")), "no error");
}

} // namespace
} // namespace ns3::aifabric
