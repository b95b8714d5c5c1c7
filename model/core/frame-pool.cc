// SPDX-License-Identifier: GPL-2.0-only
#include "frame-pool.h"

#include "frame-extension.h"
#include "hop-log.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace ns3::aifabric
{

void
FramePool::Discard(Frame* f)
{
    FrameExtension::RemoveFrom(*f);
    HopLog::RemoveFrom(*f);
    if (f->op == Opcode::Ordinary && s_releasePacket)
    {
        s_releasePacket(*f);
    }
    Return(f);
}

void
FramePool::Grow()
{
    // One huge page: fewer TLB misses are worth a quarter of the run time of a large fabric.
    constexpr std::size_t kSlab = 2 << 20;
    void* slab = std::aligned_alloc(kSlab, kSlab);
    NS_ABORT_MSG_IF(!slab, "no memory for frames");
    madvise(slab, kSlab, MADV_HUGEPAGE);

    // At the end of the process, unless somebody who outlives this has frames yet.
    static struct Slabs : std::vector<void*>
    {
        ~Slabs()
        {
            if (s_out == 0)
            {
                s_free = nullptr;
                std::for_each(begin(), end(), std::free);
            }
        }
    } slabs;

    slabs.push_back(slab);
#if defined(__SANITIZE_ADDRESS__)
    // Free frames are poisoned, and the search for leaks does not follow pointers in them.
    __lsan_ignore_object(slab);
#endif
    Frame* frames = static_cast<Frame*>(slab);
    // Only what has been used becomes resident: hand the slab out from its start.
    for (std::size_t i = kSlab / sizeof(Frame); i > 0; --i)
    {
        frames[i - 1].next = s_free;
        s_free = &frames[i - 1];
    }
}

} // namespace ns3::aifabric
