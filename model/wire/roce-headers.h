// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ROCE_HEADERS_H
#define AIFABRIC_ROCE_HEADERS_H

#include "ns3/frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/// Bytes of the base transport header (IBA vol. 1, 9.2.1).
inline constexpr uint32_t kBthBytes = 12;
/// Bytes of the extended headers (IBA vol. 1, 9.3.2 to 9.3.7).
inline constexpr uint32_t kDethBytes = 8;
inline constexpr uint32_t kRethBytes = 16;
inline constexpr uint32_t kAtomicEthBytes = 28;
inline constexpr uint32_t kAethBytes = 4;
inline constexpr uint32_t kAtomicAckEthBytes = 8;
inline constexpr uint32_t kImmediateBytes = 4; ///< ImmDt, and IETH
/// Bytes of a selective acknowledgement behind the AETH: this project's own, after IRN (Mittal et
/// al., SIGCOMM'18), which gives no layout.
inline constexpr uint32_t kSackBytes = 4;
/// Reserved bytes of a CNP (IBA vol. 1, annex A17.9.3).
inline constexpr uint32_t kCnpReservedBytes = 16;
/// Bytes of what a credit frame grants, behind its BTH: this project's own.
inline constexpr uint32_t kCreditBytes = 4;

/// @return whether a frame is an operation on a datagram queue pair.
constexpr bool
IsDatagram(Opcode op)
{
    return (static_cast<uint8_t>(op) & 0xE0) == static_cast<uint8_t>(BthTransport::Ud);
}

/// @return bytes of the headers between the BTH and the payload of an operation (IBA vol. 1, table
/// 38); without a selective acknowledgement.
constexpr uint32_t
ExtendedHeaderBytes(Opcode op)
{
    using namespace opcodes;
    return (IsDatagram(op) ? kDethBytes : 0) + (Has(kWithReth, op) ? kRethBytes : 0) +
           (Has(kAtomics, op) ? kAtomicEthBytes : 0) + (Has(kWithAeth, op) ? kAethBytes : 0) +
           (Has(Set(Opcode::AtomicAcknowledge), op) ? kAtomicAckEthBytes : 0) +
           (Has(kImmediates | kInvalidates, op) ? kImmediateBytes : 0);
}

/**
 * @ingroup ai-fabric
 * Appends what stands behind UDP, but for the ICRC: BTH, extended headers, what ports have told the
 * frame (hop-log-bytes.h; so much of it as Frame::bytes leaves room for), payload and padding. A
 * frame that begins a message has the payload that FrameExtension::source points to; where there is
 * none, and in other frames, the payload is zeros.
 * @param f a RoCE frame.
 */
void PutRoceHeaders(std::vector<uint8_t>& to, const Frame& f);

/**
 * @ingroup ai-fabric
 * Reads the same. The frame gets a FrameExtension exactly where one is needed: for datagrams, atomic
 * operations and their acknowledgements, a RETH with an address or a key, and a RETH with ImmDt. The
 * payload is not kept.
 * @param f in which the IP header has been read; has no extension and no log where anything is wrong.
 * @param bth the BTH, whole. @param size what stands behind UDP, in bytes, but for the ICRC.
 * @return what is wrong, null if nothing.
 */
const char* ReadRoceHeaders(Frame& f, const uint8_t* bth, std::size_t size);

} // namespace ns3::aifabric

#endif // AIFABRIC_ROCE_HEADERS_H
