// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3::aifabric
{
namespace
{

struct State
{
    Tick lastRtt{0};        ///< of the last sample; 0: none yet
    double difference{0};   ///< of a sample from the one before, averaged, ps
    uint32_t falls{0};      ///< samples in a row that were below the one before
    Tick nextSample{0};     ///< not before
    uint64_t segmentEnd{0}; ///< payload acknowledged that completes a segment
};

/// What the two algorithms share: samples of the round-trip time, the thresholds, the attributes.
template <class Self>
class TimelyBase : public CongestionControlFor<Self, State>
{
  public:
    void OnBegin(FlowView& flow, State& s) const
    {
        NS_ABORT_MSG_IF(m_increaseBps == 0, "Timely: flows use what ForLineRate() returns");
        NS_ABORT_MSG_IF(m_window && flow.baseRtt <= 0, "Timely: Window needs the base RTT");
        s.segmentEnd = m_segmentBytes;
        flow.burstBytes = m_bursts ? m_segmentBytes : 0;
        SetRate(flow, m_initialFraction * flow.lineRate);
    }

    void OnAck(FlowView& flow, State& s, const AckEvent& ack) const
    {
        const bool early = ack.now < s.nextSample;
        if (ack.acknowledged < s.segmentEnd || (early && !m_bursts))
        {
            return;
        }
        // The last frame of a burst tells its delay, and no other one.
        s.segmentEnd = ack.acknowledged + m_segmentBytes;
        if (early)
        {
            return;
        }
        s.nextSample = ack.now + m_minRttTicks;
        const auto own = static_cast<Tick>(flow.frameBytes * 8e12 / flow.lineRate);
        SetRate(flow, Answer(flow.rate, s, ack.rtt - own));
    }

    std::vector<std::string> Advise(const FlowView& flow) const override
    {
        if (flow.baseRtt < m_low)
        {
            return {};
        }
        return {"low_threshold of " + std::to_string(m_low / kNanosecond) +
                " ns is no more than the round trip without queues, " +
                std::to_string(flow.baseRtt / kNanosecond) + " ns: flows slow down without cause"};
    }

  protected:
    static TypeId AddAttributes(TypeId tid, double decrease, const char* source)
    {
        return tid.SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .template AddConstructor<Self>()
            .AddAttribute("LowThreshold",
                          "T_low: below this round-trip time the rate rises whatever the gradient; "
                          "above that of the longest empty path (CoNEXT 2016: 50 us)",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&TimelyBase::m_lowThreshold),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HighThreshold",
                          "T_high: above this round-trip time the rate falls whatever the gradient "
                          "(CoNEXT 2016: 500 us)",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&TimelyBase::m_highThreshold),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MinRtt",
                          "What the gradient is a share of, and the least time between two samples "
                          "(CoNEXT 2016: 20 us)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&TimelyBase::m_minRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Gain",
                          "alpha, the weight of the newest difference of round-trip times (CoNEXT "
                          "2016: 0.875)",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&TimelyBase::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Decrease",
                          std::string("beta, scales every decrease (") + source + ")",
                          DoubleValue(decrease),
                          MakeDoubleAccessor(&TimelyBase::m_decrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdditiveIncrease",
                          "delta, step of the rate; 0: line rate/1000 (CoNEXT 2016: 10 Mb/s at 10 "
                          "Gb/s)",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&TimelyBase::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("SegmentBytes",
                          "A sample is taken for each such payload acknowledged (SIGCOMM 2015: 16 "
                          "to 64 KB)",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&TimelyBase::m_segmentBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Bursts",
                          "Whether a segment leaves at line rate, and the rate is that of "
                          "segments (SIGCOMM 2015); else frames are paced one by one (CoNEXT 2016 "
                          "has both)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TimelyBase::m_bursts),
                          MakeBooleanChecker())
            .AddAttribute("InitialLineFraction",
                          "Rate at which a flow begins, as a share of the line rate (SIGCOMM 2015: "
                          "1/(N + 1) beside N flows of the same sender)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TimelyBase::m_initialFraction),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinRate",
                          "No flow goes slower; 0: line rate/1000",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&TimelyBase::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("Window",
                          "Whether unacknowledged payload is limited to base RTT times rate too "
                          "(TIMELY+win of Li et al., SIGCOMM 2019)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TimelyBase::m_window),
                          MakeBooleanChecker());
    }

    double GetIncrease() const
    {
        return m_increaseBps;
    }

    double GetDecrease() const
    {
        return m_decrease;
    }

    Tick GetLow() const
    {
        return m_low;
    }

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        UsePicoseconds();
        if (m_lowThreshold >= m_highThreshold)
        {
            throw ScenarioError("low_threshold",
                                "found " + std::to_string(m_lowThreshold.ToDouble(Time::US)) +
                                    " us, expected less than the high threshold of " +
                                    std::to_string(m_highThreshold.ToDouble(Time::US)) + " us");
        }
        if (m_bursts && m_window)
        {
            throw ScenarioError("bursts",
                                "found true beside a window, which would hold up segments that it "
                                "does not have room for; expected one of the two");
        }
        if (m_initialFraction <= 0)
        {
            throw ScenarioError("initial_line_fraction",
                                "found 0, expected a share above 0 and up to 1");
        }
        const auto increase = static_cast<double>(m_increase.GetBitRate());
        Ptr<Self> c = CopyObject(Ptr<const Self>(static_cast<const Self*>(this)));
        c->m_low = ToTick(m_lowThreshold);
        c->m_high = ToTick(m_highThreshold);
        c->m_minRttTicks = ToTick(m_minRtt);
        c->m_increaseBps = increase > 0 ? increase : lineRate / 1000;
        c->m_minRateBps = this->LeastRate(m_minRate, lineRate);
        return c;
    }

    /// @return the rate after a sample.
    double Answer(double rate, State& s, Tick rtt) const
    {
        const Tick change = s.lastRtt > 0 ? rtt - s.lastRtt : 0;
        s.lastRtt = std::max<Tick>(rtt, 1);
        s.difference = (1 - m_gain) * s.difference + m_gain * static_cast<double>(change);
        s.falls = change < 0 ? s.falls + 1 : 0;
        if (rtt < m_low)
        {
            return rate + m_increaseBps;
        }
        if (rtt > m_high)
        {
            return rate * (1 - m_decrease * (1 - static_cast<double>(m_high) / rtt));
        }
        const double gradient = s.difference / static_cast<double>(m_minRttTicks);
        return static_cast<const Self*>(this)->Between(rate, s, rtt, gradient);
    }

    void SetRate(FlowView& flow, double rate) const
    {
        flow.rate = std::clamp(rate, m_minRateBps, flow.lineRate);
        if (m_window)
        {
            const double bytes = flow.rate * (flow.baseRtt / 8e12);
            flow.window = std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
        }
    }

    Time m_lowThreshold;
    Time m_highThreshold;
    Time m_minRtt;
    double m_gain;
    double m_decrease;
    DataRate m_increase;
    uint64_t m_segmentBytes;
    bool m_bursts;
    double m_initialFraction;
    DataRate m_minRate;
    bool m_window;

    // The same, as the fast path wants them; filled in by Configure.
    Tick m_low{0};
    Tick m_high{0};
    Tick m_minRttTicks{0};
    double m_increaseBps{0};
    double m_minRateBps{0};
};

/**
 * TIMELY (Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
 * algorithm 1): between two thresholds the rate answers to the gradient of the round-trip time, and
 * so knows no fixed point (Zhu et al., "ECN or Delay", CoNEXT 2016).
 */
class Timely : public TimelyBase<Timely>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(
                TypeId("ns3::aifabric::Timely"), 0.8, "SIGCOMM 2015, as CoNEXT 2016 has it: 0.8")
                .AddAttribute("HyperIncreaseAfter",
                              "Samples in a row below the one before that call for hyper increase "
                              "(SIGCOMM 2015: 5)",
                              UintegerValue(5),
                              MakeUintegerAccessor(&Timely::m_hyperAfter),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("HyperIncreaseSteps",
                              "Additive steps in one hyper increase (SIGCOMM 2015: 5)",
                              UintegerValue(5),
                              MakeUintegerAccessor(&Timely::m_hyperSteps),
                              MakeUintegerChecker<uint32_t>(1, 1000000));
        return tid;
    }

    double Between(double rate, const State& s, Tick, double gradient) const
    {
        if (gradient > 0)
        {
            return rate * (1 - GetDecrease() * gradient);
        }
        return rate + (s.falls >= m_hyperAfter ? m_hyperSteps : 1) * GetIncrease();
    }

  private:
    uint32_t m_hyperAfter;
    uint32_t m_hyperSteps;
};

/**
 * Patched TIMELY (Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY",
 * CoNEXT 2016, algorithm 2): between the thresholds the gradient only weighs increase against
 * decrease, and the decrease answers to the round-trip time itself.
 */
class PatchedTimely : public TimelyBase<PatchedTimely>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddAttributes(
            TypeId("ns3::aifabric::PatchedTimely"), 0.008, "CoNEXT 2016, algorithm 2: 0.008");
        return tid;
    }

    double Between(double rate, const State&, Tick rtt, double gradient) const
    {
        const auto reference = static_cast<double>(GetLow());
        const double weight = std::clamp(2 * gradient + 0.5, 0.0, 1.0);
        const double error = (static_cast<double>(rtt) - reference) / reference;
        return GetIncrease() * (1 - weight) + rate * (1 - GetDecrease() * weight * error);
    }
};

NS_OBJECT_ENSURE_REGISTERED(Timely);
NS_OBJECT_ENSURE_REGISTERED(PatchedTimely);

} // namespace
} // namespace ns3::aifabric
