// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CONNECTION_MESSAGE_H
#define AIFABRIC_CONNECTION_MESSAGE_H

#include "ns3/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aifabric
{

/// What a message of a connection manager is: its attribute (IBA vol. 1, 16.7).
enum class ConnectionMessageKind : uint16_t
{
    Request = 0x10,           ///< REQ
    Reject = 0x12,            ///< REJ
    Reply = 0x13,             ///< REP
    ReadyToUse = 0x14,        ///< RTU
    DisconnectRequest = 0x15, ///< DREQ
    DisconnectReply = 0x16    ///< DREP
};

/// Why a connection is refused: the codes of REJ that are used here (IBA vol. 1, 12.6.7.2).
enum class RejectReason : uint16_t
{
    None = 0,              ///< it is not
    NoQueuePair = 1,       ///< the queue pair is gone, or in a state from which it cannot connect
    Timeout = 4,           ///< the peer has given up waiting
    UnknownConnection = 6, ///< the peer knows of no such connection
    InvalidServiceId = 8,  ///< nobody listens there
    ConsumerReject = 28    ///< whoever listens does not want it
};

/// Length of a management datagram (IBA vol. 1, 13.4.2), bytes.
inline constexpr std::size_t kManagementBytes = 256;

/// @return room for private data in such a message, bytes.
std::size_t PrivateBytes(ConnectionMessageKind kind);

/**
 * @ingroup ai-fabric
 * What connection managers tell each other, and its bytes: a management datagram of the class of
 * communication management (IBA vol. 1, 12.6 and 13.4). Each kind has some of the fields; others
 * don't travel. Ports are named by their IPv4 address, as FrameCodec gives it, mapped to IPv6 (annex
 * A17).
 */
struct ConnectionMessage
{
    ConnectionMessageKind kind{ConnectionMessageKind::Request};
    uint32_t localId{0};           ///< sender's number of the connection
    uint32_t remoteId{0};          ///< receiver's; not of REQ
    uint64_t serviceId{0};         ///< REQ: who listens
    uint32_t queuePair{0};         ///< REQ, REP: the sender's; DREQ: the receiver's
    uint32_t startingPsn{0};       ///< REQ, REP: of the first frame that the sender sends
    uint8_t responderResources{0}; ///< REQ, REP: READs and atomics that the sender takes
    uint8_t initiatorDepth{0};     ///< REQ, REP: and has under way
    uint8_t retryCount{0};         ///< REQ
    uint8_t rnrRetry{0};           ///< REQ, REP
    uint8_t pathMtu{0};            ///< REQ: PathMtu
    uint8_t ackTimeout{0};         ///< REQ: code of the sender's timeout
    uint8_t responseTimeout{0};    ///< REQ: code of how long the sender waits for the answer
    uint8_t maxRetries{0};         ///< REQ: how often the sender asks again
    NodeIdx source{0};             ///< REQ: port of the sender
    NodeIdx destination{0};        ///< REQ: port of the receiver
    uint8_t refused{0};            ///< REJ: 0 a REQ, 1 a REP, 2 no message
    RejectReason reason{RejectReason::None}; ///< REJ
    std::vector<std::byte> privateData;      ///< up to PrivateBytes; arrives filled up with zeros

    /// @return the datagram.
    std::array<std::byte, kManagementBytes> Encode() const;

    /// @return what a datagram says; nothing where it is none of these.
    static std::optional<ConnectionMessage> Decode(const std::byte* datagram);
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CONNECTION_MESSAGE_H
