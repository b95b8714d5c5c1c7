// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-settings.h"
#include "ns3/scenario-error.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace ns3::aifabric
{
namespace
{

class ScaleUp : public testing::Test, public ScaleUpReceiver
{
  protected:
    ScaleUp()
        : settings(CreateObject<ScaleUpSettings>())
    {
        UsePicoseconds();
    }

    ~ScaleUp() override
    {
        if (domain)
        {
            EXPECT_EQ(domain->CountMessages(), 0U);
            for (uint32_t i = 0; i < domain->GetGpuCount(); ++i)
            {
                for (EgressPort* port : {&domain->GetUplink(i), &domain->GetDownlink(i)})
                {
                    EXPECT_EQ(port->GetSpentCredit(), 0U) << i;
                    EXPECT_EQ(port->CountFrames(), 0U) << i;
                }
            }
        }
        EXPECT_EQ(FramePool::Out(), 0U);
        Simulator::Destroy();
    }

    void OnScaleUpMessage(uint64_t id) override
    {
        EXPECT_TRUE(arrived.emplace(id, Simulator::Now().GetTimeStep()).second) << id;
    }

    void Make(uint32_t gpus)
    {
        domain = std::make_unique<ScaleUpDomain>(settings, gpus, 0);
    }

    /// @return events per cell and link.
    double Run()
    {
        const uint64_t events = Simulator::GetEventCount();
        const uint64_t hops = CountHops();
        Simulator::Run();
        return static_cast<double>(Simulator::GetEventCount() - events) / (CountHops() - hops);
    }

    uint64_t CountHops()
    {
        uint64_t hops = 0;
        for (uint32_t i = 0; i < domain->GetGpuCount(); ++i)
        {
            hops += domain->GetUplink(i).GetCounters().frames;
            hops += domain->GetDownlink(i).GetCounters().frames;
        }
        return hops;
    }

    Ptr<ScaleUpSettings> settings;
    std::unique_ptr<ScaleUpDomain> domain;
    std::map<uint64_t, Tick> arrived;
};

TEST_F(ScaleUp, MessageAloneTakesTwoHopsAndItsBytes)
{
    // 18 links of 25 GB/s, 82.4 % of it usable: 370.8 GB/s per H100 (nccl src/graph/topo.h, SM90).
    EXPECT_DOUBLE_EQ(settings->GetGpuBandwidth(), 370.8e9 * 8);
    Make(8);
    const Tick hops = 2 * 936 * kNanosecond;
    EXPECT_NEAR(domain->ZeroByteLatency(), hops + 2 * 16 / 0.3708, 1);
    Tick now = 0;
    for (uint64_t bytes : {0ULL, 1ULL, 4096ULL, 5000ULL, 1ULL << 20, 1ULL << 30})
    {
        domain->Send(0, 5, bytes, this, bytes);
        Run();
        const uint64_t head = std::clamp<uint64_t>(bytes, 16, 256);
        const double expected = hops + (head + std::max<uint64_t>(bytes, 16)) / 0.3708;
        // A cell is rounded to the picosecond.
        EXPECT_NEAR(arrived[bytes] - now, expected, 2 + bytes / settings->GetCellBytes(bytes) / 2.0)
            << bytes;
        now = Simulator::Now().GetTimeStep();
    }
    const Tick start = now;
    domain->Send(3, 4, 0, this, 7);
    Run();
    EXPECT_EQ(arrived[7] - start, domain->ZeroByteLatency());
}

TEST_F(ScaleUp, OneEventPerCellAndLink)
{
    Make(8);
    for (uint32_t i = 0; i < 8; ++i)
    {
        domain->Send(i, (i + 1) % 8, 64 << 20, this, i);
    }
    // Credit comes back without frames and without events as long as nobody waits for it.
    EXPECT_NEAR(Run(), 1, 1e-3);
    EXPECT_EQ(arrived.size(), 8U);
}

} // namespace
} // namespace ns3::aifabric
