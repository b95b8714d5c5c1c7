// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HEADER_PROFILE_H
#define AIFABRIC_HEADER_PROFILE_H

#include "ns3/roce-headers.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * How large RDMA frames are: what stands around the payload, in bytes from the destination address
 * to the FCS, and what the wire adds around a frame.
 */
struct HeaderProfile
{
    uint32_t dataBytes;      ///< around the payload of a data frame
    bool extensions;         ///< extended headers (RETH, AETH, ImmDt, …) take room besides
    uint32_t ackBytes;       ///< acknowledgement, positive or negative
    uint32_t cnpBytes;       ///< congestion notification
    uint32_t pauseBytes;     ///< pause frame
    uint32_t minFrameBytes;  ///< shorter frames are padded to this
    uint32_t alignmentBytes; ///< the payload is padded to a multiple of this, a power of two
    uint32_t gapBytes;       ///< on the wire around each frame: preamble, start delimiter and gap

    /// @return bytes of a frame of that operation, on any transport. @param op no Acknowledge, Cnp.
    uint32_t FrameBytes(Opcode op, uint32_t payload) const
    {
        return Around(payload, extensions ? ExtendedHeaderBytes(op) : 0);
    }

    /// @return bytes of a plain data frame; addressed where it begins a WRITE.
    uint32_t DataFrame(uint32_t payload, bool addressed) const
    {
        return Around(payload, addressed && extensions ? kRethBytes : 0);
    }

    /// @return bytes of an acknowledgement. @param sacks whether it tells of a frame out of order.
    uint32_t AckFrame(bool sacks) const
    {
        return ackBytes + (sacks && extensions ? kSackBytes : 0);
    }

    /// @return bytes of a frame with that payload, and so many bytes of extended headers.
    uint32_t Around(uint32_t payload, uint32_t extended) const
    {
        const uint32_t padded = (payload + alignmentBytes - 1) & ~(alignmentBytes - 1);
        return std::max(dataBytes + padded + extended, minFrameBytes);
    }
};

/**
 * RoCEv2 over IPv4 without VLAN tag (IBA vol. 1, annex A17; IEEE 802.3 clause 4.4): Ethernet 14,
 * IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4, and 4 for the AETH of an acknowledgement, 16 reserved in a
 * CNP; on the wire 8 of preamble and 12 of gap.
 */
inline constexpr HeaderProfile kRoceV2Headers{62, true, 66, 78, 64, 64, 4, 20};

/**
 * The frames of HPCC's simulator (Li et al., SIGCOMM'19), whose line rate knows no preamble and no
 * gap: 48 around the payload, without INT or any extended header; ACK 60.
 */
inline constexpr HeaderProfile kHpccHeaders{48, false, 60, 60, 64, 0, 1, 0};

} // namespace ns3::aifabric

#endif // AIFABRIC_HEADER_PROFILE_H
