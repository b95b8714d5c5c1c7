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
    MemoryRegion(const MemoryRegion&) = delete;
    MemoryRegion& operator=(const MemoryRegion&) = delete;

    /// @return the first address.
    uint64_t GetAddress() const
    {
        return m_address;
    }

    /// @return bytes.
    uint64_t GetLength() const
    {
        return m_length;
    }

    /// @return the key, never 0.
    uint32_t GetKey() const
    {
        return m_key;
    }

    const ProtectionDomain& GetDomain() const
    {
        return m_domain;
    }

    /**
     * @param access AccessFlag; 0 asks for local reading, which every region gives.
     * @return whether all of that lies within, the key still holds, and access is given. No bytes
     * lie within up to the end and at it.
     */
    bool Allows(uint64_t address, uint64_t bytes, uint32_t access) const
    {
        // An address below the region is far beyond its end here, since no region goes on at 0.
        return m_valid && (m_access & access) == access && bytes <= m_length &&
               address - m_address <= m_length - bytes;
    }

    /// @return the bytes from that address on, which lies within; null where the region has none.
    std::byte* At(uint64_t address) const
    {
        return m_bytes ? m_bytes + (address - m_address) : nullptr;
    }

    /// The key shall hold no longer, here or at a peer; the region remains to be deregistered.
    void Invalidate()
    {
        m_valid = false;
    }

  private:
    friend class ProtectionDomain;

    MemoryRegion(const ProtectionDomain& domain,
                 std::byte* bytes,
                 uint64_t address,
                 uint64_t length,
                 uint32_t access,
                 uint32_t key)
        : m_domain(domain),
          m_bytes(bytes),
          m_address(address),
          m_length(length),
          m_access(access),
          m_key(key)
    {
    }

    const ProtectionDomain& m_domain;
    std::byte* m_bytes;
    uint64_t m_address;
    uint64_t m_length;
    uint32_t m_access;
    uint32_t m_key;
    bool m_valid{true};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_MEMORY_REGION_H
