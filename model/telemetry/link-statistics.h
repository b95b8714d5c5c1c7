// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LINK_STATISTICS_H
#define AIFABRIC_LINK_STATISTICS_H

#include "run-result.h"

#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-telemetry
/// @return share of the simulated time for which the link sent; 0 where no time passed.
double Utilization(const LinkResult& link, const EngineResult& engine);

/// @ingroup ai-fabric-telemetry
/// @return up to count links that carried something, the most used one first.
std::vector<const LinkResult*> BusiestLinks(const RunResult& result, std::size_t count);

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

/**
 * @ingroup ai-fabric-telemetry
 * Puts into result.metrics what its links tell, all directions together: `link_frames`,
 * `link_payload_bytes`, `link_dropped_frames`, `link_ecn_marked_frames`, `link_pause_time_ns`, and
 * of the worst one `link_pause_time_max_ns`, `link_queue_max_bytes`, `link_utilization_max_ratio`.
 */
void AddLinkMetrics(RunResult& result);

} // namespace ns3::aifabric

#endif // AIFABRIC_LINK_STATISTICS_H
