// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-controller.h"

#include "link-frames.h"

#include "ns3/fabric-event.h"

#include <algorithm>

namespace ns3::aifabric
{

PfcController::PfcController()
{
    m_event.controller = this;
}

void
PfcController::Configure(EgressPort* ports, PortOwner* owner, uint32_t quanta)
{
    m_ports = ports;
    m_owner = owner;
    m_quanta = quanta;
}

void
PfcController::Xoff(PortIdx in, uint8_t priority, Tick now)
{
    ++m_stopped;
    ++m_pausesSent;
    m_ports[in].EnqueueLinkFrame(MakePauseFrame(priority, m_quanta), now);
    if (m_quanta != kStickyPause)
    {
        m_stops.push_back({in, priority, now + GetPeriod(in)});
        Arm(m_stops.back().refreshAt, now);
    }
}

void
PfcController::Xon(PortIdx in, uint8_t priority, Tick now)
{
    --m_stopped;
    m_ports[in].EnqueueLinkFrame(MakePauseFrame(priority, 0), now);
    auto is = [=](const Stop& stop) { return stop.in == in && stop.priority == priority; };
    m_stops.erase(std::remove_if(m_stops.begin(), m_stops.end(), is), m_stops.end());
}

void
PfcController::RefreshEvent::Notify()
{
    const Tick now = Simulator::Now().GetTimeStep();
    // An event that was overtaken by an earlier one, or by a touch of the switch, has nothing left
    // to do.
    if (now == controller->m_armedAt)
    {
        controller->m_owner ? controller->m_owner->CatchUpAll(now) : controller->CatchUp(now);
    }
}

void
PfcController::Refresh(Tick now)
{
    m_armedAt = kNever;
    Tick next = kNever;
    for (Stop& stop : m_stops)
    {
        if (stop.refreshAt <= now)
        {
            ++m_pausesSent;
            m_ports[stop.in].EnqueueLinkFrame(MakePauseFrame(stop.priority, m_quanta), now);
            stop.refreshAt = now + GetPeriod(stop.in);
        }
        next = std::min(next, stop.refreshAt);
    }
    if (next != kNever)
    {
        Arm(next, now);
    }
}

void
PfcController::Arm(Tick at, Tick now)
{
    if (at < m_armedAt)
    {
        m_armedAt = at;
        ArmEvent(&m_event, now, at, Simulator::NO_CONTEXT);
    }
}

Tick
PfcController::GetPeriod(PortIdx in) const
{
    return std::max<Tick>(static_cast<Tick>(m_quanta * 256e12 / m_ports[in].GetBandwidth()), 1);
}

} // namespace ns3::aifabric
