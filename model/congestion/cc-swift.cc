// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric
{
namespace
{

struct State
{
    double window{1};     ///< cwnd, full frames
    Tick rtt{0};          ///< of the last acknowledgement
    Tick cutAllowed{0};   ///< no decrease before
    uint32_t timeouts{0}; ///< in a row
};

/// Frames count the switches that they cross; they carry no byte for it, as TTL does.
class SwitchCount : public HopStamper
{
  public:
    void Stamp(HopLog& log, const HopRecord&, const void*) override
    {
        ++log.digest;
    }
};

/**
 * Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020, algorithm 1): a window of frames that may be a part of one, raised
 * additively while the round-trip time is below a target, and cut in proportion to what it is above.
 * The target grows with the switches on the way and for flows with small windows.
 *
 * The delay is the network's; none of the far host is measured, so there is no window for it.
 */
class Swift : public CongestionControlFor<Swift, State>
{
  public:
    static TypeId GetTypeId();

    void OnBegin(FlowView& flow, State& s) const
    {
        NS_ABORT_MSG_IF(m_baseTicks == 0, "Swift: flows use what ForLineRate() returns");
        NS_ABORT_MSG_IF(flow.baseRtt <= 0, "Swift: needs the base RTT");
        s.rtt = flow.baseRtt;
        const double begin =
            m_initialWindow > 0 ? m_initialWindow : std::ceil(FramesIn(flow, flow.baseRtt));
        SetWindow(flow, s, m_maxWindow > 0 ? std::min(begin, m_maxWindow) : begin);
    }

    void OnAck(FlowView& flow, State& s, const AckEvent& ack) const
    {
        s.rtt = ack.rtt;
        s.timeouts = 0;
        const Tick target = GetTarget(s.window, ack.hops ? ack.hops->digest : 0);
        if (ack.rtt < target)
        {
            // More than what a flow alone has on its way at the target only tells that something
            // else holds it back.
            const double most = m_maxWindow > 0 ? m_maxWindow : FramesIn(flow, target);
            const double frames = static_cast<double>(ack.ackedBytes) / flow.mtuBytes;
            const double grown = s.window + m_increase * frames / std::max(s.window, 1.0);
            SetWindow(flow, s, std::max(s.window, std::min(grown, most)));
        }
        else if (ack.now >= s.cutAllowed)
        {
            const double over = static_cast<double>(ack.rtt - target) / ack.rtt;
            Cut(flow, s, ack.now, std::min(m_decrease * over, m_maxDecrease));
        }
        else
        {
            // One below a frame is paced by the round-trip time, which has changed.
            SetWindow(flow, s, s.window);
        }
    }

    void OnLoss(FlowView& flow, State& s, Tick now, LossKind kind) const
    {
        s.timeouts = kind == LossKind::Timeout ? s.timeouts + 1 : 0;
        if (s.timeouts >= m_timeoutsToReset)
        {
            SetWindow(flow, s, m_minWindow);
        }
        else if (now >= s.cutAllowed)
        {
            Cut(flow, s, now, m_maxDecrease);
        }
    }

    std::vector<std::string> Advise(const FlowView& flow) const override
    {
        const Tick most = m_baseTicks + HopLog::kMaxHops * m_perHopTicks;
        if (flow.baseRtt < most)
        {
            return {};
        }
        return {"the target, at most " + std::to_string(most / kNanosecond) +
                " ns for large windows, is no more than the round trip without queues, " +
                std::to_string(flow.baseRtt / kNanosecond) + " ns: flows slow down without cause"};
    }

    PathTelemetry GetTelemetry() const override
    {
        return m_perHopTicks > 0 ? PathTelemetry{true, 0, m_switches.get()} : PathTelemetry();
    }

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override;

    /// @return how many full frames the port puts on its wire in that time.
    static double FramesIn(const FlowView& flow, Tick time)
    {
        return flow.lineRate * (time / 8e12) / flow.frameBytes;
    }

    /// TargetDelay() of the paper.
    Tick GetTarget(double window, uint32_t switches) const
    {
        const double scaled = m_scaling / std::sqrt(window) + m_scalingOffset;
        return m_baseTicks + switches * m_perHopTicks +
               static_cast<Tick>(std::clamp(scaled, 0.0, m_scalingRange));
    }

    void Cut(FlowView& flow, State& s, Tick now, double share) const
    {
        s.cutAllowed = now + s.rtt;
        SetWindow(flow, s, s.window * (1 - share));
    }

    void SetWindow(FlowView& flow, State& s, double window) const
    {
        s.window = std::max(window, m_minWindow);
        const double whole = std::max(1.0, std::floor(s.window));
        flow.window = static_cast<uint64_t>(whole) * flow.mtuBytes;
        flow.rate = s.window < 1
                        ? std::min(flow.lineRate, s.window * flow.frameBytes * 8e12 / s.rtt)
                        : flow.lineRate;
    }

    Time m_baseTarget;
    Time m_perHop;
    Time m_range;
    double m_scalingMin;
    double m_scalingMax;
    double m_increase;
    double m_decrease;
    double m_maxDecrease;
    double m_initialWindow;
    double m_minWindow;
    double m_maxWindow;
    uint32_t m_timeoutsToReset;

    // The same, as the fast path wants them; filled in by Configure.
    Tick m_baseTicks{0};
    Tick m_perHopTicks{0};
    double m_scaling{0};       ///< fs_alpha, ps
    double m_scalingOffset{0}; ///< fs_beta, ps
    double m_scalingRange{0};  ///< ps
    std::shared_ptr<SwitchCount> m_switches;
};

NS_OBJECT_ENSURE_REGISTERED(Swift);

TypeId
Swift::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Swift")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<Swift>()
            .AddAttribute("BaseTarget",
                          "Round-trip time aimed at, before what switches and small windows add; "
                          "above that of the longest empty path (htsim: 20 us)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Swift::m_baseTarget),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PerHop",
                          "h, what each switch on the way adds to the target; 0: none (htsim: the "
                          "base target/6.55)",
                          TimeValue(NanoSeconds(3053)),
                          MakeTimeAccessor(&Swift::m_perHop),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScalingRange",
                          "fs_range, the most that a small window adds to the target; 0: nothing "
                          "(htsim: 5 base targets)",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Swift::m_range),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScalingMinWindow",
                          "fs_min_cwnd, the window in frames, and all below, that adds all of the "
                          "range (htsim: 0.1)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Swift::m_scalingMin),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("FlowScalingMaxWindow",
                          "fs_max_cwnd, the window in frames, and all above, that adds nothing "
                          "(htsim: 100)",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Swift::m_scalingMax),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("AdditiveIncrease",
                          "ai, frames per round trip below the target (htsim: 1)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Swift::m_increase),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("Decrease",
                          "beta, scales the decrease (htsim: 0.8)",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Swift::m_decrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "max_mdf, the largest share of the window that a decrease takes, and a "
                          "loss does (htsim: 0.5)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Swift::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialWindow",
                          "Of a new flow, frames; 0: what the line rate puts on its wire in the "
                          "base RTT, rounded up",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Swift::m_initialWindow),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("MinWindow",
                          "No flow has less, frames",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Swift::m_minWindow),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("MaxWindow",
                          "No flow grows beyond, frames; 0: what the line rate puts on its wire in "
                          "a round trip as long as the target",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Swift::m_maxWindow),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("TimeoutsToReset",
                          "Timeouts in a row that set the window to the least (htsim: 5)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Swift::m_timeoutsToReset),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

Ptr<CongestionControl>
Swift::Configure(double /* lineRate */) const
{
    UsePicoseconds();
    auto expect = [](bool holds, const char* attribute, double found, const std::string& wanted) {
        if (!holds)
        {
            throw ScenarioError(attribute,
                                "found " + std::to_string(found) + ", expected " + wanted);
        }
    };
    expect(m_scalingMin < m_scalingMax,
           "flow_scaling_min_window",
           m_scalingMin,
           "less than the flow_scaling_max_window of " + std::to_string(m_scalingMax));
    expect(m_maxWindow == 0 || m_minWindow < m_maxWindow,
           "min_window",
           m_minWindow,
           "less than the max_window of " + std::to_string(m_maxWindow));
    expect(m_initialWindow == 0 || m_initialWindow >= m_minWindow,
           "initial_window",
           m_initialWindow,
           "no less than the min_window of " + std::to_string(m_minWindow));
    expect(m_maxDecrease < 1, "max_decrease", m_maxDecrease, "less than 1");
    Ptr<Swift> c = CopyObject(Ptr<const Swift>(this));
    c->m_baseTicks = ToTick(m_baseTarget);
    c->m_perHopTicks = ToTick(m_perHop);
    c->m_scalingRange = static_cast<double>(ToTick(m_range));
    c->m_scaling = c->m_scalingRange / (1 / std::sqrt(m_scalingMin) - 1 / std::sqrt(m_scalingMax));
    c->m_scalingOffset = -c->m_scaling / std::sqrt(m_scalingMax);
    c->m_switches = std::make_shared<SwitchCount>();
    return c;
}

} // namespace
} // namespace ns3::aifabric
