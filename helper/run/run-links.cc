// SPDX-License-Identifier: GPL-2.0-only
#include "run-links.h"

#include "job-transport.h"

#include "ns3/fabric-switch.h"
#include "ns3/fabric.h"
#include "ns3/run-result.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// @return whether there is room for another sample; the first time that there is none it warns.
template <class Sample>
bool
HasRoom(const std::vector<Sample>& samples,
        const char* file,
        Tick now,
        bool& full,
        RunResult& result)
{
    if (!full && samples.size() >= RunLinks::kMostSamples)
    {
        full = true;
        result.warnings.push_back(
            std::string(file) + " ends after " + std::to_string(samples.size()) + " rows, at " +
            std::to_string(now / kNanosecond) + " ns: sampling_interval_us is too short");
    }
    return !full;
}

} // namespace

RunLinks::RunLinks(const Fabric& fabric, GpuCluster& cluster)
    : m_fabric(fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    for (const GraphLink& link : graph.Links())
    {
        for (bool forward : {true, false})
        {
            const GraphNodeIdx from = forward ? link.from : link.to;
            const GraphNodeIdx to = forward ? link.to : link.from;
            const PortIdx port = forward ? link.fromPort : link.toPort;
            m_directions.push_back(
                {&fabric.GetPort(from, port),
                 graph.PortName(from, port),
                 graph.Nodes()[from].name,
                 graph.Nodes()[to].name,
                 graph.LayerOf(graph.Nodes()[from]) + "_to_" + graph.LayerOf(graph.Nodes()[to]),
                 PeekPointer(fabric.GetSwitch(from))});
        }
    }
    for (uint32_t server = 0; server < cluster.domains.size(); ++server)
    {
        const std::string name = "server" + std::to_string(server);
        const std::string nvswitch = name + ".nvswitch";
        for (uint32_t gpu = 0; gpu < cluster.gpusPerServer; ++gpu)
        {
            ScaleUpDomain& domain = *cluster.domains[server];
            const std::string end = name + ".gpu" + std::to_string(gpu);
            m_directions.push_back({&domain.GetUplink(gpu), end, end, nvswitch, "gpu_to_nvswitch"});
            m_directions.push_back({&domain.GetDownlink(gpu),
                                    nvswitch + ".port" + std::to_string(gpu),
                                    nvswitch,
                                    end,
                                    "nvswitch_to_gpu"});
        }
    }
}

void
RunLinks::Sample(Tick now, bool queues, bool pauses, RunResult& result)
{
    for (uint32_t i = 0; i < m_directions.size(); ++i)
    {
        Direction& direction = m_directions[i];
        EgressPort& port = *direction.port;
        port.Sync(now);
        for (uint8_t priority = 0; queues && priority < EgressPort::kPriorities; ++priority)
        {
            const uint32_t bytes = port.GetQueuedBytes(priority);
            if (bytes > 0 && HasRoom(result.queueSamples, "queues.csv", now, m_queuesFull, result))
            {
                result.queueSamples.push_back({now, i, bytes, priority});
            }
        }
        const uint64_t count = pauses ? port.GetCounters().pauses : 0;
        const Tick paused = pauses ? port.GetPausedTime(now) : 0;
        if ((count > direction.pauses || paused > direction.paused) &&
            HasRoom(result.pauseSamples, "pfc.csv", now, m_pausesFull, result))
        {
            result.pauseSamples.push_back({now,
                                           i,
                                           static_cast<uint32_t>(count - direction.pauses),
                                           paused - direction.paused});
        }
        direction.pauses = count;
        direction.paused = paused;
    }
}

void
RunLinks::Report(Tick now, Tick end, RunResult& result) const
{
    for (const Direction& direction : m_directions)
    {
        EgressPort& port = *direction.port;
        port.Sync(now);
        const PortCounters& counters = port.GetCounters();
        LinkResult link;
        link.link = direction.name;
        link.from = direction.from;
        link.to = direction.to;
        link.layer = direction.layer;
        link.bandwidthBps = port.GetBandwidth();
        link.frames = counters.frames;
        link.bytes = counters.bytes;
        link.payloadBytes = counters.payloadBytes;
        const double wire =
            static_cast<double>(counters.bytes + counters.frames * port.GetSettings().gapBytes) *
            8e12 / link.bandwidthBps;
        // A frame counts from its start; that of the last one may lie ahead.
        link.busy = std::min(static_cast<Tick>(wire), end);
        link.droppedFrames = counters.dropped + counters.lost;
        link.markedFrames = counters.marked;
        link.pauseTime = port.GetPausedTime(now);
        link.maxQueueBytes = counters.maxQueueBytes;
        link.trimmedFrames = direction.owner ? direction.owner->GetTrimmed(port.GetIndex()) : 0;
        result.engine.frameHops += counters.frames;
        result.engine.dataFrameHops += counters.dataFrames;
        result.links.push_back(std::move(link));
    }
    CountDrops(result);
}

void
RunLinks::CountDrops(RunResult& result) const
{
    for (const Direction& direction : m_directions)
    {
        result.drops["link_loss"] += direction.port->GetCounters().lost;
    }
    for (GraphNodeIdx node = 0; node < m_fabric.GetGraph().Nodes().size(); ++node)
    {
        const Ptr<FabricSwitch> at = m_fabric.GetSwitch(node);
        for (int i = 0; at && i < static_cast<int>(DropReason::kCount); ++i)
        {
            const auto reason = static_cast<DropReason>(i);
            result.drops[NameOf(reason)] += at->GetDropped(reason);
        }
    }
}

} // namespace ns3::aifabric
