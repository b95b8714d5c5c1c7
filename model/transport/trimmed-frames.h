// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRIMMED_FRAMES_H
#define AIFABRIC_TRIMMED_FRAMES_H

#include "frame-set.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aifabric
{

/// Bit of Frame::sack beside kSacks: that frame has come without its payload.
inline constexpr uint32_t kSackTrimmed = 1U << 30;

/**
 * @ingroup ai-fabric-transport
 * Frames of which the receiver has told that they came without their payload: those that wait to be
 * sent again, and those that have been.
 */
class TrimmedFrames
{
  public:
    /// @param span frames from the oldest unacknowledged one on, at most.
    explicit TrimmedFrames(uint32_t span)
        : m_waiting(span),
          m_resent(span)
    {
    }

    /// That frame was trimmed, for the first time or again. @return false where it waits already.
    bool Add(uint64_t frame)
    {
        if (frame < m_end && m_waiting.Has(frame))
        {
            return false;
        }
        m_end = std::max(m_end, frame + 1);
        m_waiting.Add(frame);
        m_resent.Remove(frame, frame + 1);
        ++m_count;
        return true;
    }

    /// @return whether that frame waits.
    bool IsWaiting(uint64_t frame) const
    {
        return frame < m_end && m_waiting.Has(frame);
    }

    /// @return whether that frame was trimmed.
    bool Has(uint64_t frame) const
    {
        return frame < m_end && (m_waiting.Has(frame) || m_resent.Has(frame));
    }

    /// @return the first frame from there on that waits, or none.
    uint64_t FindWaiting(uint64_t from, uint64_t none) const
    {
        const uint64_t found = m_count > 0 ? m_waiting.FindPresent(from, m_end) : m_end;
        return found < m_end ? found : none;
    }

    /// @return how many wait.
    uint32_t CountWaiting() const
    {
        return m_count;
    }

    /// That frame is sent again. @return whether it waited.
    bool NoteResent(uint64_t frame)
    {
        if (!IsWaiting(frame))
        {
            return false;
        }
        m_count -= m_waiting.Remove(frame, frame + 1);
        m_resent.Add(frame);
        return true;
    }

    /// Forgets [from, to).
    void Forget(uint64_t from, uint64_t to)
    {
        to = std::min(to, std::max(m_end, from));
        m_count -= m_waiting.Remove(from, to);
        m_resent.Remove(from, to);
    }

  private:
    FrameSet m_waiting;
    FrameSet m_resent;
    uint64_t m_end{0}; ///< bits from here on are those of other frames
    uint32_t m_count{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRIMMED_FRAMES_H
