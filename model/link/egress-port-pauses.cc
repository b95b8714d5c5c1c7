// SPDX-License-Identifier: GPL-2.0-only
// How a port obeys pauses.
#include "egress-port.h"
#include "link-frames.h"

#include <algorithm>

namespace ns3::aifabric
{

void
EgressPort::AddPauseListener(PauseListener& listener)
{
    Pauses().listeners.push_back(&listener);
}

void
EgressPort::Pause(uint8_t priority, Tick until, Tick now)
{
    Sync(now);
    const uint16_t bit = 1 << priority;
    if (until > now)
    {
        PauseState& pauses = Pauses();
        pauses.until[priority] = until;
        if (!(m_paused & bit))
        {
            m_paused |= bit;
            pauses.since[priority] = now;
            ++m_counters.pauses;
            pauses.Tell(*this, priority, true, now);
        }
    }
    else if (m_paused & bit)
    {
        EndPause(priority, now);
    }
    CatchUp(now);
}

void
EgressPort::ReceivePause(uint8_t priority, uint32_t quanta, Tick now)
{
    PauseCounters& counters = Pauses().counters[priority];
    ++(quanta > 0 ? counters.xoffReceived : counters.xonReceived);
    if (m_obeyed >> priority & 1)
    {
        // A quantum counts in bit times of the port that obeys.
        const auto length = static_cast<Tick>(quanta * 512e12 / GetBandwidth() + 0.5);
        Pause(priority, quanta == kStickyPause ? kNever : now + length, now);
    }
}

void
EgressPort::EndPause(uint8_t priority, Tick now)
{
    m_paused &= ~(1 << priority);
    m_pauses->until[priority] = now;
    const Tick paused = now - m_pauses->since[priority];
    m_pauses->counters[priority].pausedTime += paused;
    m_counters.pausedTime += paused;
    m_free = std::max(m_free, now);
    m_pauses->Tell(*this, priority, false, now);
}

PauseState&
EgressPort::Pauses()
{
    if (!m_pauses)
    {
        m_pauses = std::make_unique<PauseState>();
    }
    return *m_pauses;
}

Tick
EgressPort::GetPausedTime(Tick now) const
{
    Tick paused = m_counters.pausedTime;
    for (int priority = 0; priority < kPriorities; ++priority)
    {
        if (m_paused >> priority & 1)
        {
            paused += std::min(now, m_pauses->until[priority]) - m_pauses->since[priority];
        }
    }
    return paused;
}

PauseCounters
EgressPort::GetPauseCounters(uint8_t priority, Tick now) const
{
    PauseCounters counters = m_pauses ? m_pauses->counters[priority] : PauseCounters();
    if (IsPaused(priority))
    {
        counters.pausedTime += std::min(now, m_pauses->until[priority]) - m_pauses->since[priority];
    }
    return counters;
}

} // namespace ns3::aifabric
