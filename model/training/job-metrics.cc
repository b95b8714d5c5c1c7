// SPDX-License-Identifier: GPL-2.0-only
#include "job-metrics.h"

#include "training-job.h"

#include <algorithm>
#include <iterator>

namespace ns3::aifabric
{

namespace
{

using Metrics = std::map<std::string, double>;

constexpr const char* kOperationNames[] =
    {"allreduce", "reducescatter", "allgather", "alltoall", "broadcast", "reduce", "send"};
static_assert(std::size(kOperationNames) == JobRun::kOperations);

/// Of the collectives of one kind, per GPU and iteration.
struct Kind
{
    double count{0};
    double payload{0};
    double busBytes{0}; ///< payload times the factor of the bus bandwidth
    double sent{0};

    void Add(const Kind& other)
    {
        count += other.count;
        payload += other.payload;
        busBytes += other.busBytes;
        sent += other.sent;
    }
};

std::vector<Kind>
CountKinds(const Plan& plan)
{
    std::vector<Kind> kinds(plan.Tags().size() * JobRun::kOperations);
    for (const PlanOperation& o : plan.Operations())
    {
        double payload = double(o.bytes) * o.groupSize;
        kinds[JobRun::Kind(o)].Add({double(o.groupSize),
                                    payload,
                                    payload * BusBandwidthFactor(o.operation, o.groupSize),
                                    0});
    }
    for (const PlanStep& s : plan.Steps())
    {
        if (s.IsSend() && s.operation != PlanStep::kNone)
        {
            kinds[JobRun::Kind(plan.Operations()[s.operation])].sent += s.bytes;
        }
    }
    for (Kind& k : kinds)
    {
        double ranks = plan.RankCount();
        k = {k.count / ranks, k.payload / ranks, k.busBytes / ranks, k.sent / ranks};
    }
    return kinds;
}

/// Means over the iterations that count.
IterationRecord
Mean(const std::vector<IterationRecord>& records, std::size_t kinds)
{
    IterationRecord mean{0, 0, 0, std::vector<double>(kinds)};
    std::size_t first = records.size() > 1 ? 1 : 0;
    double share = 1.0 / (records.size() - first);
    for (std::size_t i = first; i < records.size(); ++i)
    {
        mean.start += records[i].start * share;
        mean.end += records[i].end * share;
        mean.computeTime += records[i].computeTime * share;
        for (std::size_t k = 0; k < kinds; ++k)
        {
            mean.communicationTimes[k] += records[i].communicationTimes[k] * share;
        }
    }
    return mean;
}

void
AddBandwidths(Metrics& metrics, const std::string& prefix, const Kind& kind, double time)
{
    if (time > 0)
    {
        metrics[prefix + "busbw_gbytes_per_s"] = kind.busBytes / time / 1e9;
        metrics[prefix + "algbw_gbytes_per_s"] = kind.payload / time / 1e9;
    }
}

} // namespace

Metrics
JobMetrics(const JobRun& run)
{
    const Plan& plan = run.GetPlan();
    const std::vector<Kind> kinds = CountKinds(plan);
    const bool timed = !run.Iterations().empty();
    IterationRecord mean{0, 0, 0, std::vector<double>(kinds.size())};
    if (timed)
    {
        mean = Mean(run.Iterations(), kinds.size());
    }
    Metrics metrics{{"iterations_completed", run.Iterations().size()}};
    Kind all;
    double communication = 0;
    for (std::size_t tag = 0; tag < plan.Tags().size(); ++tag)
    {
        const std::string prefix = plan.Tags()[tag] + "_";
        Kind ofTag;
        double timeOfTag = 0;
        for (std::size_t o = 0; o < JobRun::kOperations; ++o)
        {
            std::size_t k = tag * JobRun::kOperations + o;
            ofTag.Add(kinds[k]);
            timeOfTag += mean.communicationTimes[k];
            bool isAllReduce = o == static_cast<std::size_t>(CollectiveOperation::AllReduce);
            if (kinds[k].count > 0 || (isAllReduce && plan.Tags()[tag] != "pp"))
            {
                std::string name = prefix + kOperationNames[o];
                metrics[name + "_count_per_gpu_per_iteration"] = kinds[k].count;
                if (timed)
                {
                    metrics[name + "_time_s"] = mean.communicationTimes[k];
                }
            }
        }
        metrics[prefix + "payload_bytes_per_gpu_per_iteration"] = ofTag.payload;
        metrics[prefix + "bytes_sent_per_gpu_per_iteration"] = ofTag.sent;
        AddBandwidths(metrics, prefix, ofTag, timeOfTag);
        all.Add(ofTag);
        communication += timeOfTag;
    }
    AddBandwidths(metrics, "", all, communication);
    if (timed)
    {
        double iteration = mean.end - mean.start;
        double busy = communication + mean.computeTime;
        metrics["iteration_time_s"] = iteration;
        metrics["compute_time_s"] = mean.computeTime;
        metrics["compute_time_per_iteration_s"] = mean.computeTime;
        metrics["communication_time_s"] = communication;
        metrics["communication_share_raw"] = busy > 0 ? communication / busy : 0;
        metrics["communication_share_exposed"] =
            iteration > 0 ? (iteration - mean.computeTime) / iteration : 0;
    }
    return metrics;
}

Metrics
JobMetrics(const TrainingJob& job, const JobRun& run)
{
    Metrics metrics = JobMetrics(run);
    metrics.merge(job.Metrics());
    auto time = metrics.find("iteration_time_s");
    if (time != metrics.end())
    {
        // With an infinitely fast network the bubble of the pipeline would remain.
        double alone = metrics["compute_time_s"] * (1 + metrics["pipeline_bubble_fraction"]);
        metrics["communication_share_exposed"] = std::max(0.0, 1 - alone / time->second);
        metrics["model_flops_utilization_ratio"] = job.ModelFlopsUtilization(time->second);
    }
    return metrics;
}

} // namespace ns3::aifabric
