// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RailTopology);

namespace
{

constexpr uint32_t kNics = 8;

} // namespace

TypeId
RailTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RailTopology")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddAttribute("ServerCount",
                          "Servers",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RailTopology::m_serverCount),
                          MakeUintegerChecker<uint32_t>(1, 1048576))
            .AddAttribute("GpusPerServer",
                          "GPUs in each server; a multiple of its NICs, or the other way round",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailTopology::m_gpusPerServer),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("RailCount",
                          "Rails: leaves of each segment, per plane",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailTopology::m_railCount),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

RailTopology::Rails
RailTopology::AddRails(FabricGraph& graph, uint32_t planes) const
{
    const uint32_t nics = GetNicsPerServer() ? GetNicsPerServer() : kNics;
    Require(nics % m_gpusPerServer == 0 || m_gpusPerServer % nics == 0,
            "gpus_per_server",
            "found " + std::to_string(m_gpusPerServer) +
                ", expected a multiple or a divisor of the " + std::to_string(nics) +
                " NICs of a server");
    Require(nics % m_railCount == 0,
            "rail_count",
            "found " + std::to_string(m_railCount) + ", expected a divisor of the " +
                std::to_string(nics) + " NICs of a server");
    const uint32_t ports = GetNicPortCount() == 1 ? planes : GetNicPortCount();
    Require(ports % planes == 0,
            "nic_port_count",
            "found " + std::to_string(ports) + ", expected a multiple of the " +
                std::to_string(planes) + " planes");
    Rails rails;
    rails.planes = planes;
    rails.segments = (m_serverCount + m_serversPerSegment - 1) / m_serversPerSegment;
    const Group hosts = AddHosts(graph, uint64_t{m_serverCount} * nics * ports, nics, ports);
    rails.leaves = AddSwitches(graph, "leaf", uint64_t{rails.segments} * m_railCount * planes);
    for (GraphNodeIdx host : hosts)
    {
        const GraphNode& node = graph.Nodes()[host];
        const uint32_t rail =
            node.server / m_serversPerSegment * m_railCount + node.unit % m_railCount;
        Connect(graph, host, rails.leaves[rail * planes + node.nicPort % planes], "nic_to_leaf");
    }
    return rails;
}

uint32_t
RailTopology::UplinksTo(uint32_t switches, const std::string& name) const
{
    Require(m_leafUplinkCount > 0 && m_leafUplinkCount % switches == 0,
            "leaf_uplink_count",
            "found " + std::to_string(m_leafUplinkCount) + ", expected a multiple of the " +
                std::to_string(switches) + " " + name);
    return m_leafUplinkCount / switches;
}

} // namespace ns3::aifabric
