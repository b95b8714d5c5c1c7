// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_CODEC_H
#define AIFABRIC_FRAME_CODEC_H

#include "ns3/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// IPv4 address of endpoint 0: 10.0.0.1.
inline constexpr uint32_t kFirstIpv4 = 0x0A000001;

/**
 * @ingroup ai-fabric
 * Frames as bytes, from the destination address to the FCS, and back.
 *
 * RDMA frames are RoCEv2 (IBA vol. 1, annex A17): Ethernet, IP, UDP to port 4791, BTH (9.2.1) and the
 * extended headers of the operation (9.3), payload, ICRC. An acknowledgement that tells of a frame
 * out of order has 4 bytes more behind its AETH, which are this project's own. Pauses are those of
 * IEEE 802.1Qbb. Ordinary frames are the packet that they carry. The priority is the DSCP's class
 * selector (RFC 2474, 4.2.2), and the PCP where there is a VLAN tag.
 *
 * An endpoint's addresses follow from its number n: MAC 02-00 and the number; IPv4 10.0.0.1 + n; IPv6
 * fd00::1 + n. Payload is that of the sender's memory in a frame that begins a message, where the
 * frame knows it (FrameExtension::source), and zeros elsewhere. The time to live tells switches
 * crossed.
 */
class FrameCodec
{
  public:
    bool ipv6{false};             ///< instead of IPv4
    std::optional<uint16_t> vlan; ///< number of a VLAN whose tag (IEEE 802.1Q) each frame gets

    /// @return whether frames of that kind are bytes anywhere: cells of scale-up links are not.
    static bool HasBytes(Opcode op)
    {
        return op != Opcode::Cell;
    }

    /// @return f as bytes. @param f a frame that has bytes.
    std::vector<uint8_t> Encode(const Frame& f) const;

    /**
     * Reads a frame; takes either version of IP, with VLAN tag or without.
     * @param why receives what is wrong where it is not one.
     * @return the frame, from the pool, with what the bytes tell but for its payload; null where they
     * tell nothing sound. It owns a FrameExtension exactly where it needs one (ReadRoceHeaders).
     */
    static Frame* Decode(const uint8_t* bytes, std::size_t size, std::string& why);
};

/**
 * @ingroup ai-fabric
 * The invariant CRC of a RoCEv2 packet (IBA vol. 1, 7.8.1 and annex A17.3.3): what no switch changes.
 * @param packet from the IP header to the last byte of padding. @param size its length in bytes.
 * @return as a number; it goes out with the lowest byte first.
 */
uint32_t InvariantCrc(const uint8_t* packet, std::size_t size);

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_CODEC_H
