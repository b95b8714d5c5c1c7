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

LinkStatistics
SummarizeLinks(const RunResult& result)
{
    LinkStatistics all;
    auto add = [&](const LinkResult& link, auto member) {
        all.sum.*member += link.*member;
        all.worst.*member = std::max(all.worst.*member, link.*member);
    };
    for (const LinkResult& l : result.links)
    {
        add(l, &LinkResult::frames);
        add(l, &LinkResult::payloadBytes);
        add(l, &LinkResult::busy);
        add(l, &LinkResult::droppedFrames);
        add(l, &LinkResult::markedFrames);
        add(l, &LinkResult::pauseTime);
        add(l, &LinkResult::maxQueueBytes);
    }
    return all;
}

void
AddLinkMetrics(RunResult& result)
{
    const LinkStatistics all = SummarizeLinks(result);
    auto& metrics = result.metrics;
    metrics["link_frames"] = all.sum.frames;
    metrics["link_payload_bytes"] = all.sum.payloadBytes;
    metrics["link_dropped_frames"] = all.sum.droppedFrames;
    metrics["link_ecn_marked_frames"] = all.sum.markedFrames;
    metrics["link_pause_time_ns"] = static_cast<double>(all.sum.pauseTime) / kNanosecond;
    metrics["link_pause_time_max_ns"] = static_cast<double>(all.worst.pauseTime) / kNanosecond;
    metrics["link_queue_max_bytes"] = all.worst.maxQueueBytes;
    metrics["link_utilization_max_ratio"] = Utilization(all.worst, result.engine);
}

} // namespace ns3::aifabric
