// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-nic.h"

#include "credit-gate.h"
#include "nic-loop.h"
#include "queue-pair.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/abort.h"
#include "ns3/egress-port.h"
#include "ns3/fabric-event.h"
#include "ns3/frame-pool.h"
#include "ns3/link-frames.h"
#include "ns3/pfc-controller.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t kFirstNumber = 2; ///< of queue pairs of no special purpose

} // namespace

/// The event of the earliest deadline. It may outlive the NIC within ns-3's scheduler.
class RdmaNic::Timer final : public EventImpl
{
  public:
    explicit Timer(RdmaNic* nic)
        : nic(nic)
    {
    }

    RdmaNic* nic;

  private:
    void Notify() override
    {
        if (nic)
        {
            nic->OnTimer(Simulator::Now().GetTimeStep());
        }
    }
};

RdmaNic::RdmaNic()
    : m_pauseQuanta(kMaxPauseQuanta)
{
    UsePicoseconds();
}

RdmaNic::~RdmaNic()
{
    if (m_timer)
    {
        m_timer->nic = nullptr;
        m_timer->Unref();
    }
    for (QueuePair* queuePair : m_queuePairs)
    {
        delete queuePair;
    }
    for (QueuePair* queuePair : m_retired)
    {
        delete queuePair;
    }
}

PortIdx
RdmaNic::AddPort(EgressPort& port, NodeIdx address, Tick latency, double busBps)
{
    auto scheduler = std::make_unique<SendScheduler>();
    scheduler->Wire(port, port, busBps, latency);
    m_ports.push_back({std::move(scheduler), &port, address, busBps, nullptr, nullptr, {}});
    return static_cast<PortIdx>(m_ports.size() - 1);
}

SendScheduler&
RdmaNic::GetScheduler(PortIdx number, NodeIdx destination)
{
    Port& port = m_ports[number];
    if (destination != port.address)
    {
        return *port.scheduler;
    }
    if (!port.loop)
    {
        port.loop = std::make_unique<NicLoop>(
            *this, number, port.way->GetSettings(), port.busBps, port.scheduler->GetLatency());
    }
    return port.loop->GetScheduler();
}

void
RdmaNic::SetOrdinarySink(FrameSink* sink)
{
    m_ordinary = sink;
}

QueuePair&
RdmaNic::CreateQueuePair(PortIdx port,
                         std::shared_ptr<const TransportProfile> profile,
                         CompletionQueue& sendQueue,
                         CompletionQueue& receiveQueue)
{
    QueuePairInit init;
    init.port = port;
    init.profile = std::move(profile);
    init.sendQueue = &sendQueue;
    init.receiveQueue = &receiveQueue;
    return CreateQueuePair(init);
}

QueuePair&
RdmaNic::CreateQueuePair(const QueuePairInit& init)
{
    NS_ABORT_MSG_IF(init.port >= m_ports.size(),
                    "a queue pair at port " << init.port << " of a NIC with " << m_ports.size());
    NS_ABORT_MSG_IF(!init.profile || !init.sendQueue || !init.receiveQueue,
                    "a queue pair without a profile, or without completion queues");
    NS_ABORT_MSG_IF(m_queuePairs.size() > kPsnMask, "more than 2^24 queue pairs at one NIC");
    if (m_depth == 0)
    {
        for (QueuePair* retired : std::exchange(m_retired, {}))
        {
            delete retired;
        }
    }
    if (m_queuePairs.empty())
    {
        // Numbers 0 and 1 belong to management (IBA vol. 1, 3.5.3).
        m_queuePairs.resize(kFirstNumber);
        m_count = kFirstNumber;
    }
    if (init.generalServices)
    {
        QueuePair*& general = m_queuePairs[kGeneralServicesNumber];
        NS_ABORT_MSG_IF(general, "a second queue pair for general services at one NIC");
        general = new QueuePair(*this, kGeneralServicesNumber, init);
        return *general;
    }
    m_queuePairs.push_back(new QueuePair(*this, static_cast<uint32_t>(m_queuePairs.size()), init));
    m_count = static_cast<uint32_t>(m_queuePairs.size());
    return *m_queuePairs.back();
}

void
RdmaNic::OnAsyncEvent(std::function<void(const AsyncEvent&)> handler)
{
    m_asyncHandler = std::move(handler);
}

void
RdmaNic::DestroyQueuePair(QueuePair& queuePair)
{
    NS_ABORT_MSG_IF(FindQueuePair(queuePair.GetNumber()) != &queuePair,
                    "a queue pair of another NIC, or destroyed before");
    queuePair.Modify(QpState::Reset);
    static_cast<QueuePairCounters&>(m_counters) += queuePair.GetCounters();
    m_queuePairs[queuePair.GetNumber()] = nullptr;
    m_retired.push_back(&queuePair);
}

void
RdmaNic::SetPauseQuanta(uint32_t quanta)
{
    m_pauseQuanta = quanta;
}

void
RdmaNic::PauseSender(PortIdx number, uint8_t priority)
{
    Port& port = m_ports[number];
    if (!port.pauses)
    {
        port.pauses = std::make_unique<PfcController>();
        port.pauses->Configure(port.way, nullptr, m_pauseQuanta);
    }
    if (port.pauseReasons[priority]++ == 0)
    {
        port.pauses->Xoff(0, priority, Simulator::Now().GetTimeStep());
    }
}

void
RdmaNic::ResumeSender(PortIdx number, uint8_t priority)
{
    Port& port = m_ports[number];
    NS_ABORT_MSG_IF(port.pauseReasons[priority] == 0, "nobody has asked for a pause");
    if (--port.pauseReasons[priority] == 0)
    {
        port.pauses->Xon(0, priority, Simulator::Now().GetTimeStep());
    }
}

void
RdmaNic::Receive(Frame* f, PortIdx in, Tick now)
{
    if (f->op <= Opcode::Cnp)
    {
        QueuePair* queuePair = FindQueuePair(f->flow);
        Inside inside(*this);
        if (!queuePair)
        {
            FramePool::Discard(f);
            ++m_counters.unknownQueuePair;
        }
        else if (!queuePair->Receive(f, now))
        {
            ++m_counters.unknownQueuePair;
        }
    }
    else if (IsLinkLocal(f->op))
    {
        ObeyLinkFrame(GetEgressPort(in), f, now);
    }
    else if (m_ordinary)
    {
        m_ordinary->Receive(f, in, now);
    }
    else
    {
        ++m_counters.strayFrames;
        FramePool::Discard(f);
    }
}

const EgressPort*
RdmaNic::Prefetch(const Frame& f, PortIdx in) const
{
    const EgressPort& port = GetEgressPort(in);
    port.Prefetch(f.priority);
    if (const QueuePair* queuePair = f.op <= Opcode::Cnp ? FindQueuePair(f.flow) : nullptr)
    {
        queuePair->Prefetch(f.op);
    }
    return &port;
}

NicCounters
RdmaNic::GetCounters() const
{
    NicCounters sum = m_counters;
    for (const QueuePair* queuePair : m_queuePairs)
    {
        if (queuePair)
        {
            static_cast<QueuePairCounters&>(sum) += queuePair->GetCounters();
        }
    }
    return sum;
}

uint32_t
RdmaNic::TakeKey()
{
    // The low 8 bits are left to the owner (IBA vol. 1, 10.6.3.3).
    NS_ABORT_MSG_IF(m_lastKey >= 0xFFFFFF, "more than 2^24 - 1 memory regions at one NIC");
    return ++m_lastKey << 8;
}

CreditPolicy*
RdmaNic::GetCreditPolicy(PortIdx port, const Ptr<const CongestionControl>& control)
{
    // A port has one rate to grant, to flows of all jobs and entries of traffic together.
    auto found = std::find_if(m_gates.begin(), m_gates.end(), [&](const auto& each) {
        return each.first.first == port &&
               each.first.second->GetInstanceTypeId() == control->GetInstanceTypeId();
    });
    if (found != m_gates.end())
    {
        return found->second->GetPolicy();
    }
    std::unique_ptr<CreditGate>& gate = m_gates[{port, PeekPointer(control)}];
    gate = std::make_unique<CreditGate>(*this, GetEgressPort(port), control);
    return gate->GetPolicy();
}

void
RdmaNic::Watch(uint32_t number, Tick deadline)
{
    m_deadlines.push_back({deadline, number});
    std::push_heap(m_deadlines.begin(), m_deadlines.end());
    Arm();
}

/// Makes sure that the timer fires at the earliest deadline.
void
RdmaNic::Arm()
{
    if (m_deadlines.empty() || m_deadlines.front().at >= m_armedAt)
    {
        return;
    }
    if (!m_timer)
    {
        m_timer = new Timer(this);
    }
    const Tick now = Simulator::Now().GetTimeStep();
    m_armedAt = m_deadlines.front().at;
    // A frame that is caught up with may have left longer ago than its timeout.
    ArmEvent(m_timer, now, std::max(m_armedAt, now), Simulator::NO_CONTEXT);
}

void
RdmaNic::OnTimer(Tick now)
{
    if (now >= m_armedAt)
    {
        m_armedAt = kNever;
    }
    Inside inside(*this);
    while (!m_deadlines.empty() && m_deadlines.front().at <= now)
    {
        std::pop_heap(m_deadlines.begin(), m_deadlines.end());
        const Deadline due = m_deadlines.back();
        m_deadlines.pop_back();
        if (QueuePair* queuePair = FindQueuePair(due.number))
        {
            queuePair->OnTimer(due.at, now);
        }
    }
    Arm();
}

} // namespace ns3::aifabric
