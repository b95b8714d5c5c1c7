// SPDX-License-Identifier: GPL-2.0-only
#include "huge-memory.h"

#include "ns3/abort.h"

#include <cstdlib>
#include <map>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace ns3::aifabric
{

namespace
{

constexpr std::size_t kLine = 64;
constexpr std::size_t kPage = 2 << 20;

constexpr std::size_t
RoundUp(std::size_t bytes, std::size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct FreeBlock
{
    FreeBlock* next;
};

struct Slabs
{
    std::byte* at{nullptr};
    std::size_t left{0};
    std::map<std::size_t, FreeBlock*> returned; ///< by size
};

/// Never destroyed: static objects may return blocks at the very end.
Slabs&
GetSlabs()
{
    static auto* slabs = new Slabs;
    return *slabs;
}

} // namespace

void*
HugeMemory::Take(std::size_t bytes)
{
    bytes = RoundUp(bytes, kLine);
#if defined(__SANITIZE_ADDRESS__)
    // Each block by itself, so that a step beyond it is seen.
    return std::aligned_alloc(kLine, bytes);
#endif
    Slabs& slabs = GetSlabs();
    FreeBlock*& returned = slabs.returned[bytes];
    if (returned)
    {
        return std::exchange(returned, returned->next);
    }
    if (bytes > slabs.left)
    {
        slabs.left = RoundUp(bytes, kPage);
        slabs.at = static_cast<std::byte*>(std::aligned_alloc(kPage, slabs.left));
        NS_ABORT_MSG_IF(!slabs.at, "no memory for " << bytes << " bytes");
        madvise(slabs.at, slabs.left, MADV_HUGEPAGE);
    }
    slabs.left -= bytes;
    return std::exchange(slabs.at, slabs.at + bytes);
}

void
HugeMemory::Return(void* block, std::size_t bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    std::free(block);
    return;
#endif
    FreeBlock*& returned = GetSlabs().returned[RoundUp(bytes, kLine)];
    returned = new (block) FreeBlock{returned};
}

} // namespace ns3::aifabric
