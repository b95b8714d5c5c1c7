// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_PATH_H
#define AIFABRIC_FABRIC_PATH_H

#include "fabric-graph.h"
#include "fabric-routes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * One link of a path, and what lies beside it: stage i of a pair are the links that can be the i-th
 * of a shortest path between them.
 */
struct PathHop
{
    GraphNodeIdx from;        ///< the node that sends into the link
    GraphLinkIdx link;        ///< in either direction
    uint32_t nextHops{1};     ///< equal-cost ports that from has to choose among
    uint32_t stageLinks{1};   ///< links of this stage
    double stageBandwidth{0}; ///< bit/s, all links of this stage together
};

/**
 * @ingroup ai-fabric-topology
 * Paths through a graph along its routes, for the times that a flow would take alone.
 */
class PathFinder
{
  public:
    /// Both are kept by reference and must outlive this object.
    PathFinder(const FabricGraph& graph, const std::vector<SwitchRoutes>& routes);

    /**
     * The shortest path on which frames are delivered first: the least sum, over the links, of
     * serialisation and propagation of one frame, and forwarding latency of the switches between,
     * plus frames - 1 serialisations on the slowest link.
     *
     * Where the links between two switches are alike, stage by stage, that work is done once for all
     * their hosts: a path then costs some 100 ns.
     * @param src endpoint that sends.
     * @param dst endpoint that receives.
     * @param frameBytes bytes of a frame on the wire.
     * @param frames how many of them, one at least.
     * @return the links in order; empty when dst cannot be reached, or is src.
     */
    std::vector<PathHop>
    Fastest(NodeIdx src, NodeIdx dst, uint32_t frameBytes = 4096, uint64_t frames = 1) const;

    /**
     * @return how many shortest paths there are from src to dst, parallel links counted apart; 0
     * when dst cannot be reached, or is src.
     */
    uint64_t CountPaths(NodeIdx src, NodeIdx dst) const;

  private:
    struct Step;
    std::vector<PathHop> Search(const std::vector<std::vector<Step>>& stages,
                                uint32_t frameBytes,
                                uint64_t frames) const;
    bool IsUniform(const std::vector<Step>& stage) const;
    bool IsOnSwitch(GraphNodeIdx node) const;
    PathHop OnlyHop(GraphNodeIdx from, GraphLinkIdx link) const;
    std::vector<std::vector<Step>> Stages(NodeIdx src, NodeIdx dst) const;
    std::vector<Step> Quickest(const std::vector<std::vector<Step>>& stages,
                               double slowest,
                               uint32_t frameBytes,
                               double& time) const;

    const FabricGraph& m_graph;
    const std::vector<SwitchRoutes>& m_routes;
    GraphPorts m_ports;
    /// Paths between two switches whose stages are uniform, by both.
    mutable std::unordered_map<uint64_t, std::vector<PathHop>> m_known;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_PATH_H
