// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LINK_STATISTICS_H
#define AIFABRIC_LINK_STATISTICS_H

#include "run-result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-telemetry
/// @return share of the simulated time for which the link sent; 0 where no time passed.
double Utilization(const LinkResult& link, const EngineResult& engine);

/// @ingroup ai-fabric-telemetry
/// Of all links of a run.
struct LinkStatistics
{
    LinkResult sum;   ///< of each number
    LinkResult worst; ///< largest of each number
};

/// @ingroup ai-fabric-telemetry
/// @return frames, payload, drops, marks, pauses, queues and busy time; the rest stays empty.
LinkStatistics SummarizeLinks(const RunResult& result);

/// @ingroup ai-fabric-telemetry
/// Links between the same kinds of nodes, at the same rate and in the same direction.
struct LinkClass
{
    std::string from; ///< names with their numbers left out: "server*.gpu*"
    std::string to;
    double bandwidthBps{0};
    uint64_t count{0};
    LinkStatistics links;
    const LinkResult* busiest{nullptr}; ///< of those in the result
};

/// @ingroup ai-fabric-telemetry
/// @return the classes of links that carried something, that of the most used link first.
std::vector<LinkClass> SummarizeLinkClasses(const RunResult& result);

/// @ingroup ai-fabric-telemetry
/// How evenly the links of a layer were used, one direction.
struct LayerBalance
{
    uint64_t count{0};
    double utilization{0}; ///< mean, 0 to 1
    double busiest{0};     ///< the highest
    double imbalance{1};   ///< the highest over the mean; 1 where nothing was sent
    double variation{0};   ///< standard deviation over mean, of all links and not a sample of them
    std::optional<uint32_t> mostFlows; ///< over one link at once
};

/// @ingroup ai-fabric-telemetry
/// @return by layer: "leaf_to_spine".
std::map<std::string, LayerBalance> SummarizeLayers(const RunResult& result);

/**
 * @ingroup ai-fabric-telemetry
 * Puts into result.metrics what its links tell, all directions together: `link_frames`,
 * `link_payload_bytes`, `link_dropped_frames`, `link_ecn_marked_frames`, `link_trimmed_frames`,
 * `link_pause_time_ns`, and of the worst one `link_pause_time_max_ns`, `link_queue_max_bytes`,
 * `link_utilization_max_ratio`; of each layer L and direction `layers.L.link_count`,
 * `layers.L.link_utilization_mean_ratio`, `layers.L.link_utilization_max_ratio`,
 * `layers.L.link_imbalance_ratio` and `layers.L.link_variation_ratio` (LayerBalance), and where flows
 * have one path each `layers.L.link_flows_max_count`;
 * and for each cause of drops how many there were, `dropped_buffer_full_frames`.
 */
void AddLinkMetrics(RunResult& result);

} // namespace ns3::aifabric

#endif // AIFABRIC_LINK_STATISTICS_H
