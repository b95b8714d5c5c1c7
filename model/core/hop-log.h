// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HOP_LOG_H
#define AIFABRIC_HOP_LOG_H

#include "frame.h"
#include "handle-pool.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aifabric
{

struct HopLog;

/// What a switch port tells a frame that leaves by it (INT; Li et al., SIGCOMM'19, 3.1).
struct HopRecord
{
    Tick at;              ///< when the frame begins to leave
    uint64_t sentBytes;   ///< of frames that left by the port before, preamble and gap included
    double bandwidthBps;  ///< of the port
    uint32_t queuedBytes; ///< left behind in the frame's queue
};

/**
 * @ingroup ai-fabric
 * How the ports on its way write into the log of a frame, where that is not a record each.
 */
class HopStamper
{
  public:
    virtual ~HopStamper() = default;

    /// @param log of the frame. @param hop what the port tells. @param port which it is: an identity.
    virtual void Stamp(HopLog& log, const HopRecord& hop, const void* port) = 0;
};

/**
 * @ingroup ai-fabric
 * What the ports on its way have told a frame, kept beside it: Frame::hopLog is the handle. The
 * frame owns it, and the acknowledgement that it is turned into takes it back to the sender. Frames
 * that ask for no acknowledgement have none.
 */
struct HopLog
{
    /// Ports on a way that are recorded, at most; the rest is silent.
    static constexpr uint8_t kMaxHops = 8;

    HopLog()
    {
    }

    HopLog(const HopLog&) = delete;

    /// Copies what is there: most logs are short.
    HopLog& operator=(const HopLog& other)
    {
        stamper = other.stamper;
        backlogBytes = other.backlogBytes;
        digest = other.digest;
        count = other.count;
        std::copy_n(other.hops, count, hops);
        return *this;
    }

    HopStamper* stamper{nullptr}; ///< null: a record for each port
    uint64_t backlogBytes{0};     ///< what the sender tells of what waits, if anything (Announce)
    uint32_t digest{0};           ///< the stamper's
    uint8_t count{0};             ///< of hops
    HopRecord hops[kMaxHops];     ///< the first port's first

    /// All of the process, like the frames.
    static HandlePool<HopLog>& Pool()
    {
        static HandlePool<HopLog> pool;
        return pool;
    }

    /// @return that of a frame; null for none.
    static const HopLog* Of(const Frame& f)
    {
        return f.hopLog ? &Pool()[f.hopLog] : nullptr;
    }

    /// The frame leaves by a port.
    static void Stamp(const Frame& f, const HopRecord& hop, const void* port)
    {
        HopLog& log = Pool()[f.hopLog];
        if (log.stamper)
        {
            log.stamper->Stamp(log, hop, port);
        }
        else if (log.count < kMaxHops)
        {
            log.hops[log.count++] = hop;
        }
    }

    /// Takes it away from a frame that may have one.
    static void RemoveFrom(Frame& f)
    {
        if (f.hopLog)
        {
            Pool().Return(f.hopLog);
            f.hopLog = 0;
        }
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HOP_LOG_H
