// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RESPONSE_QUEUE_H
#define AIFABRIC_RESPONSE_QUEUE_H

#include "queue-pair-context.h"

#include "ns3/frame-extension.h"

#include <cstdint>
#include <deque>

namespace ns3::aifabric
{

/// An answer that takes its turn.
struct Response
{
    enum Kind : uint8_t
    {
        Read,
        Atomic,
        Acknowledgement ///< of what came behind those
    } kind;

    uint32_t psn;      ///< of its first frame
    uint32_t aeth;     ///< syndrome and MSN
    uint32_t length;   ///< READ: bytes
    uint32_t key;      ///< READ: of their memory region
    uint64_t address;  ///< READ: of the bytes
    uint64_t original; ///< atomic: the value before
    Tick echo;         ///< when what it answers was sent
    bool again;        ///< it was sent before
    uint32_t sent;     ///< READ: bytes that have left
    SharedBytes bytes; ///< READ: what they were when the first frame left, if anybody looks
};

/**
 * @ingroup ai-fabric-transport
 * Answers to READs and atomics, and acknowledgements behind them, in the order of requests. As many
 * READs and atomics as the peer may have under way are remembered, so that a lost answer can be given
 * again: a READ from memory, an atomic as it was (IBA vol. 1, 9.7.5.1.1 and 9.4.5).
 */
class ResponseQueue
{
  public:
    bool IsEmpty() const
    {
        return m_pending.empty();
    }

    /// @return READs and atomics that have never been answered.
    uint32_t CountRequests() const
    {
        return m_requests;
    }

    /// Appends the answer to a new request, and remembers it.
    /// @param remembered requests that are, at most.
    void Answer(const Response& response, uint32_t remembered);

    /// Appends an acknowledgement. Cumulative ones become one.
    void Acknowledge(const Response& response);

    /**
     * A request came again. Its answer is given again from that frame on, and none that follows:
     * the peer will ask. Where it keeps what follows, it asks for what it misses, which goes first.
     * @param kind READ or atomic. @param length, key, address of a READ, from that frame on.
     * @param keeps whether the peer does.
     * @return false where it is remembered no more, or was another.
     */
    bool AnswerAgain(Response::Kind kind,
                     uint32_t psn,
                     uint32_t length,
                     uint32_t key,
                     uint64_t address,
                     uint32_t mtu,
                     bool keeps);

    /// @return the next frame, whose transmission starts at start; there is one.
    Frame* Cut(const QueuePairContext& c, Tick start);

    void Clear();

  private:
    void Truncate(uint32_t psn, uint32_t mtu);
    void Insert(const Response& again, uint32_t mtu);
    void Push(const Response& response);

    std::deque<Response> m_pending;
    std::deque<Response> m_remembered;
    uint32_t m_requests{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RESPONSE_QUEUE_H
