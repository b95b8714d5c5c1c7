// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-nic.h"

#include "ns3/nic-settings.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

namespace
{

constexpr const char* kHostLayer = "nic_to_";

/// @return the value of the key that gives a rate in either unit; null if there is none.
JsonValue
FindRate(const JsonValue& json)
{
    return json[json.Has("bandwidth_mbps") ? "bandwidth_mbps" : "bandwidth_gbps"];
}

/// @return whether a parameter of the topology is given, beside its type or in `parameters`.
bool
HasParameter(const JsonValue& topology, const char* key)
{
    return topology.Has(key) || topology["parameters"].Has(key);
}

} // namespace

void
ApplyNic(TopologyBuilder& builder, const NicSettings& nic, const JsonValue& json)
{
    const std::vector<std::string> layers = builder.LinkLayers();
    const JsonValue topology = json["topology"];
    const auto layer = std::find_if(layers.begin(), layers.end(), [](const std::string& name) {
        return name.rfind(kHostLayer, 0) == 0;
    });
    if (layer == layers.end())
    {
        return;
    }
    LinkSpec link = builder.GetLink(*layer);
    const bool isUsual = link.bandwidth == kHostLink.bandwidth;
    if (FindRate(topology["links"][*layer]).IsNull() &&
        (isUsual || !FindRate(json["node"]["nic"]).IsNull()))
    {
        link.bandwidth = static_cast<double>(nic.bandwidth.GetBitRate());
        builder.SetLink(*layer, link);
    }
    if (!HasParameter(topology, "nic_port_count"))
    {
        builder.SetAttribute("NicPortCount", UintegerValue(nic.ports));
    }
}

bool
TakeNicFrom(const FabricGraph& graph, NicSettings& nic, const JsonValue& json)
{
    const JsonValue given = json["node"]["nic"];
    const JsonValue rate = FindRate(given);
    const DataRate asked = nic.bandwidth;
    bool uniform = true;
    uint32_t ports = 1;
    DataRate first(0);
    for (const GraphLink& link : graph.Links())
    {
        for (GraphNodeIdx end : {link.from, link.to})
        {
            const GraphNode& node = graph.Nodes()[end];
            if (node.kind != NodeKind::Host)
            {
                continue;
            }
            const DataRate found(static_cast<uint64_t>(std::llround(link.spec.bandwidth)));
            if (!rate.IsNull() && found != asked)
            {
                rate.Fail("found " + rate.Describe() + ", but the link of " + node.name + " has " +
                          JsonValue::Of(link.spec.bandwidth / 1e9).ToText() +
                          " Gb/s, expected one rate of a port and its link");
            }
            first = first == DataRate(0) ? found : first;
            uniform = uniform && found == first;
            ports = std::max(ports, node.nicPort + 1);
        }
    }
    if (given.Has("ports") && nic.ports != ports)
    {
        given["ports"].Fail("found " + given["ports"].Describe() +
                            ", but the topology has NICs of " + std::to_string(ports) +
                            ", expected the same");
    }
    nic.bandwidth = first;
    nic.ports = ports;
    return uniform;
}

} // namespace ns3::aifabric
