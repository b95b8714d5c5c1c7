// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PACKET_FRAME_H
#define AIFABRIC_PACKET_FRAME_H

#include "ns3/frame.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3
{
class Packet;
}

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Makes a frame that carries a packet of ns-3's own stack. Its size is the packet's, with Ethernet
 * header and check sum (18 bytes), 64 at least; the packet itself remains as it is.
 *
 * The addressing fields are left to the caller, but for the entropy, a digest of the transport
 * ports.
 * @param packet with its network header in front.
 * @param protocol EtherType.
 */
Frame* MakeOrdinaryFrame(Ptr<Packet> packet, uint16_t protocol);

/**
 * @ingroup ai-fabric
 * Takes the packet out of a frame and gives the frame back.
 * @param protocol receives the EtherType.
 */
Ptr<Packet> TakePacket(Frame* f, uint16_t& protocol);

/// @return the destination address of an IPv4 packet, in host order; nothing for other protocols.
std::optional<uint32_t> GetIpv4Destination(const Packet& packet, uint16_t protocol);

} // namespace ns3::aifabric

#endif // AIFABRIC_PACKET_FRAME_H
