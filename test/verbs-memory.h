// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_MEMORY_H
#define AIFABRIC_VERBS_MEMORY_H

#include "ns3/protection-domain.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace ns3::aifabric::test
{

/// A registered region, and what it should hold.
struct Region
{
    Region(ProtectionDomain& domain, uint32_t size, uint32_t access)
        : bytes(new std::byte[size]),
          expected(size, std::byte{0xA5}),
          access(access),
          size(size)
    {
        std::memset(bytes.get(), 0xA5, size);
        registered = domain.Register(bytes.get(), size, access);
    }

    std::unique_ptr<std::byte[]> bytes; ///< exactly so many, for address sanitizers to watch
    std::vector<std::byte> expected;
    MemoryRegion* registered;
    uint32_t access;
    uint32_t size;
    uint32_t used{0};
};

/// Part of a region that serves one purpose; null region: of no memory at all.
struct Range
{
    Region* region{nullptr};
    uint32_t offset{0};
    uint32_t bytes{0};

    uint64_t GetAddress() const
    {
        return region ? reinterpret_cast<uintptr_t>(GetBytes()) : 0;
    }

    uint32_t GetKey() const
    {
        return region ? region->registered->GetKey() : 0;
    }

    std::byte* GetBytes() const
    {
        return region->bytes.get() + offset;
    }

    std::byte* GetExpected() const
    {
        return region->expected.data() + offset;
    }

    bool IsAsExpected() const
    {
        return !region || std::memcmp(GetBytes(), GetExpected(), bytes) == 0;
    }

    /// What is there is right, whatever it is.
    void Accept() const
    {
        if (region)
        {
            std::memcpy(GetExpected(), GetBytes(), bytes);
        }
    }
};

/**
 * The memory of one host: regions with various rights, of which each range is given away once, with
 * bytes around it that nobody may touch.
 */
class VerbsMemory
{
  public:
    VerbsMemory(ProtectionDomain& domain, std::mt19937_64& dice)
        : m_domain(domain),
          m_dice(dice)
    {
    }

    /// @return bytes of a region that gives that access at least, and not all of the denied one.
    Range Take(uint32_t bytes, uint32_t access, uint32_t denied = 0)
    {
        constexpr uint32_t kAlignment = 8;
        const auto gap = static_cast<uint32_t>(1 + m_dice() % 24);
        auto begin = [&](const Region& r) {
            return (r.used + gap + kAlignment - 1) / kAlignment * kAlignment;
        };
        Region* found = nullptr;
        if (m_dice() % 8 != 0)
        {
            for (const auto& r : m_regions)
            {
                const bool fits = (r->access & access) == access && !(r->access & denied) &&
                                  begin(*r) + bytes + 1 <= r->size;
                found = fits && (!found || m_dice() % 2 == 0) ? r.get() : found;
            }
        }
        if (!found)
        {
            uint32_t rights = (access | static_cast<uint32_t>(m_dice() & kAllAccess)) & ~denied;
            rights |=
                rights & (kRemoteWrite | kRemoteAtomic) ? static_cast<uint32_t>(kLocalWrite) : 0U;
            if (rights & denied)
            {
                rights = access;
            }
            const auto size = static_cast<uint32_t>(bytes + 64 + m_dice() % 16384);
            m_regions.push_back(std::make_unique<Region>(m_domain, size, rights));
            found = m_regions.back().get();
        }
        // Where nothing has to be aligned nothing is.
        const Range range{
            found, begin(*found) + (bytes == 8 ? 0 : static_cast<uint32_t>(m_dice() % 2)), bytes};
        found->used = range.offset + bytes;
        return range;
    }

    /// Fills a range, as its owner.
    void Fill(const Range& range)
    {
        for (uint32_t i = 0; i < range.bytes; i += sizeof(uint64_t))
        {
            const uint64_t word = m_dice();
            std::memcpy(
                range.GetBytes() + i, &word, std::min<std::size_t>(sizeof(word), range.bytes - i));
        }
        range.Accept();
    }

    /// @return whether every byte is as expected, those between the ranges included.
    bool IsAsExpected() const
    {
        for (const auto& r : m_regions)
        {
            if (std::memcmp(r->bytes.get(), r->expected.data(), r->size) != 0)
            {
                return false;
            }
        }
        return true;
    }

    std::size_t CountRegions() const
    {
        return m_regions.size();
    }

  private:
    ProtectionDomain& m_domain;
    std::mt19937_64& m_dice;
    std::vector<std::unique_ptr<Region>> m_regions;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_MEMORY_H
