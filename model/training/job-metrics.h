// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JOB_METRICS_H
#define AIFABRIC_JOB_METRICS_H

#include "job-run.h"

#include <map>
#include <string>

namespace ns3::aifabric
{

class TrainingJob;

/**
 * @ingroup ai-fabric-training
 * @return the metrics of a run. Times are means over the iterations after the first, where there are
 * several; none is given when no iteration has ended. Per GPU means the mean over the job's GPUs.
 *
 * - `iterations_completed`, `iteration_time_s`, `compute_time_s` (and the same by its longer name
 *   `compute_time_per_iteration_s`), `communication_time_s`;
 * - `communication_share_raw` = communication / (communication + computation), and
 *   `communication_share_exposed` = what of the iteration is no computation (of a training job: nor
 *   bubble of the pipeline, computation x (p-1)/m);
 * - `busbw_gbytes_per_s` and `algbw_gbytes_per_s` of all collectives together, as nccl-tests
 *   defines them;
 * - for each tag of the plan (tp, embedding, embedding_gradient, loss, pp, dp): `TAG_payload_bytes_per_gpu_per_iteration`
 *   (sum of the buffers), `TAG_bytes_sent_per_gpu_per_iteration` (what the algorithm sends: no
 *   headers, no retransmissions), `TAG_busbw_gbytes_per_s`, `TAG_algbw_gbytes_per_s`, and for each
 *   OP of allreduce, reducescatter, allgather, alltoall, send that is there (allreduce always but
 *   for pp):
 *   `TAG_OP_count_per_gpu_per_iteration` and `TAG_OP_time_s` per iteration.
 */
std::map<std::string, double> JobMetrics(const JobRun& run);

/**
 * @ingroup ai-fabric-training
 * @return JobMetrics(run), the closed forms of TrainingJob::Metrics(), and
 * `model_flops_utilization_ratio`.
 */
std::map<std::string, double> JobMetrics(const TrainingJob& job, const JobRun& run);

} // namespace ns3::aifabric

#endif // AIFABRIC_JOB_METRICS_H
