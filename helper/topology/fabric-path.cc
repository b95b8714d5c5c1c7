// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-path.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

namespace ns3::aifabric
{

/// One link that a frame may take.
struct PathFinder::Step
{
    GraphNodeIdx from;
    GraphNodeIdx to;
    GraphLinkIdx link;
};

PathFinder::PathFinder(const FabricGraph& graph, const std::vector<SwitchRoutes>& routes)
    : m_graph(graph),
      m_routes(routes),
      m_ports(graph)
{
}

/// @return the links of each stage; none when dst cannot be reached.
std::vector<std::vector<PathFinder::Step>>
PathFinder::Stages(NodeIdx src, NodeIdx dst) const
{
    static const std::vector<PortIdx> kNoPorts;
    static const std::vector<PortIdx> kOnlyPort{0};
    GraphNodeIdx end = m_graph.NodeOf(dst);
    std::vector<std::vector<Step>> stages;
    std::vector<GraphNodeIdx> frontier{m_graph.NodeOf(src)};
    // All shortest paths are of one length, so that no node is met in two stages.
    while (src != dst && frontier != std::vector<GraphNodeIdx>{end})
    {
        std::vector<Step> stage;
        for (GraphNodeIdx from : frontier)
        {
            bool hasOne =
                IsEndpoint(m_graph.Nodes()[from].kind) && m_graph.Nodes()[from].ports == 1;
            const auto* ports = hasOne ? &kOnlyPort : m_routes[from].Find(dst);
            for (PortIdx port : ports ? *ports : kNoPorts)
            {
                const GraphPorts::Port& far = m_ports.Of(from)[port];
                stage.push_back({from, far.peer, far.link});
            }
        }
        frontier.clear();
        for (const Step& step : stage)
        {
            frontier.push_back(step.to);
        }
        std::sort(frontier.begin(), frontier.end());
        frontier.erase(std::unique(frontier.begin(), frontier.end()), frontier.end());
        bool isStray = std::any_of(frontier.begin(), frontier.end(), [&](GraphNodeIdx node) {
            return node != end && IsEndpoint(m_graph.Nodes()[node].kind);
        });
        if (stage.empty() || isStray)
        {
            return {};
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

/// The way on which one frame arrives first over links no slower than slowest; empty without one.
std::vector<PathFinder::Step>
PathFinder::Quickest(const std::vector<std::vector<Step>>& stages,
                     double slowest,
                     uint32_t frameBytes,
                     double& time) const
{
    struct Reached
    {
        double time;
        const Step* by;
    };

    std::vector<std::unordered_map<GraphNodeIdx, Reached>> reached(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i)
    {
        for (const Step& step : stages[i])
        {
            const LinkSpec& link = m_graph.Links()[step.link].spec;
            double start = 0;
            if (i > 0)
            {
                auto from = reached[i - 1].find(step.from);
                if (from == reached[i - 1].end())
                {
                    continue;
                }
                start = from->second.time + m_graph.Nodes()[step.from].spec.forwardingLatency;
            }
            if (link.bandwidth >= slowest)
            {
                double end = start + frameBytes * 8e12 / link.bandwidth + link.delay;
                auto [place, isNew] = reached[i].emplace(step.to, Reached{end, &step});
                if (!isNew && end < place->second.time)
                {
                    place->second = {end, &step};
                }
            }
        }
    }
    std::vector<Step> way;
    if (!reached.empty() && !reached.back().empty())
    {
        way.resize(stages.size());
        way.back() = *reached.back().begin()->second.by; // the last stage ends at one node only
        time = reached.back().begin()->second.time;
        for (std::size_t i = stages.size() - 1; i > 0; --i)
        {
            way[i - 1] = *reached[i - 1].at(way[i].from).by;
        }
    }
    return way;
}

/// The fastest way through the stages.
std::vector<PathHop>
PathFinder::Search(const std::vector<std::vector<Step>>& stages,
                   uint32_t frameBytes,
                   uint64_t frames) const
{
    std::set<double> rates;
    for (const auto& stage : stages)
    {
        for (const Step& step : stage)
        {
            rates.insert(m_graph.Links()[step.link].spec.bandwidth);
        }
    }
    // The fastest path is the quickest for one frame among those whose slowest link has its rate.
    std::vector<Step> best;
    double bestTime = std::numeric_limits<double>::infinity();
    for (double slowest : rates)
    {
        double time = 0;
        auto way = Quickest(stages, slowest, frameBytes, time);
        time += static_cast<double>(frames - 1) * (frameBytes * 8e12 / slowest);
        if (!way.empty() && time < bestTime)
        {
            bestTime = time;
            best = std::move(way);
        }
    }
    std::vector<PathHop> path;
    for (std::size_t i = 0; i < best.size(); ++i)
    {
        PathHop hop{best[i].from, best[i].link, 0, static_cast<uint32_t>(stages[i].size()), 0};
        for (const Step& step : stages[i])
        {
            hop.nextHops += step.from == hop.from;
            hop.stageBandwidth += m_graph.Links()[step.link].spec.bandwidth;
        }
        path.push_back(hop);
    }
    return path;
}

/// Whether a node has one port, and a switch behind it.
bool
PathFinder::IsOnSwitch(GraphNodeIdx node) const
{
    return m_graph.Nodes()[node].ports == 1 &&
           !IsEndpoint(m_graph.Nodes()[m_ports.Of(node)[0].peer].kind);
}

/// Whether it does not matter for the time which link of a stage is taken.
bool
PathFinder::IsUniform(const std::vector<Step>& stage) const
{
    const LinkSpec& link = m_graph.Links()[stage.front().link].spec;
    Tick latency = m_graph.Nodes()[stage.front().from].spec.forwardingLatency;
    return std::all_of(stage.begin(), stage.end(), [&](const Step& step) {
        const LinkSpec& other = m_graph.Links()[step.link].spec;
        return other.bandwidth == link.bandwidth && other.delay == link.delay &&
               m_graph.Nodes()[step.from].spec.forwardingLatency == latency;
    });
}

/// A hop that is a stage of its own.
PathHop
PathFinder::OnlyHop(GraphNodeIdx from, GraphLinkIdx link) const
{
    return {from, link, 1, 1, m_graph.Links()[link].spec.bandwidth};
}

std::vector<PathHop>
PathFinder::Fastest(NodeIdx src, NodeIdx dst, uint32_t frameBytes, uint64_t frames) const
{
    GraphNodeIdx first = m_graph.NodeOf(src);
    GraphNodeIdx last = m_graph.NodeOf(dst);
    bool isBetweenSwitches = src != dst && IsOnSwitch(first) && IsOnSwitch(last);
    uint64_t switches = 0;
    if (isBetweenSwitches)
    {
        const GraphPorts::Port& up = m_ports.Of(first)[0];
        const GraphPorts::Port& down = m_ports.Of(last)[0];
        switches = uint64_t{up.peer} << 32 | down.peer;
        auto known = m_known.find(switches);
        if (known != m_known.end())
        {
            std::vector<PathHop> path;
            path.reserve(known->second.size() + 2);
            path.push_back(OnlyHop(first, up.link));
            path.insert(path.end(), known->second.begin(), known->second.end());
            path.push_back(OnlyHop(down.peer, down.link));
            return path;
        }
    }

    const auto stages = Stages(src, dst);
    auto path = Search(stages, frameBytes, frames);
    if (isBetweenSwitches && !path.empty() &&
        std::all_of(stages.begin(), stages.end(), [&](auto& stage) { return IsUniform(stage); }))
    {
        m_known[switches].assign(path.begin() + 1, path.end() - 1);
    }
    return path;
}

uint64_t
PathFinder::CountPaths(NodeIdx src, NodeIdx dst) const
{
    std::unordered_map<GraphNodeIdx, uint64_t> paths{{m_graph.NodeOf(src), 1}};
    for (const auto& stage : Stages(src, dst))
    {
        std::unordered_map<GraphNodeIdx, uint64_t> next;
        for (const Step& step : stage)
        {
            next[step.to] += paths[step.from];
        }
        paths = std::move(next);
    }
    auto found = paths.find(m_graph.NodeOf(dst));
    return src == dst || found == paths.end() ? 0 : found->second;
}

} // namespace ns3::aifabric
