// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TOPOLOGY_SUMMARY_H
#define AIFABRIC_TOPOLOGY_SUMMARY_H

#include "fabric-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * What one can say of a network without sending anything: the closed forms of its topology, counted.
 */
struct TopologySummary
{
    /// The switches of a layer. Up is away from the hosts.
    struct Tier
    {
        std::string layer;
        uint32_t level{0}; ///< links to the nearest host
        uint32_t switches{0};
        uint32_t fewestPorts{0}; ///< of a switch, those in use
        uint32_t mostPorts{0};
        double downBps{0}; ///< of the switch with the highest ratio
        double upBps{0};

        /// @return down over up of that switch; 0 where nothing leads up.
        double GetOversubscription() const
        {
            return upBps > 0 ? downBps / upBps : 0;
        }
    };

    /// The links of a layer.
    struct Cables
    {
        std::string layer;
        uint32_t count{0};
        double leastBps{0};
        double mostBps{0};
        double shortestM{0}; ///< by delay, at 5 ns/m
        double longestM{0};
    };

    uint32_t hosts{0};
    uint32_t servers{0};
    uint32_t switches{0};
    uint32_t cables{0};
    std::vector<Tier> tiers; ///< from the hosts upwards
    std::vector<Cables> cableLayers;
    /// Hosts that a network of this shape ends at: when its highest switches have no port left for
    /// another of what hangs below them. Unknown where those have no radix, or are joined to each
    /// other.
    std::optional<uint64_t> mostHosts;
    /// Bit/s that the hosts of one half can send to those of the other all together, which is a
    /// maximum flow; unknown for a network too large.
    std::optional<double> bisectionBps;

    /// Switches on the longest of the shortest paths; unknown for a network too large or of one host.
    std::optional<uint32_t> diameter;
    std::pair<NodeIdx, NodeIdx> nearest{0, 0};  ///< hosts with the shortest round trip
    std::pair<NodeIdx, NodeIdx> farthest{0, 0}; ///< and those with the longest
};

/**
 * @ingroup ai-fabric-topology
 * @param graph the network. Hosts that cannot reach each other do not count as a pair.
 * @param firstHalf by host, see TopologyBuilder::Halve; empty: do not look for the bisection.
 * @param mostWork bisection: the most links between switches, times 2000. Paths: the most of
 * (switches with hosts) × (links between switches). 1e9 takes some seconds.
 */
TopologySummary SummarizeTopology(const FabricGraph& graph,
                                  const std::vector<bool>& firstHalf,
                                  uint64_t mostWork = 1'000'000'000);

} // namespace ns3::aifabric

#endif // AIFABRIC_TOPOLOGY_SUMMARY_H
