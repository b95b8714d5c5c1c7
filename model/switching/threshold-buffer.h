// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_THRESHOLD_BUFFER_H
#define AIFABRIC_THRESHOLD_BUFFER_H

#include "pooled-buffer.h"

#include <limits>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A pooled buffer with the thresholds of a policy.
 * @tparam Policy the class that derives from this one. It has IngressThreshold(in, index, free) and
 * EgressThreshold(index, free): what the ingress or the queue of that index may take of the pool, of
 * which free bytes are left; 0 where none are. Neither falls when free grows.
 */
template <class Policy>
class ThresholdBuffer : public PooledBuffer
{
  public:
    Verdict Admit(const BufferSlot& slot, uint32_t bytes, uint32_t queued, bool exact) override
    {
        const std::size_t index = Index(slot.in, slot.priority);
        Ingress& in = m_ingress[index];
        if (in.lossless)
        {
            return AdmitLossless(in, slot, index, bytes, exact);
        }
        const int64_t after = static_cast<int64_t>(queued) + bytes - m_reserved[slot.priority];
        const int64_t taken = FromPool(after, bytes);
        if (after > Self().EgressThreshold(Index(slot.out, slot.priority), Free()) ||
            m_used + taken > m_pool)
        {
            return {exact ? Admission::Drop : Admission::Unsure};
        }
        in.shared += bytes;
        m_used += taken;
        return {Admission::Shared};
    }

    PauseEdge Release(PortIdx port,
                      PortIdx /* out */,
                      uint8_t priority,
                      uint32_t bytes,
                      uint32_t queued) override
    {
        const std::size_t index = Index(port, priority);
        Ingress& in = m_ingress[index];
        if (!in.lossless)
        {
            in.shared -= bytes;
            m_used -= FromPool(static_cast<int64_t>(queued) + bytes - m_reserved[priority], bytes);
            return PauseEdge::None;
        }
        if (in.headroom > 0)
        {
            const uint32_t fromHeadroom = std::min(bytes, in.headroom);
            in.headroom -= fromHeadroom;
            bytes -= fromHeadroom;
        }
        m_used -= FromPool(in.shared, bytes);
        in.shared -= bytes;
        // Who is within its own bytes resumes however full the pool is: nothing else would wake it.
        if (in.stopped && in.headroom == 0 &&
            (in.shared <= 0 ||
             in.shared + m_xonOffset <= Self().IngressThreshold(in, index, Free())))
        {
            in.stopped = false;
            return PauseEdge::Xon;
        }
        return PauseEdge::None;
    }

    uint64_t GetPauseBytes(PortIdx in, uint8_t priority) const override
    {
        const std::size_t index = Index(in, priority);
        const Ingress& ingress = m_ingress[index];
        if (!ingress.lossless)
        {
            return std::numeric_limits<uint64_t>::max();
        }
        // The threshold does not rise while the pool fills: there is one point from which on it is
        // below what the ingress holds.
        int64_t low = 0;
        for (int64_t high = m_pool + 1; low + 1 < high;)
        {
            const int64_t middle = (low + high) / 2;
            const bool fits = middle <= Self().IngressThreshold(ingress, index, m_pool - middle);
            (fits ? low : high) = middle;
        }
        return low + m_reserved[priority];
    }

  private:
    const Policy& Self() const
    {
        return static_cast<const Policy&>(*this);
    }

    Verdict AdmitLossless(Ingress& in,
                          const BufferSlot& slot,
                          std::size_t index,
                          uint32_t bytes,
                          bool exact)
    {
        const int64_t after = in.shared + bytes;
        const int64_t used = m_used + FromPool(after, bytes);
        const int64_t free = std::max<int64_t>(m_pool - used, 0);
        if (!in.stopped && after <= Self().IngressThreshold(in, index, free))
        {
            in.shared = after;
            m_used = used;
            return {Admission::Shared};
        }
        if (!exact)
        {
            return {Admission::Unsure};
        }
        return Stop(in, slot, bytes);
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_THRESHOLD_BUFFER_H
