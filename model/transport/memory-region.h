// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_MEMORY_REGION_H
#define AIFABRIC_MEMORY_REGION_H

#include "queue-pair-attributes.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aifabric
{

class ProtectionDomain;

/**
 * @ingroup ai-fabric-transport
 * Addresses that keys give access to (ibv_mr). Made by ProtectionDomain::Register.
 *
 * Bytes behind the addresses are optional: without them messages are counted and checked, but
 * nothing is copied. One key serves as local and as remote key.
 */
class MemoryRegion
{
  public:
    uint64_t GetAddress() const
    {
        return m_address;
    }

    uint64_t GetLength() const
    {
        return m_length;
    }

    uint32_t GetKey() const
    {
        return m_key;
    }

    const ProtectionDomain& GetDomain() const
    {
        return *m_domain;
    }

    /// @return whether all of that lies within, the key still holds, and access is given.
    bool Allows(uint64_t address, uint64_t bytes, uint32_t access) const
    {
        return m_valid && (m_access & access) == access && address >= m_address &&
               bytes <= m_length && address - m_address <= m_length - bytes;
    }

    /// @return the bytes from that address on, null where the region has none.
    std::byte* At(uint64_t address) const
    {
        return m_bytes ? m_bytes + (address - m_address) : nullptr;
    }

    /// The key shall hold no longer; the region remains to be deregistered.
    void Invalidate()
    {
        m_valid = false;
    }

  private:
    friend class ProtectionDomain;

    const ProtectionDomain* m_domain{nullptr};
    uint64_t m_address{0};
    uint64_t m_length{0};
    std::byte* m_bytes{nullptr};
    uint32_t m_access{0};
    uint32_t m_key{0};
    bool m_valid{true};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_MEMORY_REGION_H
