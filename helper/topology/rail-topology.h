// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RAIL_TOPOLOGY_H
#define AIFABRIC_RAIL_TOPOLOGY_H

#include "topology-builder.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * What topologies with rails share: within a segment, NIC r of every server is on the leaf of rail
 * r mod RailCount (Qian et al., Alibaba HPN, SIGCOMM 2024, section 5). NIC i belongs to GPU i of its
 * server, which the scale-up network joins. The last segment may have fewer servers.
 */
class RailTopology : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();

  protected:
    /// The layer of leaves with its hosts.
    struct Rails
    {
        Group leaves; ///< (segment · RailCount + rail) · planes + plane
        uint32_t segments;
        uint32_t planes;
    };

    /**
     * Adds servers, leaves, and the links between them.
     * @param planes leaves of each rail in a segment; port p of a NIC is on that of plane p mod
     * planes. NICs of which NicPortCount says nothing have a port for each plane.
     */
    Rails AddRails(FabricGraph& graph, uint32_t planes = 1) const;

    /// @return links from a leaf to each of so many switches. @throws ScenarioError
    /// "parameters.leaf_uplink_count" unless m_leafUplinkCount divides evenly.
    uint32_t UplinksTo(uint32_t switches, const std::string& name) const;

    uint32_t m_serverCount;
    uint32_t m_gpusPerServer;
    uint32_t m_railCount;
    uint32_t m_serversPerSegment;
    uint32_t m_leafUplinkCount;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RAIL_TOPOLOGY_H
