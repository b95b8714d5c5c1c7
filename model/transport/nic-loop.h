// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_NIC_LOOP_H
#define AIFABRIC_NIC_LOOP_H

#include "send-scheduler.h"

#include "ns3/simulator.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * The way of what a port of a NIC sends to itself: it turns round inside, as if two ends of a cable
 * without length were at the port. Each way of it has the rate of the port's wire, which knows nothing
 * of it, and its own share of the bus; what is turned round at once, acknowledgements and
 * notifications, goes the one, all else the other. Nothing marks, pauses or loses frames there.
 */
class NicLoop
{
  public:
    /**
     * @param nic where frames leave and arrive. @param port its port.
     * @param wire of that port. @param busBps, latency as SendScheduler has them.
     */
    NicLoop(FrameSink& nic, PortIdx port, const PortSettings& wire, double busBps, Tick latency)
    {
        PortSettings settings;
        settings.bandwidthBps = wire.bandwidthBps;
        settings.gapBytes = wire.gapBytes;
        settings.peer = &nic;
        settings.peerPort = port;
        settings.peerNode = Simulator::NO_CONTEXT;
        m_out.Wire(settings, port, nullptr, nullptr);
        m_back.Wire(settings, port, nullptr, nullptr);
        m_scheduler.Wire(m_out, m_back, busBps, latency);
    }

    /// @return who decides what goes round.
    SendScheduler& GetScheduler()
    {
        return m_scheduler;
    }

    /// @return what goes round, but for what is turned round at once.
    const EgressPort& GetPort() const
    {
        return m_out;
    }

    /// @return frames that wait or are under way.
    uint64_t CountFrames() const
    {
        return m_out.CountFrames() + m_back.CountFrames();
    }

  private:
    EgressPort m_out;
    EgressPort m_back;
    SendScheduler m_scheduler;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_NIC_LOOP_H
