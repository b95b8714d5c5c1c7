// SPDX-License-Identifier: GPL-2.0-only
#include "job-transport.h"

#include "ns3/fabric.h"
#include "ns3/plan-runner.h"
#include "ns3/plan.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aifabric
{

JobTransport::JobTransport(Fabric& fabric,
                           GpuCluster& cluster,
                           FlowTransport& transport,
                           std::string name,
                           std::vector<uint32_t> gpus)
    : m_fabric(fabric),
      m_cluster(cluster),
      m_paths(fabric),
      m_transport(transport),
      m_name(std::move(name)),
      m_gpus(std::move(gpus)),
      m_sent([this](const WorkCompletion& completion) { OnSent(completion); }),
      m_received([this](const WorkCompletion& completion) { OnReceived(completion); })
{
}

JobTransport::~JobTransport() = default;

void
JobTransport::Send(PlanRunner& runner,
                   uint32_t step,
                   const PlanConnection& connection,
                   uint64_t bytes)
{
    m_runner = &runner;
    const uint32_t from = m_gpus[connection.from];
    const uint32_t to = m_gpus[connection.to];
    if (connection.scope == NetworkScope::ScaleUp)
    {
        const uint32_t perServer = m_cluster.gpusPerServer;
        m_cluster.domains[from / perServer]->Send(
            from % perServer, to % perServer, bytes, this, step);
        return;
    }
    const NodeIdx source = m_cluster.hosts[from];
    const NodeIdx destination = m_cluster.hosts[to];
    const uint32_t channel = GetChannel(source, destination);
    const uint64_t message = m_messages.size();
    const FabricGraph& graph = m_fabric.GetGraph();
    const PlanStep& planned = runner.GetPlan().Steps()[step];
    FlowResult result;
    result.job = m_name;
    result.tag =
        planned.operation == PlanStep::kNone
            ? ""
            : runner.GetPlan().Tags()[runner.GetPlan().Operations()[planned.operation].tag];
    result.source = graph.Nodes()[graph.NodeOf(source)].name;
    result.destination = graph.Nodes()[graph.NodeOf(destination)].name;
    result.sourcePort = m_channels[channel].pairs.front().sender->GetEntropy();
    result.destinationPort = kRocePort;
    result.sourceNumber = source;
    result.destinationNumber = destination;
    result.priority = static_cast<uint8_t>(m_transport.GetSettings().dataPriority);
    result.bytes = bytes;
    result.start = ToTick(Simulator::Now());
    result.idealFct =
        m_paths.IdealFct(source, destination, bytes, m_transport.GetSettings().ackInterval);
    m_results.push_back(result);
    Message state{step, channel, 0, 0};
    // First all receives and sends are counted, then posted: none completes within PostSend.
    const auto& pairs = m_channels[channel].pairs;
    std::vector<std::pair<std::size_t, uint64_t>> parts;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        uint64_t share = bytes * (i + 1) / pairs.size() - bytes * i / pairs.size();
        for (; share > kMaxMessageBytes; share -= kMaxMessageBytes)
        {
            parts.emplace_back(i, kMaxMessageBytes);
        }
        if (share > 0 || (bytes == 0 && i == 0))
        {
            parts.emplace_back(i, share);
        }
    }
    state.arriving = state.ending = parts.size();
    m_messages.push_back(state);
    for (auto [pair, share] : parts)
    {
        pairs[pair].receiver->PostReceive({message, share});
        WorkRequest request;
        request.wrId = message;
        request.bytes = share;
        request.opcode = WrOpcode::Send;
        pairs[pair].sender->PostSend(request);
    }
}

uint32_t
JobTransport::GetChannel(NodeIdx source, NodeIdx destination)
{
    auto [found, isNew] = m_channelOf.try_emplace(static_cast<uint64_t>(source) << 32 | destination,
                                                  m_channels.size());
    if (!isNew)
    {
        return found->second;
    }
    Channel channel;
    for (uint32_t i = 0; i < m_transport.GetSettings().queuePairsPerConnection; ++i)
    {
        channel.pairs.push_back(
            m_transport.Connect(m_fabric, m_paths, source, destination, m_sent, m_received));
    }
    m_channels.push_back(std::move(channel));
    return found->second;
}

Tick
JobTransport::ZeroByteLatency(const PlanConnection& connection)
{
    const uint32_t from = m_gpus[connection.from];
    const uint32_t to = m_gpus[connection.to];
    return connection.scope == NetworkScope::ScaleUp
               ? m_cluster.domains[from / m_cluster.gpusPerServer]->ZeroByteLatency()
               : m_paths.DeliveryTime(m_cluster.hosts[from], m_cluster.hosts[to], 0);
}

void
JobTransport::OnScaleUpMessage(uint64_t id)
{
    m_runner->Complete(static_cast<uint32_t>(id));
}

void
JobTransport::OnReceived(const WorkCompletion& completion)
{
    Message& message = m_messages[completion.wrId];
    if (completion.status == WcStatus::Success && --message.arriving == 0)
    {
        m_runner->Complete(message.step);
    }
}

void
JobTransport::OnSent(const WorkCompletion& completion)
{
    Message& message = m_messages[completion.wrId];
    FlowResult& result = m_results[completion.wrId];
    if (result.status != "unfinished")
    {
        return;
    }
    if (completion.status == WcStatus::Success && --message.ending > 0)
    {
        return;
    }
    result.status = ToString(completion.status);
    if (completion.status == WcStatus::Success)
    {
        result.fct = ToTick(Simulator::Now()) - result.start;
    }
    // Messages of a connection go in order: what its queue pairs count since the last one is this
    // one's.
    Channel& channel = m_channels[message.channel];
    FlowCounters sums;
    for (const QueuePairs& pair : channel.pairs)
    {
        sums.Add(pair);
    }
    sums.Since(channel.counted, result);
    channel.counted = sums;
    if (completion.status != WcStatus::Success)
    {
        m_runner->Fail(message.step,
                       result.source + " to " + result.destination + ": " + result.status);
    }
}

std::vector<FlowResult>
JobTransport::TakeResults()
{
    return std::move(m_results);
}

} // namespace ns3::aifabric
