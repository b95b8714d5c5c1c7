// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_ROUTES_H
#define AIFABRIC_FABRIC_ROUTES_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Where a switch sends what, compressed: destinations that leave by the same ports share a group,
 * and neighbouring destinations of one group share a run.
 *
 * "Everything else goes up" needs no default route: it is a few long runs of one group.
 */
struct SwitchRoutes
{
    /// Destinations first to last (inclusive) leave by a port of that group.
    struct Run
    {
        NodeIdx first;
        NodeIdx last;
        uint32_t group;
    };

    std::vector<std::vector<PortIdx>> groups; ///< equal-cost ports, ascending; no group twice
    std::vector<Run> runs; ///< ascending, apart; a destination in no run cannot be reached

    /// @return the ports towards dst, or nullptr.
    const std::vector<PortIdx>* Find(NodeIdx dst) const;
};

/**
 * @ingroup ai-fabric-topology
 * Finds the shortest paths, counted in links, between all endpoints: all of them, unless links have
 * costs or ranks (FabricGraph::SetCost, SetRank). Endpoints do not forward.
 *
 * One search per set of switches that endpoints hang on, each over switches only: the
 * time grows with (switches with hosts) × (ports between switches), not with the square of hosts.
 *
 * @param graph the network.
 * @param down links to leave out, by GraphLinkIdx; empty for none.
 * @return one entry per node of the graph. Those of endpoints with a single port are empty: all
 * they send leaves by port 0. The runs of an endpoint with several ports may cover itself.
 */
std::vector<SwitchRoutes> FindRoutes(const FabricGraph& graph, const std::vector<bool>& down = {});

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_ROUTES_H
