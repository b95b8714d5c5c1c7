// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_IDEAL_FCT_H
#define AIFABRIC_IDEAL_FCT_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

struct HeaderProfile;

/// @ingroup ai-fabric-install
/// A link of a path, in the direction of the data.
struct IdealHop
{
    ByteTime forward;     ///< of the wire towards the receiver
    ByteTime back;        ///< of the wire towards the sender
    Tick forwardDelay{0}; ///< from the end of transmission to what happens next, switch included
    Tick backDelay{0};
    uint32_t gapBytes{0};
};

/// @ingroup ai-fabric-install
/// What a flow sends.
struct IdealFlow
{
    uint64_t bytes{0};
    uint32_t mtu{0};
    uint64_t largestMessage{0}; ///< a longer flow is cut into messages of that size
    double busBps{0};           ///< payload rate of the bus behind the sender; 0 is unlimited
    uint32_t ackInterval{1};    ///< frames for one acknowledgement
};

/// @ingroup ai-fabric-install
/// As IdealFct, up to the arrival of the last byte at the receiver.
Tick DeliveryTime(const std::vector<IdealHop>& hops,
                  const IdealFlow& flow,
                  const HeaderProfile& headers);

/**
 * @ingroup ai-fabric
 * Time from posting to the completion at the sender of a flow that is alone, without loss, at line
 * rate from its first frame on: each link sends a frame when the frame has arrived and its
 * predecessor has left; on the first, the bus behind the sender has to have had the time for the
 * predecessor's payload. The last acknowledgement's way back is included, behind those of the frames
 * before where every frame has one (they only matter to a last frame that is shorter than an ACK).
 *
 * Costs time in proportion to the length of the path, not to that of the flow.
 * @param hops the path from sender to receiver, not empty.
 * @return kNever for a flow that takes longer than there is simulated time, 106 days.
 */
Tick
IdealFct(const std::vector<IdealHop>& hops, const IdealFlow& flow, const HeaderProfile& headers);

} // namespace ns3::aifabric

#endif // AIFABRIC_IDEAL_FCT_H
