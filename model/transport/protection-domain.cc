// SPDX-License-Identifier: GPL-2.0-only
#include "protection-domain.h"

#include "rdma-nic.h"

#include "ns3/abort.h"

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
    MemoryRegion* region = RegisterAddresses(reinterpret_cast<uintptr_t>(bytes), length, access);
    if (region)
    {
        region->m_bytes = static_cast<std::byte*>(bytes);
    }
    return region;
}

MemoryRegion*
ProtectionDomain::RegisterAddresses(uint64_t address, uint64_t length, uint32_t access)
{
    // A peer may not write what this side may not (IBA vol. 1, 10.6.3.1).
    if (access & (kRemoteWrite | kRemoteAtomic) && !(access & kLocalWrite))
    {
        return nullptr;
    }
    auto region = std::make_unique<MemoryRegion>();
    region->m_domain = this;
    region->m_address = address;
    region->m_length = length;
    region->m_access = access;
    region->m_key = m_nic.TakeKey();
    return (m_regions[region->m_key] = std::move(region)).get();
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
