// SPDX-License-Identifier: GPL-2.0-only
#include "control-flow.h"
#include "fabric-bed.h"

#include "ns3/ecn-settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;

namespace
{

/// What senders on a star put into the first host until an instant, and what they found there.
struct Incast
{
    uint32_t senders{2};
    uint32_t mtu{4096};
    uint32_t markBytes{0}; ///< a step; 0: no marks

    /// @param controls one for each sender. @return bytes that each delivered.
    std::vector<double> Run(const std::vector<Ptr<CongestionControl>>& controls, Tick until)
    {
        FabricBed bed("star");
        bed.Set("HostCount", senders + 1);
        bed.SetLinks({10e9, kMicrosecond, 0, 0});
        bed.settings.mtuPayloadBytes = mtu;
        if (markBytes > 0)
        {
            const std::string step = std::to_string(markBytes);
            bed.settings.ecn =
                Make<EcnSettings>({{"KminBytes", step}, {"KmaxBytes", step}, {"Pmax", "1"}});
        }
        bed.transport->ackPriority = 6;
        bed.Build();
        std::vector<FlowTransport> transports;
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < senders; ++i)
        {
            transports.emplace_back(bed.transport, controls[i], nullptr);
            FlowSpec flow;
            flow.source = i + 1;
            flow.destination = 0;
            flow.bytes = 10'000'000'000;
            flow.entry = i;
            flows.push_back(flow);
        }
        bed.Run(std::move(transports), std::move(flows), until);
        std::vector<double> delivered;
        for (const FlowResult& flow : bed.results)
        {
            delivered.push_back(static_cast<double>(flow.deliveredBytes));
        }
        const PortCounters& counters = bed.CountersTo(0);
        maxQueueBytes = counters.maxQueueBytes;
        marked = counters.marked;
        return delivered;
    }

    std::vector<double> Run(const std::string& id, const Attributes& attributes, Tick until)
    {
        return Run({senders, MakeControl(id, attributes)}, until);
    }

    uint32_t maxQueueBytes{0};
    uint64_t marked{0};
};

/// @return of 10 Gb/s, in bytes, what full frames carry in that time.
double
Payload(Tick time, double mtu = 4096)
{
    return 1.25e9 * (time / 1e12) * mtu / (mtu + 82);
}

} // namespace

// Zhu et al., CoNEXT 2016, section 4: flows of 10 Gb/s that begin at 7 and 3 Gb/s; the patched
// algorithm has them equal after 200 ms, the original one does not.
TEST(FabricCongestion, TimelyIsPatchedToShareEqually)
{
    for (const char* id : {"timely", "patched_timely"})
    {
        const std::vector<Ptr<CongestionControl>> controls{
            MakeControl(id, {{"InitialLineFraction", "0.7"}}),
            MakeControl(id, {{"InitialLineFraction", "0.3"}})};
        const std::vector<double> before = Incast().Run(controls, 195 * kMillisecond);
        const std::vector<double> after = Incast().Run(controls, 205 * kMillisecond);
        const double first = after[0] - before[0];
        const double second = after[1] - before[1];
        if (std::string(id) == "timely")
        {
            EXPECT_GT(std::max(first / second, second / first), 1.3);
        }
        else
        {
            EXPECT_NEAR(first, Payload(5 * kMillisecond), 0.1 * Payload(5 * kMillisecond));
            EXPECT_NEAR(second, Payload(5 * kMillisecond), 0.1 * Payload(5 * kMillisecond));
        }
        EXPECT_GE(first + second, 0.95 * Payload(10 * kMillisecond)) << id;
    }
}

namespace
{

/// Flows share 10 Gb/s from 10 to 50 ms: all of it, and none is more than a fifth off its share.
void
ExpectFairAndFull(Incast& incast, const std::string& id)
{
    const std::vector<double> before = incast.Run(id, {}, 10 * kMillisecond);
    const uint64_t marked = incast.marked;
    const std::vector<double> after = incast.Run(id, {}, 50 * kMillisecond);
    const double expected = Payload(40 * kMillisecond, incast.mtu);
    double whole = 0;
    for (uint32_t i = 0; i < incast.senders; ++i)
    {
        const double share = after[i] - before[i];
        EXPECT_NEAR(share * incast.senders, expected, 0.2 * expected) << i;
        whole += share;
    }
    EXPECT_NEAR(whole, expected, 0.01 * expected);
    EXPECT_EQ(incast.marked > marked, incast.markBytes > 0);
}

} // namespace

// The step of 30 KB at 10 Gb/s that the simulator of Li et al., SIGCOMM 2019, has.
TEST(FabricCongestion, DctcpFillsTheLinkAtTheThreshold)
{
    Incast incast;
    incast.senders = 8;
    incast.mtu = 1000;
    incast.markBytes = 30000;
    ExpectFairAndFull(incast, "dctcp");
}

// Far from the default buffer of 32 MB: the queue stays at what 20 us, one switch and windows of about
// a frame make of the target, 55 us in all.
TEST(FabricCongestion, SwiftFillsTheLinkAtItsTarget)
{
    Incast incast;
    incast.senders = 8;
    ExpectFairAndFull(incast, "swift");
    EXPECT_LT(incast.maxQueueBytes, 2 * 55e-6 * 1.25e9);
}
