// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"

namespace ns3::aifabric::test
{
namespace
{

/// ns-3's own stack on all hosts of a leaf-spine network, with RDMA beside it.
class FabricOrdinary : public ::testing::Test
{
  protected:
    static constexpr uint16_t kPort = 9;

    FabricOrdinary()
        : m_bed("leaf_spine")
    {
        m_bed.Set("LeafCount", 2);
        m_bed.Set("SpineCount", 2);
        m_bed.Set("HostsPerLeaf", 4);
        Fabric& fabric = m_bed.Build();
        InternetStackHelper internet;
        internet.SetIpv6StackInstall(false);
        for (NodeIdx host = 0; host < fabric.GetGraph().HostCount(); ++host)
        {
            internet.Install(fabric.GetHostNode(host));
            fabric.GetHostDevice(host)->TraceConnectWithoutContext(
                "Drop",
                Callback<void, Ptr<const Packet>>([this](Ptr<const Packet>) { ++m_dropped; }));
        }
        m_addresses = fabric.AssignIpv4("10.0.0.0", "255.0.0.0");
    }

    Ptr<PacketSink> Sink(const std::string& protocol, NodeIdx host)
    {
        PacketSinkHelper helper(protocol, InetSocketAddress(Ipv4Address::GetAny(), kPort));
        return helper.Install(m_bed.GetFabric().GetHostNode(host)).Get(0)->GetObject<PacketSink>();
    }

    void Tcp(NodeIdx from, NodeIdx to, uint64_t bytes)
    {
        BulkSendHelper helper("ns3::TcpSocketFactory",
                              InetSocketAddress(m_addresses.GetAddress(to), kPort));
        helper.SetAttribute("MaxBytes", UintegerValue(bytes));
        helper.Install(m_bed.GetFabric().GetHostNode(from));
    }

    void Udp(NodeIdx from,
             Ipv4Address to,
             const std::string& rate,
             uint64_t bytes,
             uint32_t packet = 1000)
    {
        OnOffHelper helper("ns3::UdpSocketFactory", InetSocketAddress(to, kPort));
        helper.SetConstantRate(DataRate(rate), packet);
        helper.SetAttribute("MaxBytes", UintegerValue(bytes));
        helper.Install(m_bed.GetFabric().GetHostNode(from));
    }

    FabricBed m_bed;
    Ipv4InterfaceContainer m_addresses;
    uint64_t m_dropped{0};
};

TEST_F(FabricOrdinary, TcpDeliversAllBytesFromLeafToLeaf)
{
    auto sink = Sink("ns3::TcpSocketFactory", 6);
    Tcp(1, 6, 3000000);
    Tcp(2, 6, 2000000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 5000000U);
    EXPECT_EQ(m_dropped, 0U);
}

TEST_F(FabricOrdinary, UdpLosesNothingBelowTheLinksRate)
{
    auto sink = Sink("ns3::UdpSocketFactory", 7);
    Udp(0, m_addresses.GetAddress(7), "40Gb/s", 1000000);
    Udp(3, m_addresses.GetAddress(7), "40Gb/s", 500000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 1500000U);
    EXPECT_EQ(m_dropped, 0U);
}

TEST_F(FabricOrdinary, PacketsForNobodyAreDroppedAndTraced)
{
    Udp(0, Ipv4Address("10.0.0.200"), "10Gb/s", 20000);
    Simulator::Run();
    EXPECT_EQ(m_dropped, 20U);
}

TEST_F(FabricOrdinary, PacketsAreNoLongerThanTheMtu)
{
    uint32_t longest = 0;
    Tamper tamper;
    tamper.lose = [&](Frame& f, Tick) {
        longest = std::max(longest, f.bytes);
        return false;
    };
    m_bed.Intercept(m_bed.Find("leaf1"), 3, tamper);
    auto sink = Sink("ns3::UdpSocketFactory", 7);
    Udp(0, m_addresses.GetAddress(7), "10Gb/s", 80000, 4000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 80000U);
    // Fragments of 20 + 1480 B, with Ethernet's header and check sum.
    EXPECT_EQ(longest, 1518U);
}

// RDMA has the higher priority: each link, and each on the way back of the acknowledgement, costs it
// at most the one packet that had begun (1500 + 18 + 20 B at 80 ps).
TEST_F(FabricOrdinary, LeavesRdmaAlone)
{
    auto tcp = Sink("ns3::TcpSocketFactory", 6);
    auto udp = Sink("ns3::UdpSocketFactory", 6);
    Tcp(1, 6, 2000000);
    Udp(2, m_addresses.GetAddress(6), "60Gb/s", 2000000);
    Udp(3, m_addresses.GetAddress(6), "60Gb/s", 2000000);
    for (Tick i = 0; i < 20; ++i)
    {
        m_bed.AddFlow(1, 6, 100000, 10 * kMicrosecond + i * 20 * kMicrosecond);
    }
    uint64_t late = 0;
    for (const FlowResult& flow : m_bed.Run())
    {
        EXPECT_GE(flow.fct, flow.idealFct);
        EXPECT_LE(flow.fct, flow.idealFct + 8 * 1538 * 80);
        late += flow.fct > flow.idealFct;
    }
    EXPECT_GT(late, 0U);
    EXPECT_TRUE(m_bed.pauses.empty());
    EXPECT_EQ(tcp->GetTotalRx(), 2000000U);
    EXPECT_GT(udp->GetTotalRx(), 0U);
}

} // namespace
} // namespace ns3::aifabric::test
