// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_PORTS_H
#define AIFABRIC_FLOW_PORTS_H

#include "ns3/fabric-graph.h"

#include <utility>
#include <vector>

namespace ns3::aifabric
{

class Fabric;
struct FlowResult;
struct RunResult;

/// @ingroup ai-fabric-run
/// The ports by which the frames of flows leave.
class FlowPorts
{
  public:
    using Sender = std::pair<GraphNodeIdx, PortIdx>;

    /// @param fabric outlives this.
    explicit FlowPorts(const Fabric& fabric);

    /// @return whether all frames of a flow take one path, which their headers tell.
    bool ArePinned() const
    {
        return m_arePinned;
    }

    /// @return the ports of a flow's path, each once; those of all its shortest paths where flows
    /// are not pinned.
    std::vector<Sender> Of(const FlowResult& flow) const;

  private:
    const Fabric& m_fabric;
    GraphPorts m_ports;
    bool m_arePinned;
};

/**
 * @ingroup ai-fabric-run
 * Fills in LinkResult::mostFlows of the links between nodes of the fabric, where flows are pinned:
 * how many collided. Flows of 0 bytes do not count.
 * @param result with its flows, and its links in the order of RunLinks.
 */
void CountCollisions(const Fabric& fabric, RunResult& result);

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_PORTS_H
