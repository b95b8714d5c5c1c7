// SPDX-License-Identifier: GPL-2.0-only
#include "protection-domain.h"

#include "rdma-nic.h"

#include "ns3/abort.h"

#include <limits>
#include <utility>

namespace ns3::aifabric
{

ProtectionDomain::ProtectionDomain(RdmaNic& nic)
    : m_nic(nic)
{
}

ProtectionDomain::~ProtectionDomain() = default;

MemoryRegion*
ProtectionDomain::Register(void* bytes, uint64_t length, uint32_t access)
{
    if (!bytes)
    {
        return nullptr;
    }
    const auto address = reinterpret_cast<uintptr_t>(bytes);
    return Add(static_cast<std::byte*>(bytes), address, length, access);
}

MemoryRegion*
ProtectionDomain::RegisterAddresses(uint64_t address, uint64_t length, uint32_t access)
{
    return access & kRemoteAtomic ? nullptr : Add(nullptr, address, length, access);
}

MemoryRegion*
ProtectionDomain::Add(std::byte* bytes, uint64_t address, uint64_t length, uint32_t access)
{
    // A peer may not write what this side may not (IBA vol. 1, 10.6.3.1).
    const bool together = !(access & (kRemoteWrite | kRemoteAtomic)) || access & kLocalWrite;
    const bool fits = length == 0 || length - 1 <= std::numeric_limits<uint64_t>::max() - address;
    if (!together || !fits || access & ~kAllAccess)
    {
        return nullptr;
    }
    const uint32_t key = m_nic.TakeKey();
    std::unique_ptr<MemoryRegion> region(
        new MemoryRegion(*this, bytes, address, length, access, key));
    return (m_regions[key] = std::move(region)).get();
}

void
ProtectionDomain::Deregister(MemoryRegion* region)
{
    NS_ABORT_MSG_IF(Find(region->GetKey()) != region, "a memory region of another domain");
    m_regions.erase(region->GetKey());
}

MemoryRegion*
ProtectionDomain::Find(uint32_t key) const
{
    auto found = m_regions.find(key);
    return found == m_regions.end() ? nullptr : found->second.get();
}

MemoryRegion*
ProtectionDomain::FindFor(uint32_t key, uint64_t address, uint64_t bytes, uint32_t access) const
{
    MemoryRegion* region = Find(key);
    return region && region->Allows(address, bytes, access) ? region : nullptr;
}

} // namespace ns3::aifabric
