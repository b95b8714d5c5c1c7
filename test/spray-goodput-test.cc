// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace ns3::aifabric::test
{
namespace
{

/// Goodput of a permutation between the leaves of a fabric whose frames go their ways one by one,
/// over what a flow alone gets.
double
SprayedShare(const std::string& balancer, uint64_t bytes, double slowLink = 1)
{
    constexpr uint32_t kLeaves = 8;
    FabricBed bed("leaf_spine");
    bed.Set("LeafCount", kLeaves);
    bed.Set("SpineCount", kLeaves);
    bed.Set("HostsPerLeaf", kLeaves);
    bed.settings.balancer = MakePlugin<LoadBalancer>(balancer);
    bed.settings.mtuPayloadBytes = 4096;
    // What marks tell is for REPS alone: nobody sends more slowly.
    bed.settings.ecn =
        Make<EcnSettings>({{"KminBytes", "20000"}, {"KmaxBytes", "80000"}, {"Pmax", "1"}});
    bed.recovery = With(MakePlugin<LossRecovery>("out_of_order"), {{"MinReorderFrames", "4096"}});
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(20)));
    Fabric& fabric = bed.Build();
    if (slowLink < 1)
    {
        // One spine is slow in all its links.
        const FabricGraph& graph = fabric.GetGraph();
        const GraphNodeIdx spine = bed.Find("spine0");
        const GraphPorts ports(graph);
        for (PortIdx port = 0; port < kLeaves; ++port)
        {
            const GraphPorts::Port& far = ports.Of(spine)[port];
            for (const auto& [node, at] :
                 {std::pair{spine, port}, std::pair{far.peer, far.peerPort}})
            {
                PortSettings slow = fabric.GetPort(node, at).GetSettings();
                slow.bandwidthBps *= slowLink;
                bed.Rewire(node, at, slow);
            }
        }
    }
    std::vector<uint32_t> to(kLeaves * kLeaves);
    std::iota(to.begin(), to.end(), 0);
    std::mt19937 random(1);
    auto stays = [](uint32_t from, uint32_t host) { return from / kLeaves == host / kLeaves; };
    for (uint32_t from = 0; from < to.size(); ++from)
    {
        // Swaps until all leave their leaves.
        while (stays(from, to[from]))
        {
            const uint32_t other = random() % to.size();
            if (!stays(from, to[other]) && !stays(other, to[from]))
            {
                std::swap(to[from], to[other]);
            }
        }
    }
    for (uint32_t from = 0; from < to.size(); ++from)
    {
        bed.AddFlow(from, to[from], bytes);
    }
    double sum = 0;
    for (const FlowResult& flow : bed.Run())
    {
        EXPECT_EQ(flow.retransmittedBytes, 0U);
        sum += 1.0 * flow.idealFct / flow.fct;
    }
    return sum / bed.results.size();
}

TEST(SprayGoodput, AFabricIsUsedWhole)
{
    // All of it, less the way back's acknowledgements of 86 bytes for each 4178 and what queues hold at
    // the end; at least 0.97 of that.
    const double most = 4178.0 / (4178 + 86);
    for (const char* balancer : {"round_robin_spray", "adaptive", "reps"})
    {
        const double share = SprayedShare(balancer, 16 << 20);
        EXPECT_GE(share, 0.97 * most) << balancer;
        EXPECT_LE(share, most) << balancer;
    }
}

TEST(SprayGoodput, OnlyThoseThatLookGoRoundASlowSpine)
{
    // One spine of eight at a tenth: who sends an eighth there gets no more than 8 x 0.1 of 8 links,
    // a share of 0.1; who looks at queues may get 7.1 of 8, 0.8875.
    EXPECT_LT(SprayedShare("round_robin_spray", 4 << 20, 0.1), 0.5);
    const double adaptive = SprayedShare("adaptive", 4 << 20, 0.1);
    EXPECT_GE(adaptive, 0.8);
    EXPECT_LE(adaptive, 0.8875 + 0.01);
}

} // namespace
} // namespace ns3::aifabric::test
