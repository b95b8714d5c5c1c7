// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

/**
 * Selective repeat in the manner of IRN (Mittal et al., "Revisiting network support for RDMA",
 * SIGCOMM'18, section 3). The receiver keeps what comes out of order, and answers it by a NAK that
 * names it and the frame expected. A frame is lost when a later one is known to have arrived; each is
 * sent again once. After a timeout, short while few frames are under way, the oldest is. No more than
 * a bandwidth-delay product is under way.
 */
class SelectiveRepeat : public LossRecovery
{
  public:
    static TypeId GetTypeId()
    {
        using S = SelectiveRepeat;
        static TypeId tid =
            TypeId("ns3::aifabric::SelectiveRepeat")
                .SetParent<LossRecovery>()
                .SetGroupName("AiFabric")
                .AddConstructor<S>()
                .AddAttribute("ReorderFrames",
                              "Frames beyond the expected one that the receiver keeps, at most",
                              UintegerValue(8192),
                              MakeUintegerAccessor(&S::m_reorderFrames),
                              MakeUintegerChecker<uint32_t>(1, 1 << 20))
                .AddAttribute("MaxOutstandingFrames",
                              "Frames under way, at most; 0 is a bandwidth-delay product of the "
                              "empty path",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_maxOutstanding),
                              MakeUintegerChecker<uint32_t>(0, 1 << 20))
                .AddAttribute("CountsArrived",
                              "Frames that have arrived out of order count as under way, as IRN "
                              "has it: a loss then stops the flow for a round trip",
                              BooleanValue(true),
                              MakeBooleanAccessor(&S::m_countsArrived),
                              MakeBooleanChecker())
                .AddAttribute("FewFrames",
                              "With as many frames under way, or less, the short timeout holds",
                              UintegerValue(3),
                              MakeUintegerAccessor(&S::m_fewFrames),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("TimeoutLow",
                              "Timeout while few frames are under way; 0 is the transport's",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&S::m_timeoutLow),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("TimeoutHigh",
                              "Timeout else; 0 is the transport's",
                              TimeValue(MicroSeconds(320)),
                              MakeTimeAccessor(&S::m_timeoutHigh),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

    uint32_t GetReorderFrames() const override
    {
        return m_reorderFrames;
    }

    uint32_t GetMaxOutstanding(uint32_t window) const override
    {
        return m_maxOutstanding ? m_maxOutstanding : window;
    }

    bool CountsArrived() const override
    {
        return m_countsArrived;
    }

    uint64_t FindLostEndAfterTimeout(const SentFrames& frames) const override
    {
        return frames.acked + 1;
    }

    Tick GetShortTimeout(Tick configured) const override
    {
        return std::min(Choose(m_timeoutLow, configured), Choose(m_timeoutHigh, configured));
    }

    Tick GetTimeout(Tick configured, const SentFrames& frames) const override
    {
        return frames.sent - frames.acked <= m_fewFrames
                   ? Choose(m_timeoutLow, configured)
                   : std::max(Choose(m_timeoutHigh, configured), GetShortTimeout(configured));
    }

  private:
    static Tick Choose(Time own, Tick configured)
    {
        return own.IsZero() ? configured : ToTick(own);
    }

    uint32_t m_reorderFrames;
    uint32_t m_maxOutstanding;
    bool m_countsArrived;
    uint32_t m_fewFrames;
    Time m_timeoutLow;
    Time m_timeoutHigh;
};

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);

} // namespace
} // namespace ns3::aifabric
