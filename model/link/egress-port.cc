// SPDX-License-Identifier: GPL-2.0-only
#include "egress-port.h"

#include "link-frames.h"

#include "ns3/abort.h"
#include "ns3/fabric-event.h"
#include "ns3/frame-pool.h"
#include "ns3/radix-scheduler.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// What a port that nobody watches looks at.
const uint32_t g_unwatched = 0;

} // namespace

EgressPort::EgressPort()
    : m_watching(&g_unwatched)
{
    m_wake.port = this;
}

EgressPort::~EgressPort()
{
    for (const FrameQueue& queue : m_queues)
    {
        for (Frame* f = queue.Front(); f;)
        {
            Frame* next = f->next;
            FramePool::Discard(f);
            f = next;
        }
    }
    for (; !m_flight.IsEmpty(); m_flight.Pop())
    {
        FramePool::Discard(m_flight.Front().frame);
    }
}

void
EgressPort::Wire(const PortSettings& settings,
                 PortIdx index,
                 PortOwner* owner,
                 const uint32_t* watching)
{
    UsePicoseconds();
    RadixScheduler::SetFrequent(typeid(EgressPort),
                                &Dispatch,
                                {&PrefetchRing, &PrefetchFrame, &PrefetchPeer, &PrefetchQueue});
    m_settings = settings;
    m_index = index;
    m_owner = owner;
    m_watching = watching ? watching : &g_unwatched;
    m_byteTime = ByteTime(settings.bandwidthBps);
    m_delay = settings.delay;
    m_gap = settings.gapBytes;
    m_peer = settings.peer;
    m_peerPort = settings.peerPort;
    m_context = settings.peerNode;
    ArrivalOrder* order = settings.peer ? settings.peer->GetArrivalOrder() : nullptr;
    m_due = order ? order->Join(m_peerPort, *this) : ArrivalOrder::Nowhere();
    m_rank = order ? m_peerPort : 0;
    m_credits =
        settings.creditBytes > 0 ? std::make_unique<Credits>(settings.creditBytes) : nullptr;
    m_attended = m_credits || m_observer;
    m_cutThrough = settings.cutThroughBytes > 0 ? WireTime(settings.cutThroughBytes) : kNever;
    if (settings.lossProbability > 0 || settings.bitErrorRate > 0)
    {
        GetObserver().SetLosses(settings.lossProbability, settings.bitErrorRate, settings.stream);
    }
}

void
EgressPort::SetCreditReturn(PortOwner* far, uint32_t* waiting)
{
    m_credits->far = far;
    m_credits->waiting = waiting;
}

void
EgressPort::SetSource(FrameSource* source)
{
    m_source = source;
}

void
EgressPort::SetDwrr(const std::array<uint32_t, kPriorities>& weights)
{
    m_strict = (1 << kLinkQueue) | 0xFF;
    for (int priority = 0; priority < kPriorities; ++priority)
    {
        if (weights[priority] > 0)
        {
            m_strict &= ~(1 << priority);
        }
    }
    m_dwrr = std::make_unique<DeficitRoundRobin>(weights);
}

LinkObserver&
EgressPort::GetObserver()
{
    if (!m_observer)
    {
        m_observer = std::make_unique<LinkObserver>();
        m_attended = true;
    }
    return *m_observer;
}

void
EgressPort::AddTap(FrameTap& tap)
{
    GetObserver().AddTap(tap);
}

void
EgressPort::EnqueueSynced(Frame* f, Tick now)
{
    const int queue = f->priority;
    if (m_free <= now && !(m_waiting | m_pulling) && f->ready <= now && m_strict >> queue & 1 &&
        !(m_paused >> queue & 1) && !(m_credits && !m_credits->HasCredit()))
    {
        Depart(f, 0, now, now);
        return;
    }
    Append(queue, f);
    if (m_free <= now || *m_watching || m_flight.IsEmpty())
    {
        CatchUp(now);
    }
}

void
EgressPort::EnqueueLinkFrame(Frame* f, Tick now)
{
    if (f->op == Opcode::Pause)
    {
        PauseCounters& counters = Pauses().counters[f->priority];
        ++(f->psn > 0 ? counters.xoffSent : counters.xonSent);
    }
    f->ready = now;
    Append(kLinkQueue, f);
    Arm(std::max(m_free, now), now);
}

void
EgressPort::SetPulling(uint8_t priority, bool pulling, Tick now)
{
    if (!pulling)
    {
        m_pulling &= ~(1 << priority);
        return;
    }
    m_pulling |= 1 << priority;
    m_free = std::max(m_free, now);
    CatchUp(now);
}

Frame*
EgressPort::TakeQueue(uint8_t priority)
{
    m_waiting &= ~(1 << priority);
    return m_queues[priority].TakeAll();
}

void
EgressPort::AddCredit(uint32_t bytes, Tick at, Tick now)
{
    m_credits->Return(bytes, at);
    if (!m_credits->waits)
    {
        return;
    }
    NS_ABORT_MSG_IF(at < now, "credit returns " << now - at << " ps late");
    m_credits->waits = false;
    if (m_credits->waiting)
    {
        --*m_credits->waiting;
    }
    // Somebody looks when what is in flight has arrived.
    if (m_flight.IsEmpty() || *m_watching)
    {
        Arm(std::max(at, m_free), now);
    }
}

void
EgressPort::DoCatchUp(Tick now)
{
    while (m_free <= now && (m_waiting | m_pulling))
    {
        Choice choice = Next(now);
        if (choice.start > now)
        {
            // What becomes eligible from here on does so no earlier than now.
            m_free = now;
            if (choice.start != kNever && (m_flight.IsEmpty() || *m_watching))
            {
                Arm(choice.start, now);
            }
            break;
        }
        Transmit(choice, now);
    }
    // Cut-through hands the last frame over before the wire is free: nobody else will look then.
    if (m_free > now && (m_waiting | m_pulling) && (*m_watching || m_flight.IsEmpty()) &&
        m_wake.at > m_free)
    {
        Choice choice = Next(now);
        if (choice.start != kNever)
        {
            Arm(choice.start, now);
        }
    }
    if (m_paused)
    {
        for (uint8_t priority = 0; priority < kPriorities; ++priority)
        {
            if (m_paused >> priority & 1 && m_pauses->until[priority] <= now)
            {
                EndPause(priority, m_pauses->until[priority]);
            }
        }
    }
}

uint64_t
EgressPort::CountFrames() const
{
    uint64_t count = m_flight.GetSize();
    for (const FrameQueue& queue : m_queues)
    {
        for (Frame* f = queue.Front(); f; f = f->next)
        {
            ++count;
        }
    }
    return count;
}

void
EgressPort::WakeEvent::Notify()
{
    port->Wake();
}

void
EgressPort::Dispatch(EventImpl* event)
{
    static_cast<EgressPort*>(event)->EgressPort::Notify();
}

void
EgressPort::PrefetchRing(const EventImpl* event)
{
    const auto& port = *static_cast<const EgressPort*>(event);
    port.m_flight.PrefetchFront();
    // Whoever it is, what it needs first lies behind its face.
    const auto* peer = reinterpret_cast<const char*>(port.m_peer);
    __builtin_prefetch(peer);
    __builtin_prefetch(peer + 64);
    __builtin_prefetch(peer + 128);
    __builtin_prefetch(port.m_due, 1);
}

void
EgressPort::PrefetchFrame(const EventImpl* event)
{
    const auto& port = *static_cast<const EgressPort*>(event);
    __builtin_prefetch(port.m_flight.Front().frame, 1);
}

void
EgressPort::PrefetchPeer(const EventImpl* event)
{
    const auto& port = *static_cast<const EgressPort*>(event);
    // Empty if another event stood in for this one.
    if (!port.m_flight.IsEmpty())
    {
        port.m_guess = port.m_peer->Prefetch(*port.m_flight.Front().frame, port.m_peerPort);
    }
}

void
EgressPort::PrefetchQueue(const EventImpl* event)
{
    if (const EgressPort* to = static_cast<const EgressPort*>(event)->m_guess)
    {
        to->m_flight.PrefetchBack();
        const uint32_t waiting = to->m_waiting;
        if (waiting)
        {
            const FrameQueue& queue = to->m_queues[__builtin_ctz(waiting)];
            __builtin_prefetch(queue.Front(), 1);
            __builtin_prefetch(queue.Back(), 1);
        }
    }
}

inline void
EgressPort::ArmArrival(Tick at, Tick now)
{
    *m_due = static_cast<uint32_t>(at);
    ArmEvent(this, now, at, m_context);
}

inline void
EgressPort::Deliver(Tick now)
{
    Frame* f = m_flight.Front().frame;
    m_flight.Pop();
    if (!m_flight.IsEmpty())
    {
        ArmArrival(m_flight.Front().arrival, now);
    }
    else
    {
        *m_due = static_cast<uint32_t>(now - 1);
        Sync(now);
    }
    if (f->flags & kCorrupt)
    {
        ++m_counters.lost;
        FramePool::Discard(f);
        return;
    }
    m_peer->Receive(f, m_peerPort, now);
}

void
EgressPort::Notify()
{
    const Tick now = m_flight.Front().arrival;
    if (m_stoodIn == 0 && !ArrivalOrder::MayComeBefore(m_due, m_rank, now))
    {
        Deliver(now);
        return;
    }
    NotifyInOrder();
}

// Apart from its caller, every arrival's, which so has less to save.
[[gnu::noinline]] void
EgressPort::NotifyInOrder()
{
    const Tick now = Simulator::Now().GetTimeStep();
    const ArrivalOrder* order = m_peer->GetArrivalOrder();
    EgressPort& first = order ? order->First(now) : *this;
    --m_stoodIn;
    ++first.m_stoodIn;
    first.Deliver(now);
}

void
EgressPort::Wake()
{
    const Tick now = Simulator::Now().GetTimeStep();
    // An event that was overtaken by an earlier one has nothing left to do.
    if (now == m_wake.at)
    {
        m_wake.at = kNever;
        Sync(now);
    }
}

void
EgressPort::Arm(Tick at, Tick now)
{
    if (m_wake.at > at)
    {
        m_wake.at = at;
        ArmEvent(&m_wake, now, at, Simulator::NO_CONTEXT);
    }
}

void
EgressPort::Append(int queue, Frame* f)
{
    m_queues[queue].Push(f);
    m_waiting |= 1 << queue;
    m_counters.maxQueueBytes = std::max(m_counters.maxQueueBytes, m_queues[queue].GetBytes());
}

Tick
EgressPort::EligibleAt(int queue, Tick now)
{
    if (queue == kLinkQueue)
    {
        return m_queues[queue].Front()->ready;
    }
    Tick notBefore = m_free;
    if (m_paused >> queue & 1)
    {
        notBefore = std::max(notBefore, m_pauses->until[queue]);
    }
    if (m_credits)
    {
        notBefore = std::max(notBefore, CreditAt(now));
    }
    Tick at = kNever;
    if (m_waiting >> queue & 1)
    {
        at = m_queues[queue].Front()->ready;
    }
    if (m_pulling >> queue & 1 && notBefore != kNever)
    {
        at = std::min(at, m_source->NextStart(queue, notBefore));
    }
    return std::max(at, notBefore);
}

Tick
EgressPort::CreditAt(Tick now)
{
    Credits& credits = *m_credits;
    Tick at = credits.AvailableAt(m_free);
    if (at > m_free && credits.far)
    {
        // Something may have left the far end that nobody has looked at yet.
        credits.far->CatchUpAll(now);
        at = credits.AvailableAt(m_free);
    }
    if (at == kNever && !credits.waits)
    {
        credits.waits = true;
        if (credits.waiting)
        {
            // From here on every departure has to be seen on the instant.
            ++*credits.waiting;
            credits.far->CatchUpAll(now);
        }
    }
    return at;
}

EgressPort::Choice
EgressPort::Next(Tick now)
{
    const uint32_t candidates = m_waiting | m_pulling;
    const int queue = __builtin_ctz(candidates);
    if (candidates & (candidates - 1) || !(m_strict >> queue & 1))
    {
        return NextOfMany(candidates, now);
    }
    return {std::max(m_free, EligibleAt(queue, now)), queue, candidates};
}

EgressPort::Choice
EgressPort::NextOfMany(uint32_t candidates, Tick now)
{
    std::array<Tick, kPriorities + 1> at;
    Tick start = kNever;
    for (uint32_t rest = candidates; rest; rest &= rest - 1)
    {
        const int queue = __builtin_ctz(rest);
        at[queue] = EligibleAt(queue, now);
        start = std::min(start, at[queue]);
    }
    start = std::max(start, m_free);
    uint32_t eligible = 0;
    for (uint32_t rest = candidates; rest; rest &= rest - 1)
    {
        const int queue = __builtin_ctz(rest);
        if (at[queue] <= start)
        {
            eligible |= 1U << queue;
        }
    }
    if (start == kNever)
    {
        return {};
    }
    const int highest = 31 - __builtin_clz(eligible);
    return {start, m_strict >> highest & 1 ? highest : -1, eligible};
}

void
EgressPort::Transmit(const Choice& choice, Tick now)
{
    int queue = choice.queue;
    if (queue < 0)
    {
        queue = m_dwrr->Choose(choice.eligible & ~m_strict, m_waiting | m_pulling);
    }
    FrameQueue& q = m_queues[queue];
    Frame* f = q.Front();
    if (f && f->ready <= choice.start)
    {
        q.Pop();
        if (q.IsEmpty())
        {
            m_waiting &= ~(1 << queue);
        }
    }
    else
    {
        f = m_source->TakeFrame(queue, choice.start);
    }
    if (!(m_strict >> queue & 1))
    {
        m_dwrr->Charge(queue, f->bytes);
    }
    Depart(f, q.GetBytes(), choice.start, now);
}

uint32_t
EgressPort::FindPipelineBytes(uint8_t priority, Tick at)
{
    if (!m_pipelines)
    {
        m_pipelines = std::make_unique<std::array<FramePipeline, kPriorities>>();
    }
    return (*m_pipelines)[priority].GetBytes(m_queues[priority], at);
}

void
EgressPort::Depart(Frame* f, uint32_t queued, Tick start, Tick now)
{
    if (m_owner && !IsLinkLocal(f->op))
    {
        m_owner->OnDeparture(*this, *f, queued, start, now);
    }
    ++m_counters.frames;
    m_counters.bytes += f->bytes;
    if (CarriesPayload(f->op))
    {
        ++m_counters.dataFrames;
        m_counters.payloadBytes += f->payload;
    }
    const Tick wire = WireTime(f->bytes);
    m_free = start + wire;
    const Tick arrival = start + std::min(wire, m_cutThrough) + m_delay;
    if (m_attended)
    {
        Attend(*f, start, arrival);
    }
    if (m_flight.IsEmpty())
    {
        ArmArrival(arrival, now);
    }
    m_flight.Push({arrival, f});
}

/// What few links have: credits to spend, and somebody who observes.
void
EgressPort::Attend(Frame& f, Tick start, Tick arrival)
{
    if (m_credits && !IsLinkLocal(f.op))
    {
        m_credits->Spend(f.bytes);
    }
    if (m_observer)
    {
        m_observer->OnDeparture(f, start, arrival);
    }
}

} // namespace ns3::aifabric
