// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"
#include "hop-history.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

/// What both algorithms keep of a flow.
struct WindowState
{
    double window{0};       ///< bytes on the wire
    double reference{0};    ///< the window a round trip ago
    double power{1};        ///< smoothed, over the base power
    uint64_t lastUpdate{0}; ///< payload sent when the reference was last set
};

/// The attributes of both algorithms and what both do with the power that they measure (Addanki et
/// al., "PowerTCP: Pushing the Performance Limits of Datacenter Networks", NSDI 2022, algorithms 1
/// and 2).
template <class Self, class State>
class PowerBase : public CongestionControlFor<Self, State>
{
  public:
    void OnBegin(FlowView& flow, State& s) const
    {
        NS_ABORT_MSG_IF(GetBaseRtt(flow) <= 0, "PowerTCP needs the base RTT");
        s.window = s.reference = GetBdp(flow);
        Apply(flow, s);
    }

  protected:
    /// @param gamma default of the attribute.
    static TypeId AddAttributes(TypeId tid, double gamma)
    {
        return tid.template SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .template AddConstructor<Self>()
            .AddAttribute("Gamma",
                          "Share of the new window in an update; the old one has the rest",
                          DoubleValue(gamma),
                          MakeDoubleAccessor(&PowerBase::m_gamma),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("ExpectedFlows",
                          "N: each update adds beta, the bandwidth-delay product of the port over "
                          "N; that much of each flow waits in equilibrium",
                          DoubleValue(10),
                          MakeDoubleAccessor(&PowerBase::m_flows),
                          MakeDoubleChecker<double>(1))
            .AddAttribute(
                "LeastCurrent",
                "The current counts as this share of the bandwidth at least (simulator of "
                "NSDI 2022)",
                DoubleValue(0.5),
                MakeDoubleAccessor(&PowerBase::m_leastCurrent),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinRate",
                          "No flow goes slower; 0: line rate/1000",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PowerBase::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "BaseRtt",
                "The same for all flows, no less than the longest of the network; 0: each "
                "flow has its own path's",
                TimeValue(Time(0)),
                MakeTimeAccessor(&PowerBase::m_baseRtt),
                MakeTimeChecker(Time(0)));
    }

    Tick GetBaseRtt(const FlowView& flow) const
    {
        return m_rtt > 0 ? m_rtt : flow.baseRtt;
    }

    double GetBdp(const FlowView& flow) const
    {
        return flow.lineRate * (GetBaseRtt(flow) / 8e12);
    }

    /// Averages the power over a round trip. @param time that it was measured over.
    void Smooth(const FlowView& flow, State& s, double power, double time) const
    {
        const auto rtt = static_cast<double>(GetBaseRtt(flow));
        const double over = std::min(time, rtt) / rtt;
        s.power = (1 - over) * s.power + over * power;
    }

    /// @return whether what was sent when it last said so is acknowledged; then the window becomes
    /// the reference for the next round trip.
    static bool IsRoundTripOver(const State& s, const AckEvent& ack)
    {
        return ack.acknowledged > s.lastUpdate;
    }

    /// @param refer whether the window is the reference from now on.
    void Update(FlowView& flow, State& s, const AckEvent& ack, bool refer) const
    {
        const double bdp = GetBdp(flow);
        s.window =
            std::clamp(m_gamma * (s.reference / s.power + bdp / m_flows) + (1 - m_gamma) * s.window,
                       m_leastRate * (GetBaseRtt(flow) / 8e12),
                       bdp * (1 + 1 / m_flows));
        if (refer)
        {
            s.reference = s.window;
            s.lastUpdate = ack.GetSent();
        }
        Apply(flow, s);
    }

    double m_leastCurrent;

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        UsePicoseconds();
        Ptr<Self> c = CopyObject(Ptr<const Self>(static_cast<const Self*>(this)));
        c->m_leastRate = this->LeastRate(m_minRate, lineRate);
        c->m_rtt = ToTick(m_baseRtt);
        return c;
    }

    void Apply(FlowView& flow, const State& s) const
    {
        flow.rate = std::min(s.window * 8e12 / GetBaseRtt(flow), flow.lineRate);
        flow.window = std::max<uint64_t>(
            1, static_cast<uint64_t>(s.window * flow.mtuBytes / flow.frameBytes));
    }

    double m_gamma;
    double m_flows;
    DataRate m_minRate;
    Time m_baseRtt;
    double m_leastRate{0};
    Tick m_rtt{0};
};

struct PowerState : WindowState
{
    HopHistory ports;
};

/// PowerTCP, with a record of INT from every port.
class PowerTcp : public PowerBase<PowerTcp, PowerState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(TypeId("ns3::aifabric::Powertcp"), 0.9)
                .AddAttribute("IntBytes",
                              "Of the INT header, in every frame and acknowledgement: 2, and 8 for "
                              "each of 5 ports",
                              UintegerValue(42),
                              MakeUintegerAccessor(&PowerTcp::m_intBytes),
                              MakeUintegerChecker<uint32_t>(0, 1024));
        return tid;
    }

    void OnAck(FlowView& flow, PowerState& s, const AckEvent& ack) const
    {
        if (!ack.hops)
        {
            return;
        }
        if (Measure(flow, s, ack))
        {
            Update(flow, s, ack, IsRoundTripOver(s, ack));
        }
        else if (s.lastUpdate == 0)
        {
            s.lastUpdate = ack.GetSent();
        }
        s.ports.Keep(*ack.hops, ack.now);
    }

    PathTelemetry GetTelemetry() const override
    {
        return {true, m_intBytes, nullptr};
    }

  private:
    /// The power of the port that has most (NORMPOWER). @return whether it could be measured.
    bool Measure(const FlowView& flow, PowerState& s, const AckEvent& ack) const
    {
        const auto rtt = static_cast<double>(GetBaseRtt(flow));
        double most = 0;
        double time = 0;
        const bool measured = s.ports.Compare(*ack.hops, ack.now, [&](const HopChange& hop) {
            const double grown = static_cast<double>(hop.queued) - hop.queuedBefore;
            const double current =
                std::max((grown + hop.sent) * hop.byteTime / hop.passed, m_leastCurrent);
            const double voltage = hop.queued * hop.byteTime / rtt + 1;
            if (current * voltage > most)
            {
                most = current * voltage;
                time = hop.passed;
            }
        });
        if (measured)
        {
            Smooth(flow, s, most, time);
        }
        return measured;
    }

    uint32_t m_intBytes;
};

struct ThetaState : WindowState
{
    Tick rtt{0};   ///< that the acknowledgement before told
    Tick heard{0}; ///< when it came
};

/// theta-PowerTCP: the power as round-trip times tell it, without help from switches.
class ThetaPowerTcp : public PowerBase<ThetaPowerTcp, ThetaState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(TypeId("ns3::aifabric::ThetaPowertcp"), 0.7)
                .AddAttribute("RttTolerance",
                              "Round trips up to so many times the base RTT are without queue "
                              "(simulator of NSDI 2022)",
                              DoubleValue(1.05),
                              MakeDoubleAccessor(&ThetaPowerTcp::m_tolerance),
                              MakeDoubleChecker<double>(1, 10));
        return tid;
    }

    void OnAck(FlowView& flow, ThetaState& s, const AckEvent& ack) const
    {
        if (s.rtt == 0)
        {
            s.lastUpdate = ack.GetSent();
        }
        else if (ack.now > s.heard)
        {
            const auto passed = static_cast<double>(ack.now - s.heard);
            const double current =
                std::max(1 + static_cast<double>(ack.rtt - s.rtt) / passed, m_leastCurrent);
            const double voltage = static_cast<double>(ack.rtt) / (m_tolerance * GetBaseRtt(flow));
            Smooth(flow, s, current * voltage, passed);
        }
        if (s.rtt > 0 && IsRoundTripOver(s, ack))
        {
            Update(flow, s, ack, true);
        }
        s.heard = ack.now;
        s.rtt = ack.rtt;
    }

  private:
    double m_tolerance;
};

NS_OBJECT_ENSURE_REGISTERED(PowerTcp);
NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcp);

} // namespace
} // namespace ns3::aifabric
