// SPDX-License-Identifier: GPL-2.0-only
#include "summary-writer.h"

#include "joint-table.h"
#include "pause-summary.h"

#include "ns3/run-result.h"
#include "ns3/whole-file.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

#ifndef AIFABRIC_VERSION
#define AIFABRIC_VERSION "unknown"
#endif
#ifndef AIFABRIC_NS3_VERSION
#define AIFABRIC_NS3_VERSION "unknown"
#endif

namespace ns3::aifabric
{

namespace
{

// Keys stay in the order in which the scenario and this file name them.
using Json = nlohmann::ordered_json;

/// Integers without a fraction; null where there is no number.
Json
Number(double value)
{
    constexpr double kExact = 9007199254740992; // 2^53
    if (!std::isfinite(value))
    {
        return nullptr;
    }
    if (value == std::floor(value) && std::fabs(value) < kExact)
    {
        return static_cast<int64_t>(value);
    }
    return value;
}

double
PerSecond(uint64_t count, double seconds)
{
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

Json
Metrics(const std::map<std::string, double>& metrics)
{
    Json json = Json::object();
    for (const auto& [name, value] : metrics)
    {
        json[name] = Number(value);
    }
    return json;
}

Json
Engine(const EngineResult& engine)
{
    return {{"events", engine.events},
            {"frame_hops", engine.frameHops},
            {"data_frame_hops", engine.dataFrameHops},
            {"wall_s", Number(engine.wallS)},
            {"cpu_s", Number(engine.cpuS)},
            {"setup_cpu_s", Number(engine.setupCpuS)},
            {"events_per_s", Number(PerSecond(engine.events, engine.cpuS))},
            {"frame_hops_per_s", Number(PerSecond(engine.frameHops, engine.cpuS))},
            {"peak_rss_bytes", engine.peakRssBytes},
            {"simulated_s", Number(engine.simulatedS)}};
}

Json
Checks(const std::vector<CheckOutcome>& checks)
{
    Json json = Json::array();
    for (const CheckOutcome& c : checks)
    {
        Json check = Json::parse(c.check);
        check["obtained"] = Number(c.obtained);
        if (c.halfWidth > 0)
        {
            check["obtained_half_width_95"] = Number(c.halfWidth);
        }
        check["holds"] = c.holds;
        json.push_back(check);
    }
    return json;
}

std::string
ToText(const Json& json)
{
    // Names come from users; a byte that is no UTF-8 must not cost the result.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string
SummaryText(const RunResult& result,
            const std::string& scenario,
            const std::vector<CheckOutcome>& checks)
{
    Json json;
    json["schema_version"] = kSummarySchemaVersion;
    json["scenario"] = Json::parse(scenario);
    json["name"] = result.name;
    if (!result.variant.empty())
    {
        json["variant"] = result.variant;
    }
    json["seed"] = result.seed;
    json["versions"] = {
        {"ai_fabric", AIFABRIC_VERSION}, {"ns3", AIFABRIC_NS3_VERSION}, {"compiler", __VERSION__}};
    json["metrics"] = Metrics(result.metrics);
    json["checks"] = Checks(checks);
    json["pfc"] = Json::parse(PauseSummary(result));
    json["engine"] = Engine(result.engine);
    json["warnings"] = result.warnings;
    return ToText(json);
}

void
WriteSummary(const RunResult& result,
             const std::string& scenario,
             const std::vector<CheckOutcome>& checks,
             const std::string& folder)
{
    WholeFile::Write((std::filesystem::path(folder) / "summary.json").string(),
                     SummaryText(result, scenario, checks));
}

std::string
SummaryText(const JointTable& table, const std::vector<CheckOutcome>& checks)
{
    Json runs = Json::array();
    for (const JointRow& row : table.Rows())
    {
        runs.push_back({{"variant", row.variant},
                        {"seed", row.seed},
                        {"folder", row.folder},
                        {"metrics", Metrics(row.metrics)},
                        {"engine", Engine(row.engine)},
                        {"warnings", row.warnings}});
    }
    Json means = Json::object();
    for (const auto& [name, interval] : table.Metrics())
    {
        means[name] = {{"count", interval.count},
                       {"mean", Number(interval.mean)},
                       {"half_width_95", Number(interval.halfWidth)}};
    }
    Json json;
    json["schema_version"] = kSummarySchemaVersion;
    json["name"] = table.Name();
    json["runs"] = runs;
    json["metrics"] = means;
    json["checks"] = Checks(checks);
    return ToText(json);
}

} // namespace ns3::aifabric
