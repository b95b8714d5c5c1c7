// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-graph.h"

#include "ns3/scenario-error.h"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string_view>

namespace ns3::aifabric
{

namespace
{

std::string
Shown(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

void
CheckProbability(double value, const std::string& path, const std::string& key)
{
    if (!(value >= 0 && value <= 1))
    {
        throw ScenarioError(path + "." + key, "found " + Shown(value) + ", expected 0 to 1");
    }
}

/// Takes word and a number off the front of text.
bool
TakeNumbered(std::string_view& text, std::string_view word, uint32_t& number)
{
    if (text.substr(0, word.size()) != word)
    {
        return false;
    }
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data() + word.size(), end, number);
    text = std::string_view(rest, end - rest);
    return error == std::errc();
}

/// Fills in server, unit and nicPort of a node whose name tells them.
void
ReadPlace(GraphNode& node)
{
    std::string_view text = node.name;
    uint32_t server = 0;
    uint32_t unit = 0;
    uint32_t port = 0;
    bool placed =
        TakeNumbered(text, "server", server) &&
        (node.kind == NodeKind::Host
             ? TakeNumbered(text, ".nic", unit) && TakeNumbered(text, ".port", port)
             : TakeNumbered(text, node.kind == NodeKind::Gpu ? ".gpu" : ".nvswitch", unit));
    if (placed && text.empty())
    {
        node.server = server;
        node.unit = unit;
        node.nicPort = port;
    }
}

std::string
At(const char* list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

} // namespace

void
CheckLinkSpec(const LinkSpec& link, const std::string& path)
{
    if (!(link.bandwidth >= 1 && link.bandwidth <= 1e18))
    {
        throw ScenarioError(path + ".bandwidth_gbps",
                            "found " + Shown(link.bandwidth / 1e9) + ", expected 1e-9 to 1e9");
    }
    if (link.delay < 0)
    {
        throw ScenarioError(path + ".propagation_delay_ns",
                            "found " + Shown(static_cast<double>(link.delay) / kNanosecond) +
                                ", expected 0 or more");
    }
    CheckProbability(link.lossProbability, path, "loss_probability");
    CheckProbability(link.bitErrorRate, path, "bit_error_rate");
}

uint16_t
FabricGraph::LayerIndex(const std::string& layer)
{
    auto found = std::find(m_layers.begin(), m_layers.end(), layer);
    if (found == m_layers.end())
    {
        found = m_layers.insert(found, layer);
    }
    return static_cast<uint16_t>(found - m_layers.begin());
}

GraphNodeIdx
FabricGraph::AddNode(const std::string& name,
                     NodeKind kind,
                     const std::string& layer,
                     const SwitchSpec& spec)
{
    GraphNode node;
    node.name = name;
    node.kind = kind;
    node.spec = spec;
    ReadPlace(node);
    return AddNode(std::move(node), layer);
}

GraphNodeIdx
FabricGraph::AddNode(GraphNode node, const std::string& layer)
{
    CheckRoom(1, 0);
    auto index = static_cast<GraphNodeIdx>(m_nodes.size());
    const std::string& name = node.name;
    auto isAllowed = [](unsigned char c) {
        return std::isalnum(c) || c == '.' || c == '_' || c == '-';
    };
    if (name.empty() || !std::all_of(name.begin(), name.end(), isAllowed))
    {
        throw ScenarioError(At("nodes", index) + ".name",
                            "found '" + name + "', expected letters, digits, '.', '_' and '-'");
    }
    auto [place, isNew] = m_byName.emplace(name, index);
    if (!isNew)
    {
        throw ScenarioError(At("nodes", index) + ".name",
                            "'" + name + "' is the name of " + At("nodes", place->second) +
                                " already, expected a name of its own");
    }
    node.layer = LayerIndex(layer);
    if (node.server != kNoIndex)
    {
        m_servers = std::max(m_servers, node.server + 1);
    }
    if (node.kind == NodeKind::Host)
    {
        node.number = HostCount();
        m_hosts.push_back(index);
    }
    else if (node.kind == NodeKind::Gpu)
    {
        node.number = static_cast<uint32_t>(m_gpus.size());
        m_gpus.push_back(index);
    }
    else
    {
        node.number = m_forwarders++;
    }
    m_nodes.push_back(std::move(node));
    return index;
}

GraphNodeIdx
FabricGraph::Add(const FabricGraph& other, const std::string& prefix)
{
    CheckRoom(other.m_nodes.size(), other.m_links.size());
    const auto first = static_cast<GraphNodeIdx>(m_nodes.size());
    const uint32_t servers = m_servers;
    for (GraphNode node : other.m_nodes)
    {
        node.name.insert(0, prefix);
        node.ports = 0;
        node.server += node.server == kNoIndex ? 0 : servers;
        const std::string& layer = other.m_layers[node.layer];
        AddNode(std::move(node), layer);
    }
    for (const GraphLink& link : other.m_links)
    {
        const GraphLinkIdx added =
            AddLink(first + link.from, first + link.to, link.spec, other.LayerOf(link));
        m_links[added].cost = link.cost;
        m_links[added].rank = link.rank;
    }
    return first;
}

GraphLinkIdx
FabricGraph::AddLink(GraphNodeIdx from,
                     GraphNodeIdx to,
                     const LinkSpec& spec,
                     const std::string& layer)
{
    CheckRoom(0, 1);
    auto index = static_cast<GraphLinkIdx>(m_links.size());
    std::string path = At("links", index);
    for (auto [end, key] : {std::pair(from, ".from"), std::pair(to, ".to")})
    {
        if (end >= m_nodes.size())
        {
            throw ScenarioError(path + key, "no such node");
        }
        const GraphNode& node = m_nodes[end];
        if (node.kind == NodeKind::Host && node.ports == 1)
        {
            throw ScenarioError(path + key,
                                "host '" + node.name + "' has a link already, expected one link " +
                                    "per host: a host is one port of a NIC");
        }
        if (node.ports == kNoPort)
        {
            throw ScenarioError(path + key,
                                "'" + node.name + "' has " + std::to_string(kNoPort) +
                                    " links already, which is the most");
        }
    }
    if (from == to)
    {
        throw ScenarioError(path, "both ends are '" + m_nodes[from].name + "', expected two nodes");
    }
    CheckLinkSpec(spec, path);
    GraphLink link;
    link.from = from;
    link.to = to;
    link.fromPort = static_cast<PortIdx>(m_nodes[from].ports++);
    link.toPort = static_cast<PortIdx>(m_nodes[to].ports++);
    link.layer = LayerIndex(layer);
    link.spec = spec;
    m_links.push_back(link);
    return index;
}

void
FabricGraph::CheckRoom(uint64_t nodes, uint64_t links) const
{
    nodes += m_nodes.size();
    links += m_links.size();
    if (nodes > kMostNodes || links > kMostLinks)
    {
        throw ScenarioError("",
                            "the topology has " + std::to_string(nodes) + " nodes and " +
                                std::to_string(links) + " links or more, expected at most " +
                                std::to_string(kMostNodes) + " and " + std::to_string(kMostLinks));
    }
}

void
FabricGraph::Validate(bool isOneNetwork) const
{
    if (EndpointCount() == 0)
    {
        throw ScenarioError("", "the topology has no host, expected at least one");
    }
    for (const GraphNode& node : m_nodes)
    {
        if (node.kind == NodeKind::Host && node.ports == 0)
        {
            throw ScenarioError(At("nodes", &node - m_nodes.data()),
                                "host '" + node.name + "' has no link, expected one");
        }
        if (!IsEndpoint(node.kind) && node.spec.radix != 0 && node.ports > node.spec.radix)
        {
            throw ScenarioError("switches." + LayerOf(node) + ".radix",
                                "'" + node.name + "' has " + std::to_string(node.ports) +
                                    " ports, expected no more than its radix of " +
                                    std::to_string(node.spec.radix));
        }
    }
    auto pair = isOneNetwork ? FindUnreachablePair(*this) : std::nullopt;
    if (pair)
    {
        throw ScenarioError("",
                            "there is no path between '" + m_nodes[NodeOf(pair->first)].name +
                                "' and '" + m_nodes[NodeOf(pair->second)].name +
                                "', expected all hosts to reach each other");
    }
}

NodeIdx
FabricGraph::EndpointOf(GraphNodeIdx node) const
{
    const GraphNode& n = m_nodes[node];
    return !IsEndpoint(n.kind) ? kNoNode : n.number + (n.kind == NodeKind::Gpu ? HostCount() : 0);
}

GraphNodeIdx
FabricGraph::Find(const std::string& name) const
{
    auto found = m_byName.find(name);
    return found == m_byName.end() ? kNoIndex : found->second;
}

std::string
FabricGraph::PortName(GraphNodeIdx node, PortIdx port) const
{
    const GraphNode& n = m_nodes[node];
    return n.kind == NodeKind::Host ? n.name : n.name + ".port" + std::to_string(port);
}

std::optional<std::pair<NodeIdx, NodeIdx>>
FindUnreachablePair(const FabricGraph& graph)
{
    // A host has one link, so that only GPUs could wrongly join what lies on their sides.
    const auto& nodes = graph.Nodes();
    std::vector<uint32_t> rank(nodes.size());
    std::vector<GraphNodeIdx> parent(nodes.size());
    std::iota(parent.begin(), parent.end(), 0);
    boost::disjoint_sets<uint32_t*, GraphNodeIdx*> sets(rank.data(), parent.data());
    for (const GraphLink& link : graph.Links())
    {
        if (nodes[link.from].kind != NodeKind::Gpu && nodes[link.to].kind != NodeKind::Gpu)
        {
            sets.union_set(link.from, link.to);
        }
    }
    for (NodeIdx host = 1; host < graph.HostCount(); ++host)
    {
        if (sets.find_set(graph.NodeOf(host)) != sets.find_set(graph.NodeOf(0)))
        {
            return std::pair<NodeIdx, NodeIdx>(0, host);
        }
    }
    return std::nullopt;
}

GraphPorts::GraphPorts(const FabricGraph& graph)
    : m_ports(2 * graph.Links().size()),
      m_first(graph.Nodes().size() + 1)
{
    for (std::size_t i = 0; i < graph.Nodes().size(); ++i)
    {
        m_first[i + 1] = m_first[i] + graph.Nodes()[i].ports;
    }
    for (GraphLinkIdx i = 0; i < graph.Links().size(); ++i)
    {
        const GraphLink& link = graph.Links()[i];
        m_ports[m_first[link.from] + link.fromPort] = {link.to, i, link.toPort};
        m_ports[m_first[link.to] + link.toPort] = {link.from, i, link.fromPort};
    }
}

} // namespace ns3::aifabric
