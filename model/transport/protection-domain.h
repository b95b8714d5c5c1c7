// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PROTECTION_DOMAIN_H
#define AIFABRIC_PROTECTION_DOMAIN_H

#include "memory-region.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace ns3::aifabric
{

class RdmaNic;

/**
 * @ingroup ai-fabric-transport
 * What keys hold for (ibv_pd): a queue pair of a domain reaches the domain's memory regions only. A
 * queue pair of no domain checks no keys.
 *
 * Outlives its queue pairs; the NIC outlives it. No key of a NIC is ever used again.
 */
class ProtectionDomain
{
  public:
    /// @param nic gives the keys, each of them once.
    explicit ProtectionDomain(RdmaNic& nic);
    ProtectionDomain(const ProtectionDomain&) = delete;
    ProtectionDomain& operator=(const ProtectionDomain&) = delete;
    ~ProtectionDomain();

    /**
     * Registers memory that the simulation has: messages are copied to it and from it.
     * @param bytes outlive the registration; their address is the region's.
     * @param length bytes; 0 makes a region that holds none.
     * @param access AccessFlag; remote writing and atomics need local writing.
     * @return the region, which lives until it is deregistered; null (the verbs' EINVAL) where
     * access does not go together or is unknown, where there are no bytes, or where they go beyond
     * the last address.
     */
    MemoryRegion* Register(void* bytes, uint64_t length, uint32_t access);

    /**
     * Registers addresses without bytes.
     * @param access as above, but no remote atomics: they answer with what was there.
     * @return as above.
     */
    MemoryRegion* RegisterAddresses(uint64_t address, uint64_t length, uint32_t access);

    /// Ends a region of this domain, and aborts for another. Requests under way that need its key
    /// will fail.
    void Deregister(MemoryRegion* region);

    /// @return the region of a key, invalidated or not; null where it is none of this domain.
    MemoryRegion* Find(uint32_t key) const;

    /**
     * @return the region of a key if it gives that access to all those bytes, or null.
     * @param access AccessFlag; 0 asks for local reading, which every region gives.
     */
    MemoryRegion* FindFor(uint32_t key, uint64_t address, uint64_t bytes, uint32_t access) const;

  private:
    MemoryRegion* Add(std::byte* bytes, uint64_t address, uint64_t length, uint32_t access);

    RdmaNic& m_nic;
    std::unordered_map<uint32_t, std::unique_ptr<MemoryRegion>> m_regions; ///< by key
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PROTECTION_DOMAIN_H
