// SPDX-License-Identifier: GPL-2.0-only
#include "json-value.h"
#include "scenario-topology.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * Sites that long links join: each is a topology of its own with gateways, whose nodes have the
 * site's name in front of theirs ("dc0.leaf3").
 *
 * Gateways are joined to all switches that are farthest from the hosts, and if these have links
 * among themselves, as in a torus, to the first only: a gateway is no short cut within its site.
 * WAN links join gateways, in turn where a site has several.
 */
class MultiDc : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    MultiDc();

  private:
    using Gateways = std::map<std::string, Group>;

    void DoBuild(FabricGraph& graph) const override;
    void AddSite(FabricGraph& graph, const JsonValue& site, Gateways& gateways) const;
    void AddWanLink(FabricGraph& graph, const JsonValue& link, const Gateways& gateways) const;

    std::string m_sites;
    std::string m_wanLinks;
    uint32_t m_gatewaysPerSite;
};

NS_OBJECT_ENSURE_REGISTERED(MultiDc);

namespace
{

/// Gateways have to hold what is under way over a long distance.
constexpr uint64_t kGatewayBufferBytes = uint64_t{4} << 30;

/// Calls use(element, its path) for each of a JSON list.
template <class Use>
void
ForEach(const std::string& text, const std::string& name, Use use)
{
    const JsonValue list = JsonValue::Parse(text);
    for (std::size_t i = 0; i < list.Size(); ++i)
    {
        try
        {
            use(JsonValue::Parse(list.At(i).ToText()));
        }
        catch (const ScenarioError& error)
        {
            throw error.Under(name + "[" + std::to_string(i) + "]");
        }
    }
}

/// @return a number that must be there, within bounds.
double
Number(const JsonValue& json, const char* key, double least, double most)
{
    const double value = json[key].AsNumber();
    if (!(value >= least && value <= most))
    {
        json[key].Fail("found " + json[key].Describe() + ", expected " +
                       JsonValue::Of(least).ToText() + " to " + JsonValue::Of(most).ToText());
    }
    return value;
}

/// @return the switches of a site that its gateways are joined to.
std::vector<GraphNodeIdx>
FindTop(const FabricGraph& site)
{
    const GraphPorts ports(site);
    const auto& nodes = site.Nodes();
    std::vector<uint32_t> level(nodes.size(), kNoIndex);
    std::vector<GraphNodeIdx> queue;
    for (NodeIdx host = 0; host < site.HostCount(); ++host)
    {
        level[site.NodeOf(host)] = 0;
        queue.push_back(site.NodeOf(host));
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const auto& port : ports.Of(queue[i]))
        {
            if (level[port.peer] == kNoIndex && nodes[port.peer].kind == NodeKind::Switch)
            {
                level[port.peer] = level[queue[i]] + 1;
                queue.push_back(port.peer);
            }
        }
    }
    std::vector<GraphNodeIdx> top;
    const uint32_t highest = queue.empty() ? 0 : level[queue.back()];
    for (GraphNodeIdx node = 0; highest > 0 && node < nodes.size(); ++node)
    {
        if (level[node] == highest)
        {
            top.push_back(node);
        }
    }
    const bool areJoined = std::any_of(top.begin(), top.end(), [&](GraphNodeIdx node) {
        const auto range = ports.Of(node);
        return std::any_of(range.begin(), range.end(), [&](const auto& port) {
            return level[port.peer] == highest;
        });
    });
    top.resize(areJoined ? 1 : top.size());
    return top;
}

} // namespace

TypeId
MultiDc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MultiDc")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<MultiDc>()
            .AddAttribute("Sites",
                          "JSON list of topologies: {name, type, parameters, links, switches}",
                          StringValue("[]"),
                          MakeStringAccessor(&MultiDc::m_sites),
                          MakeTextChecker("array"))
            .AddAttribute("WanLinks",
                          "JSON list of {from, to, bandwidth_gbps, length_km, count}, between the "
                          "names of sites; count may be left out",
                          StringValue("[]"),
                          MakeStringAccessor(&MultiDc::m_wanLinks),
                          MakeTextChecker("array"))
            .AddAttribute("GatewaysPerSite",
                          "Gateways of each site",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MultiDc::m_gatewaysPerSite),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

MultiDc::MultiDc()
{
    DefineLink("switch_to_gateway", kCoreLink);
    DefineSwitch("gateway", {0, kGatewayBufferBytes, SwitchSpec().forwardingLatency});
}

void
MultiDc::DoBuild(FabricGraph& graph) const
{
    Require(GetNicsPerServer() == 0 && GetNicPortCount() == 1,
            "nics_per_server",
            "sites have servers of their own, expected it in sites[0].parameters and so on");
    Gateways gateways;
    ForEach(m_sites, "sites", [&](const JsonValue& site) { AddSite(graph, site, gateways); });
    ForEach(
        m_wanLinks, "wan_links", [&](const JsonValue& link) { AddWanLink(graph, link, gateways); });
}

void
MultiDc::AddSite(FabricGraph& graph, const JsonValue& site, Gateways& gateways) const
{
    const std::string name = site.ExpectObject()["name"].AsString();
    if (gateways.count(name))
    {
        site["name"].Fail("'" + name + "' is the name of another site, expected one of its own");
    }
    JsonValue topology = JsonValue::Object();
    for (const std::string& key : site.Keys())
    {
        if (key != "name")
        {
            topology.Set(key, site[key]);
        }
    }
    const FabricGraph built = ReadTopology(topology)->Build();
    Group& own = gateways[name];
    const GraphNodeIdx first = graph.Add(built, name + ".");
    for (uint32_t i = 0; i < m_gatewaysPerSite; ++i)
    {
        own.push_back(graph.AddNode(name + ".gateway" + std::to_string(i),
                                    NodeKind::Switch,
                                    "gateway",
                                    GetSwitch("gateway")));
        for (GraphNodeIdx top : FindTop(built))
        {
            Connect(graph, first + top, own.back(), "switch_to_gateway");
        }
    }
}

void
MultiDc::AddWanLink(FabricGraph& graph, const JsonValue& link, const Gateways& gateways) const
{
    link.ExpectObject().ExpectKeys({"from", "to", "bandwidth_gbps", "length_km", "count"});
    const Group* ends[2];
    for (std::size_t end = 0; end < 2; ++end)
    {
        const JsonValue given = link[end ? "to" : "from"];
        const auto found = gateways.find(given.AsString());
        if (found == gateways.end())
        {
            std::vector<std::string> names;
            for (const auto& entry : gateways)
            {
                names.push_back(entry.first);
            }
            given.Fail("unknown site '" + given.AsString() + "'" +
                       SuggestFrom(given.AsString(), names));
        }
        ends[end] = &found->second;
    }
    if (ends[0] == ends[1])
    {
        link["to"].Fail("found the site that the link comes from, expected another one");
    }
    LinkSpec spec;
    spec.bandwidth = Number(link, "bandwidth_gbps", 1e-9, 1e9) * 1e9;
    spec.delay = std::llround(Number(link, "length_km", 0, 1e5) * kDelayPerKm);
    const uint64_t count = link.Has("count") ? link["count"].AsUnsigned() : 1;
    graph.CheckRoom(0, count);
    for (uint64_t i = 0; i < count; ++i)
    {
        graph.AddLink(
            (*ends[0])[i % m_gatewaysPerSite], (*ends[1])[i % m_gatewaysPerSite], spec, "wan");
    }
}

} // namespace ns3::aifabric
