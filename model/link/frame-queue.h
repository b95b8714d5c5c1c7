// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_QUEUE_H
#define AIFABRIC_FRAME_QUEUE_H

#include "ns3/frame.h"

#include <cstdint>
#include <utility>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Frames that wait, first in, first out. It does not own them.
 */
class FrameQueue
{
  public:
    bool IsEmpty() const
    {
        return !m_head;
    }

    /// @return the oldest frame, null if there is none; each has the one behind it as Frame::next.
    Frame* Front() const
    {
        return m_head;
    }

    /// @return the newest frame; there is one.
    Frame* Back() const
    {
        return m_tail;
    }

    uint32_t GetBytes() const
    {
        return static_cast<uint32_t>(m_in - m_out);
    }

    /// @return bytes that have left since it was made.
    uint64_t GetLeft() const
    {
        return m_out;
    }

    void Push(Frame* f)
    {
        f->next = nullptr;
        if (m_head)
        {
            m_tail->next = f;
        }
        else
        {
            m_head = f;
        }
        m_tail = f;
        m_in += f->bytes;
    }

    /// Takes the oldest frame out; there is one.
    void Pop()
    {
        m_out += m_head->bytes;
        m_head = m_head->next;
    }

    /// @return all frames, as Front() does; it is empty then.
    Frame* TakeAll()
    {
        m_out = m_in;
        return std::exchange(m_head, nullptr);
    }

  private:
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    uint64_t m_in{0};  ///< bytes that have come in, ever
    uint64_t m_out{0}; ///< and left
};

/**
 * @ingroup ai-fabric
 * Where in a queue the frames begin that are not ready: nothing holds them up but their own latency.
 */
class FramePipeline
{
  public:
    /// @param queue always the same one. @param at does not go back; the newest frame is not ready then.
    /// @return bytes of those that are not.
    uint32_t GetBytes(const FrameQueue& queue, Tick at)
    {
        if (m_position < queue.GetLeft() || !m_first)
        {
            m_first = queue.Front();
            m_position = queue.GetLeft();
        }
        while (m_first->ready <= at)
        {
            m_position += m_first->bytes;
            m_first = m_first->next;
        }
        return static_cast<uint32_t>(queue.GetLeft() + queue.GetBytes() - m_position);
    }

  private:
    Frame* m_first{nullptr};
    uint64_t m_position{0}; ///< bytes that had come in before it
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_QUEUE_H
