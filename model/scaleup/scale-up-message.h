// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCALE_UP_MESSAGE_H
#define AIFABRIC_SCALE_UP_MESSAGE_H

#include "ns3/frame.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scaleup
 * Who wants to know of messages that have arrived.
 */
class ScaleUpReceiver
{
  public:
    /// The last byte of a message has arrived, at Simulator::Now(). @param id as given to Send().
    virtual void OnScaleUpMessage(uint64_t id) = 0;

  protected:
    ~ScaleUpReceiver() = default;
};

/// A message under way.
struct ScaleUpMessage
{
    uint64_t uncut;       ///< bytes not yet put into cells
    uint64_t undelivered; ///< bytes that have not arrived
    ScaleUpReceiver* receiver;
    uint64_t id;
    NodeIdx to;
    uint32_t cellBytes;
    uint32_t next; ///< the next of the same GPU to the same destination; or the next free entry
};

/**
 * @ingroup ai-fabric-scaleup
 * The messages of a domain that are under way, by number. Entries are used again.
 */
class ScaleUpMessages
{
  public:
    static constexpr uint32_t kNone = 0xFFFFFFFF;

    ScaleUpMessage& operator[](uint32_t message)
    {
        return m_messages[message];
    }

    /// @return the number of a new message.
    uint32_t Add(const ScaleUpMessage& message)
    {
        ++m_count;
        if (m_free == kNone)
        {
            m_messages.push_back(message);
            return m_messages.size() - 1;
        }
        const uint32_t number = m_free;
        m_free = m_messages[number].next;
        m_messages[number] = message;
        return number;
    }

    void Remove(uint32_t message)
    {
        m_messages[message].next = m_free;
        m_free = message;
        --m_count;
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

    /// Requests the memory of a message.
    void Prefetch(uint32_t message) const
    {
        __builtin_prefetch(&m_messages[message], 1);
    }

  private:
    std::vector<ScaleUpMessage> m_messages;
    uint32_t m_free{kNone};
    uint32_t m_count{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCALE_UP_MESSAGE_H
