// SPDX-License-Identifier: GPL-2.0-only
#include "send-scheduler.h"

#include "queue-pair.h"

#include <algorithm>

namespace ns3::aifabric
{

using Place = SendEntry::Place;

void
SendScheduler::Wire(EgressPort& port, EgressPort& back, double busBps, Tick latency)
{
    m_port = &port;
    m_back = &back;
    m_latency = latency;
    m_port->SetSource(this);
    m_busLimits = busBps > 0 && busBps < port.GetBandwidth();
    if (m_busLimits)
    {
        m_busTime = ByteTime(busBps);
    }
}

Tick
SendScheduler::NextStart(uint8_t priority, Tick from)
{
    const Class& senders = *m_classes[priority];
    Tick start = std::max(from, m_busFree);
    if (senders.ready.empty())
    {
        if (senders.paced.IsEmpty())
        {
            return kNever;
        }
        start = std::max(start, senders.paced.GetFirst());
    }
    return start;
}

/// The port asks no more where nobody has anything to send.
inline void
SendScheduler::StopIfIdle(const Class& senders, uint8_t priority, Tick now)
{
    if (senders.ready.empty() && senders.paced.IsEmpty())
    {
        m_port->SetPulling(priority, false, now);
    }
}

Frame*
SendScheduler::TakeFrame(uint8_t priority, Tick start)
{
    Class& senders = *m_classes[priority];
    while (!senders.paced.IsEmpty() && senders.paced.GetFirst() <= start)
    {
        SendEntry& due = senders.paced.Pop();
        due.place = Place::Ready;
        senders.ready.push_back(due);
    }
    SendEntry& sender = senders.ready.front();
    auto& queuePair = static_cast<QueuePair&>(sender);
    bool more;
    Frame* f = queuePair.Cut(start, more);
    if (m_busLimits)
    {
        m_busFree = start + m_busTime(f->payload);
    }
    if (!more)
    {
        senders.ready.pop_front();
        sender.place = Place::Idle;
        StopIfIdle(senders, priority, start);
    }
    else if (sender.available > start)
    {
        senders.ready.pop_front();
        sender.place = Place::Paced;
        senders.paced.Push(sender);
    }
    else
    {
        senders.ready.splice(senders.ready.end(), senders.ready, senders.ready.begin());
    }
    return f;
}

void
SendScheduler::Update(SendEntry& sender, Tick now)
{
    std::unique_ptr<Class>& slot = m_classes[sender.priority];
    if (!slot)
    {
        slot = std::make_unique<Class>();
    }
    Class& senders = *slot;
    if (!static_cast<QueuePair&>(sender).CanSend())
    {
        Leave(senders, sender);
        StopIfIdle(senders, sender.priority, now);
        return;
    }
    if (sender.available > now)
    {
        if (sender.place == Place::Paced)
        {
            senders.paced.Update(sender);
        }
        else
        {
            Leave(senders, sender);
            sender.place = Place::Paced;
            senders.paced.Push(sender);
        }
    }
    else if (sender.place != Place::Ready)
    {
        Leave(senders, sender);
        sender.place = Place::Ready;
        senders.ready.push_back(sender);
    }
    m_port->SetPulling(sender.priority, true, now);
}

void
SendScheduler::Remove(SendEntry& sender, Tick now)
{
    Class& senders = *m_classes[sender.priority];
    Leave(senders, sender);
    StopIfIdle(senders, sender.priority, now);
}

void
SendScheduler::Leave(Class& senders, SendEntry& sender)
{
    if (sender.place == Place::Ready)
    {
        senders.ready.erase(ReadyList::s_iterator_to(sender));
    }
    else if (sender.place == Place::Paced)
    {
        senders.paced.Remove(sender);
    }
    sender.place = Place::Idle;
}

} // namespace ns3::aifabric
