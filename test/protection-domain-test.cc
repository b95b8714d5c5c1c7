// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/protection-domain.h"
#include "ns3/rdma-nic.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

using namespace ns3::aifabric;

namespace
{

constexpr uint64_t kLast = UINT64_MAX; ///< the last address there is
constexpr uint32_t kRead = kRemoteRead;

/// Two domains of a NIC.
class ProtectionDomains : public ::testing::Test
{
  protected:
    /// Whether a region gives local reading of all that.
    static bool Holds(const MemoryRegion* region, uint64_t address, uint64_t bytes)
    {
        return region->Allows(address, bytes, 0);
    }

    RdmaNic nic;
    ProtectionDomain domain{nic};
    ProtectionDomain other{nic};
};

TEST_F(ProtectionDomains, RegionsSayWhatTheyAre)
{
    std::vector<std::byte> bytes(100);
    const MemoryRegion* region = domain.Register(bytes.data(), 100, kLocalWrite);
    ASSERT_TRUE(region);
    const uint64_t address = reinterpret_cast<uintptr_t>(bytes.data());
    EXPECT_EQ(region->GetAddress(), address);
    EXPECT_EQ(region->GetLength(), 100U);
    EXPECT_EQ(&region->GetDomain(), &domain);
    EXPECT_EQ(region->At(address), &bytes[0]);
    EXPECT_EQ(region->At(address + 99), &bytes[99]);

    const MemoryRegion* counted = other.RegisterAddresses(0x1000, 64, kRead);
    ASSERT_TRUE(counted);
    EXPECT_EQ(counted->GetAddress(), 0x1000U);
    EXPECT_EQ(counted->GetLength(), 64U);
    EXPECT_EQ(&counted->GetDomain(), &other);
    EXPECT_EQ(counted->At(0x1000), nullptr);
}

TEST_F(ProtectionDomains, AKeyIsGivenOnce)
{
    std::set<uint32_t> keys{0};
    for (uint32_t i = 0; i < 1000; ++i)
    {
        ProtectionDomain& owner = i % 2 ? domain : other;
        MemoryRegion* region = owner.RegisterAddresses(0, 100, 0);
        EXPECT_TRUE(keys.insert(region->GetKey()).second);
        if (i % 3)
        {
            owner.Deregister(region);
        }
    }
}

TEST_F(ProtectionDomains, AKeyHoldsInItsDomain)
{
    MemoryRegion* region = domain.RegisterAddresses(0x1000, 64, kRead);
    const uint32_t key = region->GetKey();
    EXPECT_EQ(domain.Find(key), region);
    EXPECT_EQ(domain.FindFor(key, 0x1000, 64, kRead), region);
    EXPECT_EQ(other.Find(key), nullptr);
    EXPECT_EQ(other.FindFor(key, 0x1000, 64, kRead), nullptr);
    EXPECT_EQ(domain.Find(key + 1), nullptr);
    EXPECT_EQ(domain.Find(0), nullptr);
}

TEST_F(ProtectionDomains, ARangeHasTwoEnds)
{
    const MemoryRegion* region = domain.RegisterAddresses(0x1000, 64, 0);
    EXPECT_TRUE(Holds(region, 0x1000, 64));
    EXPECT_TRUE(Holds(region, 0x1000, 1));
    EXPECT_TRUE(Holds(region, 0x103F, 1));
    EXPECT_FALSE(Holds(region, 0x0FFF, 1));
    EXPECT_FALSE(Holds(region, 0x0FFF, 65));
    EXPECT_FALSE(Holds(region, 0x1000, 65));
    EXPECT_FALSE(Holds(region, 0x103F, 2));
    EXPECT_FALSE(Holds(region, 0x1040, 1));
    // No bytes fit wherever a byte does, and at the end.
    EXPECT_TRUE(Holds(region, 0x1000, 0));
    EXPECT_TRUE(Holds(region, 0x1040, 0));
    EXPECT_FALSE(Holds(region, 0x0FFF, 0));
    EXPECT_FALSE(Holds(region, 0x1041, 0));
}

// Sums of address and length that wrap around 2^64 lie nowhere.
TEST_F(ProtectionDomains, TheLastAddresses)
{
    const MemoryRegion* top = domain.RegisterAddresses(kLast - 63, 64, 0);
    ASSERT_TRUE(top);
    EXPECT_TRUE(Holds(top, kLast - 63, 64));
    EXPECT_TRUE(Holds(top, kLast, 1));
    EXPECT_FALSE(Holds(top, kLast, 2));
    EXPECT_FALSE(Holds(top, kLast - 63, kLast));
    EXPECT_FALSE(Holds(top, 0, 1));
    EXPECT_TRUE(Holds(top, 0, 0)); // its end
    EXPECT_FALSE(Holds(top, 1, 0));
    EXPECT_FALSE(Holds(top, kLast - 64, 0));

    const MemoryRegion* low = domain.RegisterAddresses(0x1000, 64, 0);
    EXPECT_FALSE(Holds(low, 0x1020, kLast));
    EXPECT_FALSE(Holds(low, 0x1020, kLast - 0x1020));
    EXPECT_FALSE(Holds(low, kLast, 2));

    const MemoryRegion* all = domain.RegisterAddresses(0, kLast, 0);
    ASSERT_TRUE(all);
    EXPECT_TRUE(Holds(all, 0, kLast));
    EXPECT_TRUE(Holds(all, kLast - 1, 1));
    EXPECT_FALSE(Holds(all, kLast, 1));

    EXPECT_TRUE(domain.RegisterAddresses(1, kLast, 0));
    EXPECT_FALSE(domain.RegisterAddresses(2, kLast, 0));
    EXPECT_FALSE(domain.RegisterAddresses(kLast, 2, 0));
    EXPECT_TRUE(domain.RegisterAddresses(kLast, 1, 0));
}

TEST_F(ProtectionDomains, ARegionOfNoBytes)
{
    std::byte byte{};
    const auto address = reinterpret_cast<uintptr_t>(&byte);
    const MemoryRegion* region = domain.Register(&byte, 0, 0);
    ASSERT_TRUE(region);
    EXPECT_TRUE(Holds(region, address, 0));
    EXPECT_FALSE(Holds(region, address, 1));
    EXPECT_FALSE(Holds(region, address + 1, 0));
    EXPECT_TRUE(domain.RegisterAddresses(kLast, 0, 0));
}

// Local reading needs no flag; each other access its own.
TEST_F(ProtectionDomains, AccessThatWasGiven)
{
    std::byte bytes[8];
    const auto address = reinterpret_cast<uintptr_t>(bytes);
    for (uint32_t given = 0; given <= kAllAccess; ++given)
    {
        const bool peerWrites = given & (kRemoteWrite | kRemoteAtomic);
        MemoryRegion* region = domain.Register(bytes, sizeof(bytes), given);
        ASSERT_EQ(region != nullptr, !peerWrites || given & kLocalWrite) << given;
        for (uint32_t asked = 0; region && asked <= kAllAccess; ++asked)
        {
            const bool allowed = (given | asked) == given;
            EXPECT_EQ(domain.FindFor(region->GetKey(), address, 8, asked) == region, allowed)
                << given << " " << asked;
        }
    }
}

TEST_F(ProtectionDomains, WhatIsRefused)
{
    std::byte bytes[8];
    const uint32_t everything = kLocalWrite | kRemoteWrite | kRemoteRead | kRemoteAtomic;
    EXPECT_TRUE(domain.Register(bytes, 8, everything));
    EXPECT_FALSE(domain.Register(nullptr, 8, kLocalWrite));
    EXPECT_FALSE(domain.Register(nullptr, 0, kLocalWrite));
    EXPECT_FALSE(domain.Register(bytes, 8, everything + 1));
    EXPECT_FALSE(domain.Register(bytes, 8, 1U << 31));
    EXPECT_FALSE(domain.Register(bytes, kLast, kLocalWrite));
    EXPECT_TRUE(domain.RegisterAddresses(0, 8, everything & ~kRemoteAtomic));
    EXPECT_FALSE(domain.RegisterAddresses(0, 8, everything));
    EXPECT_FALSE(domain.RegisterAddresses(0, 8, kLocalWrite | kRemoteAtomic));
}

TEST_F(ProtectionDomains, DeregisteredIsGone)
{
    MemoryRegion* first = domain.RegisterAddresses(0x1000, 64, kRead);
    MemoryRegion* second = domain.RegisterAddresses(0x1000, 64, kRead);
    const uint32_t key = first->GetKey();
    domain.Deregister(first);
    EXPECT_EQ(domain.Find(key), nullptr);
    EXPECT_EQ(domain.FindFor(key, 0x1000, 64, kRead), nullptr);
    EXPECT_EQ(domain.FindFor(second->GetKey(), 0x1000, 64, kRead), second);
}

TEST_F(ProtectionDomains, InvalidatedHoldsNoMoreButIsThere)
{
    MemoryRegion* region = domain.RegisterAddresses(0x1000, 64, kRead);
    const uint32_t key = region->GetKey();
    region->Invalidate();
    EXPECT_EQ(domain.Find(key), region);
    EXPECT_EQ(domain.FindFor(key, 0x1000, 64, kRead), nullptr);
    EXPECT_EQ(domain.FindFor(key, 0x1000, 0, 0), nullptr);
    region->Invalidate();
    domain.Deregister(region);
    EXPECT_EQ(domain.Find(key), nullptr);
}

TEST_F(ProtectionDomains, AnothersRegionIsABrokenPromise)
{
    MemoryRegion* region = domain.RegisterAddresses(0x1000, 64, kRead);
    EXPECT_DEATH(other.Deregister(region), "a memory region of another domain");
}

} // namespace
