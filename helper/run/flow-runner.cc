// SPDX-License-Identifier: GPL-2.0-only
#include "flow-runner.h"

#include "ns3/fabric.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/scenario-error.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// Work requests of a flow, which are all posted at once.
constexpr uint64_t kMostMessages = 65536;

} // namespace

FlowRunner::FlowRunner(Fabric& fabric,
                       std::vector<FlowTransport> transports,
                       std::vector<FlowSpec> flows)
    : m_fabric(fabric),
      m_paths(fabric),
      m_transports(std::move(transports)),
      m_flows(std::move(flows)),
      m_results(m_flows.size()),
      m_active(m_flows.size()),
      m_completions([this](const WorkCompletion& completion) { OnCompletion(completion); })
{
    const FabricGraph& graph = fabric.GetGraph();
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const FlowSpec& flow = m_flows[i];
        FlowTransport& transport = m_transports.at(flow.entry);
        FlowResult& result = m_results[i];
        result.tag = flow.tag;
        result.source = graph.Nodes()[graph.NodeOf(flow.source)].name;
        result.destination = graph.Nodes()[graph.NodeOf(flow.destination)].name;
        result.sourceNumber = flow.source;
        result.destinationNumber = flow.destination;
        result.destinationPort = flow.destinationPort ? flow.destinationPort : kRocePort;
        result.priority = flow.priority;
        result.bytes = flow.bytes;
        result.start = flow.start;
        transport.GetProfile(fabric, flow.source);
        try
        {
            if (flow.bytes / kMaxMessageBytes >= kMostMessages)
            {
                throw ScenarioError("",
                                    "a flow of " + std::to_string(flow.bytes) +
                                        " bytes, expected less than 2^47: 65536 messages of 2 GiB");
            }
            result.idealFct = m_paths.IdealFct(
                flow.source, flow.destination, flow.bytes, transport.GetSettings().ackInterval);
        }
        catch (const ScenarioError& error)
        {
            throw error.Under("traffic[" + std::to_string(flow.entry) + "]");
        }
    }
}

FlowRunner::~FlowRunner() = default;

void
FlowRunner::Start(std::function<void()> done)
{
    m_done = std::move(done);
    if (m_flows.empty())
    {
        m_event = Simulator::ScheduleNow([this] { m_done(); });
        return;
    }
    m_event = Simulator::Schedule(
        FromTick(m_flows.front().start) - Simulator::Now(), &FlowRunner::StartDue, this);
}

void
FlowRunner::StartDue()
{
    const Tick now = ToTick(Simulator::Now());
    while (m_next < m_flows.size() && m_flows[m_next].start <= now)
    {
        Post(m_next++);
    }
    if (m_next < m_flows.size())
    {
        m_event =
            Simulator::Schedule(FromTick(m_flows[m_next].start - now), &FlowRunner::StartDue, this);
    }
}

void
FlowRunner::Post(std::size_t flow)
{
    const FlowSpec& spec = m_flows[flow];
    QueuePairs& active = m_active[flow];
    active = m_transports[spec.entry].Connect(m_fabric,
                                              m_paths,
                                              spec.source,
                                              spec.destination,
                                              m_completions,
                                              m_completions,
                                              spec.priority);
    m_results[flow].sourcePort = active.sender->GetEntropy();
    uint64_t left = spec.bytes;
    do
    {
        WorkRequest request;
        request.wrId = flow;
        request.bytes = std::min(left, kMaxMessageBytes);
        left -= request.bytes;
        request.signaled = left == 0;
        active.sender->PostSend(request);
    } while (left > 0);
}

void
FlowRunner::OnCompletion(const WorkCompletion& completion)
{
    const std::size_t flow = completion.wrId;
    QueuePairs& active = m_active[flow];
    // Of several messages the first that fails tells; the others are flushed after it.
    if (!active.sender)
    {
        return;
    }
    FlowResult& result = m_results[flow];
    result.status = ToString(completion.status);
    if (completion.status == WcStatus::Success)
    {
        result.fct = ToTick(Simulator::Now()) - m_flows[flow].start;
    }
    Note(flow);
    m_fabric.GetNic(m_flows[flow].source).DestroyQueuePair(*active.sender);
    m_fabric.GetNic(m_flows[flow].destination).DestroyQueuePair(*active.receiver);
    active = {};
    if (++m_ended == m_flows.size())
    {
        m_done();
    }
}

void
FlowRunner::Note(std::size_t flow)
{
    FlowCounters counters;
    counters.Add(m_active[flow]);
    counters.Since({}, m_results[flow]);
}

std::vector<FlowResult>
FlowRunner::TakeResults()
{
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        if (m_active[i].sender)
        {
            Note(i);
        }
    }
    return std::move(m_results);
}

} // namespace ns3::aifabric
