// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Any network, as it is written: lists of nodes and links, parallel links included.
 *
 * Ports of a node are numbered in the order of its links; hosts in the order of the list of nodes.
 */
class Graph : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    Graph();

  private:
    void DoBuild(FabricGraph& graph) const override;

    std::string m_nodes;
    std::string m_links;
};

NS_OBJECT_ENSURE_REGISTERED(Graph);

namespace
{

using nlohmann::json;

/// An object of a list, and where it stands.
struct Item
{
    const json& value;
    std::string path;

    std::string At(const std::string& key) const
    {
        return path + "." + key;
    }

    /// The number at key, or fallback; without a fallback it must be there.
    double Number(const std::string& key, double fallback) const
    {
        auto found = value.find(key);
        if (found == value.end() && !std::isnan(fallback))
        {
            return fallback;
        }
        if (found == value.end() || !found->is_number())
        {
            throw ScenarioError(At(key),
                                (found == value.end() ? "missing" : "found " + found->dump()) +
                                    std::string(", expected a number"));
        }
        return found->get<double>();
    }

    std::string Text(const std::string& key) const
    {
        auto found = value.find(key);
        if (found == value.end() || !found->is_string())
        {
            throw ScenarioError(At(key),
                                (found == value.end() ? "missing" : "found " + found->dump()) +
                                    std::string(", expected a string"));
        }
        return found->get<std::string>();
    }
};

/// Calls use(item) for each object of a JSON list that has only those keys.
template <class Use>
void
ForEach(const std::string& text,
        const std::string& name,
        const std::vector<std::string>& keys,
        Use use)
{
    const json list = json::parse(text, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError(name, "expected a list of objects");
    }
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        Item item{list[i], name + "[" + std::to_string(i) + "]"};
        if (!item.value.is_object())
        {
            throw ScenarioError(item.path, "found " + item.value.dump() + ", expected an object");
        }
        for (const auto& entry : item.value.items())
        {
            if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end())
            {
                throw ScenarioError(item.At(entry.key()),
                                    "unknown key" + SuggestFrom(entry.key(), keys));
            }
        }
        use(item);
    }
}

NodeKind
KindOf(const Item& item)
{
    static const std::vector<std::string> kKinds{"host", "switch", "gpu", "nvswitch"};
    std::string kind = item.Text("kind");
    auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end())
    {
        throw ScenarioError(item.At("kind"),
                            "unknown kind '" + kind + "'" + SuggestFrom(kind, kKinds));
    }
    return static_cast<NodeKind>(found - kKinds.begin());
}

GraphNodeIdx
EndOf(const FabricGraph& graph, const Item& item, const std::string& key)
{
    std::string name = item.Text(key);
    GraphNodeIdx node = graph.Find(name);
    if (node == kNoIndex)
    {
        std::vector<std::string> names;
        for (const GraphNode& n : graph.Nodes())
        {
            names.push_back(n.name);
        }
        std::string hint = SuggestFrom(name, names);
        if (hint.size() > 200)
        {
            hint = ", expected the name of one of the " + std::to_string(names.size()) + " nodes";
        }
        throw ScenarioError(item.At(key), "unknown node '" + name + "'" + hint);
    }
    return node;
}

Tick
DelayOf(const Item& item)
{
    bool hasLength = item.value.contains("length_km");
    if (hasLength == item.value.contains("propagation_delay_ns"))
    {
        throw ScenarioError(item.path,
                            std::string(hasLength ? "both" : "neither") +
                                " of propagation_delay_ns and length_km given, expected one");
    }
    std::string key = hasLength ? "length_km" : "propagation_delay_ns";
    double found = item.Number(key, std::nan(""));
    double delay = found * (hasLength ? kDelayPerKm : kNanosecond);
    if (!(delay >= 0 && delay < kSecond))
    {
        throw ScenarioError(item.At(key),
                            "found " + item.value[key].dump() +
                                ", expected 0 or more, and a delay below 1 s");
    }
    return std::llround(delay);
}

} // namespace

TypeId
Graph::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Graph")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<Graph>()
            .AddAttribute("Nodes",
                          "JSON list of {name, kind}; a kind is host, switch, gpu or nvswitch",
                          StringValue("[]"),
                          MakeStringAccessor(&Graph::m_nodes),
                          MakeTextChecker("array"))
            .AddAttribute("Links",
                          "JSON list of {from, to, bandwidth_gbps, propagation_delay_ns or "
                          "length_km, loss_probability, bit_error_rate}; the last two may be left "
                          "out",
                          StringValue("[]"),
                          MakeStringAccessor(&Graph::m_links),
                          MakeTextChecker("array"));
    return tid;
}

Graph::Graph()
{
    DefineSwitch("switch");
    DefineSwitch("nvswitch");
}

void
Graph::DoBuild(FabricGraph& graph) const
{
    Require(GetNicsPerServer() == 0 && GetNicPortCount() == 1,
            "nics_per_server",
            "a graph has no servers but by the names of its hosts (server0.nic0.port0)");
    ForEach(m_nodes, "nodes", {"name", "kind"}, [&](const Item& item) {
        NodeKind kind = KindOf(item);
        std::string name = item.Text("name");
        if (IsEndpoint(kind))
        {
            graph.AddNode(name, kind, kind == NodeKind::Host ? "nic" : "gpu");
        }
        else
        {
            std::string layer = kind == NodeKind::Switch ? "switch" : "nvswitch";
            graph.AddNode(name, kind, layer, GetSwitch(layer));
        }
    });
    ForEach(m_links,
            "links",
            {"from",
             "to",
             "bandwidth_gbps",
             "propagation_delay_ns",
             "length_km",
             "loss_probability",
             "bit_error_rate"},
            [&](const Item& item) {
                GraphNodeIdx from = EndOf(graph, item, "from");
                GraphNodeIdx to = EndOf(graph, item, "to");
                LinkSpec link;
                link.bandwidth = item.Number("bandwidth_gbps", std::nan("")) * 1e9;
                link.delay = DelayOf(item);
                link.lossProbability = item.Number("loss_probability", 0);
                link.bitErrorRate = item.Number("bit_error_rate", 0);
                graph.AddLink(from, to, link, "link");
            });
}

} // namespace ns3::aifabric
