// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TopologyBuilder);

namespace
{

/// The entry of a layer. @throws ScenarioError that names those that exist.
template <class Table>
auto&
Entry(Table& table, const std::string& layer, const std::string& kind)
{
    auto found =
        std::find_if(table.begin(), table.end(), [&](auto& entry) { return entry.first == layer; });
    if (found == table.end())
    {
        std::vector<std::string> valid;
        for (const auto& entry : table)
        {
            valid.push_back(entry.first);
        }
        throw ScenarioError(kind + "." + layer, "unknown layer" + SuggestFrom(layer, valid));
    }
    return found->second;
}

template <class Table>
std::vector<std::string>
Names(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& entry : table)
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace

TypeId
TopologyBuilder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::TopologyBuilder")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("NicsPerServer",
                          "NICs in each server. 0 leaves it to the topology: most have hosts that "
                          "stand alone, named host0 and so on",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TopologyBuilder::m_nicsPerServer),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("NicPortCount",
                          "Network ports of each NIC: each is a host",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TopologyBuilder::m_nicPortCount),
                          MakeUintegerChecker<uint32_t>(1, 64));
    return tid;
}

std::vector<std::string>
TopologyBuilder::LinkLayers() const
{
    return Names(m_links);
}

std::vector<std::string>
TopologyBuilder::SwitchLayers() const
{
    return Names(m_switches);
}

const LinkSpec&
TopologyBuilder::GetLink(const std::string& layer) const
{
    return Entry(m_links, layer, "links");
}

const SwitchSpec&
TopologyBuilder::GetSwitch(const std::string& layer) const
{
    return Entry(m_switches, layer, "switches");
}

void
TopologyBuilder::SetLink(const std::string& layer, const LinkSpec& spec)
{
    LinkSpec& entry = Entry(m_links, layer, "links");
    CheckLinkSpec(spec, "links." + layer);
    entry = spec;
}

void
TopologyBuilder::SetSwitch(const std::string& layer, const SwitchSpec& spec)
{
    SwitchSpec& entry = Entry(m_switches, layer, "switches");
    if (spec.forwardingLatency < 0)
    {
        throw ScenarioError("switches." + layer + ".forwarding_latency_ns", "expected 0 or more");
    }
    entry = spec;
}

FabricGraph
TopologyBuilder::Build() const
{
    FabricGraph graph;
    DoBuild(graph);
    graph.Validate(IsOneNetwork());
    return graph;
}

std::vector<bool>
TopologyBuilder::Halve(const FabricGraph& graph) const
{
    std::vector<bool> halves(graph.HostCount());
    std::fill_n(halves.begin(), halves.size() / 2, true);
    return halves;
}

void
TopologyBuilder::DefineLink(const std::string& layer, const LinkSpec& spec)
{
    m_links.emplace_back(layer, spec);
}

void
TopologyBuilder::DefineSwitch(const std::string& layer, const SwitchSpec& spec)
{
    m_switches.emplace_back(layer, spec);
}

TopologyBuilder::Group
TopologyBuilder::AddHosts(FabricGraph& graph,
                          uint64_t count,
                          uint32_t nicsPerServer,
                          uint32_t nicPorts) const
{
    const uint32_t nics = m_nicsPerServer ? m_nicsPerServer : nicsPerServer;
    const uint32_t ports = nicPorts ? nicPorts : m_nicPortCount;
    const uint32_t perServer = nics * ports;
    Require(nics != 0 || ports == 1,
            "nic_port_count",
            "found " + std::to_string(ports) + ", expected 1 unless nics_per_server is given");
    Require(nics == 0 || count % perServer == 0,
            "nics_per_server",
            "servers of " + std::to_string(nics) + " NICs with " + std::to_string(ports) +
                " ports do not divide the " + std::to_string(count) + " hosts");
    graph.CheckRoom(count, count);
    Group hosts;
    for (uint64_t i = 0; i < count; ++i)
    {
        std::string name = "host" + std::to_string(i);
        if (nics != 0)
        {
            name = "server" + std::to_string(i / perServer) + ".nic" +
                   std::to_string(i % perServer / ports) + ".port" + std::to_string(i % ports);
        }
        hosts.push_back(graph.AddNode(name, NodeKind::Host, "nic"));
    }
    return hosts;
}

TopologyBuilder::Group
TopologyBuilder::AddSwitches(FabricGraph& graph, const std::string& layer, uint64_t count) const
{
    const SwitchSpec& spec = GetSwitch(layer);
    graph.CheckRoom(count, 0);
    Group switches;
    for (uint64_t i = 0; i < count; ++i)
    {
        switches.push_back(graph.AddNode(layer + std::to_string(i), NodeKind::Switch, layer, spec));
    }
    return switches;
}

void
TopologyBuilder::Connect(FabricGraph& graph,
                         GraphNodeIdx from,
                         GraphNodeIdx to,
                         const std::string& layer,
                         uint32_t parallel) const
{
    const LinkSpec& spec = GetLink(layer);
    for (uint32_t i = 0; i < parallel; ++i)
    {
        graph.AddLink(from, to, spec, layer);
    }
}

void
TopologyBuilder::ConnectHosts(FabricGraph& graph,
                              const Group& hosts,
                              const Group& switches,
                              uint32_t hostsPerSwitch,
                              const std::string& layer) const
{
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        Connect(graph, hosts[i], switches.at(i / hostsPerSwitch), layer);
    }
}

void
TopologyBuilder::ConnectAll(FabricGraph& graph,
                            const Group& lower,
                            const Group& upper,
                            const std::string& layer,
                            uint32_t parallel) const
{
    graph.CheckRoom(0, uint64_t{lower.size()} * upper.size() * parallel);
    for (GraphNodeIdx from : lower)
    {
        for (GraphNodeIdx to : upper)
        {
            Connect(graph, from, to, layer, parallel);
        }
    }
}

void
TopologyBuilder::Require(bool holds, const std::string& key, const std::string& message)
{
    if (!holds)
    {
        throw ScenarioError("parameters." + key, message);
    }
}

} // namespace ns3::aifabric
