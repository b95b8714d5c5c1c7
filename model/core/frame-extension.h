// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_EXTENSION_H
#define AIFABRIC_FRAME_EXTENSION_H

#include "frame.h"
#include "handle-pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

/// Bytes on their way: as they were when they left, whatever becomes of the memory since.
using SharedBytes = std::shared_ptr<const std::byte[]>;

/// @return a copy of those bytes.
inline SharedBytes
CopyBytes(const std::byte* from, std::size_t count)
{
    std::shared_ptr<std::byte[]> copy(new std::byte[count]);
    std::copy_n(from, count, copy.get());
    return copy;
}

/**
 * @ingroup ai-fabric
 * What the extended headers of few frames say (IBA vol. 1, 9.3), kept beside the frame: those with a
 * key to check, an atomic operation, or a datagram's sender. Frame::kExtended tells of one,
 * Frame::extension is its handle, and it is owned by the frame.
 */
struct FrameExtension
{
    uint64_t address{0};      ///< RETH, AtomicETH: in the responder's memory
    uint64_t swapOrAdd{0};    ///< AtomicETH; AtomicAckETH: the original value
    uint64_t compare{0};      ///< AtomicETH
    uint32_t key{0};          ///< RETH, AtomicETH: R_Key
    uint32_t length{0};       ///< RETH: DMALen
    uint32_t immediate{0};    ///< ImmDt, or IETH: the key to invalidate
    uint32_t aeth{0};         ///< READ response: as Frame::aeth
    uint32_t qkey{0};         ///< DETH
    uint32_t sourceNumber{0}; ///< DETH: of the sender's queue pair
    /// Bytes of the message that begins here; null: nobody looks at them.
    SharedBytes source;

    /// All of the process, like the frames.
    static HandlePool<FrameExtension>& Pool()
    {
        static HandlePool<FrameExtension> pool;
        return pool;
    }

    /// @return a new one that f owns from here.
    static FrameExtension& AddTo(Frame& f)
    {
        f.extension = Pool().Take();
        f.flags |= kExtended;
        return Pool()[f.extension];
    }

    /// @return that of a frame with kExtended.
    static const FrameExtension& Of(const Frame& f)
    {
        return Pool()[f.extension];
    }

    /// Takes it away from a frame that may have one.
    static void RemoveFrom(Frame& f)
    {
        if (f.flags & kExtended)
        {
            Pool().Return(f.extension);
            f.extension = 0;
            f.flags &= ~kExtended;
        }
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_EXTENSION_H
