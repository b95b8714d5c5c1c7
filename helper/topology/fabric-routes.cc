// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-routes.h"

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <map>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t kFar = 0xFFFFFFFF;
constexpr uint32_t kNoGroup = 0xFFFFFFFF;

/// A node that needs routes: a switch, or an endpoint with several ports.
struct Router
{
    /// A port to a switch (by its number among the routers).
    struct Up
    {
        uint32_t router;
        PortIdx port;
        uint8_t cost;
        uint8_t rank;
    };

    /// A port to an endpoint.
    struct Local
    {
        NodeIdx endpoint;
        PortIdx port;
    };

    GraphNodeIdx node;
    std::vector<Up> ups;
    std::vector<Local> locals;
    std::vector<uint32_t> hashes; ///< of the groups found so far
    uint32_t lastGroup{0};
};

/// Consecutive endpoints that hang on the same switches, and therefore lie in the same direction.
struct Stretch
{
    NodeIdx first;
    NodeIdx last;
    uint32_t family;
};

class RouteSearch
{
  public:
    RouteSearch(const FabricGraph& graph, const std::vector<bool>& down);

    std::vector<SwitchRoutes> Run();

  private:
    void Measure(const std::vector<uint32_t>& sources);
    uint32_t NextHops(uint32_t index);
    uint32_t GroupOf(Router& router, const std::vector<PortIdx>& ports);
    void Emit(uint32_t index);
    void Append(SwitchRoutes& routes, NodeIdx first, NodeIdx last, uint32_t group);

    std::vector<SwitchRoutes> m_routes;
    std::vector<Router> m_routers; ///< switches first: they alone are searched
    uint32_t m_switches{0};
    std::vector<std::vector<uint32_t>> m_families; ///< of endpoints: the switches that they hang on
    std::vector<Stretch> m_stretches;
    std::vector<uint32_t> m_groups;            ///< by router and family
    std::vector<uint32_t> m_distance;          ///< by switch: cost of the way
    std::vector<std::vector<uint32_t>> m_near; ///< switches at a distance, modulo the size
    std::vector<PortIdx> m_ports;
};

RouteSearch::RouteSearch(const FabricGraph& graph, const std::vector<bool>& down)
    : m_routes(graph.Nodes().size()),
      m_near(2)
{
    const auto& nodes = graph.Nodes();
    std::vector<uint32_t> routerOf(nodes.size(), kFar);
    for (bool endpoints : {false, true})
    {
        for (GraphNodeIdx i = 0; i < nodes.size(); ++i)
        {
            if (IsEndpoint(nodes[i].kind) == endpoints && (!endpoints || nodes[i].ports > 1))
            {
                routerOf[i] = static_cast<uint32_t>(m_routers.size());
                m_routers.push_back({i, {}, {}, {}});
            }
        }
        m_switches = endpoints ? m_switches : static_cast<uint32_t>(m_routers.size());
    }

    GraphPorts ports(graph);
    auto isUp = [&](const GraphPorts::Port& port) {
        return port.link >= down.size() || !down[port.link];
    };
    for (Router& router : m_routers)
    {
        PortIdx number = 0;
        for (const auto& port : ports.Of(router.node))
        {
            NodeIdx endpoint = graph.EndpointOf(port.peer);
            if (isUp(port) && endpoint == kNoNode)
            {
                const GraphLink& link = graph.Links()[port.link];
                router.ups.push_back({routerOf[port.peer], number, link.cost, link.rank});
                m_near.resize(std::max<std::size_t>(m_near.size(), link.cost + 1));
            }
            else if (isUp(port))
            {
                router.locals.push_back({endpoint, number});
            }
            ++number;
        }
        std::stable_sort(router.locals.begin(), router.locals.end(), [](auto& a, auto& b) {
            return a.endpoint < b.endpoint;
        });
    }

    std::map<std::vector<uint32_t>, uint32_t> families;
    for (NodeIdx endpoint = 0; endpoint < graph.EndpointCount(); ++endpoint)
    {
        std::vector<uint32_t> on;
        for (const auto& port : ports.Of(graph.NodeOf(endpoint)))
        {
            if (isUp(port) && !IsEndpoint(nodes[port.peer].kind))
            {
                on.push_back(routerOf[port.peer]);
            }
        }
        std::sort(on.begin(), on.end());
        on.erase(std::unique(on.begin(), on.end()), on.end());
        auto [place, isNew] = families.emplace(std::move(on), m_families.size());
        if (isNew)
        {
            m_families.push_back(place->first);
        }
        if (!m_stretches.empty() && m_stretches.back().family == place->second)
        {
            m_stretches.back().last = endpoint;
        }
        else
        {
            m_stretches.push_back({endpoint, endpoint, place->second});
        }
    }
}

std::vector<SwitchRoutes>
RouteSearch::Run()
{
    m_groups.resize(m_routers.size() * m_families.size());
    for (std::size_t family = 0; family < m_families.size(); ++family)
    {
        Measure(m_families[family]);
        for (uint32_t router = 0; router < m_routers.size(); ++router)
        {
            m_groups[router * m_families.size() + family] = NextHops(router);
        }
    }
    for (uint32_t router = 0; router < m_routers.size(); ++router)
    {
        Emit(router);
    }
    return std::move(m_routes);
}

/// Distances of all switches from the nearest of sources.
void
RouteSearch::Measure(const std::vector<uint32_t>& sources)
{
    m_distance.assign(m_switches, kFar);
    for (uint32_t source : sources)
    {
        m_distance[source] = 0;
    }
    m_near[0] = sources;
    std::size_t left = sources.size();
    for (uint32_t distance = 0; left > 0; ++distance)
    {
        // Nothing is added to these on the way: links cost 1 or more, and less than there are lists.
        std::vector<uint32_t>& here = m_near[distance % m_near.size()];
        for (uint32_t router : here)
        {
            if (m_distance[router] < distance)
            {
                continue;
            }
            for (const Router::Up& up : m_routers[router].ups)
            {
                const uint32_t next = distance + up.cost;
                if (next < m_distance[up.router])
                {
                    m_distance[up.router] = next;
                    m_near[next % m_near.size()].push_back(up.router);
                    ++left;
                }
            }
        }
        left -= here.size();
        here.clear();
    }
}

/// The group of the ports of the lowest rank that lead to the nearest switches, after Measure().
uint32_t
RouteSearch::NextHops(uint32_t index)
{
    if (index < m_switches && m_distance[index] == 0)
    {
        return kNoGroup; // all of the family are its own
    }
    Router& router = m_routers[index];
    uint32_t nearest = kFar;
    uint8_t rank = 0;
    m_ports.clear();
    for (const Router::Up& up : router.ups)
    {
        const uint32_t left = m_distance[up.router];
        const uint32_t distance = left == kFar ? kFar : left + up.cost;
        if (distance < nearest || (distance == nearest && up.rank < rank))
        {
            nearest = distance;
            rank = up.rank;
            m_ports.clear();
        }
        if (distance == nearest && up.rank == rank && distance != kFar)
        {
            m_ports.push_back(up.port);
        }
    }
    return m_ports.empty() ? kNoGroup : GroupOf(router, m_ports);
}

uint32_t
RouteSearch::GroupOf(Router& router, const std::vector<PortIdx>& ports)
{
    auto& groups = m_routes[router.node].groups;
    if (router.lastGroup < groups.size() && groups[router.lastGroup] == ports)
    {
        return router.lastGroup;
    }
    auto hash = static_cast<uint32_t>(boost::hash_range(ports.begin(), ports.end()));
    auto& hashes = router.hashes;
    auto found = std::find(hashes.begin(), hashes.end(), hash);
    while (found != hashes.end() && groups[found - hashes.begin()] != ports)
    {
        found = std::find(found + 1, hashes.end(), hash);
    }
    router.lastGroup = static_cast<uint32_t>(found - hashes.begin());
    if (found == hashes.end())
    {
        hashes.push_back(hash);
        groups.push_back(ports);
    }
    return router.lastGroup;
}

/// Writes the runs of a router: own endpoints by their ports, all others as their family.
void
RouteSearch::Emit(uint32_t index)
{
    Router& router = m_routers[index];
    SwitchRoutes& routes = m_routes[router.node];
    auto local = router.locals.begin();
    for (const Stretch& stretch : m_stretches)
    {
        uint32_t group = m_groups[index * m_families.size() + stretch.family];
        NodeIdx next = stretch.first;
        while (local != router.locals.end() && local->endpoint <= stretch.last)
        {
            NodeIdx endpoint = local->endpoint;
            Append(routes, next, endpoint, group);
            m_ports.clear();
            for (; local != router.locals.end() && local->endpoint == endpoint; ++local)
            {
                m_ports.push_back(local->port);
            }
            Append(routes, endpoint, endpoint + 1, GroupOf(router, m_ports));
            next = endpoint + 1;
        }
        Append(routes, next, stretch.last + 1, group);
    }
    routes.groups.shrink_to_fit();
    routes.runs.shrink_to_fit();
}

/// Adds the destinations from first to before end.
void
RouteSearch::Append(SwitchRoutes& routes, NodeIdx first, NodeIdx end, uint32_t group)
{
    if (first == end || group == kNoGroup)
    {
        return;
    }
    auto& runs = routes.runs;
    if (!runs.empty() && runs.back().group == group && runs.back().last + 1 == first)
    {
        runs.back().last = end - 1;
    }
    else
    {
        runs.push_back({first, end - 1, group});
    }
}

} // namespace

const std::vector<PortIdx>*
SwitchRoutes::Find(NodeIdx dst) const
{
    auto after = std::upper_bound(
        runs.begin(), runs.end(), dst, [](NodeIdx d, const Run& run) { return d < run.first; });
    return after == runs.begin() || (after - 1)->last < dst ? nullptr : &groups[(after - 1)->group];
}

std::vector<SwitchRoutes>
FindRoutes(const FabricGraph& graph, const std::vector<bool>& down)
{
    return RouteSearch(graph, down).Run();
}

} // namespace ns3::aifabric
