// SPDX-License-Identifier: GPL-2.0-only
#include "link-statistics.h"

#include <algorithm>

namespace ns3::aifabric
{

double
Utilization(const LinkResult& link, const EngineResult& engine)
{
    double time = engine.simulatedS * kSecond;
    return time > 0 ? static_cast<double>(link.busy) / time : 0;
}

std::vector<const LinkResult*>
BusiestLinks(const RunResult& result, std::size_t count)
{
    std::vector<const LinkResult*> links;
    for (const LinkResult& l : result.links)
    {
        if (l.frames > 0)
        {
            links.push_back(&l);
        }
    }
    std::size_t kept = std::min(count, links.size());
    auto busier = [](auto* a, auto* b) { return a->busy != b->busy ? a->busy > b->busy : a < b; };
    std::partial_sort(links.begin(), links.begin() + kept, links.end(), busier);
    links.resize(kept);
    return links;
}

void
AddLinkMetrics(RunResult& result)
{
    LinkResult sum;
    LinkResult worst;
    for (const LinkResult& l : result.links)
    {
        sum.frames += l.frames;
        sum.payloadBytes += l.payloadBytes;
        sum.droppedFrames += l.droppedFrames;
        sum.markedFrames += l.markedFrames;
        sum.pauseTime += l.pauseTime;
        worst.pauseTime = std::max(worst.pauseTime, l.pauseTime);
        worst.maxQueueBytes = std::max(worst.maxQueueBytes, l.maxQueueBytes);
        worst.busy = std::max(worst.busy, l.busy);
    }
    auto& metrics = result.metrics;
    metrics["link_frames"] = sum.frames;
    metrics["link_payload_bytes"] = sum.payloadBytes;
    metrics["link_dropped_frames"] = sum.droppedFrames;
    metrics["link_ecn_marked_frames"] = sum.markedFrames;
    metrics["link_pause_time_ns"] = static_cast<double>(sum.pauseTime) / kNanosecond;
    metrics["link_pause_time_max_ns"] = static_cast<double>(worst.pauseTime) / kNanosecond;
    metrics["link_queue_max_bytes"] = worst.maxQueueBytes;
    metrics["link_utilization_max_ratio"] = Utilization(worst, result.engine);
}

} // namespace ns3::aifabric
