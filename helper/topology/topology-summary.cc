// SPDX-License-Identifier: GPL-2.0-only
#include "topology-summary.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t kFar = 0xFFFFFFFF;
constexpr uint64_t kFlowWork = 2000;    ///< of a link, in the unit of mostWork
constexpr double kFrameBits = 8 * 4300; ///< a frame and its acknowledgement, to rank paths by

/// The switches of a graph, searched for its shortest paths.
class SwitchSearch
{
  public:
    explicit SwitchSearch(const FabricGraph& graph);

    void Count(TopologySummary& summary) const;
    void FindEnd(TopologySummary& summary) const;
    void FindPaths(TopologySummary& summary, uint64_t mostWork);
    double CountBisection(const std::vector<bool>& firstHalf) const;

    /// @return links between switches.
    uint64_t CountLinks() const
    {
        return m_links;
    }

  private:
    /// A host, and what its link takes.
    struct Near
    {
        NodeIdx host;
        double cost;
    };

    void Measure();
    void FindHosts();
    void Search(GraphNodeIdx from);

    double CostOf(const LinkSpec& link) const
    {
        return 2 * static_cast<double>(link.delay) + kFrameBits / link.bandwidth * kSecond;
    }

    bool IsSwitch(GraphNodeIdx node) const
    {
        return !IsEndpoint(m_graph.Nodes()[node].kind);
    }

    const FabricGraph& m_graph;
    GraphPorts m_ports;
    uint64_t m_links{0};
    std::vector<uint32_t> m_level;          ///< by node: links to the nearest host
    std::vector<GraphNodeIdx> m_leaves;     ///< switches with hosts
    std::vector<std::vector<Near>> m_hosts; ///< of a leaf: two nearest, then two farthest
    std::vector<uint32_t> m_hops;           ///< by node: of the last search
    std::vector<double> m_cost;             ///< by node: likewise, ps
    std::vector<GraphNodeIdx> m_queue;
};

SwitchSearch::SwitchSearch(const FabricGraph& graph)
    : m_graph(graph),
      m_ports(graph)
{
    for (const GraphLink& link : graph.Links())
    {
        m_links += IsSwitch(link.from) && IsSwitch(link.to);
    }
    Measure();
    FindHosts();
}

void
SwitchSearch::Measure()
{
    m_level.assign(m_graph.Nodes().size(), kFar);
    for (NodeIdx host = 0; host < m_graph.HostCount(); ++host)
    {
        m_level[m_graph.NodeOf(host)] = 0;
        m_queue.push_back(m_graph.NodeOf(host));
    }
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        for (const auto& port : m_ports.Of(m_queue[i]))
        {
            if (m_level[port.peer] == kFar && IsSwitch(port.peer))
            {
                m_level[port.peer] = m_level[m_queue[i]] + 1;
                m_queue.push_back(port.peer);
            }
        }
    }
}

/// Of the hosts of each leaf only those can be ends of the shortest and the longest path.
void
SwitchSearch::FindHosts()
{
    for (GraphNodeIdx node = 0; node < m_level.size(); ++node)
    {
        if (m_level[node] != 1)
        {
            continue;
        }
        std::vector<Near> all;
        for (const auto& port : m_ports.Of(node))
        {
            if (m_graph.Nodes()[port.peer].kind == NodeKind::Host)
            {
                all.push_back(
                    {m_graph.EndpointOf(port.peer), CostOf(m_graph.Links()[port.link].spec)});
            }
        }
        std::stable_sort(
            all.begin(), all.end(), [](const Near& a, const Near& b) { return a.cost < b.cost; });
        m_leaves.push_back(node);
        m_hosts.push_back({all.front(),
                           all[std::min<std::size_t>(1, all.size() - 1)],
                           all[std::max<std::size_t>(2, all.size()) - 2],
                           all.back()});
    }
}

void
SwitchSearch::Count(TopologySummary& summary) const
{
    summary.hosts = m_graph.HostCount();
    summary.servers = m_graph.ServerCount();
    summary.cables = static_cast<uint32_t>(m_graph.Links().size());
    summary.switches = static_cast<uint32_t>(m_graph.Nodes().size()) - m_graph.EndpointCount();
    for (GraphNodeIdx i = 0; i < m_graph.Nodes().size(); ++i)
    {
        if (!IsSwitch(i))
        {
            continue;
        }
        const GraphNode& node = m_graph.Nodes()[i];
        double down = 0;
        double up = 0;
        for (const auto& port : m_ports.Of(i))
        {
            const double rate = m_graph.Links()[port.link].spec.bandwidth;
            const uint32_t level = m_level[port.peer];
            down += level < m_level[i] ? rate : 0;
            up += level != kFar && level > m_level[i] ? rate : 0;
        }
        auto tier = std::find_if(summary.tiers.begin(), summary.tiers.end(), [&](const auto& t) {
            return t.layer == m_graph.LayerOf(node);
        });
        if (tier == summary.tiers.end())
        {
            TopologySummary::Tier fresh;
            fresh.layer = m_graph.LayerOf(node);
            fresh.level = m_level[i];
            fresh.fewestPorts = node.ports;
            tier = summary.tiers.insert(tier, fresh);
        }
        ++tier->switches;
        tier->level = std::min(tier->level, m_level[i]);
        tier->fewestPorts = std::min(tier->fewestPorts, node.ports);
        tier->mostPorts = std::max(tier->mostPorts, node.ports);
        if (tier->switches == 1 || (up > 0 && down / up > tier->GetOversubscription()))
        {
            tier->downBps = down;
            tier->upBps = up;
        }
    }
    std::stable_sort(summary.tiers.begin(), summary.tiers.end(), [](auto& a, auto& b) {
        return a.level < b.level;
    });
    for (const GraphLink& link : m_graph.Links())
    {
        const double metres = 1e3 * static_cast<double>(link.spec.delay) / kDelayPerKm;
        auto& layers = summary.cableLayers;
        auto cables = std::find_if(layers.begin(), layers.end(), [&](const auto& c) {
            return c.layer == m_graph.LayerOf(link);
        });
        if (cables == layers.end())
        {
            const double rate = link.spec.bandwidth;
            cables = layers.insert(cables, {m_graph.LayerOf(link), 0, rate, rate, metres, metres});
        }
        ++cables->count;
        cables->leastBps = std::min(cables->leastBps, link.spec.bandwidth);
        cables->mostBps = std::max(cables->mostBps, link.spec.bandwidth);
        cables->shortestM = std::min(cables->shortestM, metres);
        cables->longestM = std::max(cables->longestM, metres);
    }
}

void
SwitchSearch::FindEnd(TopologySummary& summary) const
{
    uint32_t highest = 0;
    for (const auto& tier : summary.tiers)
    {
        highest = std::max(highest, tier.level);
    }
    uint32_t ports = 0;
    uint32_t radix = std::numeric_limits<uint32_t>::max();
    for (GraphNodeIdx i = 0; i < m_graph.Nodes().size(); ++i)
    {
        const GraphNode& node = m_graph.Nodes()[i];
        if (!IsSwitch(i) || m_level[i] != highest)
        {
            continue;
        }
        for (const auto& port : m_ports.Of(i))
        {
            if (m_level[port.peer] == highest)
            {
                return;
            }
        }
        ports = std::max(ports, node.ports);
        radix = std::min(radix, node.spec.radix);
    }
    if (ports > 0 && radix > 0)
    {
        summary.mostHosts = uint64_t{summary.hosts} * radix / ports;
    }
}

/// Hops and least cost of the shortest paths from a leaf to all switches.
void
SwitchSearch::Search(GraphNodeIdx from)
{
    m_hops.assign(m_hops.size(), kFar);
    m_queue.assign(1, from);
    m_hops[from] = 1;
    m_cost[from] = 2 * static_cast<double>(m_graph.Nodes()[from].spec.forwardingLatency);
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const GraphNodeIdx here = m_queue[i];
        for (const auto& port : m_ports.Of(here))
        {
            if (!IsSwitch(port.peer) || m_hops[port.peer] <= m_hops[here])
            {
                continue;
            }
            const GraphNode& there = m_graph.Nodes()[port.peer];
            const double cost = m_cost[here] + CostOf(m_graph.Links()[port.link].spec) +
                                2 * static_cast<double>(there.spec.forwardingLatency);
            if (m_hops[port.peer] == kFar)
            {
                m_hops[port.peer] = m_hops[here] + 1;
                m_cost[port.peer] = cost;
                m_queue.push_back(port.peer);
            }
            m_cost[port.peer] = std::min(m_cost[port.peer], cost);
        }
    }
}

void
SwitchSearch::FindPaths(TopologySummary& summary, uint64_t mostWork)
{
    if (m_leaves.size() * std::max<uint64_t>(m_links, m_leaves.size()) > mostWork)
    {
        return;
    }
    m_hops.resize(m_graph.Nodes().size());
    m_cost.resize(m_graph.Nodes().size());
    uint32_t diameter = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t from = 0; from < m_leaves.size(); ++from)
    {
        Search(m_leaves[from]);
        for (std::size_t to = from; to < m_leaves.size(); ++to)
        {
            const GraphNodeIdx end = m_leaves[to];
            const Near& a = m_hosts[from][0];
            const Near& b = m_hosts[to][from == to ? 1 : 0];
            if (m_hops[end] == kFar || a.host == b.host)
            {
                continue;
            }
            diameter = std::max(diameter, m_hops[end]);
            if (m_cost[end] + a.cost + b.cost < least)
            {
                least = m_cost[end] + a.cost + b.cost;
                summary.nearest = {a.host, b.host};
            }
            const Near& c = m_hosts[from][from == to ? 2 : 3];
            const Near& d = m_hosts[to][3];
            if (m_cost[end] + c.cost + d.cost > most)
            {
                most = m_cost[end] + c.cost + d.cost;
                summary.farthest = {c.host, d.host};
            }
        }
    }
    if (diameter > 0)
    {
        summary.diameter = diameter;
    }
}

double
SwitchSearch::CountBisection(const std::vector<bool>& firstHalf) const
{
    using namespace boost;
    using Traits = adjacency_list_traits<vecS, vecS, directedS>;
    using Edge = Traits::edge_descriptor;
    using Residual = property<edge_residual_capacity_t, int64_t, property<edge_reverse_t, Edge>>;
    using Flow = adjacency_list<vecS,
                                vecS,
                                directedS,
                                no_property,
                                property<edge_capacity_t, int64_t, Residual>>;
    Flow flow(m_graph.Nodes().size() + 2);
    auto capacity = get(edge_capacity, flow);
    auto reverse = get(edge_reverse, flow);
    // The algorithm knows a reverse edge by its capacity of 0: each direction has one of its own.
    auto join = [&](std::size_t from, std::size_t to, double rate) {
        const Edge a = add_edge(from, to, flow).first;
        const Edge b = add_edge(to, from, flow).first;
        capacity[a] = std::llround(rate);
        reverse[a] = b;
        reverse[b] = a;
    };
    const std::size_t source = m_graph.Nodes().size();
    std::vector<double> sent(source);
    std::vector<double> taken(source);
    for (const GraphLink& link : m_graph.Links())
    {
        const double rate = link.spec.bandwidth;
        for (auto [host, node] : {std::pair(link.from, link.to), std::pair(link.to, link.from)})
        {
            if (m_graph.Nodes()[host].kind == NodeKind::Host)
            {
                (firstHalf[m_graph.EndpointOf(host)] ? sent : taken)[node] += rate;
            }
        }
        if (IsSwitch(link.from) && IsSwitch(link.to))
        {
            join(link.from, link.to, rate);
            join(link.to, link.from, rate);
        }
    }
    for (GraphNodeIdx node = 0; node < source; ++node)
    {
        if (IsSwitch(node) && sent[node] > 0)
        {
            join(source, node, sent[node]);
        }
        if (IsSwitch(node) && taken[node] > 0)
        {
            join(node, source + 1, taken[node]);
        }
    }
    return static_cast<double>(push_relabel_max_flow(flow, source, source + 1));
}

} // namespace

TopologySummary
SummarizeTopology(const FabricGraph& graph, const std::vector<bool>& firstHalf, uint64_t mostWork)
{
    TopologySummary summary;
    SwitchSearch search(graph);
    search.Count(summary);
    search.FindEnd(summary);
    search.FindPaths(summary, mostWork);
    if (!firstHalf.empty() && search.CountLinks() * kFlowWork <= mostWork)
    {
        summary.bisectionBps = search.CountBisection(firstHalf);
    }
    return summary;
}

} // namespace ns3::aifabric
