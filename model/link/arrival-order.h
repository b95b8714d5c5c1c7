// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ARRIVAL_ORDER_H
#define AIFABRIC_ARRIVAL_ORDER_H

#include "ns3/frame.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace ns3::aifabric
{

class EgressPort;

/**
 * @ingroup ai-fabric
 * The order of frames that reach one switch at one instant: by the ports that they come in at, the
 * lowest first.
 *
 * Left to the event list they would come in the order in which their events were armed, and that
 * tells when a link's previous frame arrived or when somebody looked at it: it differs between
 * departures that are committed late and departures seen on the instant, between one event per frame
 * and two, between a sequential and a distributed run. With this none of these can be told apart.
 *
 * Each link notes here when its oldest frame arrives. When an event fires, the frame that it delivers
 * is the first in order, be it another link's, whose event at the same instant then stands in.
 */
class ArrivalOrder
{
  public:
    /// @param ports of the switch. Once.
    explicit ArrivalOrder(PortIdx ports)
        : m_links(ports),
          m_due(kLanes + ports)
    {
    }

    /// @param link whose frames come in at that port. @return where it notes the low half of the
    /// instant at which its oldest frame arrives, and some past instant if none is in flight.
    uint32_t* Join(PortIdx port, EgressPort& link)
    {
        m_links[port] = &link;
        return &m_due[kLanes + port];
    }

    /// @return what a link notes in that has nobody before it.
    static uint32_t* Nowhere()
    {
        return &s_nowhere[kLanes];
    }

    /// @return the link whose frame is the first of those that arrive now. There is one.
    EgressPort& First(Tick now) const;

    /**
     * @param due where the link of a port notes. @param port its number; 0 for Nowhere.
     * @return whether a frame may arrive now at a lower port: true too often, never wrongly false.
     */
    static bool MayComeBefore(const uint32_t* due, PortIdx port, Tick now)
    {
        const uint32_t at = static_cast<uint32_t>(now);
        Lanes found{};
        int left = port;
        do
        {
            due -= kLanes;
            Lanes lanes;
            std::memcpy(&lanes, due, sizeof(lanes));
            found |= lanes == at;
            left -= kLanes;
        } while (left > 0);
        uint64_t halves[2];
        std::memcpy(halves, &found, sizeof(halves));
        return halves[0] | halves[1];
    }

  private:
    static constexpr PortIdx kLanes = 4;
    using Lanes = uint32_t __attribute__((vector_size(4 * kLanes)));

    static inline uint32_t s_nowhere[kLanes + 1];

    std::vector<EgressPort*> m_links; ///< by port
    std::vector<uint32_t> m_due;      ///< by port, after some that are nobody's
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ARRIVAL_ORDER_H
