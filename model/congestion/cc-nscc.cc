// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

/// Bytes are those on the wire, but for early.
struct NsccState
{
    double window{0};
    double owed{0};           ///< bytes squared: increases that an adjustment divides by the window
    double delay{0};          ///< average, ps
    double calm{0};           ///< acknowledged in a row without delay
    double achieved{0};       ///< acknowledged in this period of quick adaptation
    double received{0};       ///< acknowledged since the last adjustment
    double ignored{0};        ///< acknowledged since the last quick adaptation
    double toIgnore{0};       ///< so far marks tell of what was before it
    uint64_t early{0};        ///< payload that has arrived out of order, acknowledged later
    Tick decreased{-kSecond}; ///< last multiplicative decrease
    Tick adjusted{0};         ///< last steady increase
    Tick adaptAt{0};          ///< end of the period of quick adaptation; 0: not begun
    bool rising{false};       ///< in fast increase
    bool lost{false};         ///< frames were, since the last quick adaptation
};

/**
 * NSCC, the sender-based congestion control of Ultra Ethernet, as its authors' simulator has it
 * (uet-htsim, uec.cpp, August 2025): a window by the queueing delay and the marks of each
 * acknowledgement, with a quick adaptation to what was achieved when much was lost or waits.
 */
class Nscc : public CongestionControlFor<Nscc, NsccState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Nscc")
                .SetParent<CongestionControl>()
                .SetGroupName("AiFabric")
                .AddConstructor<Nscc>()
                .AddAttribute("Trimming",
                              "Switches cut frames short instead of dropping them: TargetDelay is "
                              "0.75 of the base RTT then, else 1",
                              BooleanValue(false),
                              MakeBooleanAccessor(&Nscc::m_trimming),
                              MakeBooleanChecker())
                .AddAttribute("TargetDelay",
                              "Queueing delay aimed at, over the base RTT; 0: by Trimming",
                              DoubleValue(0),
                              MakeDoubleAccessor(&Nscc::m_target),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("ReferenceBytes",
                              "Bandwidth-delay product of the reference network: other networks' "
                              "over it scale the increases (a)",
                              UintegerValue(150000),
                              MakeUintegerAccessor(&Nscc::m_referenceBytes),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("ReferenceRtt",
                              "Base RTT of the reference network: the target over it scales the "
                              "proportional increase (b)",
                              TimeValue(MicroSeconds(12)),
                              MakeTimeAccessor(&Nscc::m_referenceRtt),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute(
                    "ProportionalIncrease",
                    "Of a window without any delay in a round trip, over the MTU, a and b",
                    DoubleValue(4),
                    MakeDoubleAccessor(&Nscc::m_proportional),
                    MakeDoubleChecker<double>(0))
                .AddAttribute("FairIncrease",
                              "Of a window beyond the target without marks in a round trip, over "
                              "the MTU and a",
                              DoubleValue(5),
                              MakeDoubleAccessor(&Nscc::m_fair),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("SteadyIncrease",
                              "Of any window once per round trip, over the MTU and a (eta)",
                              DoubleValue(0.15),
                              MakeDoubleAccessor(&Nscc::m_steady),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("FastIncrease",
                              "Of a window after one of acknowledgements without delay, over a and "
                              "the bytes acknowledged",
                              DoubleValue(0.25),
                              MakeDoubleAccessor(&Nscc::m_fastScale),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("FastDelay",
                              "Less than this is no delay",
                              TimeValue(MicroSeconds(1)),
                              MakeTimeAccessor(&Nscc::m_fastDelay),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("Decrease",
                              "Share of the excess over the target that a decrease takes away "
                              "(gamma)",
                              DoubleValue(0.8),
                              MakeDoubleAccessor(&Nscc::m_decrease),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("LeastFactor",
                              "What a decrease leaves of the window at the least",
                              DoubleValue(0.5),
                              MakeDoubleAccessor(&Nscc::m_leastFactor),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("DelayGain",
                              "Of the average of delays",
                              DoubleValue(0.0125),
                              MakeDoubleAccessor(&Nscc::m_delayGain),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("MaxWindow",
                              "The largest window, and the first, over the bandwidth-delay product",
                              DoubleValue(1.5),
                              MakeDoubleAccessor(&Nscc::m_maxWindow),
                              MakeDoubleChecker<double>(0.01))
                .AddAttribute("MinWindowFrames",
                              "The smallest window, in full frames",
                              DoubleValue(1),
                              MakeDoubleAccessor(&Nscc::m_minFrames),
                              MakeDoubleChecker<double>(0.01))
                .AddAttribute("QuickDelay",
                              "Beyond so many times the target the window adapts quickly",
                              DoubleValue(4),
                              MakeDoubleAccessor(&Nscc::m_quickDelay),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("QuickShare",
                              "It does where less than this share of MaxWindow was acknowledged in "
                              "a round trip with the target; 0: never",
                              DoubleValue(0.125),
                              MakeDoubleAccessor(&Nscc::m_quickShare),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute(
                    "AdjustFrames",
                    "Increases come into force after so many full frames, or a round trip",
                    UintegerValue(8),
                    MakeUintegerAccessor(&Nscc::m_adjustFrames),
                    MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    void OnBegin(FlowView& flow, NsccState& s) const
    {
        NS_ABORT_MSG_IF(flow.baseRtt <= 0, "NSCC needs the base RTT");
        s.window = GetMaxWindow(flow);
        Apply(flow, s);
    }

    void OnAck(FlowView& flow, NsccState& s, const AckEvent& ack) const
    {
        const double arrived = CountArrived(flow, s, ack);
        s.achieved += arrived;
        s.received += arrived;
        s.ignored += arrived;
        const auto delay = static_cast<double>(std::max<Tick>(0, ack.rtt - flow.baseRtt));
        const bool beyond = delay >= GetTarget(flow);
        Average(s, !ack.congestionNotified && beyond ? flow.baseRtt / 4. : delay);
        if (AdaptQuickly(flow, s, ack, delay))
        {
            s.owed = s.received = 0;
        }
        else
        {
            Answer(flow, s, ack, arrived, delay);
            s.window = Bound(flow, s.window);
            if (s.received > m_adjustFrames * static_cast<double>(flow.frameBytes) ||
                ack.now - s.adjusted > flow.baseRtt)
            {
                Adjust(flow, s, ack.now);
            }
        }
        Apply(flow, s);
    }

    void OnLoss(FlowView& flow, NsccState& s, Tick, LossKind kind) const
    {
        s.lost = true;
        if (kind == LossKind::Trimmed)
        {
            Average(s, static_cast<double>(flow.baseRtt) + GetTarget(flow));
        }
        // What was sent before a quick adaptation is no news.
        if (s.ignored >= s.toIgnore)
        {
            s.window = Bound(flow, s.window - flow.frameBytes);
        }
        Apply(flow, s);
    }

    CongestionNotification GetNotification() const override
    {
        return {CongestionNotification::InAck};
    }

  private:
    static double GetBdp(const FlowView& flow)
    {
        return flow.lineRate * (static_cast<double>(flow.baseRtt) / 8e12);
    }

    double GetMaxWindow(const FlowView& flow) const
    {
        return m_maxWindow * GetBdp(flow);
    }

    /// @return the queueing delay aimed at, ps.
    double GetTarget(const FlowView& flow) const
    {
        return (m_target > 0 ? m_target
                : m_trimming ? 0.75
                             : 1) *
               static_cast<double>(flow.baseRtt);
    }

    /// @return a: how much larger than the reference network this is.
    double GetScale(const FlowView& flow) const
    {
        return GetBdp(flow) / m_referenceBytes;
    }

    double Bound(const FlowView& flow, double window) const
    {
        const double least = m_minFrames * flow.frameBytes;
        return std::clamp(window, least, std::max(least, GetMaxWindow(flow)));
    }

    /// An acknowledgement tells of a frame: of the next, or of one out of order, which is
    /// acknowledged later, with others. @return bytes that have arrived by it.
    static double CountArrived(const FlowView& flow, NsccState& s, const AckEvent& ack)
    {
        uint64_t payload = ack.ackedBytes;
        if (payload == 0)
        {
            payload =
                std::min<uint64_t>(flow.mtuBytes, ack.inFlight - std::min(ack.inFlight, s.early));
            s.early += payload;
        }
        else
        {
            const uint64_t counted =
                std::min(s.early, payload - std::min<uint64_t>(payload, flow.mtuBytes));
            s.early -= counted;
            payload -= counted;
        }
        return static_cast<double>(payload) * flow.frameBytes / flow.mtuBytes;
    }

    void Average(NsccState& s, double delay) const
    {
        s.delay += m_delayGain * (delay - s.delay);
    }

    /// Once per period: takes what was achieved in it as the window, if that was little because much
    /// is lost or waits. @return whether the acknowledgement tells no more than that.
    bool AdaptQuickly(const FlowView& flow, NsccState& s, const AckEvent& ack, double delay) const
    {
        if (m_quickShare <= 0)
        {
            return false;
        }
        if (s.ignored < s.toIgnore && ack.congestionNotified)
        {
            return true;
        }
        if (ack.now <= s.adaptAt)
        {
            return false;
        }
        const bool adapts = s.adaptAt > 0 && (s.lost || delay > m_quickDelay * GetTarget(flow)) &&
                            s.achieved < m_quickShare * GetMaxWindow(flow);
        if (adapts)
        {
            s.window = Bound(flow, s.achieved);
            s.toIgnore = static_cast<double>(ack.inFlight) * flow.frameBytes / flow.mtuBytes;
            s.ignored = 0;
            s.lost = false;
        }
        s.achieved = 0;
        s.adaptAt = ack.now + flow.baseRtt + static_cast<Tick>(GetTarget(flow));
        return adapts;
    }

    /// The four cases of marks and delay.
    void Answer(const FlowView& flow,
                NsccState& s,
                const AckEvent& ack,
                double arrived,
                double delay) const
    {
        const double target = GetTarget(flow);
        if (ack.congestionNotified)
        {
            if (delay >= target)
            {
                Decrease(flow, s, ack.now);
            }
            return;
        }
        const double step = flow.mtuBytes * GetScale(flow) * arrived;
        if (delay >= target)
        {
            s.owed += m_fair * step;
            return;
        }
        IncreaseFast(flow, s, arrived, delay);
        if (!s.rising)
        {
            const auto reference = static_cast<double>(ToTick(m_referenceRtt));
            s.owed += m_proportional * step * (target - delay) / reference;
        }
    }

    void Decrease(const FlowView& flow, NsccState& s, Tick now) const
    {
        s.rising = false;
        s.calm = 0;
        const double target = GetTarget(flow);
        if (s.delay > target && now - s.decreased > flow.baseRtt)
        {
            s.window *= std::max(1 - m_decrease * (s.delay - target) / s.delay, m_leastFactor);
            s.decreased = now;
        }
    }

    /// After a whole window without delay each acknowledgement adds to it at once.
    void IncreaseFast(const FlowView& flow, NsccState& s, double arrived, double delay) const
    {
        if (delay >= static_cast<double>(ToTick(m_fastDelay)))
        {
            s.calm = 0;
            s.rising = false;
            return;
        }
        s.calm += arrived;
        s.rising = s.rising || s.calm > s.window;
        if (s.rising)
        {
            s.window += m_fastScale * GetScale(flow) * arrived;
        }
    }

    void Adjust(const FlowView& flow, NsccState& s, Tick now) const
    {
        s.window += s.owed / s.window;
        if (now - s.adjusted >= flow.baseRtt)
        {
            s.window += m_steady * flow.mtuBytes * GetScale(flow);
            s.adjusted = now;
        }
        s.owed = s.received = 0;
        s.window = Bound(flow, s.window);
    }

    static void Apply(FlowView& flow, const NsccState& s)
    {
        flow.window = std::max<uint64_t>(
            1, static_cast<uint64_t>(s.window * flow.mtuBytes / flow.frameBytes));
    }

    bool m_trimming;
    double m_target;
    uint32_t m_referenceBytes;
    Time m_referenceRtt;
    double m_proportional;
    double m_fair;
    double m_steady;
    double m_fastScale;
    Time m_fastDelay;
    double m_decrease;
    double m_leastFactor;
    double m_delayGain;
    double m_maxWindow;
    double m_minFrames;
    double m_quickDelay;
    double m_quickShare;
    uint32_t m_adjustFrames;
};

NS_OBJECT_ENSURE_REGISTERED(Nscc);

} // namespace
} // namespace ns3::aifabric
