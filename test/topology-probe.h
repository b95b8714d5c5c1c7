// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TOPOLOGY_PROBE_H
#define AIFABRIC_TOPOLOGY_PROBE_H

#include "error-of.h"

#include "ns3/double.h"
#include "ns3/fabric-path.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric-routes.h"
#include "ns3/string.h"
#include "ns3/topology-builder.h"
#include "ns3/uinteger.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// What the tests of topologies share.
namespace ns3::aifabric::probe
{

/// A builder with integer parameters set.
inline Ptr<TopologyBuilder>
Builder(const std::string& id, const std::vector<std::pair<std::string, uint64_t>>& parameters = {})
{
    auto builder = MakePlugin<TopologyBuilder>(id);
    for (const auto& [name, value] : parameters)
    {
        builder->SetAttribute(name, UintegerValue(value));
    }
    return builder;
}

/// A graph with what is found in it.
class Probe
{
  public:
    explicit Probe(FabricGraph built)
        : graph(std::move(built)),
          routes(FindRoutes(graph)),
          paths(graph, routes)
    {
    }

    Probe(const Probe&) = delete;

    uint32_t CountSwitches(const std::string& layer) const
    {
        uint32_t count = 0;
        for (const GraphNode& node : graph.Nodes())
        {
            count +=
                node.kind == NodeKind::Switch && (layer.empty() || graph.LayerOf(node) == layer);
        }
        return count;
    }

    uint32_t CountLinks(const std::string& layer) const
    {
        uint32_t count = 0;
        for (const GraphLink& link : graph.Links())
        {
            count += graph.LayerOf(link) == layer;
        }
        return count;
    }

    /// @return switches between two hosts; -1 without a path.
    int SwitchHops(NodeIdx src, NodeIdx dst) const
    {
        return static_cast<int>(paths.Fastest(src, dst).size()) - 1;
    }

    /// @return for host src: how many others are how many switches away.
    std::map<int, uint32_t> SwitchHopsFrom(NodeIdx src) const
    {
        std::map<int, uint32_t> count;
        for (NodeIdx dst = 0; dst < graph.HostCount(); ++dst)
        {
            if (dst != src)
            {
                ++count[SwitchHops(src, dst)];
            }
        }
        return count;
    }

    /// @return the longest way between any two hosts, in switches; -1 where two have none.
    int Diameter() const
    {
        int longest = 0;
        for (NodeIdx src = 0; src < graph.HostCount(); ++src)
        {
            auto hops = SwitchHopsFrom(src);
            if (hops.count(-1))
            {
                return -1;
            }
            longest = std::max(longest, hops.empty() ? 0 : hops.rbegin()->first);
        }
        return longest;
    }

    /// @return bit/s from the first half of the hosts to the second, as a maximum flow.
    double Bisection() const
    {
        using namespace boost;
        using Traits = adjacency_list_traits<vecS, vecS, directedS>;
        using Flow =
            adjacency_list<vecS,
                           vecS,
                           directedS,
                           no_property,
                           property<edge_capacity_t,
                                    int64_t,
                                    property<edge_residual_capacity_t,
                                             int64_t,
                                             property<edge_reverse_t, Traits::edge_descriptor>>>>;
        Flow flow(graph.Nodes().size() + 2);
        auto capacity = get(edge_capacity, flow);
        auto reverse = get(edge_reverse, flow);
        auto join = [&](std::size_t from, std::size_t to, double rate) {
            auto a = add_edge(from, to, flow).first;
            auto b = add_edge(to, from, flow).first;
            capacity[a] = static_cast<int64_t>(rate / 1e3);
            capacity[b] = 0;
            reverse[a] = b;
            reverse[b] = a;
        };
        for (const GraphLink& link : graph.Links())
        {
            join(link.from, link.to, link.spec.bandwidth);
            join(link.to, link.from, link.spec.bandwidth);
        }
        std::size_t source = graph.Nodes().size();
        for (NodeIdx host = 0; host < graph.HostCount(); ++host)
        {
            bool isFirst = host < graph.HostCount() / 2;
            isFirst ? join(source, graph.NodeOf(host), 1e15)
                    : join(graph.NodeOf(host), source + 1, 1e15);
        }
        return 1e3 * static_cast<double>(push_relabel_max_flow(flow, source, source + 1));
    }

    const FabricGraph graph;
    const std::vector<SwitchRoutes> routes;
    const PathFinder paths;
};

} // namespace ns3::aifabric::probe

#endif // AIFABRIC_TOPOLOGY_PROBE_H
