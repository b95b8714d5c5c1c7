// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PFC_CONTROLLER_H
#define AIFABRIC_PFC_CONTROLLER_H

#include "egress-port.h"

#include "ns3/event-impl.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Sends the pause frames of a switch, or of a port of a NIC: on the edges that its owner reports, and
 * again at half their length for as long as the pause lasts (IEEE 802.1Qbb leaves the refresh to the
 * sender).
 */
class PfcController
{
  public:
    PfcController();

    /**
     * @param ports the owner's, by index.
     * @param owner the switch, which brings this up to the present after its ports; null for a NIC.
     * @param quanta length of a pause, or kStickyPause, which needs no refresh.
     */
    void Configure(EgressPort* ports, PortOwner* owner, uint32_t quanta);

    /// The sender at the other end of port in has to stop.
    void Xoff(PortIdx in, uint8_t priority, Tick now);
    /// It may go on.
    void Xon(PortIdx in, uint8_t priority, Tick now);

    /// Refreshes the pauses that are due: after the departures of that instant, of which one may end
    /// a pause, and before what else happens then.
    void CatchUp(Tick now)
    {
        if (m_armedAt <= now)
        {
            Refresh(now);
        }
    }

    /// @return the number of senders that are stopped; the address stays.
    const uint32_t& GetStopped() const
    {
        return m_stopped;
    }

    /// @return pause frames sent that stop, refreshes included.
    uint64_t GetPausesSent() const
    {
        return m_pausesSent;
    }

  private:
    struct Stop
    {
        PortIdx in;
        uint8_t priority;
        Tick refreshAt;
    };

    class RefreshEvent final : public EventImpl
    {
      public:
        PfcController* controller{nullptr};

      private:
        void Notify() override;
    };

    void Refresh(Tick now);
    void Arm(Tick at, Tick now);
    Tick GetPeriod(PortIdx in) const;

    EgressPort* m_ports{nullptr};
    PortOwner* m_owner{nullptr};
    uint32_t m_quanta{0};
    uint32_t m_stopped{0};
    uint64_t m_pausesSent{0};
    std::vector<Stop> m_stops;
    RefreshEvent m_event;
    Tick m_armedAt{kNever};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PFC_CONTROLLER_H
