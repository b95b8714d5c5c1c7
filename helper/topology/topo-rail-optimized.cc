// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Rails: within a segment, NIC r of every server is on the leaf of rail r mod RailCount, so that
 * NICs of one rail meet at one switch; spines join all leaves (Qian et al., Alibaba HPN, SIGCOMM
 * 2024, section 5).
 *
 * Leaf s·RailCount + r serves rail r of segment s. NIC i belongs to GPU i of its server, which the
 * scale-up network joins. The last segment may have fewer servers. A network of a single leaf needs
 * no spine.
 */
class RailOptimized : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    RailOptimized();

  private:
    void DoBuild(FabricGraph& graph) const override;
    static constexpr uint32_t kNics = 8;

    uint32_t m_serverCount;
    uint32_t m_gpusPerServer;
    uint32_t m_railCount;
    uint32_t m_serversPerSegment;
    uint32_t m_spineCount;
    uint32_t m_leafUplinkCount;
};

NS_OBJECT_ENSURE_REGISTERED(RailOptimized);

TypeId
RailOptimized::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RailOptimized")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<RailOptimized>()
            .AddAttribute("ServerCount",
                          "Servers",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RailOptimized::m_serverCount),
                          MakeUintegerChecker<uint32_t>(1, 1048576))
            .AddAttribute("GpusPerServer",
                          "GPUs in each server; a multiple of its NICs, or the other way round",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailOptimized::m_gpusPerServer),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("RailCount",
                          "Leaves of each segment",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailOptimized::m_railCount),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("ServersPerSegment",
                          "Most servers in a segment",
                          UintegerValue(32),
                          MakeUintegerAccessor(&RailOptimized::m_serversPerSegment),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("SpineCount",
                          "Spine switches",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimized::m_spineCount),
                          MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("LeafUplinkCount",
                          "Links of each leaf to the spines together: a multiple of SpineCount",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimized::m_leafUplinkCount),
                          MakeUintegerChecker<uint32_t>(0, 65534));
    return tid;
}

RailOptimized::RailOptimized()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_spine", kFabricLink);
    DefineSwitch("leaf");
    DefineSwitch("spine");
}

void
RailOptimized::DoBuild(FabricGraph& graph) const
{
    uint32_t nics = GetNicsPerServer() ? GetNicsPerServer() : kNics;
    Require(nics % m_gpusPerServer == 0 || m_gpusPerServer % nics == 0,
            "gpus_per_server",
            "found " + std::to_string(m_gpusPerServer) +
                ", expected a multiple or a divisor of the " + std::to_string(nics) +
                " NICs of a server");
    Require(nics % m_railCount == 0,
            "rail_count",
            "found " + std::to_string(m_railCount) + ", expected a divisor of the " +
                std::to_string(nics) + " NICs of a server");
    uint32_t segments = (m_serverCount + m_serversPerSegment - 1) / m_serversPerSegment;
    bool isOneLeaf = segments * m_railCount == 1;
    Require(isOneLeaf || m_spineCount > 0,
            "spine_count",
            "found 0, expected at least 1: the topology has several leaves");
    Require(m_spineCount == 0 || (m_leafUplinkCount > 0 && m_leafUplinkCount % m_spineCount == 0),
            "leaf_uplink_count",
            "found " + std::to_string(m_leafUplinkCount) + ", expected a multiple of the " +
                std::to_string(m_spineCount) + " spines");
    uint32_t perServer = nics * GetNicPortCount();
    Group hosts = AddHosts(graph, uint64_t{m_serverCount} * perServer, nics);
    Group leaves = AddSwitches(graph, "leaf", uint64_t{segments} * m_railCount);
    Group spines = AddSwitches(graph, "spine", m_spineCount);
    for (GraphNodeIdx host : hosts)
    {
        const GraphNode& node = graph.Nodes()[host];
        uint32_t segment = node.server / m_serversPerSegment;
        Connect(
            graph, host, leaves[segment * m_railCount + node.unit % m_railCount], "nic_to_leaf");
    }
    if (!spines.empty())
    {
        ConnectAll(graph, leaves, spines, "leaf_to_spine", m_leafUplinkCount / m_spineCount);
    }
}

} // namespace ns3::aifabric
