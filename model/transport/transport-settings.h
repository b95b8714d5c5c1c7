// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRANSPORT_SETTINGS_H
#define AIFABRIC_TRANSPORT_SETTINGS_H

#include "ns3/fabric-time.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * How flows are carried: the block `transport` of a scenario.
 */
class TransportSettings : public Object
{
  public:
    static TypeId GetTypeId();

    Time retransmissionTimeout; ///< without an answer for that long the oldest frame is sent again
    uint32_t retryCount;        ///< failures in a row that are survived, 0 to 7
    uint32_t rnrRetryCount;     ///< the same for "no receive posted"; 7 is without end
    uint32_t minRnrTimer;       ///< code of the wait after "no receive posted", 0 to 31
    uint32_t maxReadAtomic; ///< READs and atomics of one queue pair that are under way, 0 to 255
    uint32_t ackInterval;   ///< frames for one acknowledgement
    uint32_t dataPriority;  ///< 802.1Q priority of data
    uint32_t ackPriority;   ///< and of acknowledgements and congestion notifications
    uint32_t queuePairsPerConnection;
};

/// @return how long code 0 to 31 of an RNR NAK makes the sender wait (IBA vol. 1, table 45).
Tick RnrDelay(uint32_t code);

} // namespace ns3::aifabric

#endif // AIFABRIC_TRANSPORT_SETTINGS_H
