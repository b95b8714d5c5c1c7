// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_H
#define AIFABRIC_VERBS_H

#include "ns3/frame.h"

#include <cstddef>
#include <cstdint>
#include <limits>

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
 * Transport service of a queue pair (ibv_qp_type).
 */
enum class QpType : uint8_t
{
    Rc, ///< reliable connection
    Uc, ///< unreliable connection
    Ud  ///< unreliable datagram
};

/**
 * @ingroup ai-fabric-transport
 * State of a queue pair (IBA vol. 1, 10.3.1; ibv_qp_state).
 */
enum class QpState : uint8_t
{
    Reset,
    Init, ///< receives may be posted
    Rtr,  ///< ready to receive: answers the peer
    Rts,  ///< ready to send
    Sqd,  ///< send queue drained: ends what has begun, begins nothing
    Sqe,  ///< send queue error: what follows the failed send is flushed; never of an RC
    Err   ///< everything posted is flushed
};

/// @return "RESET" to "ERR".
const char* ToString(QpState state);

/// Answer of a call that can be refused. A refused call has changed nothing.
enum class Status : uint8_t
{
    Ok,
    WrongState,         ///< not allowed in the present state
    IllegalTransition,  ///< the state machine has no such step
    MissingAttribute,   ///< a step without an attribute that it requires
    SurplusAttribute,   ///< a step with an attribute that it does not take
    InvalidAttribute,   ///< a value out of its range
    InvalidLength,      ///< longer than a message may be, or than a datagram, or inline data
    UnsupportedRequest, ///< the transport service has no such operation
    InvalidKey,         ///< no memory region of that protection domain, or not of that address
    QueueFull,          ///< as many requests are posted as the queue takes
    SharedReceives      ///< its receives come from a shared queue: post them there
};

/// @return the error number that the verbs give: 0, EINVAL or ENOMEM.
int ToErrno(Status status);

/// What a work request does (ibv_wr_opcode, and numbered as there).
enum class WrOpcode : uint8_t
{
    Write = 0,
    WriteWithImmediate = 1,
    Send = 2,
    SendWithImmediate = 3,
    Read = 4,
    CompareSwap = 5,
    FetchAdd = 6,
    SendWithInvalidate = 9
};

/// Longest message of one work request (IBA vol. 1, 9.7.7), bytes.
inline constexpr uint64_t kMaxMessageBytes = 1ULL << 31;
/// Room that a datagram's receive needs before the payload, for its global route header, bytes.
inline constexpr uint32_t kGrhBytes = 40;
/// Length of an atomic operation, bytes.
inline constexpr uint32_t kAtomicBytes = 8;
/// Number and Q_Key of the queue pair of general services (IBA vol. 1, 3.5.3 and 10.2.5).
inline constexpr uint32_t kGeneralServicesNumber = 1;
inline constexpr uint32_t kGeneralServicesQkey = 0x80010000;

struct AddressHandle;

/**
 * @ingroup ai-fabric-transport
 * A message to send, or what to do with the peer's memory (ibv_send_wr). Key 0 is no key: such
 * bytes are counted, nobody looks at them.
 */
struct WorkRequest
{
    uint64_t wrId{0};  ///< comes back in the completion
    uint64_t bytes{0}; ///< up to kMaxMessageBytes; of an atomic 8
    WrOpcode opcode{WrOpcode::Write};
    bool signaled{true};       ///< whether success is reported; failure always is
    bool fence{false};         ///< begins when all READs and atomics before have ended
    bool solicited{false};     ///< the receiver's completion is an event for whoever asked for such
    bool inlined{false};       ///< the bytes are taken when it is posted, and need no key
    uint32_t immediate{0};     ///< immediate data, or the key to invalidate
    uint64_t address{0};       ///< of the bytes here: source of SEND and WRITE, else destination
    uint32_t localKey{0};      ///< of their memory region
    uint32_t remoteKey{0};     ///< of the peer's memory region
    uint64_t remoteAddress{0}; ///< in the peer's memory
    uint64_t compareAdd{0};    ///< what is compared, or added
    uint64_t swap{0};          ///< what replaces an equal value
    const AddressHandle* addressHandle{nullptr}; ///< datagrams: where to, and how
    uint32_t remoteNumber{0};                    ///< datagrams: number of the queue pair there
    uint32_t remoteQkey{0};                      ///< datagrams: its Q_Key
};

/// Room for one SEND of the peer (ibv_recv_wr).
struct ReceiveRequest
{
    uint64_t wrId{0};
    uint64_t bytes{kMaxMessageBytes}; ///< the longest message that fits
    uint64_t address{0};              ///< where it goes
    uint32_t localKey{0};             ///< of that memory; 0: nobody looks at the bytes
};

/// How a work request ended (ibv_wc_status, and numbered as there).
enum class WcStatus : uint8_t
{
    Success = 0,
    LocalLengthError = 1,      ///< the message did not fit into the receive
    LocalOperationError = 2,   ///< the queue pair cannot do that: a READ where its depth is 0
    LocalProtectionError = 4,  ///< the local key does not hold for those bytes
    WrFlushError = 5,          ///< given up since an earlier one failed
    BadResponse = 7,           ///< the peer answered what nobody had asked for
    LocalAccessError = 8,      ///< the receive's memory refuses what arrived with immediate data
    RemoteInvalidRequest = 9,  ///< the peer cannot do that
    RemoteAccessError = 10,    ///< the remote key does not hold for those bytes, or that operation
    RemoteOperationError = 11, ///< the peer failed within itself
    RetryExceeded = 12,        ///< too many timeouts and NAKs without progress
    RnrRetryExceeded = 13      ///< the peer posted no receive in time
};

/// @return its name in results: "done", "retry_exceeded", "flushed", …
const char* ToString(WcStatus status);

/// What a completion is about (ibv_wc_opcode, and numbered as there).
enum class WcOpcode : uint8_t
{
    Send = 0,
    Write = 1,
    Read = 2,
    CompareSwap = 3,
    FetchAdd = 4,
    Receive = 128,
    ReceiveWriteWithImmediate = 129
};

/// @return what the completion of such a request is about.
WcOpcode CompletionOf(WrOpcode opcode);

/// A work request has ended (ibv_wc).
struct WorkCompletion
{
    uint64_t wrId;
    uint32_t queuePair; ///< number of the queue pair it was posted to
    uint32_t bytes;     ///< length of the message
    WcStatus status;
    WcOpcode opcode;
    bool hasImmediate{false};       ///< immediate data arrived
    bool invalidated{false};        ///< the peer invalidated a key
    bool solicited{false};          ///< the peer solicited an event
    uint32_t immediate{0};          ///< that data, or that key
    uint32_t sourceNumber{0};       ///< datagrams: the sender's queue pair
    NodeIdx sourceAddress{kNoNode}; ///< datagrams: and its port
};

/// What happens outside of any completion (ibv_event_type).
enum class AsyncEventType : uint8_t
{
    CqError,                  ///< a completion queue overflowed: no more of it
    QpFatal,                  ///< a queue pair cannot complete what it has
    QpRequestError,           ///< the peer asked for what cannot be
    QpAccessError,            ///< the peer asked for what it may not
    CommunicationEstablished, ///< the first message came before RTS
    SqDrained,                ///< everything begun has ended, in SQD
    QpLastWqeReached,         ///< a queue pair in error took the last from its shared queue
    SrqLimitReached,          ///< fewer receives are left than were asked to be told of
    SrqError
};

/// @return "COMM_EST" and the like.
const char* ToString(AsyncEventType type);

/// Something happened to a queue pair, or to a queue.
struct AsyncEvent
{
    AsyncEventType type;
    uint32_t queuePair{0};      ///< its number; 0 where it is no queue pair's
    const void* queue{nullptr}; ///< the CompletionQueue or SharedReceiveQueue it is about
};

} // namespace ns3::aifabric

#endif // AIFABRIC_VERBS_H
