// SPDX-License-Identifier: GPL-2.0-only
#include "link-statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ns3::aifabric
{

namespace
{

void
Add(LinkStatistics& all, const LinkResult& link)
{
    auto add = [&](auto member) {
        all.sum.*member += link.*member;
        all.worst.*member = std::max(all.worst.*member, link.*member);
    };
    add(&LinkResult::frames);
    add(&LinkResult::payloadBytes);
    add(&LinkResult::busy);
    add(&LinkResult::droppedFrames);
    add(&LinkResult::markedFrames);
    add(&LinkResult::pauseTime);
    add(&LinkResult::maxQueueBytes);
    add(&LinkResult::trimmedFrames);
}

/// "server12.gpu3" is "server*.gpu*".
std::string
WithoutNumbers(const std::string& name)
{
    std::string text;
    for (char c : name)
    {
        bool isDigit = c >= '0' && c <= '9';
        if (!isDigit)
        {
            text += c;
        }
        else if (text.empty() || text.back() != '*')
        {
            text += '*';
        }
    }
    return text;
}

} // namespace

double
Utilization(const LinkResult& link, const EngineResult& engine)
{
    double time = engine.simulatedS * kSecond;
    return time > 0 ? static_cast<double>(link.busy) / time : 0;
}

LinkStatistics
SummarizeLinks(const RunResult& result)
{
    LinkStatistics all;
    for (const LinkResult& l : result.links)
    {
        Add(all, l);
    }
    return all;
}

std::vector<LinkClass>
SummarizeLinkClasses(const RunResult& result)
{
    std::map<std::tuple<std::string, std::string, double>, LinkClass> classes;
    for (const LinkResult& l : result.links)
    {
        std::string from = WithoutNumbers(l.from);
        std::string to = WithoutNumbers(l.to);
        LinkClass& c = classes[{from, to, l.bandwidthBps}];
        c.from = std::move(from);
        c.to = std::move(to);
        c.bandwidthBps = l.bandwidthBps;
        ++c.count;
        Add(c.links, l);
        if (!c.busiest || l.busy > c.busiest->busy)
        {
            c.busiest = &l;
        }
    }
    std::vector<LinkClass> used;
    for (auto& item : classes)
    {
        if (item.second.links.sum.frames > 0)
        {
            used.push_back(std::move(item.second));
        }
    }
    std::stable_sort(used.begin(), used.end(), [](auto& a, auto& b) {
        return a.busiest->busy > b.busiest->busy;
    });
    return used;
}

std::map<std::string, LayerBalance>
SummarizeLayers(const RunResult& result)
{
    std::map<std::string, std::vector<double>> loads;
    std::map<std::string, LayerBalance> layers;
    for (const LinkResult& link : result.links)
    {
        loads[link.layer].push_back(Utilization(link, result.engine));
        auto& most = layers[link.layer].mostFlows;
        most = std::max(most, link.mostFlows);
    }
    for (auto& [name, layer] : layers)
    {
        const std::vector<double>& load = loads.at(name);
        layer.count = load.size();
        for (double u : load)
        {
            layer.utilization += u / static_cast<double>(layer.count);
            layer.busiest = std::max(layer.busiest, u);
        }
        double squares = 0;
        for (double u : load)
        {
            squares += (u - layer.utilization) * (u - layer.utilization);
        }
        if (layer.utilization > 0)
        {
            layer.imbalance = layer.busiest / layer.utilization;
            layer.variation =
                std::sqrt(squares / static_cast<double>(layer.count)) / layer.utilization;
        }
    }
    return layers;
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
    metrics["link_trimmed_frames"] = all.sum.trimmedFrames;
    metrics["link_pause_time_ns"] = static_cast<double>(all.sum.pauseTime) / kNanosecond;
    metrics["link_pause_time_max_ns"] = static_cast<double>(all.worst.pauseTime) / kNanosecond;
    metrics["link_queue_max_bytes"] = all.worst.maxQueueBytes;
    metrics["link_utilization_max_ratio"] = Utilization(all.worst, result.engine);
    for (const auto& [name, layer] : SummarizeLayers(result))
    {
        const std::string prefix = "layers." + name + ".link_";
        metrics[prefix + "count"] = layer.count;
        metrics[prefix + "utilization_mean_ratio"] = layer.utilization;
        metrics[prefix + "utilization_max_ratio"] = layer.busiest;
        metrics[prefix + "imbalance_ratio"] = layer.imbalance;
        metrics[prefix + "variation_ratio"] = layer.variation;
        if (layer.mostFlows)
        {
            metrics[prefix + "flows_max_count"] = *layer.mostFlows;
        }
    }
    for (const auto& [cause, frames] : result.drops)
    {
        metrics["dropped_" + cause + "_frames"] = frames;
    }
}

} // namespace ns3::aifabric
