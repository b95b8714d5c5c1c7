// SPDX-License-Identifier: GPL-2.0-only
#include "flow-statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace ns3::aifabric
{

namespace
{

using Flows = std::vector<const FlowResult*>;

constexpr std::size_t kMaxGroups = 100;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

const std::vector<uint64_t> kPowersOfTen{1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

/// "200kb"; powers of 1000.
std::string
SizeId(uint64_t bytes)
{
    static constexpr const char* kUnits[] = {"b", "kb", "mb", "gb"};
    std::size_t unit = 0;
    for (; unit + 1 < std::size(kUnits) && bytes > 0 && bytes % 1000 == 0; ++unit)
    {
        bytes /= 1000;
    }
    return std::to_string(bytes) + kUnits[unit];
}

Tick
EndOf(const RunResult& result)
{
    return static_cast<Tick>(std::llround(result.engine.simulatedS * kSecond));
}

std::vector<FlowSizeBin>
BySize(const Flows& flows, const RunResult& result)
{
    const auto& limits = result.sizeLimits.empty() ? kPowersOfTen : result.sizeLimits;
    std::vector<Flows> groups(limits.size() + 1);
    for (const FlowResult* f : flows)
    {
        auto limit = std::lower_bound(limits.begin(), limits.end(), f->bytes);
        groups[limit - limits.begin()].push_back(f);
    }
    std::vector<FlowSizeBin> bins;
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        if (!groups[i].empty())
        {
            const bool last = i == limits.size();
            bins.push_back({last ? "over_" + SizeId(limits.back()) : "to_" + SizeId(limits[i]),
                            i == 0 ? 0 : limits[i - 1],
                            last ? kUnlimited : limits[i],
                            Summarize(groups[i], EndOf(result))});
        }
    }
    return bins;
}

void
AddSample(std::map<std::string, double>& metrics,
          const std::string& prefix,
          const std::string& suffix,
          const SampleSummary& sample)
{
    if (sample.count > 0)
    {
        metrics[prefix + "min" + suffix] = sample.min;
        metrics[prefix + "mean" + suffix] = sample.mean;
        metrics[prefix + "p50" + suffix] = sample.p50;
        metrics[prefix + "p90" + suffix] = sample.p90;
        metrics[prefix + "p95" + suffix] = sample.p95;
        metrics[prefix + "p99" + suffix] = sample.p99;
        metrics[prefix + "p999" + suffix] = sample.p999;
        metrics[prefix + "max" + suffix] = sample.max;
    }
}

void
AddGroup(std::map<std::string, double>& metrics,
         const std::string& group,
         const FlowStatistics& flows)
{
    const std::string prefix = group + "flow_";
    metrics[prefix + "count"] = flows.count;
    metrics[prefix + "done_count"] = flows.done;
    metrics[prefix + "unfinished_count"] = flows.unfinished;
    metrics[prefix + "failed_count"] = flows.failed;
    metrics[prefix + "offered_bytes"] = flows.offeredBytes;
    metrics[prefix + "delivered_bytes"] = flows.deliveredBytes;
    metrics[prefix + "retransmitted_bytes"] = flows.retransmittedBytes;
    metrics[prefix + "ecn_marked_frames"] = flows.markedFrames;
    metrics[prefix + "cnps"] = flows.cnps;
    metrics[prefix + "reorder_depth_max_frames"] = flows.reorderDepth;
    metrics[prefix + "makespan_ns"] = flows.makespanNs;
    metrics[prefix + "goodput_gbps"] = flows.goodputGbps;
    AddSample(metrics, prefix + "slowdown_", "", flows.slowdown);
    AddSample(metrics, prefix + "fct_", "_ns", flows.fctNs);
}

void
AddSizes(RunResult& result, const std::string& prefix, const Flows& flows)
{
    for (const FlowSizeBin& bin : BySize(flows, result))
    {
        AddGroup(result.metrics, prefix + "sizes." + bin.id + ".", bin.flows);
    }
}

Flows
AllOf(const RunResult& result)
{
    Flows all;
    for (const FlowResult& f : result.flows)
    {
        all.push_back(&f);
    }
    return all;
}

void
AddGroups(RunResult& result, const std::string& kind, const std::map<std::string, Flows>& groups)
{
    if (groups.size() > kMaxGroups)
    {
        result.warnings.push_back("flows: no metrics of " + std::to_string(groups.size()) + " " +
                                  kind + ", which are more than " + std::to_string(kMaxGroups));
        return;
    }
    for (const auto& [name, flows] : groups)
    {
        const std::string prefix = kind + "." + name + ".";
        AddGroup(result.metrics, prefix, Summarize(flows, EndOf(result)));
        if (!result.sizeLimits.empty())
        {
            AddSizes(result, prefix, flows);
        }
    }
}

} // namespace

double
Slowdown(const FlowResult& flow)
{
    bool known = flow.fct != kNever && flow.idealFct > 0;
    return known ? static_cast<double>(flow.fct) / static_cast<double>(flow.idealFct)
                 : std::numeric_limits<double>::quiet_NaN();
}

FlowStatistics
Summarize(const Flows& flows, Tick end)
{
    FlowStatistics s;
    std::vector<double> slowdowns;
    std::vector<double> fcts;
    Tick first = kNever;
    Tick last = 0;
    for (const FlowResult* f : flows)
    {
        bool isDone = f->fct != kNever;
        ++s.count;
        ++(isDone ? s.done : f->status == "unfinished" ? s.unfinished : s.failed);
        // Flows without end are offered as more than a run could carry.
        s.offeredBytes =
            f->bytes > kUnlimited - s.offeredBytes ? kUnlimited : s.offeredBytes + f->bytes;
        s.deliveredBytes += f->deliveredBytes;
        s.retransmittedBytes += f->retransmittedBytes;
        s.markedFrames += f->markedFrames;
        s.cnps += f->cnps;
        s.reorderDepth = std::max(s.reorderDepth, f->reorderDepth);
        first = std::min(first, f->start);
        last = std::max(last, isDone ? f->start + f->fct : end);
        if (isDone)
        {
            fcts.push_back(static_cast<double>(f->fct) / kNanosecond);
        }
        if (double slowdown = Slowdown(*f); !std::isnan(slowdown))
        {
            slowdowns.push_back(slowdown);
        }
    }
    s.slowdown = Summarize(std::move(slowdowns));
    s.fctNs = Summarize(std::move(fcts));
    if (last > first)
    {
        s.makespanNs = static_cast<double>(last - first) / kNanosecond;
        s.goodputGbps = static_cast<double>(s.deliveredBytes) * 8 / s.makespanNs;
    }
    return s;
}

FlowStatistics
Summarize(const RunResult& result)
{
    return Summarize(AllOf(result), EndOf(result));
}

std::vector<FlowSizeBin>
SummarizeBySize(const RunResult& result)
{
    return BySize(AllOf(result), result);
}

void
AddFlowMetrics(RunResult& result)
{
    std::map<std::string, std::size_t> failed;
    std::map<std::string, Flows> byJob;
    std::map<std::string, Flows> byTag;
    for (const FlowResult& f : result.flows)
    {
        byJob[f.job].push_back(&f);
        byTag[f.tag].push_back(&f);
        if (f.fct == kNever && f.status != "unfinished")
        {
            ++failed[f.status];
        }
    }
    for (const auto& [status, count] : failed)
    {
        result.warnings.push_back(std::to_string(count) + " of " +
                                  std::to_string(result.flows.size()) + " flows failed: " + status);
    }
    byJob.erase("");
    byTag.erase("");
    AddGroup(result.metrics, "", Summarize(result));
    AddSizes(result, "", AllOf(result));
    if (byJob.size() > 1)
    {
        AddGroups(result, "jobs", byJob);
    }
    AddGroups(result, "tags", byTag);
}

} // namespace ns3::aifabric
