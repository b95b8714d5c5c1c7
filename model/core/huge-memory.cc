// SPDX-License-Identifier: GPL-2.0-only
#include "huge-memory.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <sys/mman.h>
#include <utility>
#include <vector>

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
    std::size_t taken{0};                       ///< blocks not returned
    std::map<std::size_t, FreeBlock*> returned; ///< by size
    std::vector<void*> all;
    bool ends{false}; ///< the process is about to

    void FreeIfAtEnd()
    {
        if (ends && taken == 0)
        {
            std::for_each(all.begin(), all.end(), std::free);
            *this = {};
        }
    }
};

/// Never destroyed, since static objects return blocks at the very end; the last one frees it all.
Slabs&
GetSlabs()
{
    alignas(Slabs) static std::byte place[sizeof(Slabs)];
    static auto* slabs = new (place) Slabs;

    static const struct End
    {
        ~End()
        {
            slabs->ends = true;
            slabs->FreeIfAtEnd();
        }
    } end;

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
    ++slabs.taken;
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
        slabs.all.push_back(slabs.at);
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
    Slabs& slabs = GetSlabs();
    --slabs.taken;
    FreeBlock*& returned = slabs.returned[RoundUp(bytes, kLine)];
    returned = new (block) FreeBlock{returned};
    slabs.FreeIfAtEnd();
}

} // namespace ns3::aifabric
