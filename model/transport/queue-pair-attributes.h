// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_QUEUE_PAIR_ATTRIBUTES_H
#define AIFABRIC_QUEUE_PAIR_ATTRIBUTES_H

#include "verbs.h"

#include "ns3/fabric-time.h"

#include <cstdint>

namespace ns3::aifabric
{

/// Which members of QueuePairAttributes a call is about (ibv_qp_attr_mask, and numbered as there).
enum QpAttributeMask : uint32_t
{
    kQpState = 1U << 0,
    kQpCurrentState = 1U << 1,
    kQpEnableSqdNotify = 1U << 2,
    kQpAccessFlags = 1U << 3,
    kQpPkeyIndex = 1U << 4,
    kQpPort = 1U << 5,
    kQpQkey = 1U << 6,
    kQpAddressVector = 1U << 7,
    kQpPathMtu = 1U << 8,
    kQpTimeout = 1U << 9,
    kQpRetryCount = 1U << 10,
    kQpRnrRetry = 1U << 11,
    kQpReceivePsn = 1U << 12,
    kQpMaxReadAtomic = 1U << 13,
    kQpAlternatePath = 1U << 14,
    kQpMinRnrTimer = 1U << 15,
    kQpSendPsn = 1U << 16,
    kQpMaxDestReadAtomic = 1U << 17,
    kQpPathMigrationState = 1U << 18,
    kQpCapabilities = 1U << 19,
    kQpDestinationNumber = 1U << 20
};

/// What may be done with memory, or by a peer (ibv_access_flags, and numbered as there).
enum AccessFlag : uint32_t
{
    kLocalWrite = 1U << 0,
    kRemoteWrite = 1U << 1,
    kRemoteRead = 1U << 2,
    kRemoteAtomic = 1U << 3
};

/// Every AccessFlag.
inline constexpr uint32_t kAllAccess = kLocalWrite | kRemoteWrite | kRemoteRead | kRemoteAtomic;

/// Payload of a full frame (ibv_mtu, and numbered as there): 128 · 2^code bytes. Where Query() gives
/// the next larger code, telling a queue pair that code changes nothing.
enum class PathMtu : uint8_t
{
    Bytes256 = 1,
    Bytes512 = 2,
    Bytes1024 = 3,
    Bytes2048 = 4,
    Bytes4096 = 5
};

/// The way to a peer (ibv_ah_attr).
struct AddressVector
{
    NodeIdx destination{kNoNode}; ///< address of the peer's port
    int priority{-1};             ///< 802.1Q priority of data; -1: the profile's
    uint16_t entropy{0}; ///< UDP source port; 0 picks one from 0xC000 up by address and number
    Tick baseRtt{0}; ///< of an empty path, from the start of a full frame to its acknowledgement:
                     ///< for congestion controls
};

/// @return whether it has a destination, and all its values are in their range.
bool IsValid(const AddressVector& path);

/**
 * @ingroup ai-fabric-transport
 * What a queue pair can be told and asked (ibv_qp_attr). A mask says which members count.
 */
struct QueuePairAttributes
{
    QpState state{QpState::Reset};
    QpState currentState{QpState::Reset};
    bool enableSqdNotify{false}; ///< an event tells when the send queue has drained
    uint32_t accessFlags{0};     ///< AccessFlag: what the peer may do
    uint16_t pkeyIndex{0};       ///< kept and given back: there is one partition
    uint8_t port{0};             ///< number of the NIC's port, from 0; the one it was made for
    uint32_t qkey{0};            ///< datagrams with another are dropped
    AddressVector addressVector;
    PathMtu pathMtu{PathMtu::Bytes4096};
    uint8_t timeout{14};           ///< code n: 4.096 µs · 2^n, 0 waits for ever
    uint8_t retryCount{7};         ///< timeouts and NAKs in a row that are survived, 0 to 7
    uint8_t rnrRetry{7};           ///< the same for "no receive posted"; 7 is without end
    uint8_t minRnrTimer{12};       ///< code of the wait that this side asks for, 0 to 31
    uint32_t sendPsn{0};           ///< of the first frame sent, 24 bits
    uint32_t receivePsn{0};        ///< of the first frame expected, 24 bits
    uint8_t maxReadAtomic{1};      ///< READs and atomics under way from here
    uint8_t maxDestReadAtomic{1};  ///< and from the peer
    uint32_t destinationNumber{0}; ///< of the peer's queue pair
};

/**
 * Checks a step of the state machine (IBA vol. 1, 10.3.1, and tables 91 to 96; masks as the Linux
 * kernel has them).
 *
 * To Reset and to Err from every state, with no attribute but the state: from Reset to Err too, as
 * the IBA has it, though not Linux. Sqe is entered by a failing send only, and never by an RC. The
 * state may be changed to itself in Init, Rts and Sqd, to change attributes.
 * @param from the present state.
 * @param to the state asked for; without kQpState in the mask it does not count, and `from` is
 * kept.
 * @param mask QpAttributeMask. kQpCurrentState is an attribute of the steps to Rts only.
 * @return Ok; or, the first that holds: IllegalTransition, MissingAttribute, SurplusAttribute.
 */
Status CheckTransition(QpType type, QpState from, QpState to, uint32_t mask);

/**
 * Checks what the members themselves say. Whether the NIC has such a port, or the queue pair is in
 * that current state, is not known here.
 *
 * Alternate path and path migration have no members: there is no second path. A mask that names
 * them is accepted where a step takes them, and nothing comes of it. Sequence numbers count by
 * their 24 low bits, whatever lies above.
 * @return Ok, or InvalidAttribute where a value that the mask names is out of its range.
 */
Status CheckValues(const QueuePairAttributes& attributes, uint32_t mask);

} // namespace ns3::aifabric

#endif // AIFABRIC_QUEUE_PAIR_ATTRIBUTES_H
