// SPDX-License-Identifier: GPL-2.0-only
#include "topology-report.h"

#include "bill-of-materials.h"
#include "readable-units.h"
#include "scenario-fabric.h"
#include "text-table.h"

#include "ns3/fabric.h"
#include "ns3/path-model.h"
#include "ns3/scenario-config.h"
#include "ns3/topology-builder.h"
#include "ns3/topology-summary.h"

#include <nlohmann/json.hpp>

#include <cmath>

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

Json
BillJson(const BillOfMaterials& bill)
{
    Json rows = Json::array();
    for (const BillRow& row : bill.rows)
    {
        Json json{{"kind", row.kind}, {"layer", row.layer}};
        if (row.kind == "cable")
        {
            json["length_m"] = row.lengthM;
        }
        else
        {
            json["ports"] = row.ports;
        }
        json["bandwidth_gbps"] = row.bandwidthBps / kGiga;
        json["count"] = row.count;
        if (bill.isPriced)
        {
            json["name"] = row.name;
            json["transceivers"] = row.transceivers;
            json["price"] = row.price;
            json["power_w"] = row.powerW;
        }
        rows.push_back(json);
    }
    return rows;
}

/// @return what ports or cables are like: "4 x 400G", "400G, 20 m".
std::string
Describe(const BillRow& row)
{
    const std::string rate = ReadableNumber(row.bandwidthBps / kGiga) + "G";
    return row.kind == "cable" ? rate + ", " + ReadableNumber(row.lengthM) + " m"
                               : std::to_string(row.ports) + " x " + rate;
}

std::string
BillText(const BillOfMaterials& bill)
{
    TextTable table(3);
    std::vector<std::string> titles{"part", "layer", "ports", "count"};
    if (bill.isPriced)
    {
        titles.insert(titles.end(), {"item", "transceivers", bill.currency, "kW"});
    }
    table.Row(std::move(titles));
    auto numbers =
        [&](std::vector<std::string> cells, uint64_t optics, double price, double watts) {
            if (bill.isPriced)
            {
                cells.insert(cells.end(),
                             {std::to_string(optics),
                              ReadableNumber(std::round(price), 12),
                              ReadableNumber(watts / 1e3)});
            }
            table.Row(std::move(cells));
        };
    for (const BillRow& row : bill.rows)
    {
        std::vector<std::string> cells{
            row.kind, row.layer, Describe(row), std::to_string(row.count)};
        if (bill.isPriced)
        {
            cells.push_back(row.name);
        }
        numbers(std::move(cells), row.transceivers, row.price, row.powerW);
    }
    if (bill.isPriced)
    {
        numbers({"all", "", "", "", ""},
                bill.Sum(&BillRow::transceivers),
                bill.Sum(&BillRow::price),
                bill.Sum(&BillRow::powerW));
    }
    return table.Text();
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
    BillOfMaterials bill;
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
    s.bill = MakeBill(graph, PeekPointer(config.prices));
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
    json["most_hosts"] = summary.mostHosts ? Json(*summary.mostHosts) : Json(nullptr);
    json["bill_of_materials"] = BillJson(m_state->bill);
    if (m_state->bill.isPriced)
    {
        json["currency"] = m_state->bill.currency;
        json["transceivers"] = m_state->bill.Sum(&BillRow::transceivers);
        json["price"] = m_state->bill.Sum(&BillRow::price);
        json["power_w"] = m_state->bill.Sum(&BillRow::powerW);
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
    if (summary.mostHosts)
    {
        text += "  grows to " + std::to_string(*summary.mostHosts) +
                " hosts, where the ports of '" + summary.tiers.back().layer + "' end\n";
    }
    text += BillText(m_state->bill);
    for (const auto& [key, count] : m_state->others)
    {
        text += "  " + key + " " + std::to_string(count) + "\n";
    }
    return text;
}

std::string
TopologyReport::Compare(const std::vector<std::pair<std::string, const TopologyReport*>>& variants)
{
    bool isPriced = true;
    for (const auto& [name, report] : variants)
    {
        isPriced = isPriced && report->m_state->bill.isPriced;
    }
    TextTable table;
    std::vector<std::string> titles{
        "variant", "hosts", "grows to", "switches", "cables", "bisection Gb/s/host", "diameter"};
    if (isPriced)
    {
        titles.insert(titles.end(), {"transceivers", "price", "price/host", "W/host"});
    }
    table.Row(std::move(titles));
    for (const auto& [name, report] : variants)
    {
        const TopologySummary& summary = report->m_state->summary;
        const BillOfMaterials& bill = report->m_state->bill;
        const double hosts = summary.hosts;
        std::vector<std::string> cells{
            name,
            std::to_string(summary.hosts),
            summary.mostHosts ? std::to_string(*summary.mostHosts) : "-",
            std::to_string(summary.switches),
            std::to_string(summary.cables),
            // All of one half send at once, so that half of the hosts share it.
            summary.bisectionBps ? ReadableNumber(*summary.bisectionBps / kGiga / (hosts / 2))
                                 : "-",
            summary.diameter ? std::to_string(*summary.diameter) : "-"};
        if (isPriced)
        {
            const double price = bill.Sum(&BillRow::price);
            cells.insert(cells.end(),
                         {std::to_string(bill.Sum(&BillRow::transceivers)),
                          ReadableNumber(std::round(price), 12),
                          ReadableNumber(price / hosts),
                          ReadableNumber(bill.Sum(&BillRow::powerW) / hosts)});
        }
        table.Row(std::move(cells));
    }
    return table.Text();
}

} // namespace ns3::aifabric
