// SPDX-License-Identifier: GPL-2.0-only
#include "flow-ports.h"

#include "ns3/fabric.h"
#include "ns3/run-result.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ns3::aifabric
{

FlowPorts::FlowPorts(const Fabric& fabric)
    : m_fabric(fabric),
      m_ports(fabric.GetGraph()),
      m_arePinned(fabric.GetSettings().balancer &&
                  fabric.GetSettings().balancer->DecidesByAddresses() &&
                  !fabric.GetSettings().balancer->GetPathSelection())
{
}

std::vector<FlowPorts::Sender>
FlowPorts::Of(const FlowResult& flow) const
{
    Frame frame{};
    frame.src = flow.sourceNumber;
    frame.dst = flow.destinationNumber;
    frame.entropy = flow.sourcePort;
    std::vector<Sender> taken;
    if (frame.src == frame.dst)
    {
        return taken;
    }
    std::set<Sender> seen;
    taken.emplace_back(m_fabric.GetGraph().NodeOf(frame.src), 0);
    auto take = [&](const Sender& sender) {
        if (seen.insert(sender).second)
        {
            taken.push_back(sender);
        }
    };
    for (std::size_t i = 0; i < taken.size(); ++i)
    {
        const GraphPorts::Port& far = m_ports.Of(taken[i].first)[taken[i].second];
        auto at = m_fabric.GetSwitch(far.peer);
        if (!at)
        {
            continue;
        }
        if (m_arePinned)
        {
            const PortIdx out = at->NextHop(frame, far.peerPort);
            if (out != kNoPort)
            {
                take({far.peer, out});
            }
            continue;
        }
        const auto* next = m_fabric.GetRoutes()[far.peer].Find(frame.dst);
        for (std::size_t j = 0; next && j < next->size(); ++j)
        {
            take({far.peer, (*next)[j]});
        }
    }
    return taken;
}

void
CountCollisions(const Fabric& fabric, RunResult& result)
{
    const FlowPorts ports(fabric);
    if (!ports.ArePinned())
    {
        return;
    }
    const FabricGraph& graph = fabric.GetGraph();
    const GraphPorts far(graph);
    std::vector<uint32_t> flows;
    std::vector<std::vector<uint32_t>> paths(result.flows.size()); ///< by flow: links
    for (uint32_t i = 0; i < result.flows.size(); ++i)
    {
        if (result.flows[i].bytes == 0)
        {
            continue;
        }
        flows.push_back(i);
        for (const auto& [node, port] : ports.Of(result.flows[i]))
        {
            const GraphLinkIdx link = far.Of(node)[port].link;
            const bool isForward =
                graph.Links()[link].from == node && graph.Links()[link].fromPort == port;
            paths[i].push_back(2 * link + (isForward ? 0 : 1));
        }
    }
    auto endOf = [&](uint32_t i) {
        const FlowResult& flow = result.flows[i];
        return flow.fct == kNever ? kNever : flow.start + flow.fct;
    };
    std::vector<uint32_t> ends = flows;
    std::sort(flows.begin(), flows.end(), [&](uint32_t a, uint32_t b) {
        return result.flows[a].start < result.flows[b].start;
    });
    std::sort(
        ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) { return endOf(a) < endOf(b); });
    std::vector<uint32_t> now(2 * graph.Links().size());
    for (std::size_t i = 0; i < now.size(); ++i)
    {
        result.links[i].mostFlows = 0;
    }
    auto ended = ends.begin();
    for (uint32_t flow : flows)
    {
        for (; endOf(*ended) <= result.flows[flow].start; ++ended)
        {
            for (uint32_t link : paths[*ended])
            {
                --now[link];
            }
        }
        for (uint32_t link : paths[flow])
        {
            result.links[link].mostFlows = std::max(*result.links[link].mostFlows, ++now[link]);
        }
    }
}

} // namespace ns3::aifabric
