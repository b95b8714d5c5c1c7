// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-watchdog.h"

#include "fabric-switch.h"

#include "ns3/fabric-event.h"

#include <algorithm>

namespace ns3::aifabric
{

PfcWatchdog::PfcWatchdog(FabricSwitch& at, Ptr<const PfcWatchdogSettings> settings)
    : m_switch(at),
      m_settings(settings),
      m_discards(at.GetPortCount())
{
    m_event.watchdog = this;
}

void
PfcWatchdog::OnXoff(PortIdx port, uint8_t priority, Tick now)
{
    auto is = [=](const Watched& w) { return w.port == port && w.priority == priority; };
    const auto found = std::find_if(m_watched.begin(), m_watched.end(), is);
    if (found != m_watched.end())
    {
        found->lastXoff = now;
        return;
    }
    if (m_watched.empty())
    {
        ArmEvent(&m_event, now, now + ToTick(m_settings->pollInterval), Simulator::NO_CONTEXT);
    }
    EgressPort& egress = m_switch.GetPort(port);
    egress.Sync(now);
    const bool holds = egress.GetQueuedBytes(priority) > 0;
    m_watched.push_back({port, priority, false, holds ? now : kNever, now});
}

void
PfcWatchdog::PollEvent::Notify()
{
    watchdog->Poll(Simulator::Now().GetTimeStep());
}

void
PfcWatchdog::Poll(Tick now)
{
    m_switch.CatchUpAll(now);
    for (std::size_t i = 0; i < m_watched.size(); ++i)
    {
        Look(m_watched[i], now);
    }
    auto isOver = [this](const Watched& w) {
        return !w.storm && !m_switch.GetPort(w.port).IsPaused(w.priority);
    };
    m_watched.erase(std::remove_if(m_watched.begin(), m_watched.end(), isOver), m_watched.end());
    if (!m_watched.empty())
    {
        ArmEvent(&m_event, now, now + ToTick(m_settings->pollInterval), Simulator::NO_CONTEXT);
    }
}

/// What is paused has sent nothing since, but for the frame that was under way.
Tick
PfcWatchdog::StuckSince(const Watched& watched, Tick now) const
{
    const EgressPort& port = m_switch.GetPort(watched.port);
    if (!port.IsPaused(watched.priority) || port.GetQueuedBytes(watched.priority) == 0)
    {
        return kNever;
    }
    const Tick since = watched.stuckSince == kNever ? now : watched.stuckSince;
    return std::max(since, port.GetPausedSince(watched.priority));
}

void
PfcWatchdog::Look(Watched& watched, Tick now)
{
    if (watched.storm)
    {
        if (now - watched.lastXoff >= ToTick(m_settings->restorationTime))
        {
            Restore(watched, now);
        }
        return;
    }
    watched.stuckSince = StuckSince(watched, now);
    if (watched.stuckSince != kNever &&
        now - watched.stuckSince >= ToTick(m_settings->detectionTime))
    {
        Detect(watched, now);
    }
}

void
PfcWatchdog::Detect(Watched& watched, Tick now)
{
    watched.storm = true;
    ++m_detected;
    ++m_active;
    const bool drops = m_settings->action == PfcWatchdogSettings::kDrop;
    m_discards[watched.port] |= drops ? 1 << watched.priority : 0;
    m_switch.BeginStorm(watched.port, watched.priority, drops, now);
}

void
PfcWatchdog::Restore(Watched& watched, Tick now)
{
    watched.storm = false;
    watched.stuckSince = kNever;
    --m_active;
    m_discards[watched.port] &= ~(1 << watched.priority);
    m_switch.EndStorm(watched.port, watched.priority, now);
}

} // namespace ns3::aifabric
