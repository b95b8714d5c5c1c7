// SPDX-License-Identifier: GPL-2.0-only
#include "bill-of-materials.h"

#include "readable-units.h"

#include "ns3/fabric-graph.h"
#include "ns3/price-list.h"
#include "ns3/scenario-error.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::aifabric
{

namespace
{

/// The ports of a NIC that is in a server, or a host that stands alone.
struct Nic
{
    uint32_t ports{0};
    double bandwidthBps{0};
};

/// Counts one part.
void
Add(std::vector<BillRow>& rows, const BillRow& part)
{
    auto is = [&](const BillRow& row) {
        return std::tie(row.kind, row.layer, row.ports, row.bandwidthBps, row.lengthM) ==
               std::tie(part.kind, part.layer, part.ports, part.bandwidthBps, part.lengthM);
    };
    auto row = std::find_if(rows.rbegin(), rows.rend(), is);
    if (row == rows.rend())
    {
        rows.push_back(part);
        row = rows.rbegin();
    }
    ++row->count;
}

[[noreturn]] void
Miss(const char* list, const BillRow& row, const std::string& what)
{
    throw ScenarioError(std::string("price_list.") + list,
                        "found nothing for '" + row.layer +
                            "', expected an entry that serves for " + what +
                            ReadableNumber(row.bandwidthBps / 1e9) + " Gb/s");
}

void
Price(BillRow& row, const PriceList& prices)
{
    const PricedItem* item = nullptr;
    if (row.kind == "nic")
    {
        item = prices.FindNic(row.bandwidthBps);
        item ? void() : Miss("nics", row, "");
    }
    else if (row.kind == "switch")
    {
        item = prices.FindSwitch(row.ports, row.bandwidthBps);
        item ? void() : Miss("switches", row, std::to_string(row.ports) + " ports of ");
    }
    else
    {
        const PricedCable* cable = prices.FindCable(row.lengthM, row.bandwidthBps);
        cable ? void() : Miss("cables", row, ReadableNumber(row.lengthM) + " m at ");
        row.transceivers = row.count * cable->transceiverCount;
        item = cable;
    }
    row.name = item->name;
    row.price = static_cast<double>(row.count) * item->price;
    row.powerW = static_cast<double>(row.count) * item->power;
}

} // namespace

BillOfMaterials
MakeBill(const FabricGraph& graph, const PriceList* prices)
{
    BillOfMaterials bill;
    std::vector<double> fastest(graph.Nodes().size()); ///< port, by node
    for (const GraphLink& link : graph.Links())
    {
        for (GraphNodeIdx end : {link.from, link.to})
        {
            fastest[end] = std::max(fastest[end], link.spec.bandwidth);
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, Nic> nics;
    for (GraphNodeIdx i = 0; i < graph.Nodes().size(); ++i)
    {
        const GraphNode& node = graph.Nodes()[i];
        if (node.kind == NodeKind::Host)
        {
            Nic& nic = nics[{node.server, node.server == kNoIndex ? node.number : node.unit}];
            ++nic.ports;
            nic.bandwidthBps = std::max(nic.bandwidthBps, fastest[i]);
        }
    }
    for (const auto& [where, nic] : nics)
    {
        Add(bill.rows, {"nic", "nic", "", nic.ports, nic.bandwidthBps});
    }
    for (GraphNodeIdx i = 0; i < graph.Nodes().size(); ++i)
    {
        const GraphNode& node = graph.Nodes()[i];
        if (node.kind == NodeKind::Switch)
        {
            const uint32_t ports = node.spec.radix ? node.spec.radix : node.ports;
            Add(bill.rows, {"switch", graph.LayerOf(node), "", ports, fastest[i]});
        }
    }
    for (const GraphLink& link : graph.Links())
    {
        auto isGpu = [&](GraphNodeIdx end) {
            return graph.Nodes()[end].kind == NodeKind::Gpu ||
                   graph.Nodes()[end].kind == NodeKind::NvSwitch;
        };
        if (!isGpu(link.from) && !isGpu(link.to))
        {
            const double metres = 1e3 * static_cast<double>(link.spec.delay) / kDelayPerKm;
            Add(bill.rows, {"cable", graph.LayerOf(link), "", 0, link.spec.bandwidth, metres});
        }
    }
    if (prices)
    {
        bill.isPriced = true;
        bill.currency = prices->currency;
        for (BillRow& row : bill.rows)
        {
            Price(row, *prices);
        }
    }
    return bill;
}

void
AddNetworkMetrics(const FabricGraph& graph,
                  const PriceList* prices,
                  std::map<std::string, double>& metrics)
{
    const auto& nodes = graph.Nodes();
    metrics["network_hosts"] = graph.HostCount();
    metrics["network_switches"] =
        std::count_if(nodes.begin(), nodes.end(), [](const GraphNode& node) {
            return node.kind == NodeKind::Switch;
        });
    metrics["network_cables"] = static_cast<double>(graph.Links().size());
    if (prices)
    {
        const BillOfMaterials bill = MakeBill(graph, prices);
        const double price = bill.Sum(&BillRow::price);
        const double power = bill.Sum(&BillRow::powerW);
        metrics["network_transceivers"] = static_cast<double>(bill.Sum(&BillRow::transceivers));
        metrics["network_price"] = price;
        metrics["network_price_per_host"] = price / graph.HostCount();
        metrics["network_power_w"] = power;
        metrics["network_power_per_host_w"] = power / graph.HostCount();
    }
}

} // namespace ns3::aifabric
