// SPDX-License-Identifier: GPL-2.0-only
#include "sequential-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/global-value.h"
#include "ns3/make-event.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <type_traits>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SequentialSimulatorImpl);

TypeId
SequentialSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SequentialSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SequentialSimulatorImpl>();
    return tid;
}

SequentialSimulatorImpl::SequentialSimulatorImpl()
    : m_context(Simulator::NO_CONTEXT)
{
}

SequentialSimulatorImpl::~SequentialSimulatorImpl()
{
    s_current = s_current == this ? nullptr : s_current;
}

void
SequentialSimulatorImpl::DoDispose()
{
    while (m_events && !m_events->IsEmpty())
    {
        m_events->RemoveNext().impl->Unref();
    }
    m_events = nullptr;
    m_radix = nullptr;
    s_current = s_current == this ? nullptr : s_current;
    SimulatorImpl::DoDispose();
}

void
SequentialSimulatorImpl::Destroy()
{
    while (!m_atDestroy.empty())
    {
        Ptr<EventImpl> event = m_atDestroy.front().PeekEventImpl();
        m_atDestroy.pop_front();
        event->Invoke(); // which does nothing if it was cancelled
    }
}

void
SequentialSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    auto scheduler = schedulerFactory.Create<Scheduler>();
    while (m_events && !m_events->IsEmpty())
    {
        scheduler->Insert(m_events->RemoveNext());
    }
    m_events = scheduler;
    m_radix = dynamic_cast<RadixScheduler*>(PeekPointer(scheduler));
    // Only ns3::Simulator calls this, and only for its implementation.
    s_current = this;
}

void
SequentialSimulatorImpl::InsertElsewhere(Tick ts, uint32_t context, EventImpl* event)
{
    m_events->Insert({event, {static_cast<uint64_t>(ts), NextUid(), context}});
}

bool
SequentialSimulatorImpl::IsFinished() const
{
    return m_events->IsEmpty() || m_stop;
}

void
SequentialSimulatorImpl::Stop()
{
    m_stop = true;
}

compat::StopResult
SequentialSimulatorImpl::Stop(const Time& delay)
{
    void (*stop)() = &Simulator::Stop;
    return static_cast<compat::StopResult>(Schedule(delay, MakeEvent(stop)));
}

EventId
SequentialSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "an event cannot be scheduled in the past");
    uint64_t ts = m_now + delay.GetTimeStep();
    uint32_t uid = m_uid;
    At(static_cast<Tick>(ts), m_context, event);
    return {Ptr<EventImpl>(event), ts, m_context, uid};
}

void
SequentialSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "an event cannot be scheduled in the past");
    At(GetNow() + delay.GetTimeStep(), context, event);
}

EventId
SequentialSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
SequentialSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    m_atDestroy.emplace_back(
        Ptr<EventImpl>(event, false), m_now, Simulator::NO_CONTEXT, EventId::DESTROY);
    NextUid();
    return m_atDestroy.back();
}

void
SequentialSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::DESTROY)
    {
        auto found = std::find(m_atDestroy.begin(), m_atDestroy.end(), id);
        if (found != m_atDestroy.end())
        {
            m_atDestroy.erase(found);
        }
        return;
    }
    if (!IsExpired(id))
    {
        EventImpl* event = id.PeekEventImpl();
        m_events->Remove({event, {id.GetTs(), id.GetUid(), id.GetContext()}});
        event->Cancel();
        event->Unref();
    }
}

void
SequentialSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
SequentialSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::DESTROY)
    {
        return std::find(m_atDestroy.begin(), m_atDestroy.end(), id) == m_atDestroy.end();
    }
    // Uids wrap, but those of one instant are near each other.
    return id.GetTs() < m_now ||
           (id.GetTs() == m_now && static_cast<int32_t>(id.GetUid() - m_currentUid) <= 0);
}

template <class S>
void
SequentialSimulatorImpl::RunWith(S& events)
{
    while (!events.IsEmpty() && !m_stop)
    {
        Scheduler::Event next = events.RemoveNext();
        m_now = next.key.m_ts;
        m_context = next.key.m_context;
        m_currentUid = next.key.m_uid;
        ++m_count;
        if constexpr (std::is_same_v<S, RadixScheduler>)
        {
            RadixScheduler::Invoke(next.impl);
        }
        else
        {
            next.impl->Invoke();
        }
        next.impl->Unref();
        if (m_events.operator->() != &events)
        {
            return;
        }
    }
}

void
SequentialSimulatorImpl::Run()
{
    m_stop = false;
    while (!m_events->IsEmpty() && !m_stop)
    {
        // Comes back early if an event exchanges the scheduler; ours must not die meanwhile.
        Ptr<Scheduler> events = m_events;
        if (m_radix)
        {
            RunWith(*m_radix);
        }
        else
        {
            RunWith(*m_events);
        }
    }
}

Time
SequentialSimulatorImpl::Now() const
{
    return FromTick(GetNow());
}

Time
SequentialSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return FromTick(IsExpired(id) ? 0 : static_cast<Tick>(id.GetTs() - m_now));
}

Time
SequentialSimulatorImpl::GetMaximumSimulationTime() const
{
    return FromTick(kNever);
}

uint32_t
SequentialSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
SequentialSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
SequentialSimulatorImpl::GetEventCount() const
{
    return m_count;
}

void
UseSequentialSimulator(TypeId scheduler)
{
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(SequentialSimulatorImpl::GetTypeId().GetName()));
    GlobalValue::Bind("SchedulerType", StringValue(scheduler.GetName()));
}

} // namespace ns3::aifabric
