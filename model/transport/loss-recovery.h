// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LOSS_RECOVERY_H
#define AIFABRIC_LOSS_RECOVERY_H

#include "ns3/fabric-time.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/// What a sender knows of its frames; each is counted from the first one ever.
struct SentFrames
{
    uint64_t acked;     ///< the oldest that is not acknowledged
    uint64_t sackedEnd; ///< behind the last that is known to have arrived out of order, or acked
    uint64_t sent;      ///< behind the last that was ever sent
    uint32_t window;    ///< frames that one bandwidth-delay product holds, at least 1
};

/**
 * @ingroup ai-fabric-transport
 * How both ends of a reliable connection cope with frames that are lost, or overtaken: one constant
 * object, shared by all queue pairs. What is common to all ways, queues, numbers and timers, is done
 * by the requester and the responder; a way decides what the receiver keeps and what the sender takes
 * for lost.
 */
class LossRecovery : public Object
{
  public:
    static TypeId GetTypeId();

    // At the receiver.

    /// @return frames beyond the expected one that are kept, at most; 0: all are dropped, and the
    /// first one is answered by a NAK.
    virtual uint32_t GetReorderFrames() const = 0;

    /// @return whether a frame that is kept is answered by a NAK, or by an ACK, which does not tell
    /// the congestion control of a loss; either names the frame and the one expected.
    virtual bool NaksGaps() const
    {
        return true;
    }

    // At the sender.

    /// @return whether each frame of a WRITE has an address of its own (RETH).
    virtual bool AddressesEveryFrame() const
    {
        return false;
    }

    // All below counts only where the receiver keeps frames; else everything is sent again.

    /// @param window frames that one bandwidth-delay product holds, at least 1.
    /// @return frames from the oldest unacknowledged one on that may be under way.
    virtual uint32_t GetMaxOutstanding(uint32_t /* window */) const
    {
        return GetReorderFrames();
    }

    /// @return whether frames that have arrived out of order count as under way, too.
    virtual bool CountsArrived() const
    {
        return true;
    }

    /**
     * The receiver named a frame that overtook others.
     * @return the frame before which all that have not arrived are taken for lost.
     */
    virtual uint64_t FindLostEnd(const SentFrames& frames) const
    {
        return frames.sackedEnd;
    }

    /// @return the same after a timeout.
    virtual uint64_t FindLostEndAfterTimeout(const SentFrames& frames) const
    {
        return frames.sent;
    }

    /**
     * @param configured the queue pair's timeout, kNever for none.
     * @return how long the sender waits for any answer at least: its timer looks then.
     */
    virtual Tick GetShortTimeout(Tick configured) const
    {
        return configured;
    }

    /// @return how long it waits with those frames under way, no less than the short timeout.
    virtual Tick GetTimeout(Tick configured, const SentFrames& /* frames */) const
    {
        return configured;
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LOSS_RECOVERY_H
