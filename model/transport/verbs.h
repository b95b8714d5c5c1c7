// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_H
#define AIFABRIC_VERBS_H

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-transport Transport
 * @ingroup ai-fabric
 *
 * RDMA as applications see it: the words are those of the verbs (IBA vol. 1, chapters 9 to 11;
 * libibverbs), the spelling is ns-3's.
 */

/**
 * @ingroup ai-fabric-transport
 * State of a queue pair (IBA vol. 1, 10.3.1).
 */
enum class QpState : uint8_t
{
    Reset,
    Init, ///< receives may be posted
    Rtr,  ///< ready to receive: answers the peer
    Rts,  ///< ready to send
    Sqd,  ///< send queue drained
    Sqe,  ///< send queue error
    Err   ///< everything posted is flushed
};

/// Answer of a call that can be refused. A refused call has changed nothing.
enum class Status : uint8_t
{
    Ok,
    WrongState,        ///< not allowed in the present state
    IllegalTransition, ///< the state machine has no such step
    InvalidLength      ///< longer than a message may be
};

/// What a work request does.
enum class WrOpcode : uint8_t
{
    Send,
    Write
};

/// Longest message of one work request (IBA vol. 1, 9.7.7), bytes.
inline constexpr uint64_t kMaxMessageBytes = 1ULL << 31;

/// A message to send.
struct WorkRequest
{
    uint64_t wrId{0};  ///< comes back in the completion
    uint64_t bytes{0}; ///< up to kMaxMessageBytes
    WrOpcode opcode{WrOpcode::Write};
    bool signaled{true}; ///< whether success is reported; failure always is
};

/// Room for one SEND of the peer.
struct ReceiveRequest
{
    uint64_t wrId{0};
    uint64_t bytes{kMaxMessageBytes}; ///< the longest message that fits
};

/// How a work request ended; numbered as in libibverbs.
enum class WcStatus : uint8_t
{
    Success = 0,
    LocalLengthError = 1, ///< the message did not fit into the receive
    WrFlushError = 5,     ///< given up since an earlier one failed
    RemoteInvalidRequest = 9,
    RemoteAccessError = 10,
    RemoteOperationError = 11,
    RetryExceeded = 12,   ///< too many timeouts and NAKs without progress (IBV_WC_RETRY_EXC_ERR)
    RnrRetryExceeded = 13 ///< the peer posted no receive in time (IBV_WC_RNR_RETRY_EXC_ERR)
};

/// @return its name in results: "done", "retry_exceeded", "flushed", …
const char* ToString(WcStatus status);

/// What a completion is about.
enum class WcOpcode : uint8_t
{
    Send,
    Write,
    Receive
};

/// A work request has ended.
struct WorkCompletion
{
    uint64_t wrId;
    uint32_t queuePair; ///< number of the queue pair it was posted to
    uint32_t bytes;     ///< length of the message
    WcStatus status;
    WcOpcode opcode;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_VERBS_H
