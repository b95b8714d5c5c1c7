// SPDX-License-Identifier: GPL-2.0-only
#include "readable-units.h"
#include "report-sections.h"
#include "text-table.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

using MetricMap = std::map<std::string, double>;

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.npos, end) == 0;
}

/// What stands before suffix in the names that start with prefix.
std::vector<std::string>
Between(const MetricMap& metrics, const std::string& prefix, const std::string& suffix)
{
    std::vector<std::string> found;
    for (auto m = metrics.lower_bound(prefix); m != metrics.end(); ++m)
    {
        const std::string& name = m->first;
        if (name.compare(0, prefix.size(), prefix) != 0)
        {
            break;
        }
        if (name.size() >= prefix.size() + suffix.size() && EndsWith(name, suffix))
        {
            found.push_back(
                name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Sum over the operations of a tag: TAG_OPERATION followed by suffix.
double
SumOfOperations(const MetricMap& metrics, const std::string& tag, const std::string& suffix)
{
    double sum = 0;
    for (const std::string& operation : Between(metrics, tag + "_", suffix))
    {
        // "embedding_" also begins the names of the tag "embedding_gradient".
        if (operation.find('_') == operation.npos)
        {
            sum += metrics.at(tag + "_" + operation + suffix);
        }
    }
    return sum;
}

std::string
Percent(double ratio)
{
    return ReadableNumber(ratio * 100, 3) + " %";
}

std::string
ParallelismTable(const MetricMap& metrics, const std::string& job)
{
    const std::string kPayload = "_payload_bytes_per_gpu_per_iteration";
    TextTable table;
    table.Row({"per GPU and iteration", "calls", "payload", "sent", "time", "bus bandwidth"});
    bool any = false;
    for (const std::string& tag : Between(metrics, job, kPayload))
    {
        // A job without a prefix must not take what belongs to others.
        if (tag.find('.') != tag.npos || metrics.at(job + tag + kPayload) <= 0)
        {
            continue;
        }
        auto sent = metrics.find(job + tag + "_bytes_sent_per_gpu_per_iteration");
        auto busbw = metrics.find(job + tag + "_busbw_gbytes_per_s");
        any = true;
        table.Row(
            {tag,
             ReadableCount(SumOfOperations(metrics, job + tag, "_count_per_gpu_per_iteration")),
             ReadableBytes(metrics.at(job + tag + kPayload)),
             sent == metrics.end() ? "" : ReadableBytes(sent->second),
             ReadableTime(SumOfOperations(metrics, job + tag, "_time_s")),
             busbw == metrics.end() ? "" : ReadableMetric(busbw->first, busbw->second)});
    }
    return any ? "\n" + table.Text() : "";
}

std::string
JobReport(const MetricMap& metrics, const std::string& job)
{
    TextTable table;
    auto add = [&](const char* title, const char* metric, bool isShare = false) {
        auto m = metrics.find(job + metric);
        if (m != metrics.end())
        {
            table.Row({title, isShare ? Percent(m->second) : ReadableMetric(m->first, m->second)});
        }
    };
    add("iterations completed", "iterations_completed");
    add("iteration time", "iteration_time_s");
    add("computation", "compute_time_s");
    add("communication", "communication_time_s");
    add("communication share, raw", "communication_share_raw", true);
    add("communication share, exposed", "communication_share_exposed", true);
    add("bus bandwidth", "busbw_gbytes_per_s");
    add("algorithm bandwidth", "algbw_gbytes_per_s");
    add("model FLOPs utilization", "model_flops_utilization_ratio", true);
    std::string name = job.empty() ? "" : " " + job.substr(5, job.size() - 6); // "jobs.NAME."
    return "Job" + name + "\n" + table.Text() + ParallelismTable(metrics, job);
}

} // namespace

std::string
JobsReport(const MetricMap& metrics)
{
    const std::string kEveryJobHas = "iterations_completed";
    std::string text = metrics.count(kEveryJobHas) > 0 ? JobReport(metrics, "") : "";
    for (const std::string& job : Between(metrics, "jobs.", "." + kEveryJobHas))
    {
        text += (text.empty() ? "" : "\n") + JobReport(metrics, "jobs." + job + ".");
    }
    return text;
}

} // namespace ns3::aifabric
