// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

namespace ns3::aifabric::test
{
namespace
{

// Two hops of 100 Gb/s and 1 us in the frames of HPCC's simulator: 2 x 83.84 ns for 1048 B, 2 x 4.8
// for the ACK of 60 B, 4 us of propagation; 999 more frames of 83.84 ns.
TEST(FabricExact, HpccFramesOverTwoHops)
{
    FabricBed bed("star");
    bed.Set("HostCount", 2);
    bed.settings.headers = kHpccHeaders;
    bed.settings.mtuPayloadBytes = 1000;
    bed.Build();
    bed.AddFlow(0, 1, 1000);
    bed.AddFlow(0, 1, 1000000, kMillisecond);
    bed.Run();
    EXPECT_EQ(bed.results[0].fct, 4177280);
    EXPECT_EQ(bed.results[1].fct, 87933440);
}

/// Topology, header profile, congestion control; the latter two by name.
class FabricAlone
    : public ::testing::TestWithParam<std::tuple<std::string, std::string, std::string>>
{
};

// Whatever the path, a flow alone takes the time of the max-plus recursion, to the picosecond.
TEST_P(FabricAlone, TakesTheIdealTime)
{
    const auto& [topology, headers, control] = GetParam();
    FabricBed bed(topology);
    std::vector<NodeIdx> destinations{1, 0};
    if (topology == "star")
    {
        bed.Set("HostCount", 3);
    }
    else
    {
        // The upper links of the trees are faster than the hosts', and the last is not.
        bed.topology->SetLink(bed.topology->LinkLayers()[1], {400e9, 300 * kNanosecond, 0, 0});
        destinations = topology == "fat_tree" ? std::vector<NodeIdx>{1, 2, 15, 0}
                                              : std::vector<NodeIdx>{1, 15, 0};
    }
    bed.SetSwitches({0, 32000000, 500 * kNanosecond});
    bed.settings.nicLatency = 600 * kNanosecond;
    bed.settings.headers = headers == "hpcc" ? kHpccHeaders : kRoceV2Headers;
    bed.settings.mtuPayloadBytes = headers == "hpcc" ? 1000 : 4096;
    bed.settings.ecn = CreateObject<EcnSettings>();
    bed.control = MakePlugin<CongestionControl>(control);
    Fabric& fabric = bed.Build();
    Tick start = 0;
    for (NodeIdx destination : destinations)
    {
        for (uint64_t bytes :
             {0, 1, 63, 64, 999, 1000, 1001, 4096, 4097, 8192, 65536, 1000000, 5000001})
        {
            bed.AddFlow(0, destination, bytes, start);
            start += kMillisecond;
        }
    }
    for (const FlowResult& flow : bed.Run())
    {
        EXPECT_EQ(flow.fct, bed.GetPaths().IdealFct(0, flow.destinationNumber, flow.bytes))
            << flow.bytes << " B to " << flow.destination;
        EXPECT_EQ(flow.fct, flow.idealFct);
        EXPECT_EQ(flow.retransmittedBytes + flow.cnps + flow.markedFrames, 0U);
        EXPECT_EQ(flow.deliveredBytes, flow.bytes);
    }
    EXPECT_TRUE(bed.pauses.empty());
    EXPECT_TRUE(fabric.GetWarnings().empty());
}

INSTANTIATE_TEST_SUITE_P(Everywhere,
                         FabricAlone,
                         ::testing::Combine(::testing::Values("star", "leaf_spine", "fat_tree"),
                                            ::testing::Values("hpcc", "rocev2"),
                                            ::testing::Values("none", "dcqcn")));

// What one hop after the other adds, written down by hand: a message of one frame from pod to pod
// crosses six links and five switches each way.
TEST(FabricExact, OneFrameAcrossAFatTree)
{
    FabricBed bed("fat_tree");
    bed.SetSwitches({0, 32000000, 500 * kNanosecond});
    bed.settings.nicLatency = 600 * kNanosecond;
    bed.Build();
    bed.AddFlow(0, 15, 4096);
    // 4096 + 62 + 16 + 20 B and 66 + 20 B at 80 ps each.
    EXPECT_EQ(bed.Run()[0].fct,
              6 * (4194 * 80 + 86 * 80) + 12 * kMicrosecond + 10 * 500 * kNanosecond +
                  2 * 600 * kNanosecond);
}

// Within a NIC there is one wire without length; from NIC to NIC of a server there are leaf, spine and
// leaf. 4096 + 62 + 16 + 20 B and 66 + 20 B at 80 ps each.
TEST(FabricExact, OneFrameToItselfAndToTheNextNic)
{
    FabricBed bed("rail_optimized");
    bed.Set("ServerCount", 2);
    bed.settings.nicLatency = 600 * kNanosecond;
    Fabric& fabric = bed.Build();
    bed.AddFlow(0, 0, 4096);
    bed.AddFlow(0, 1, 4096, kMillisecond);
    bed.Run();
    ASSERT_EQ(fabric.GetHostNode(0), fabric.GetHostNode(1));
    const Tick hop = 4194 * 80 + 86 * 80;
    EXPECT_EQ(bed.results[0].fct, hop + 1200 * kNanosecond);
    EXPECT_EQ(bed.results[1].fct, 4 * hop + 8 * kMicrosecond + 1200 * kNanosecond);
    EXPECT_EQ(bed.results[0].fct, bed.results[0].idealFct);
    EXPECT_EQ(bed.results[1].fct, bed.results[1].idealFct);
    EXPECT_EQ(fabric.GetHostPort(0).GetCounters().frames, 1U);
}

// RC WRITEs of 1 MiB at 100 Gb/s: 1 MiB / (256 x 4178 B + 16 B) and 1 MiB / (1024 x 1106 B + 16 B)
// of the line (IBA headers, one RETH per message).
TEST(FabricExact, GoodputOfWritesThroughASwitch)
{
    for (auto [mtu, expected] : {std::pair{4096, 98.036}, std::pair{1024, 92.585}})
    {
        FabricBed bed("star");
        bed.Set("HostCount", 2);
        bed.settings.mtuPayloadBytes = mtu;
        bed.Build();
        std::vector<Tick> ends;
        CompletionQueue completions(
            [&](const WorkCompletion&) { ends.push_back(Simulator::Now().GetTimeStep()); });
        QueuePairs pair = bed.Connect(0, 1, completions);
        for (uint64_t i = 0; i < 32; ++i)
        {
            pair.sender->PostSend({i, 1 << 20});
        }
        Simulator::Run();
        ASSERT_EQ(ends.size(), 32U);
        const double seconds = (ends.back() - ends.front()) / 1e12;
        EXPECT_NEAR(31 * 8 * 1048576.0 / seconds / 1e9, expected, 0.001 * expected) << mtu;
    }
}

} // namespace
} // namespace ns3::aifabric::test
