// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PORT_LOAD_H
#define AIFABRIC_PORT_LOAD_H

#include "ns3/egress-port.h"

#include <algorithm>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * How busy a port is: what load balancers that look at queues compare.
 * @param port of the switch that balances, which decides at this very instant.
 * @param priority of the frame in question.
 * @return for how long what waits in that priority's queue and what is left of the frame on the wire
 * keep it busy, by its rate; kNever while that priority is paused.
 */
inline Tick
GetPortLoad(EgressPort& port, uint8_t priority, Tick now)
{
    port.Sync(now);
    if (port.IsPaused(priority))
    {
        return kNever;
    }
    const auto waiting =
        static_cast<Tick>(port.GetQueuedBytes(priority) * (8e12 / port.GetBandwidth()));
    return waiting + std::max<Tick>(port.GetFree() - now, 0);
}

} // namespace ns3::aifabric

#endif // AIFABRIC_PORT_LOAD_H
