// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_QUEUE_PAIR_CONTEXT_H
#define AIFABRIC_QUEUE_PAIR_CONTEXT_H

#include "send-entry.h"
#include "verbs.h"

#include "ns3/frame.h"

#include <cstdint>

namespace ns3::aifabric
{

class CompletionQueue;
class ProtectionDomain;
class RdmaNic;
class SendScheduler;
class SharedReceiveQueue;
struct TransportProfile;

/// Packet sequence numbers have 24 bits (IBA vol. 1, 9.7.2).
inline constexpr uint32_t kPsnMask = 0xFFFFFF;

/// @return how far PSN a lies after b, negative before; they are less than 2^23 apart.
inline int32_t
PsnDistance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>((a - b) << 8) >> 8;
}

/// Kinds of AETH syndrome, its top 3 bits (IBA vol. 1, table 43).
enum AethKind : uint8_t
{
    kAethAck = 0,
    kAethRnrNak = 1,
    kAethNak = 3
};

/// Syndromes of AETH.
enum AethSyndrome : uint8_t
{
    kSyndromeAck = 0x1F, ///< without end-to-end credits
    kSyndromeRnrNak = 0x20,
    kSyndromeSequenceError = 0x60,
    kSyndromeInvalidRequest = 0x61,
    kSyndromeAccessError = 0x62,
    kSyndromeOperationError = 0x63
};

/// What has happened at a queue pair since it was made.
struct QueuePairCounters
{
    // as sender
    uint64_t dataFramesSent{0};
    uint64_t retransmittedBytes{0};    ///< payload
    uint32_t notificationsReceived{0}; ///< CNPs, or ACKs that notify
    uint32_t naksReceived{0};          ///< sequence errors
    uint32_t rnrNaksReceived{0};
    uint32_t timeouts{0};
    uint32_t answersLost{0}; ///< answers of READs and atomics that later ones overtook
    // as receiver
    uint32_t cnpsSent{0}; ///< CNPs, or ACKs that notify
    uint32_t naksSent{0}; ///< sequence errors
    uint32_t rnrNaksSent{0};
    uint64_t markedFrames{0};    ///< data frames that arrived with a mark
    uint64_t deliveredBytes{0};  ///< payload accepted in order
    uint64_t duplicateFrames{0}; ///< data frames that had arrived before

    QueuePairCounters& operator+=(const QueuePairCounters& other);
};

/**
 * @ingroup ai-fabric-transport
 * What both halves of a queue pair know: who it is, where its peer is.
 */
struct QueuePairContext : SendEntry
{
    QpState state{QpState::Reset};
    bool open{false};        ///< an RC in RTS: frames of the peer go the short way
    uint8_t bthTransport{0}; ///< BthTransport of its frames
    bool responding{false};  ///< answers wait in the responder: they go before requests
    uint16_t entropy{0};     ///< UDP source port
    uint32_t number{0};      ///< 24 bits, unique within the NIC
    uint32_t peerNumber{0};  ///< of the peer's queue pair
    NodeIdx self{kNoNode};   ///< address of its port
    NodeIdx peer{kNoNode};   ///< address of the peer's port
    Tick notBefore{0};       ///< no frame of it starts before this: the NIC is at work
    const TransportProfile* profile{nullptr};
    SendScheduler* scheduler{nullptr};
    RdmaNic* nic{nullptr};
    CompletionQueue* sendQueue{nullptr};    ///< completions of sends
    CompletionQueue* receiveQueue{nullptr}; ///< completions of receives
    QueuePairCounters counters;

    // What only rare requests look at.
    const ProtectionDomain* domain{nullptr}; ///< null: no keys are checked
    SharedReceiveQueue* sharedReceives{nullptr};
    uint32_t accessFlags{0};
    uint32_t qkey{0};
    uint32_t maxInlineBytes{0};
    QpType type{QpType::Rc};
    bool signalAll{false};
    PortIdx port{0}; ///< of the NIC

    /**
     * Sends a frame of the NIC's own accord, about this queue pair: neither request nor answer.
     * @param op Cnp or Credit.
     * @param to its receiver.
     * @param bytes of the frame.
     * @param credit what a Credit grants.
     * @param delay in the NIC, beyond its latency.
     */
    void SendNotice(Opcode op, NodeIdx to, uint32_t bytes, uint32_t credit, Tick delay, Tick now);
};

} // namespace ns3::aifabric

#endif // AIFABRIC_QUEUE_PAIR_CONTEXT_H
