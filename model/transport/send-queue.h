// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEND_QUEUE_H
#define AIFABRIC_SEND_QUEUE_H

#include "request-ring.h"
#include "verbs.h"

#include "ns3/frame-extension.h"
#include "ns3/handle-pool.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aifabric
{

/// What a message has that is more than a plain SEND or WRITE.
struct RequestDetails
{
    WorkRequest request;
    SharedBytes source;      ///< SEND, WRITE: its bytes, null: nobody looks at them
    SharedBytes answer;      ///< READ: the peer's bytes, null as above
    uint64_t answerBegin{0}; ///< the first of those, within the message
};

/**
 * @ingroup ai-fabric-transport
 * Messages that have been posted and have not ended, each with the frames that it takes. Frames are
 * counted in 64 bits from the first one ever; a READ takes one for each frame of its answer (IBA
 * vol. 1, 9.7.3.1).
 */
class SendQueue
{
  public:
    /// A message: its frames are [first, first of the next).
    struct Message
    {
        uint64_t wrId;
        uint64_t firstByte; ///< payload sent by all messages before
        uint64_t first;
        uint32_t bytes;
        uint32_t details; ///< handle of its RequestDetails; 0 is none
        WrOpcode opcode;
        bool signaled;

        /// @return whether the peer answers with data, so that no payload is sent.
        bool IsAnswered() const
        {
            return opcode == WrOpcode::Read || IsAtomic();
        }

        bool IsAtomic() const
        {
            return opcode == WrOpcode::CompareSwap || opcode == WrOpcode::FetchAdd;
        }

        RequestDetails& GetDetails() const
        {
            return Details()[details];
        }
    };

    SendQueue() = default;
    SendQueue(const SendQueue&) = delete;
    SendQueue& operator=(const SendQueue&) = delete;

    ~SendQueue()
    {
        Clear();
    }

    /// @return details of all messages of the process.
    static HandlePool<RequestDetails>& Details();

    bool IsEmpty() const
    {
        return m_messages.IsEmpty();
    }

    /// @return number of the oldest message.
    uint32_t GetBegin() const
    {
        return m_messages.GetBegin();
    }

    /// @return number of the next message to be posted.
    uint32_t GetEnd() const
    {
        return m_messages.GetEnd();
    }

    const Message& operator[](uint32_t number) const
    {
        return m_messages[number];
    }

    /// @return the frame behind all messages.
    uint64_t GetEndFrame() const
    {
        return m_end;
    }

    /// @return the frame behind that message.
    uint64_t EndOf(uint32_t number) const
    {
        return number + 1 == m_messages.GetEnd() ? m_end : m_messages[number + 1].first;
    }

    /// @return number of the message that a frame belongs to; it has not ended.
    uint32_t Find(uint64_t frame) const;

    /// @return payload sent before that frame, which belongs to a message here or is behind all.
    uint64_t BytesBefore(uint64_t frame, uint32_t mtu) const;

    /// Appends a message. @param firstByte where the queue is empty, payload sent before.
    void Push(const WorkRequest& request, uint32_t details, uint64_t firstByte, uint32_t mtu);

    /// Takes the oldest message out; its details are the caller's to return.
    Message Pop()
    {
        return m_messages.Pop();
    }

    /// Forgets all messages.
    void Clear();

  private:
    RequestRing<Message> m_messages;
    uint64_t m_end{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SEND_QUEUE_H
