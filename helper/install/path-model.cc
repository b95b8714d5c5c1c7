// SPDX-License-Identifier: GPL-2.0-only
#include "path-model.h"

#include "fabric.h"

#include "ns3/scenario-error.h"
#include "ns3/verbs.h"

namespace ns3::aifabric
{

namespace
{

/// @return a time with what the NICs add to it.
Tick
WithLatency(Tick time, Tick latency)
{
    return time < kNever - latency ? time + latency : kNever;
}

} // namespace

PathModel::PathModel(const Fabric& fabric)
    : m_fabric(fabric),
      m_paths(fabric.GetGraph(), fabric.GetRoutes())
{
}

std::vector<IdealHop>
PathModel::Hops(NodeIdx source, NodeIdx destination, uint64_t bytes) const
{
    const FabricGraph& graph = m_fabric.GetGraph();
    const FabricSettings& settings = m_fabric.GetSettings();
    const uint32_t mtu = settings.mtuPayloadBytes;
    const uint32_t frame = settings.headers.DataFrame(mtu, false) + settings.headers.gapBytes;
    if (source == destination)
    {
        // Within the NIC, see NicLoop.
        const ByteTime wire(m_fabric.GetHostPort(source).GetBandwidth());
        return {{wire, wire, 0, 0, settings.headers.gapBytes}};
    }
    std::vector<IdealHop> hops;
    for (const PathHop& hop :
         m_paths.Fastest(source, destination, frame, std::max<uint64_t>(bytes / mtu, 1)))
    {
        const GraphLink& link = graph.Links()[hop.link];
        const GraphNode& here = graph.Nodes()[hop.from];
        const GraphNode& there = graph.Nodes()[link.from == hop.from ? link.to : link.from];
        auto latency = [](const GraphNode& node) {
            return IsEndpoint(node.kind) ? 0 : node.spec.forwardingLatency;
        };
        const ByteTime wire(link.spec.bandwidth);
        hops.push_back({wire,
                        wire,
                        link.spec.delay + latency(there),
                        link.spec.delay + latency(here),
                        settings.headers.gapBytes});
    }
    if (hops.empty())
    {
        throw ScenarioError("",
                            "no path from " + graph.Nodes()[graph.NodeOf(source)].name + " to " +
                                graph.Nodes()[graph.NodeOf(destination)].name);
    }
    return hops;
}

Tick
PathModel::DeliveryTime(NodeIdx source, NodeIdx destination, uint64_t bytes) const
{
    const FabricSettings& settings = m_fabric.GetSettings();
    return WithLatency(aifabric::DeliveryTime(
                           Hops(source, destination, bytes),
                           {bytes, settings.mtuPayloadBytes, kMaxMessageBytes, settings.nicBusBps},
                           settings.headers),
                       settings.nicLatency);
}

Tick
PathModel::IdealFct(NodeIdx source, NodeIdx destination, uint64_t bytes, uint32_t ackInterval) const
{
    const FabricSettings& settings = m_fabric.GetSettings();
    return WithLatency(
        aifabric::IdealFct(
            Hops(source, destination, bytes),
            {bytes, settings.mtuPayloadBytes, kMaxMessageBytes, settings.nicBusBps, ackInterval},
            settings.headers),
        2 * settings.nicLatency);
}

Tick
PathModel::BaseRtt(NodeIdx source, NodeIdx destination) const
{
    const FabricSettings& settings = m_fabric.GetSettings();
    const Tick posted = IdealFct(source, destination, settings.mtuPayloadBytes);
    return posted < kNever ? posted - settings.nicLatency : kNever;
}

} // namespace ns3::aifabric
