// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ETHERNET_FRAME_H
#define AIFABRIC_ETHERNET_FRAME_H

#include <cstdint>

namespace ns3::aifabric
{

/// EtherType of IPv4.
inline constexpr uint16_t kEtherTypeIpv4 = 0x0800;
/// Bytes around the packet in a frame without VLAN tag: header and FCS (IEEE 802.3, 3.1.1).
inline constexpr uint32_t kEthernetBytes = 18;
/// Bytes of the shortest frame, FCS included (IEEE 802.3, 4.4.2).
inline constexpr uint32_t kMinFrameBytes = 64;

} // namespace ns3::aifabric

#endif // AIFABRIC_ETHERNET_FRAME_H
