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

/// Bit of a work request's id: the flow has more of them after this one.
constexpr uint64_t kMore = 1;

/// @return what a flow amounts to in a share of the work: a flow without payload is some work too.
double
Work(const FlowSpec& flow)
{
    return static_cast<double>(flow.bytes) + 1;
}

} // namespace

FlowRunner::FlowRunner(Fabric& fabric,
                       std::vector<FlowTransport> transports,
                       std::vector<FlowSpec> flows,
                       Tick stop)
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
        m_allWork += Work(flow);
        try
        {
            result.idealFct = m_paths.IdealFct(
                flow.source, flow.destination, flow.bytes, transport.GetSettings().ackInterval);
            if (stop == 0 && result.idealFct >= kNever - flow.start)
            {
                throw ScenarioError("",
                                    "the flow of " + std::to_string(flow.bytes) + " bytes from " +
                                        result.source + " to " + result.destination +
                                        " lasts beyond the end of simulated time, after 106 days, "
                                        "expected fewer bytes or simulation.stop_time_s");
            }
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
        Begin(m_next++);
    }
    if (m_next < m_flows.size())
    {
        m_event =
            Simulator::Schedule(FromTick(m_flows[m_next].start - now), &FlowRunner::StartDue, this);
    }
}

void
FlowRunner::Begin(std::size_t flow)
{
    const FlowSpec& spec = m_flows[flow];
    Active& active = m_active[flow];
    static_cast<QueuePairs&>(active) = m_transports[spec.entry].Connect(m_fabric,
                                                                        m_paths,
                                                                        spec.source,
                                                                        spec.destination,
                                                                        m_completions,
                                                                        m_completions,
                                                                        spec.priority);
    m_underWay.insert(flow);
    m_results[flow].sourcePort = active.sender->GetEntropy();
    active.unposted = spec.bytes;
    Post(flow);
    for (uint64_t posted = 1; posted < kMostPosted && active.unposted > 0; ++posted)
    {
        Post(flow);
    }
}

/// Posts the next message of a flow.
void
FlowRunner::Post(std::size_t flow)
{
    Active& active = m_active[flow];
    WorkRequest request;
    request.bytes = std::min(active.unposted, kMaxMessageBytes);
    active.unposted -= request.bytes;
    request.wrId = 2 * flow + (active.unposted > 0 ? kMore : 0);
    active.sender->PostSend(request);
}

void
FlowRunner::OnCompletion(const WorkCompletion& completion)
{
    const std::size_t flow = completion.wrId / 2;
    Active& active = m_active[flow];
    // Of several messages the first that fails tells; the others are flushed after it.
    if (!active.sender)
    {
        return;
    }
    if (completion.status == WcStatus::Success && (completion.wrId & kMore))
    {
        if (active.unposted > 0)
        {
            Post(flow);
        }
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
    m_underWay.erase(flow);
    m_endedWork += Work(m_flows[flow]);
    if (++m_ended == m_flows.size())
    {
        m_done();
    }
}

double
FlowRunner::GetDone() const
{
    double done = m_endedWork;
    for (std::size_t flow : m_underWay)
    {
        done += static_cast<double>(m_active[flow].receiver->GetCounters().deliveredBytes);
    }
    return m_ended == m_flows.size() ? 1 : done / m_allWork;
}

uint64_t
FlowRunner::GetDeliveredBytes(std::size_t flow) const
{
    const Active& active = m_active[flow];
    return active.receiver ? active.receiver->GetCounters().deliveredBytes
                           : m_results[flow].deliveredBytes;
}

std::map<std::string, std::vector<std::size_t>>
FlowRunner::FlowsByTag() const
{
    std::map<std::string, std::vector<std::size_t>> byTag;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        byTag[m_flows[i].tag].push_back(i);
    }
    return byTag;
}

void
FlowRunner::Sample(Tick now, RunResult& result)
{
    if (m_samplesEnd)
    {
        return;
    }
    if (result.flowSamples.size() + m_underWay.size() > kMostSamples)
    {
        m_samplesEnd = true;
        result.warnings.push_back(
            "progress.csv ends after " + std::to_string(result.flowSamples.size()) + " rows, at " +
            std::to_string(now / kNanosecond) + " ns: sampling_interval_us is too short");
        return;
    }
    for (std::size_t flow : m_underWay)
    {
        result.flowSamples.push_back({now, static_cast<uint32_t>(flow), GetDeliveredBytes(flow)});
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
