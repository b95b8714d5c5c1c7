// SPDX-License-Identifier: GPL-2.0-only
#include "run-report.h"

#include "joint-table.h"
#include "readable-units.h"
#include "report-sections.h"
#include "text-table.h"

#include "ns3/run-result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

namespace
{

/// What a joint table shows of each variant, where there is any.
constexpr const char* kHeadlines[][2] = {{"iteration_time_s", "iteration"},
                                         {"communication_share_exposed", "exposed"},
                                         {"busbw_gbytes_per_s", "busbw"},
                                         {"flow_slowdown_mean", "slowdown mean"},
                                         {"flow_slowdown_p99", "slowdown p99"},
                                         {"flow_fct_p99_ns", "FCT p99"},
                                         {"flow_makespan_ns", "makespan"},
                                         {"flow_goodput_gbps", "goodput"},
                                         {"link_dropped_frames", "dropped"},
                                         {"link_trimmed_frames", "trimmed"},
                                         {"link_pause_time_ns", "paused"}};

/// "682 ms ± 10 %", "at least 3", from a check as the scenario has it.
std::string
Expectation(const nlohmann::json& check, const std::string& metric)
{
    auto readable = [&](const char* key) {
        return ReadableMetric(metric, check.value(key, std::nan("")));
    };
    std::string text;
    if (check.contains("expected"))
    {
        text = readable("expected");
        double relative = check.value("relative_tolerance", 0.0);
        double absolute = check.value("absolute_tolerance", 0.0);
        text += relative > 0   ? " ± " + ReadableNumber(relative * 100, 3) + " %"
                : absolute > 0 ? " ± " + readable("absolute_tolerance")
                               : " exactly";
    }
    if (check.contains("minimum"))
    {
        text += std::string(text.empty() ? "" : ", ") + "at least " + readable("minimum");
    }
    if (check.contains("maximum"))
    {
        text += std::string(text.empty() ? "" : ", ") + "at most " + readable("maximum");
    }
    return text;
}

std::string
Title(const std::string& name, const std::string& variant, uint64_t seed)
{
    return name + (variant.empty() ? "" : ", " + variant) + ", seed " + std::to_string(seed);
}

/// @return the warnings of all runs, each once, and of how many runs it is.
std::string
WarningsReport(const std::vector<JointRow>& rows)
{
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (const JointRow& row : rows)
    {
        for (const std::string& warning : row.warnings)
        {
            auto is = [&](const auto& count) { return count.first == warning; };
            auto found = std::find_if(counts.begin(), counts.end(), is);
            found = found == counts.end() ? counts.insert(found, {warning, 0}) : found;
            ++found->second;
        }
    }
    std::string text = counts.empty() ? "" : "Warnings\n";
    for (const auto& [warning, count] : counts)
    {
        text += "  " + std::to_string(count) + " of " + std::to_string(rows.size()) +
                " runs: " + warning + "\n";
    }
    return text;
}

} // namespace

std::string
ChecksReport(const std::vector<CheckOutcome>& checks)
{
    TextTable table(2);
    for (const CheckOutcome& c : checks)
    {
        auto check = nlohmann::json::parse(c.check);
        auto metric = check.value("metric", std::string());
        auto other = check.value("ratio_to", std::string());
        // A ratio has no unit.
        std::string unit = other.empty() ? metric : "";
        std::string obtained =
            std::isnan(c.obtained) ? "no such metric" : ReadableMetric(unit, c.obtained);
        if (c.halfWidth > 0)
        {
            obtained += " ± " + ReadableMetric(unit, c.halfWidth);
        }
        table.Row({c.holds ? "PASS" : "FAIL",
                   metric + (other.empty() ? "" : " / " + other),
                   obtained,
                   Expectation(check, unit)});
    }
    return table.IsEmpty() ? "" : "Checks: obtained, expected\n" + table.Text();
}

std::string
EngineReport(const EngineResult& engine)
{
    auto per = [](double a, double b) { return b > 0 ? a / b : 0; };
    auto events = static_cast<double>(engine.events);
    auto hops = static_cast<double>(engine.frameHops);
    TextTable table;
    table.Row({"events", ReadableCount(events)});
    table.Row({"frame hops", ReadableCount(hops)});
    table.Row({"events per frame hop", ReadableDigits(per(events, hops))});
    table.Row({"CPU time", ReadableTime(engine.cpuS)});
    table.Row({"wall time", ReadableTime(engine.wallS)});
    table.Row({"CPU time of set-up", ReadableTime(engine.setupCpuS)});
    table.Row({"events per CPU second", ReadableCount(std::round(per(events, engine.cpuS)))});
    table.Row({"frame hops per CPU second", ReadableCount(std::round(per(hops, engine.cpuS)))});
    table.Row({"memory, peak", ReadableBytes(static_cast<double>(engine.peakRssBytes))});
    return "Engine\n" + table.Text();
}

std::string
ReportText(const RunResult& result, const std::vector<CheckOutcome>& checks)
{
    std::string text = Title(result.name, result.variant, result.seed) + ": " +
                       ReadableTime(result.engine.simulatedS) + " simulated\n";
    for (const std::string& section : {JobsReport(result.metrics),
                                       FlowsReport(result),
                                       LinksReport(result),
                                       PausesReport(result),
                                       ChecksReport(checks)})
    {
        text += section.empty() ? "" : "\n" + section;
    }
    if (!result.warnings.empty())
    {
        text += "\nWarnings\n";
    }
    for (const std::string& warning : result.warnings)
    {
        text += "  " + warning + "\n";
    }
    return text + "\n" + EngineReport(result.engine);
}

std::string
ReportText(const JointTable& table, const std::vector<CheckOutcome>& checks)
{
    auto metrics = table.Metrics();
    std::vector<std::string> variants = table.Variants();
    std::vector<const char*> shown;
    TextTable rows;
    std::vector<std::string> titles{"variant", "runs"};
    for (const auto& [metric, title] : kHeadlines)
    {
        for (const std::string& variant : variants)
        {
            if (metrics.count((variant.empty() ? "" : variant + "/") + metric) > 0)
            {
                shown.push_back(metric);
                titles.push_back(title);
                break;
            }
        }
    }
    rows.Row(std::move(titles));
    for (const std::string& variant : variants)
    {
        std::size_t runs = 0;
        for (const JointRow& row : table.Rows())
        {
            runs += row.variant == variant;
        }
        std::vector<std::string> cells{variant, std::to_string(runs)};
        for (const char* metric : shown)
        {
            auto found = metrics.find((variant.empty() ? "" : variant + "/") + metric);
            if (found == metrics.end())
            {
                cells.push_back("-");
                continue;
            }
            std::string cell = ReadableMetric(metric, found->second.mean);
            if (found->second.halfWidth > 0)
            {
                cell += " ± " + ReadableMetric(metric, found->second.halfWidth);
            }
            cells.push_back(std::move(cell));
        }
        rows.Row(std::move(cells));
    }
    std::string text =
        table.Name() + ", " + std::to_string(table.Rows().size()) + " runs\n" + rows.Text();
    for (const std::string& section : {ChecksReport(checks), WarningsReport(table.Rows())})
    {
        text += section.empty() ? "" : "\n" + section;
    }
    return text;
}

} // namespace ns3::aifabric
