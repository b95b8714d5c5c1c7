// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SLOT_BITMAP_H
#define AIFABRIC_SLOT_BITMAP_H

#include <array>
#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-engine
 * Which slots of a ring are in use: one bit each, and above them one bit for each word of bits, so
 * that the next used slot is found in a few steps however far it is.
 *
 * @tparam kSlots a power of two from 64 on.
 */
template <uint32_t kSlots>
class SlotBitmap
{
  public:
    static constexpr uint32_t kNone = kSlots;

    void Set(uint32_t slot)
    {
        m_bits[slot / 64] |= 1ULL << (slot % 64);
        m_words[slot / 4096] |= 1ULL << (slot / 64 % 64);
    }

    void Clear(uint32_t slot)
    {
        uint64_t& word = m_bits[slot / 64];
        word &= ~(1ULL << (slot % 64));
        m_words[slot / 4096] &= ~(static_cast<uint64_t>(word == 0) << (slot / 64 % 64));
    }

    /// Clears that slot and what is before it among its 64.
    void ClearThrough(uint32_t slot)
    {
        uint64_t& word = m_bits[slot / 64];
        word &= ~1ULL << (slot % 64);
        m_words[slot / 4096] &= ~(static_cast<uint64_t>(word == 0) << (slot / 64 % 64));
    }

    /// @return the used slots from that one to the last of its 64: bit 0 is the slot itself.
    uint64_t Near(uint32_t slot) const
    {
        return m_bits[slot / 64] >> (slot % 64);
    }

    /// @return the first used slot from that one on, round the ring; kNone if there is none.
    uint32_t Next(uint32_t slot) const
    {
        if (uint64_t near = Near(slot))
        {
            return slot + __builtin_ctzll(near);
        }
        uint32_t word = slot / 64 + 1;
        uint32_t group = word / 64 % kGroups;
        uint64_t words = word % kWords ? m_words[group] >> (word % 64) << (word % 64) : m_words[0];
        // Once round: the group that the search began in is looked at again, as a whole.
        for (uint32_t i = 0; i <= kGroups; ++i)
        {
            if (words)
            {
                word = group * 64 + __builtin_ctzll(words);
                return word * 64 + __builtin_ctzll(m_bits[word]);
            }
            group = (group + 1) % kGroups;
            words = m_words[group];
        }
        return kNone;
    }

  private:
    static constexpr uint32_t kWords = kSlots / 64;
    static constexpr uint32_t kGroups = (kWords + 63) / 64;

    std::array<uint64_t, kWords> m_bits{};
    std::array<uint64_t, kGroups> m_words{};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SLOT_BITMAP_H
