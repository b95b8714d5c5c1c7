// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_SET_H
#define AIFABRIC_FRAME_SET_H

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Numbers of frames within a window that moves: one bit each, in a ring.
 */
class FrameSet
{
  public:
    /// @param frames that the window spans, at most.
    explicit FrameSet(uint32_t frames)
    {
        uint64_t words = 1;
        while (words * 64 < frames)
        {
            words *= 2;
        }
        m_bits.resize(words);
    }

    bool Has(uint64_t frame) const
    {
        return m_bits[Word(frame)] >> (frame % 64) & 1;
    }

    void Add(uint64_t frame)
    {
        m_bits[Word(frame)] |= 1ULL << (frame % 64);
    }

    /// Takes [from, to) out. @return how many of them were in.
    uint32_t Remove(uint64_t from, uint64_t to)
    {
        uint32_t removed = 0;
        for (uint64_t frame = from; frame < to; ++frame)
        {
            removed += Has(frame);
            m_bits[Word(frame)] &= ~(1ULL << (frame % 64));
        }
        return removed;
    }

    /// @return the first frame of [from, to) that is not in, or to.
    uint64_t FindMissing(uint64_t from, uint64_t to) const
    {
        return Find(from, to, ~0ULL);
    }

    /// @return the first frame of [from, to) that is in, or to.
    uint64_t FindPresent(uint64_t from, uint64_t to) const
    {
        return Find(from, to, 0);
    }

  private:
    uint64_t Find(uint64_t from, uint64_t to, uint64_t inverted) const
    {
        for (; from < to; from = (from | 63) + 1)
        {
            const uint64_t found = (m_bits[Word(from)] ^ inverted) >> (from % 64);
            if (found)
            {
                from += __builtin_ctzll(found);
                return from < to ? from : to;
            }
        }
        return to;
    }

    uint64_t Word(uint64_t frame) const
    {
        return frame / 64 & (m_bits.size() - 1);
    }

    std::vector<uint64_t> m_bits;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_SET_H
