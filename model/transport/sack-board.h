// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SACK_BOARD_H
#define AIFABRIC_SACK_BOARD_H

#include "frame-set.h"
#include "loss-recovery.h"
#include "trimmed-frames.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * What a sender knows of frames that arrived out of order, and which of the missing ones it has to
 * send again, or to ask for again: each once, until a timeout, and those that were trimmed as often as
 * they are.
 */
class SackBoard
{
  public:
    /// @param window frames of a bandwidth-delay product.
    /// @param limit frames under way, at most, which count from the oldest unacknowledged one.
    /// @param span the same, where those do not count that have arrived out of order.
    SackBoard(uint32_t window, uint32_t limit, uint32_t span)
        : m_window(window),
          m_limit(limit),
          m_span(span),
          m_arrived(std::max(limit, span) + 1)
    {
    }

    /// @return frames from the oldest unacknowledged one on that may be under way now.
    uint32_t GetLimit() const
    {
        return std::max(m_limit, std::min(m_span, m_limit + m_count));
    }

    /// @return frames of a bandwidth-delay product.
    uint32_t GetWindow() const
    {
        return m_window;
    }

    /// @return what a LossRecovery wants to know.
    SentFrames View(uint64_t acked, uint64_t sent) const
    {
        return {acked, std::max(m_sackedEnd, acked), sent, m_window};
    }

    /// The receiver has that frame. @return false where that was known.
    bool Add(uint64_t frame)
    {
        if (m_arrived.Has(frame))
        {
            return false;
        }
        m_arrived.Add(frame);
        ++m_count;
        m_addedEnd = std::max(m_addedEnd, frame + 1);
        Overtake(frame + 1);
        return true;
    }

    /// The receiver got that frame without its payload. @return false where it has it, or that was
    /// known.
    bool Trim(uint64_t frame)
    {
        if (Has(frame))
        {
            return false;
        }
        if (!m_trimmed)
        {
            m_trimmed = std::make_unique<TrimmedFrames>(std::max(m_limit, m_span) + 1);
        }
        return m_trimmed->Add(frame);
    }

    /// @return whether that frame was trimmed, and waits to be sent again.
    bool IsTrimmed(uint64_t frame) const
    {
        return m_trimmed && m_trimmed->IsWaiting(frame);
    }

    /// What was sent after all before end has arrived.
    void Overtake(uint64_t end)
    {
        m_sackedEnd = std::max(m_sackedEnd, end);
    }

    /// @return whether that frame has arrived; it is unacknowledged.
    bool Has(uint64_t frame) const
    {
        return frame < m_addedEnd && m_arrived.Has(frame);
    }

    /// @return the first frame of [from, to) that has not arrived, or to.
    uint64_t FindMissing(uint64_t from, uint64_t to) const
    {
        // Bits beyond are those of other frames.
        const uint64_t known = std::min(to, m_addedEnd);
        return from < known ? m_arrived.FindMissing(from, known) : std::min(from, to);
    }

    /// @return the first frame of [from, to) that has arrived, or to.
    uint64_t FindPresent(uint64_t from, uint64_t to) const
    {
        const uint64_t known = std::min(to, m_addedEnd);
        const uint64_t found = from < known ? m_arrived.FindPresent(from, known) : known;
        return found < known ? found : to;
    }

    /// The oldest unacknowledged frame moves.
    void Advance(uint64_t from, uint64_t to)
    {
        m_count -= m_arrived.Remove(from, std::min(to, std::max(m_addedEnd, from)));
        m_resend = std::max(m_resend, to);
        if (m_trimmed)
        {
            m_trimmed->Forget(from, to);
        }
    }

    /// Missing frames before end are lost, if the receiver has not acknowledged them.
    void Lose(uint64_t end)
    {
        m_resend = std::max(m_resend, peerAcked);
        m_lostEnd = std::max(m_lostEnd, end);
    }

    /// The same, those that were sent again included, and the oldest even if it had arrived.
    void LoseAgain(uint64_t acked, uint64_t end)
    {
        m_count -= m_arrived.Remove(acked, acked + 1);
        m_resend = acked;
        m_lostEnd = std::max(acked, end);
        if (m_trimmed)
        {
            m_trimmed->Forget(acked, m_lostEnd);
        }
    }

    /// All frames up to there have been sent again, or needed not; or the last of them, if it had
    /// been trimmed.
    void NoteResent(uint64_t end)
    {
        if (!m_trimmed || !m_trimmed->NoteResent(end - 1))
        {
            m_resend = std::max(m_resend, end);
        }
    }

    /// @return the lost frame to be sent again next, or none.
    uint64_t FindLost(uint64_t acked, uint64_t none) const
    {
        const uint64_t overtaken = FindOvertaken(acked, none);
        return m_trimmed ? std::min(overtaken, m_trimmed->FindWaiting(acked, none)) : overtaken;
    }

    /// @return the same, but for those that were trimmed.
    uint64_t FindOvertaken(uint64_t acked, uint64_t none) const
    {
        uint64_t lost = FindMissing(std::max(m_resend, acked), m_lostEnd);
        while (m_trimmed && lost < m_lostEnd && m_trimmed->Has(lost))
        {
            lost = FindMissing(lost + 1, m_lostEnd);
        }
        return lost < m_lostEnd ? lost : none;
    }

    /// @return how many are to be sent again.
    uint64_t CountLost(uint64_t acked) const
    {
        uint64_t count = m_trimmed ? m_trimmed->CountWaiting() : 0;
        const uint64_t none = std::max(acked, m_lostEnd);
        for (uint64_t lost = FindOvertaken(acked, none); lost < none; ++count)
        {
            lost = FindOvertaken(lost + 1, none);
        }
        return count;
    }

    /// @return behind the lost frames.
    uint64_t GetLostEnd() const
    {
        return m_lostEnd;
    }

    /// @return whether there is more to know than which frame is the oldest.
    bool IsBusy(uint64_t acked) const
    {
        return m_sackedEnd > acked || m_lostEnd > acked;
    }

    Tick extendedTo{0};     ///< the deadline that has been put off already
    uint64_t episodeEnd{0}; ///< the congestion control knows of losses before this
    uint64_t peerAcked{0}; ///< the receiver has acknowledged all before, though answers are missing

  private:
    uint32_t m_window;
    uint32_t m_limit;
    uint32_t m_span;
    uint32_t m_count{0}; ///< of those that have arrived
    uint64_t m_addedEnd{0};
    uint64_t m_sackedEnd{0};
    uint64_t m_lostEnd{0};
    uint64_t m_resend{0}; ///< lost frames before this have been sent again
    FrameSet m_arrived;
    std::unique_ptr<TrimmedFrames> m_trimmed; ///< null until there is one
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SACK_BOARD_H
