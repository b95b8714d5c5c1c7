// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REORDER_BUFFER_H
#define AIFABRIC_REORDER_BUFFER_H

#include "ns3/frame-pool.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Frames that arrived before an earlier one: a ring by distance from the one that is expected.
 * Payload has gone to where it belongs; what is kept is what the headers say, so that messages are
 * completed in order.
 */
class ReorderBuffer
{
  public:
    /// @param frames beyond the expected one that are kept, at most.
    explicit ReorderBuffer(uint32_t frames)
        : m_limit(frames)
    {
    }

    ReorderBuffer(const ReorderBuffer&) = delete;
    ReorderBuffer& operator=(const ReorderBuffer&) = delete;

    ~ReorderBuffer()
    {
        for (Frame* f : m_ring)
        {
            if (f)
            {
                FramePool::Discard(f);
            }
        }
    }

    /// @return whether that frame, by distance from the expected one, is within reach and not here.
    bool Wants(uint32_t distance) const
    {
        return distance <= m_limit && !Has(distance);
    }

    /// Keeps a frame that it wants.
    void Keep(Frame* f, uint32_t distance)
    {
        if (distance >= m_ring.size())
        {
            Grow(distance);
        }
        At(distance) = f;
        ++m_count;
        m_peak = m_count > m_peak ? m_count : m_peak;
    }

    /// That many numbers have come in order; what is here of them is dropped.
    void Advance(uint32_t frames)
    {
        if (!m_ring.empty())
        {
            for (uint32_t i = 0; i < frames && i < m_ring.size() && m_count > 0; ++i)
            {
                if (Frame* f = Take(i))
                {
                    FramePool::Discard(f);
                }
            }
            m_first = (m_first + frames) & (m_ring.size() - 1);
        }
    }

    /// @return whether the frame at that distance from the expected one is here.
    bool Has(uint32_t distance) const
    {
        return Find(distance) != nullptr;
    }

    /// @return the frame at that distance from the expected one, which stays; null if it is not here.
    Frame* Find(uint32_t distance) const
    {
        return m_count > 0 && distance < m_ring.size() ? At(distance) : nullptr;
    }

    /// @return the expected frame if it is here, else null. It is the caller's.
    Frame* Take()
    {
        return Take(0);
    }

    /// @return most frames that were here at one time.
    uint32_t GetPeak() const
    {
        return m_peak;
    }

  private:
    Frame* Take(uint32_t distance)
    {
        if (!Has(distance))
        {
            return nullptr;
        }
        Frame* f = At(distance);
        At(distance) = nullptr;
        --m_count;
        return f;
    }

    Frame*& At(uint32_t distance)
    {
        return m_ring[(m_first + distance) & (m_ring.size() - 1)];
    }

    Frame* At(uint32_t distance) const
    {
        return m_ring[(m_first + distance) & (m_ring.size() - 1)];
    }

    void Grow(uint32_t distance)
    {
        uint32_t size = 16;
        while (size <= distance)
        {
            size *= 2;
        }
        std::vector<Frame*> ring(size, nullptr);
        for (uint32_t i = 0; i < m_ring.size(); ++i)
        {
            ring[i] = At(i);
        }
        m_ring = std::move(ring);
        m_first = 0;
    }

    std::vector<Frame*> m_ring;
    uint32_t m_first{0};
    uint32_t m_limit;
    uint32_t m_count{0};
    uint32_t m_peak{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_REORDER_BUFFER_H
