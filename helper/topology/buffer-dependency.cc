// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-dependency.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t kUnset = 0xFFFFFFFF;

/// The links between forwarding nodes as nodes of a graph of who waits for whom.
class DependencySearch
{
  public:
    DependencySearch(const FabricGraph& graph,
                     const std::vector<SwitchRoutes>& routes,
                     const std::vector<bool>& lossy);

    bool IsUpDown() const;
    /// @return how much Collect() has to do.
    std::size_t EstimateWork();
    void Collect();
    std::vector<BufferDependency::Sender> FindCycle() const;

  private:
    using WaitGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    bool IsForwarding(GraphNodeIdx node) const
    {
        return !IsEndpoint(m_graph.Nodes()[node].kind);
    }

    bool IsLossy(GraphNodeIdx from, const GraphPorts::Port& port) const;
    bool GoesDown(GraphNodeIdx node, NodeIdx first, NodeIdx last) const;
    void Measure();
    void FindStarts();
    void Follow(NodeIdx destination);
    void Wait(uint32_t link, const std::vector<PortIdx>& next);

    const FabricGraph& m_graph;
    const std::vector<SwitchRoutes>& m_routes;
    const std::vector<bool>& m_lossy;
    GraphPorts m_ports;
    std::vector<uint32_t> m_level;                   ///< by node: links to the nearest endpoint
    std::vector<uint32_t> m_firstLink;               ///< by node: number of its port 0
    std::vector<BufferDependency::Sender> m_senders; ///< by number
    std::vector<NodeIdx> m_starts;                   ///< of stretches of destinations alike
    std::vector<GraphNodeIdx> m_leaves;              ///< forwarding nodes with endpoints
    std::vector<std::vector<const std::vector<PortIdx>*>> m_waits; ///< by link: next hops seen
    std::vector<uint32_t> m_seen; ///< by node: the search that was there last
    uint32_t m_search{0};
    std::vector<GraphNodeIdx> m_queue;
};

DependencySearch::DependencySearch(const FabricGraph& graph,
                                   const std::vector<SwitchRoutes>& routes,
                                   const std::vector<bool>& lossy)
    : m_graph(graph),
      m_routes(routes),
      m_lossy(lossy),
      m_ports(graph)
{
    for (GraphNodeIdx node = 0; node < graph.Nodes().size(); ++node)
    {
        m_firstLink.push_back(static_cast<uint32_t>(m_senders.size()));
        for (PortIdx port = 0; port < graph.Nodes()[node].ports; ++port)
        {
            m_senders.emplace_back(node, port);
        }
    }
    Measure();
}

/// How far each node is from the nearest endpoint.
void
DependencySearch::Measure()
{
    m_level.assign(m_graph.Nodes().size(), kUnset);
    std::vector<GraphNodeIdx> queue;
    for (NodeIdx endpoint = 0; endpoint < m_graph.EndpointCount(); ++endpoint)
    {
        m_level[m_graph.NodeOf(endpoint)] = 0;
        queue.push_back(m_graph.NodeOf(endpoint));
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const auto& port : m_ports.Of(queue[i]))
        {
            if (m_level[port.peer] == kUnset)
            {
                m_level[port.peer] = m_level[queue[i]] + 1;
                queue.push_back(port.peer);
                if (m_level[port.peer] == 1)
                {
                    m_leaves.push_back(port.peer);
                }
            }
        }
    }
}

bool
DependencySearch::IsLossy(GraphNodeIdx from, const GraphPorts::Port& port) const
{
    const std::size_t direction = 2 * port.link + (m_graph.Links()[port.link].from != from);
    return direction < m_lossy.size() && m_lossy[direction];
}

/// @return whether all that a node has for destinations first to last goes to a lower level.
bool
DependencySearch::GoesDown(GraphNodeIdx node, NodeIdx first, NodeIdx last) const
{
    const SwitchRoutes& routes = m_routes[node];
    const auto ports = m_ports.Of(node);
    auto run = std::lower_bound(routes.runs.begin(),
                                routes.runs.end(),
                                first,
                                [](const auto& r, NodeIdx d) { return r.last < d; });
    for (; run != routes.runs.end() && run->first <= last; ++run)
    {
        for (PortIdx port : routes.groups[run->group])
        {
            if (m_level[ports[port].peer] >= m_level[node])
            {
                return false;
            }
        }
    }
    return true;
}

/// @return whether what comes from above, or from the side, only goes down: then links can be sorted
/// by level, those that go up first, such that each waits for later ones only.
bool
DependencySearch::IsUpDown() const
{
    for (GraphNodeIdx node = 0; node < m_routes.size(); ++node)
    {
        const auto ports = m_ports.Of(node);
        for (const SwitchRoutes::Run& run : m_routes[node].runs)
        {
            for (PortIdx port : m_routes[node].groups[run.group])
            {
                const GraphNodeIdx peer = ports[port].peer;
                if (IsForwarding(node) && IsForwarding(peer) && m_level[peer] <= m_level[node] &&
                    (m_level[peer] == m_level[node] || !GoesDown(peer, run.first, run.last)))
                {
                    return false;
                }
            }
        }
    }
    return true;
}

/// Destinations between two of these leave every node by the same links to other forwarding nodes.
void
DependencySearch::FindStarts()
{
    std::vector<bool> starts(m_graph.EndpointCount() + 1);
    for (GraphNodeIdx node = 0; node < m_routes.size(); ++node)
    {
        const auto ports = m_ports.Of(node);
        NodeIdx next = 0;
        uint32_t before = kUnset;
        auto note = [&](NodeIdx first, uint32_t group) {
            if (group != before)
            {
                starts[first] = true;
            }
            before = group;
        };
        for (const SwitchRoutes::Run& run : m_routes[node].runs)
        {
            const auto& group = m_routes[node].groups[run.group];
            const bool leads = std::any_of(group.begin(), group.end(), [&](PortIdx port) {
                return IsForwarding(ports[port].peer);
            });
            if (next < run.first)
            {
                note(next, kUnset);
            }
            note(run.first, leads ? run.group : kUnset);
            next = run.last + 1;
        }
        if (next < m_graph.EndpointCount())
        {
            note(next, kUnset);
        }
    }
    starts[0] = true;
    for (NodeIdx i = 0; i < m_graph.EndpointCount(); ++i)
    {
        if (starts[i])
        {
            m_starts.push_back(i);
        }
    }
}

std::size_t
DependencySearch::EstimateWork()
{
    FindStarts();
    std::size_t links = 0;
    for (const GraphLink& link : m_graph.Links())
    {
        links += IsForwarding(link.from) && IsForwarding(link.to) ? 2 : 0;
    }
    return m_starts.size() * links;
}

void
DependencySearch::Collect()
{
    m_waits.resize(m_senders.size());
    m_seen.assign(m_graph.Nodes().size(), 0);
    for (NodeIdx destination : m_starts)
    {
        Follow(destination);
    }
}

/// Goes all ways to a destination on which a frame can be.
void
DependencySearch::Follow(NodeIdx destination)
{
    ++m_search;
    m_queue = m_leaves;
    for (GraphNodeIdx leaf : m_leaves)
    {
        m_seen[leaf] = m_search;
    }
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const GraphNodeIdx node = m_queue[i];
        const auto* next = m_routes[node].Find(destination);
        for (std::size_t hop = 0; next && hop < next->size(); ++hop)
        {
            const PortIdx port = (*next)[hop];
            const GraphPorts::Port& far = m_ports.Of(node)[port];
            if (!IsForwarding(far.peer))
            {
                continue;
            }
            if (m_seen[far.peer] != m_search)
            {
                m_seen[far.peer] = m_search;
                m_queue.push_back(far.peer);
            }
            const auto* after = m_routes[far.peer].Find(destination);
            if (after && !IsLossy(node, far))
            {
                Wait(m_firstLink[node] + port, *after);
            }
        }
    }
}

void
DependencySearch::Wait(uint32_t link, const std::vector<PortIdx>& next)
{
    auto& waits = m_waits[link];
    if (std::find(waits.rbegin(), waits.rend(), &next) == waits.rend())
    {
        waits.push_back(&next);
    }
}

std::vector<BufferDependency::Sender>
DependencySearch::FindCycle() const
{
    WaitGraph waits(m_senders.size());
    for (uint32_t link = 0; link < m_waits.size(); ++link)
    {
        const auto [node, port] = m_senders[link];
        const GraphNodeIdx at = m_ports.Of(node)[port].peer;
        for (const auto* next : m_waits[link])
        {
            for (PortIdx out : *next)
            {
                const GraphPorts::Port& far = m_ports.Of(at)[out];
                if (IsForwarding(far.peer) && !IsLossy(at, far))
                {
                    boost::add_edge(link, m_firstLink[at] + out, waits);
                }
            }
        }
    }
    std::vector<uint32_t> component(m_senders.size());
    const auto count = boost::strong_components(waits, component.data());
    std::vector<uint32_t> size(count);
    for (uint32_t c : component)
    {
        ++size[c];
    }
    // From the first link of the smallest component that is a cycle, breadth first back to it.
    uint32_t from = kUnset;
    for (uint32_t link = 0; link < component.size(); ++link)
    {
        const uint32_t here = size[component[link]];
        if (here > 1 && (from == kUnset || here < size[component[from]]))
        {
            from = link;
        }
    }
    std::vector<BufferDependency::Sender> cycle;
    if (from == kUnset)
    {
        return cycle;
    }
    std::vector<uint32_t> before(m_senders.size(), kUnset);
    std::vector<uint32_t> queue{from};
    for (std::size_t i = 0; before[from] == kUnset; ++i)
    {
        for (auto edges = boost::out_edges(queue[i], waits); edges.first != edges.second;
             ++edges.first)
        {
            const auto to = static_cast<uint32_t>(boost::target(*edges.first, waits));
            if (component[to] == component[from] && before[to] == kUnset)
            {
                before[to] = queue[i];
                queue.push_back(to);
            }
        }
    }
    for (uint32_t link = before[from]; link != from; link = before[link])
    {
        cycle.push_back(m_senders[link]);
    }
    cycle.push_back(m_senders[from]);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
}

} // namespace

std::string
BufferDependency::ToText(const FabricGraph& graph) const
{
    if (!isKnown)
    {
        return "cyclic buffer dependencies were not looked for: the network is too large for that";
    }
    if (cycle.empty())
    {
        return "no cyclic buffer dependency";
    }
    std::string text = "cyclic buffer dependency, so pauses may end in a deadlock: ";
    for (const auto& [node, port] : cycle)
    {
        text += graph.PortName(node, port) + " waits for ";
    }
    return text + graph.PortName(cycle.front().first, cycle.front().second);
}

BufferDependency
FindBufferDependency(const FabricGraph& graph,
                     const std::vector<SwitchRoutes>& routes,
                     const std::vector<bool>& lossy,
                     std::size_t mostWork)
{
    BufferDependency found;
    DependencySearch search(graph, routes, lossy);
    if (search.IsUpDown())
    {
        return found;
    }
    if (search.EstimateWork() > mostWork)
    {
        found.isKnown = false;
        return found;
    }
    search.Collect();
    found.cycle = search.FindCycle();
    return found;
}

} // namespace ns3::aifabric
