// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_POOL_H
#define AIFABRIC_FRAME_POOL_H

#include "frame.h"

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * All frames of the process: a free list over slabs of huge pages. Like the simulator that it
 * serves there is one of it, for one thread.
 */
class FramePool
{
  public:
    /// @return a frame with undefined contents.
    static Frame* Take()
    {
        if (!s_free)
        {
            Grow();
        }
        Frame* f = s_free;
#if defined(__SANITIZE_ADDRESS__)
        ASAN_UNPOISON_MEMORY_REGION(f, sizeof(Frame));
#endif
        s_free = f->next;
        ++s_out;
        return f;
    }

    /// Gives a frame back that carries nothing more. Last out, first in: its line is likely still
    /// cached.
    static void Return(Frame* f)
    {
        f->next = s_free;
        s_free = f;
        --s_out;
#if defined(__SANITIZE_ADDRESS__)
        ASAN_POISON_MEMORY_REGION(f, sizeof(Frame));
#endif
    }

    /// Gives a frame back that reached no destination, and with it what it carries.
    static void Discard(Frame* f);

    /// @param release drops the packet of an ordinary frame; this level knows no packets.
    static void OnDiscard(void (*release)(Frame& f))
    {
        s_releasePacket = release;
    }

    /// @return frames taken and not given back: 0 when a fabric has drained.
    static std::size_t Out()
    {
        return s_out;
    }

  private:
    static void Grow();

    static inline Frame* s_free = nullptr;
    static inline std::size_t s_out = 0;
    static inline void (*s_releasePacket)(Frame& f) = nullptr;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_POOL_H
