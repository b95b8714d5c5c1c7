// SPDX-License-Identifier: GPL-2.0-only
#include "readable-units.h"
#include "report-sections.h"
#include "text-table.h"

#include "ns3/flow-statistics.h"
#include "ns3/link-statistics.h"

#include <algorithm>
#include <limits>

namespace ns3::aifabric
{

namespace
{

constexpr std::size_t kLinkClassesShown = 12;

std::string
ReadableTicks(Tick t)
{
    return ReadableTime(static_cast<double>(t) / kSecond);
}

std::string
Percent(double ratio)
{
    return ReadableDigits(ratio * 100, 3) + " %";
}

std::string
BinTitle(const FlowSizeBin& bin)
{
    if (bin.upTo == std::numeric_limits<uint64_t>::max())
    {
        return "over " + ReadableBytes(static_cast<double>(bin.above));
    }
    return "to " + ReadableBytes(static_cast<double>(bin.upTo));
}

void
AddFlows(TextTable& table, const std::string& title, const FlowStatistics& flows)
{
    std::vector<std::string> row{title,
                                 ReadableCount(static_cast<double>(flows.count)),
                                 ReadableCount(static_cast<double>(flows.done))};
    const SampleSummary& s = flows.slowdown;
    for (double v : {s.mean, s.p50, s.p95, s.p99, s.max})
    {
        row.push_back(s.count == 0 ? "-" : ReadableDigits(v));
    }
    const SampleSummary& fct = flows.fctNs;
    for (double v : {fct.p50, fct.p99, fct.max})
    {
        row.push_back(fct.count == 0 ? "-" : ReadableTime(v * 1e-9));
    }
    table.Row(std::move(row));
}

} // namespace

std::string
FlowsReport(const RunResult& result)
{
    if (result.flows.empty())
    {
        return "";
    }
    std::vector<FlowSizeBin> bins = SummarizeBySize(result);
    TextTable table;
    table.Row({"size",
               "flows",
               "done",
               "slowdown mean",
               "p50",
               "p95",
               "p99",
               "max",
               "FCT p50",
               "p99",
               "max"});
    for (const FlowSizeBin& bin : bins)
    {
        AddFlows(table, BinTitle(bin), bin.flows);
    }
    FlowStatistics all = Summarize(result);
    if (bins.size() > 1)
    {
        AddFlows(table, "all", all);
    }
    TextTable sums;
    sums.Row({"goodput", ReadableNumber(all.goodputGbps) + " Gb/s"});
    sums.Row({"retransmitted", ReadableBytes(static_cast<double>(all.retransmittedBytes))});
    sums.Row({"frames marked", ReadableCount(static_cast<double>(all.markedFrames))});
    sums.Row({"CNPs", ReadableCount(static_cast<double>(all.cnps))});
    if (all.failed > 0)
    {
        sums.Row({"failed flows", ReadableCount(static_cast<double>(all.failed))});
    }
    return "Flows\n" + sums.Text() + "\n" + table.Text();
}

std::string
LinksReport(const RunResult& result)
{
    std::vector<LinkClass> classes = SummarizeLinkClasses(result);
    if (classes.empty())
    {
        return "";
    }
    LinkStatistics all = SummarizeLinks(result);
    TextTable totals;
    totals.Row({"dropped frames", ReadableCount(static_cast<double>(all.sum.droppedFrames))});
    for (const auto& [cause, frames] : result.drops)
    {
        if (frames > 0)
        {
            std::string words = cause;
            std::replace(words.begin(), words.end(), '_', ' ');
            totals.Row({"  by " + words, ReadableCount(static_cast<double>(frames))});
        }
    }
    totals.Row({"paused, all links", ReadableTicks(all.sum.pauseTime)});
    totals.Row({"paused, worst link", ReadableTicks(all.worst.pauseTime)});
    totals.Row({"longest queue", ReadableBytes(static_cast<double>(all.worst.maxQueueBytes))});

    TextTable table(3);
    table.Row({"from",
               "to",
               "most used",
               "links",
               "rate",
               "used, mean",
               "max",
               "payload",
               "dropped",
               "paused",
               "queue"});
    classes.resize(std::min(classes.size(), kLinkClassesShown));
    for (const LinkClass& c : classes)
    {
        const LinkResult& sum = c.links.sum;
        double mean = Utilization(sum, result.engine) / static_cast<double>(c.count);
        table.Row({c.from,
                   c.to,
                   c.busiest->link,
                   ReadableCount(static_cast<double>(c.count)),
                   ReadableNumber(c.bandwidthBps / 1e9) + " Gb/s",
                   Percent(mean),
                   Percent(Utilization(*c.busiest, result.engine)),
                   ReadableBytes(static_cast<double>(sum.payloadBytes)),
                   ReadableCount(static_cast<double>(sum.droppedFrames)),
                   ReadableTicks(sum.pauseTime),
                   ReadableBytes(static_cast<double>(c.links.worst.maxQueueBytes))});
    }
    return "Links\n" + totals.Text() + "\n" + table.Text();
}

} // namespace ns3::aifabric
