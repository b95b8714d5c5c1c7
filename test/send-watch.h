// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEND_WATCH_H
#define AIFABRIC_SEND_WATCH_H

#include "ns3/queue-pair-context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aifabric::test
{

/**
 * What one end of a queue pair sends, as it comes off the wire, held against what was posted: new
 * frames come in order and without a gap, none of what was not posted, and in SQD no message begins.
 */
class SendWatch
{
  public:
    /// @param psn of the first frame.
    void Begin(uint32_t psn)
    {
        m_psn = psn;
    }

    /// A message of so many frames was posted.
    void Post(uint64_t frames)
    {
        m_spans.push_back({m_end, m_end + frames});
        m_end += frames;
    }

    /// From that message on they have been flushed: their numbers will be others'.
    void Flush(std::size_t from)
    {
        m_end = from < m_spans.size() ? m_spans[from].first : m_end;
        for (std::size_t i = from; i < m_spans.size(); ++i)
        {
            m_spans[i] = {m_end, m_end};
        }
    }

    /// A request came off the wire.
    void OnFrame(const Frame& f)
    {
        const auto expected = static_cast<uint32_t>(m_psn + m_highest);
        const int32_t ahead = PsnDistance(f.psn, expected & kPsnMask);
        if (ahead < 0)
        {
            return;
        }
        EXPECT_EQ(ahead, 0) << "a gap on the wire";
        while (m_current < m_spans.size() && m_spans[m_current].end <= m_highest)
        {
            ++m_current;
        }
        ASSERT_LT(m_current, m_spans.size()) << "nobody posted that";
        const Span& span = m_spans[m_current];
        if (span.first == m_highest)
        {
            m_begun = m_current + 1;
            for (const Stop& stop : m_stops)
            {
                EXPECT_FALSE(f.sentAt > stop.from && f.sentAt < stop.to)
                    << "message " << m_current << " began in SQD";
            }
        }
        m_highest = OperationOf(f.op) == Opcode::ReadRequest ? span.end : m_highest + 1;
    }

    /// @return messages that have begun, and those before them.
    std::size_t GetBegun() const
    {
        return m_begun;
    }

    /// @return the first frame of a message, counted from the first one ever.
    uint64_t GetFirst(std::size_t message) const
    {
        return m_spans[message].first;
    }

    /// @return the frame behind a message; where that is its first, it was flushed.
    uint64_t GetEnd(std::size_t message) const
    {
        return m_spans[message].end;
    }

    /// @return number of a frame that has come off the wire, counted from the first one ever.
    uint64_t IndexOf(const Frame& f) const
    {
        const auto expected = static_cast<uint32_t>(m_psn + m_highest);
        return m_highest + PsnDistance(f.psn, expected & kPsnMask);
    }

    /// @return the message of that frame.
    std::size_t Find(uint64_t frame) const
    {
        // Those that were flushed have no frames.
        const auto behind = std::partition_point(
            m_spans.begin(), m_spans.end(), [frame](const Span& s) { return s.end <= frame; });
        return static_cast<std::size_t>(behind - m_spans.begin());
    }

    /// @return whether all that was posted has left.
    bool IsDone() const
    {
        return m_highest == m_end;
    }

    /// From then on no message begins.
    void NoteStop(Tick now)
    {
        m_stops.push_back({now, std::numeric_limits<Tick>::max()});
    }

    /// From then on they may again.
    void NoteGo(Tick now)
    {
        m_stops.back().to = now;
    }

  private:
    struct Span
    {
        uint64_t first;
        uint64_t end;
    };

    struct Stop
    {
        Tick from;
        Tick to;
    };

    std::vector<Span> m_spans;
    std::vector<Stop> m_stops;
    std::size_t m_current{0};
    std::size_t m_begun{0};
    uint64_t m_highest{0}; ///< frame that was never seen
    uint64_t m_end{0};
    uint32_t m_psn{0};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_SEND_WATCH_H
