// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_STATISTICS_H
#define AIFABRIC_FLOW_STATISTICS_H

#include "run-result.h"
#include "sample-statistics.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-telemetry
/// @return FCT / ideal FCT; NaN of a flow that is not done or has no ideal FCT.
double Slowdown(const FlowResult& flow);

/// @ingroup ai-fabric-telemetry
/// What became of a group of flows.
struct FlowStatistics
{
    uint64_t count{0};
    uint64_t done{0};
    uint64_t unfinished{0}; ///< at the end of the run
    uint64_t failed{0};     ///< the others
    uint64_t offeredBytes{0};
    uint64_t deliveredBytes{0};
    uint64_t retransmittedBytes{0};
    uint64_t markedFrames{0};
    uint64_t cnps{0};
    uint32_t reorderDepth{0}; ///< largest
    SampleSummary slowdown;   ///< of those that are done, and have an ideal FCT
    SampleSummary fctNs;      ///< of those that are done
    double makespanNs{0};     ///< from the first start to the last completion, or the run's end
    double goodputGbps{0};    ///< payload delivered over makespan
};

/**
 * @ingroup ai-fabric-telemetry
 * @param end when the run ended: until then unfinished flows last.
 */
FlowStatistics Summarize(const std::vector<const FlowResult*>& flows, Tick end);

/// @ingroup ai-fabric-telemetry
/// @return the same of all flows of a run.
FlowStatistics Summarize(const RunResult& result);

/// @ingroup ai-fabric-telemetry
/// Flows of one order of magnitude: more than `above` and at most `upTo` bytes.
struct FlowSizeBin
{
    std::string id; ///< "to_100kb" or "over_100mb", in the names of metrics
    uint64_t above;
    uint64_t upTo;
    FlowStatistics flows;
};

/// @ingroup ai-fabric-telemetry
/// @return the bins that hold flows, from small to large: with the limits of the result, or else at
/// 1, 10, 100 kB, 1, 10, 100 MB.
std::vector<FlowSizeBin> SummarizeBySize(const RunResult& result);

/**
 * @ingroup ai-fabric-telemetry
 * Puts into result.metrics what its flows tell. `flow_count`, `flow_done_count`,
 * `flow_unfinished_count`, `flow_failed_count`, `flow_offered_bytes`, `flow_delivered_bytes`,
 * `flow_retransmitted_bytes`, `flow_ecn_marked_frames`, `flow_cnps`,
 * `flow_reorder_depth_max_frames`, `flow_makespan_ns`, `flow_goodput_gbps`, and where any is done `flow_slowdown_S` and `flow_fct_S_ns` for S of `min`,
 * `mean`, `p50`, `p90`, `p95`, `p99`, `p999`, `max`.
 *
 * The same for each size that occurs, `sizes.BIN.flow_slowdown_p99` (BIN of `to_1kb`, `to_10kb`,
 * `to_100kb`, `to_1mb`, `to_10mb`, `to_100mb`, `over_100mb`, or by the limits of the result:
 * `to_200kb`, `over_1gb`), for each tag, `tags.TAG.flow_slowdown_p99`, and for each job where there
 * are several, `jobs.NAME.flow_cnps`; with limits of the result also `tags.TAG.sizes.BIN.flow_cnps`.
 * Of more than 100 tags (or jobs) there are none, and a warning says so.
 */
void AddFlowMetrics(RunResult& result);

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_STATISTICS_H
