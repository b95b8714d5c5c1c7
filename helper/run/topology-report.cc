// SPDX-License-Identifier: GPL-2.0-only
#include "topology-report.h"

#include "readable-units.h"
#include "scenario-fabric.h"
#include "text-table.h"

#include "ns3/fabric.h"
#include "ns3/path-model.h"
#include "ns3/scenario-config.h"
#include "ns3/topology-builder.h"
#include "ns3/topology-summary.h"

#include <nlohmann/json.hpp>

namespace ns3::aifabric
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e9;

Json
TierJson(const TopologySummary::Tier& tier)
{
    Json json;
    json["layer"] = tier.layer;
    json["switches"] = tier.switches;
    json["ports_per_switch"] = tier.mostPorts;
    json["fewest_ports_per_switch"] = tier.fewestPorts;
    json["down_gbps_per_switch"] = tier.downBps / kGiga;
    json["up_gbps_per_switch"] = tier.upBps / kGiga;
    json["oversubscription_ratio"] =
        tier.upBps > 0 ? Json(tier.GetOversubscription()) : Json(nullptr);
    return json;
}

Json
CablesJson(const TopologySummary::Cables& cables)
{
    Json json;
    json["layer"] = cables.layer;
    json["count"] = cables.count;
    json["bandwidth_gbps"] = cables.leastBps / kGiga;
    json["highest_bandwidth_gbps"] = cables.mostBps / kGiga;
    json["length_m"] = cables.shortestM;
    json["longest_m"] = cables.longestM;
    return json;
}

/// @return "3", or "3 to 5".
std::string
Range(double least, double most)
{
    return ReadableNumber(least) + (most > least ? " to " + ReadableNumber(most) : "");
}

} // namespace

struct TopologyReport::State
{
    TopologySummary summary;
    uint64_t gpus{0};
    Tick shortest{0}; ///< base round trip
    Tick longest{0};
    std::vector<std::pair<std::string, uint64_t>> others;
};

TopologyReport::TopologyReport(const ScenarioConfig& config, const Fabric& fabric)
    : m_state(std::make_unique<State>())
{
    const FabricGraph& graph = *config.graph;
    State& s = *m_state;
    s.summary = SummarizeTopology(graph, config.topology->Halve(graph));
    s.gpus = CountGpus(config);
    s.others = config.topology->CountOthers();
    if (s.summary.diameter)
    {
        const PathModel paths(fabric);
        s.shortest = paths.BaseRtt(s.summary.nearest.first, s.summary.nearest.second);
        s.longest = paths.BaseRtt(s.summary.farthest.first, s.summary.farthest.second);
    }
}

TopologyReport::~TopologyReport() = default;

std::string
TopologyReport::ToJson() const
{
    const TopologySummary& summary = m_state->summary;
    Json json;
    json["servers"] = summary.servers;
    json["hosts"] = summary.hosts;
    json["gpus"] = m_state->gpus;
    json["switches"] = summary.switches;
    json["cables"] = summary.cables;
    json["bisection_gbps"] =
        summary.bisectionBps ? Json(*summary.bisectionBps / kGiga) : Json(nullptr);
    json["diameter_switch_hops"] = summary.diameter ? Json(*summary.diameter) : Json(nullptr);
    json["shortest_base_rtt_ns"] = nullptr;
    json["longest_base_rtt_ns"] = nullptr;
    if (summary.diameter)
    {
        json["shortest_base_rtt_ns"] = static_cast<double>(m_state->shortest) / kNanosecond;
        json["longest_base_rtt_ns"] = static_cast<double>(m_state->longest) / kNanosecond;
    }
    json["tiers"] = Json::array();
    for (const auto& tier : summary.tiers)
    {
        json["tiers"].push_back(TierJson(tier));
    }
    json["cable_layers"] = Json::array();
    for (const auto& cables : summary.cableLayers)
    {
        json["cable_layers"].push_back(CablesJson(cables));
    }
    for (const auto& [key, count] : m_state->others)
    {
        json[key] = count;
    }
    return json.dump();
}

std::string
TopologyReport::ToText() const
{
    const TopologySummary& summary = m_state->summary;
    TextTable tiers;
    tiers.Row({"switches", "count", "ports", "down Gb/s", "up Gb/s", "oversubscription"});
    for (const auto& tier : summary.tiers)
    {
        const bool hasUp = tier.upBps > 0;
        tiers.Row({tier.layer,
                   std::to_string(tier.switches),
                   Range(tier.fewestPorts, tier.mostPorts),
                   ReadableNumber(tier.downBps / kGiga, 6),
                   hasUp ? ReadableNumber(tier.upBps / kGiga, 6) : "-",
                   hasUp ? ReadableNumber(tier.GetOversubscription()) + ":1" : "-"});
    }
    TextTable cables;
    cables.Row({"cables", "count", "Gb/s", "length m"});
    for (const auto& layer : summary.cableLayers)
    {
        cables.Row({layer.layer,
                    std::to_string(layer.count),
                    Range(layer.leastBps / kGiga, layer.mostBps / kGiga),
                    Range(layer.shortestM, layer.longestM)});
    }
    std::string text = "  servers " + std::to_string(summary.servers) + " gpus " +
                       std::to_string(m_state->gpus) + " hosts " + std::to_string(summary.hosts) +
                       " switches " + std::to_string(summary.switches) + " cables " +
                       std::to_string(summary.cables) + "\n" + tiers.Text() + cables.Text();
    if (summary.bisectionBps)
    {
        text += "  bisection " + ReadableNumber(*summary.bisectionBps / kGiga, 6) + " Gb/s\n";
    }
    if (summary.diameter)
    {
        text += "  diameter " + std::to_string(*summary.diameter) + " switches, base round trip " +
                ReadableDigits(static_cast<double>(m_state->shortest) / kMicrosecond, 4) + " to " +
                ReadableDigits(static_cast<double>(m_state->longest) / kMicrosecond, 4) + " us\n";
    }
    for (const auto& [key, count] : m_state->others)
    {
        text += "  " + key + " " + std::to_string(count) + "\n";
    }
    return text;
}

} // namespace ns3::aifabric
