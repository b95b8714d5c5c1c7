// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BUFFER_DEPENDENCY_H
#define AIFABRIC_BUFFER_DEPENDENCY_H

#include "fabric-graph.h"
#include "fabric-routes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-topology
/// What FindBufferDependency found.
struct BufferDependency
{
    /// One direction of a link: the node that sends, and by which port.
    using Sender = std::pair<GraphNodeIdx, PortIdx>;

    bool isKnown{true}; ///< false: the network is too large for its shape, nothing was found out
    std::vector<Sender> cycle; ///< a shortest one of its component; empty where there is none

    /// @return "no cyclic buffer dependency", or the ports of the cycle in the order in which each
    /// waits for the next.
    std::string ToText(const FabricGraph& graph) const;
};

/**
 * @ingroup ai-fabric-topology
 * Looks for a cycle of links of which each can be paused until the next one sends: without it no
 * deadlock of pauses is possible (Dally and Seitz, IEEE ToC 1987; Hu et al., HotNets 2016).
 *
 * A link waits for another where a frame from some host to some endpoint may come in by the one and
 * leave by the other, by any of the equal next hops. All lossless priorities take the same ways.
 *
 * Where frames only go up and then down (Clos, trees, rails) this is seen in one pass over the
 * routes. Elsewhere the time is that of (destinations with routes of their own) × (links between
 * switches).
 *
 * @param routes by node of the graph; those of FindRoutes, or any others.
 * @param lossy directions of links that drop instead of waiting: 2 × GraphLinkIdx, + 1 for the one
 * from `to` to `from`; empty for none.
 * @param mostWork do no more than that many of these products; some 1e8 are a second.
 */
BufferDependency FindBufferDependency(const FabricGraph& graph,
                                      const std::vector<SwitchRoutes>& routes,
                                      const std::vector<bool>& lossy = {},
                                      std::size_t mostWork = 100'000'000);

} // namespace ns3::aifabric

#endif // AIFABRIC_BUFFER_DEPENDENCY_H
