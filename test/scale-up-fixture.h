// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCALE_UP_FIXTURE_H
#define AIFABRIC_SCALE_UP_FIXTURE_H

#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-settings.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace ns3::aifabric
{

/// A domain that must be empty in the end: no message, no frame, all credit back.
class ScaleUpFixture : public testing::Test, public ScaleUpReceiver
{
  protected:
    ScaleUpFixture()
        : settings(CreateObject<ScaleUpSettings>())
    {
        UsePicoseconds();
    }

    ~ScaleUpFixture() override
    {
        Clear();
    }

    void Make(uint32_t gpus)
    {
        domain = std::make_unique<ScaleUpDomain>(settings, gpus, 0);
    }

    /// Ends the domain, to make another.
    void Clear()
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
                EXPECT_EQ(domain->GetUplink(i).GetCounters().payloadBytes, sent[i]) << i;
                EXPECT_EQ(domain->GetDownlink(i).GetCounters().payloadBytes, received[i]) << i;
            }
        }
        EXPECT_EQ(FramePool::Out(), 0U);
        Simulator::Destroy();
        domain.reset();
        arrived.clear();
        sent.clear();
        received.clear();
    }

    void Send(uint32_t from, uint32_t to, uint64_t bytes, uint64_t id)
    {
        domain->Send(from, to, bytes, this, id);
        sent[from] += bytes;
        received[to] += bytes;
    }

    void OnScaleUpMessage(uint64_t id) override
    {
        EXPECT_TRUE(arrived.emplace(id, Simulator::Now().GetTimeStep()).second) << id;
    }

    /// @return cells put on links so far.
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
    std::map<uint64_t, Tick> arrived; ///< messages by their id
    std::map<uint32_t, uint64_t> sent;
    std::map<uint32_t, uint64_t> received;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCALE_UP_FIXTURE_H
