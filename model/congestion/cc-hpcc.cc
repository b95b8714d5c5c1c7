// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"
#include "hop-history.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/random-stream.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

namespace ns3::aifabric
{
namespace
{

/// The window of both algorithms.
struct WindowState
{
    double reference{0};       ///< Wc, bytes
    uint64_t lastUpdate{0};    ///< payload sent when Wc was last set
    uint32_t increaseStage{0}; ///< additive increases in a row
};

/// What both algorithms do with the utilisation that they measure (Li et al., "HPCC: High Precision
/// Congestion Control", SIGCOMM 2019, algorithm 1, ComputeWind and NewAck).
struct WindowRule
{
    double eta;         ///< utilisation aimed at
    uint32_t maxStage;  ///< additive increases before a multiplicative one
    double increaseBps; ///< W_AI / T, bit/s; 0: a 2,500th of the line rate
    double minRateBps;  ///< 0: a thousandth of the line rate
    Tick baseRtt;       ///< T; 0: the flow's own

    Tick GetBaseRtt(const FlowView& flow) const
    {
        return baseRtt > 0 ? baseRtt : flow.baseRtt;
    }

    void Begin(FlowView& flow, WindowState& s) const
    {
        NS_ABORT_MSG_IF(GetBaseRtt(flow) <= 0, "HPCC needs the base RTT");
        s.reference = GetBdp(flow);
        Apply(flow, s.reference);
    }

    /// An acknowledgement that tells of a utilisation u, 1 being all of the line rate and no queue.
    void Update(FlowView& flow, WindowState& s, const AckEvent& ack, double u) const
    {
        const double increase = increaseBps * (GetBaseRtt(flow) / 8e12);
        const bool multiply = u >= eta || s.increaseStage >= maxStage;
        const double window =
            std::clamp((multiply ? s.reference * eta / u : s.reference) + increase,
                       minRateBps * (GetBaseRtt(flow) / 8e12),
                       GetBdp(flow));
        // Once per round trip the window becomes the reference; until then every acknowledgement
        // answers to the same one.
        if (ack.acknowledged > s.lastUpdate)
        {
            s.increaseStage = multiply ? 0 : s.increaseStage + 1;
            s.reference = window;
            s.lastUpdate = ack.GetSent();
        }
        Apply(flow, window);
    }

  private:
    double GetBdp(const FlowView& flow) const
    {
        return flow.lineRate * (GetBaseRtt(flow) / 8e12);
    }

    void Apply(FlowView& flow, double window) const
    {
        flow.rate = std::min(window * 8e12 / GetBaseRtt(flow), flow.lineRate);
        // W is in bytes on the wire, like T times the line rate.
        flow.window =
            std::max<uint64_t>(1, static_cast<uint64_t>(window * flow.mtuBytes / flow.frameBytes));
    }
};

/// The attributes of both algorithms, and what they become for a line rate.
template <class Self, class State>
class HpccBase : public CongestionControlFor<Self, State>
{
  protected:
    /// @param baseRtt default of the attribute.
    static TypeId AddAttributes(TypeId tid, Time baseRtt)
    {
        return tid.SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .template AddConstructor<Self>()
            .AddAttribute("Eta",
                          "Utilisation aimed at (SIGCOMM 2019, 4.2: 95 %)",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&HpccBase::m_eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Additive increases in a row before a multiplicative one (0 in the "
                          "simulations of the authors, 5 in the testbed)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HpccBase::m_maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Of the rate per round trip, W_AI / T; 0: line rate/2500 (40 Mb/s at 100 "
                          "Gb/s, as the simulations of the authors). Near-zero queues want at most "
                          "(1 - Eta) of the line rate over the number of flows",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&HpccBase::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "No flow goes slower; 0: line rate/1000",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&HpccBase::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "BaseRtt",
                "T, the same for all flows: no less than the longest of the network (13 us "
                "in the simulations of the authors); 0: each flow has its own path's",
                TimeValue(baseRtt),
                MakeTimeAccessor(&HpccBase::m_baseRtt),
                MakeTimeChecker(Time(0)));
    }

    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        UsePicoseconds();
        const auto increase = static_cast<double>(m_increase.GetBitRate());
        const WindowRule rule{m_eta,
                              m_maxStage,
                              increase > 0 ? increase : lineRate / 2500,
                              this->LeastRate(m_minRate, lineRate),
                              ToTick(m_baseRtt)};
        Ptr<Self> c = CopyObject(Ptr<const Self>(static_cast<const Self*>(this)));
        c->m_rule = rule;
        c->Prepare();
        return c;
    }

    WindowRule m_rule{};

  private:
    double m_eta;
    uint32_t m_maxStage;
    DataRate m_increase;
    DataRate m_minRate;
    Time m_baseRtt;
};

struct HpccState : WindowState
{
    float u{0}; ///< the average utilisation
    HopHistory ports;
};

/**
 * HPCC with a record of INT from every port (Li et al., "HPCC: High Precision Congestion Control",
 * SIGCOMM 2019, algorithm 1).
 */
class Hpcc : public HpccBase<Hpcc, HpccState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(TypeId("ns3::aifabric::Hpcc"), Time(0))
                .AddAttribute("IntBytes",
                              "Of the INT header, in every frame and acknowledgement: 2, and 8 for "
                              "each of 5 ports (the simulator of SIGCOMM 2019)",
                              UintegerValue(42),
                              MakeUintegerAccessor(&Hpcc::m_intBytes),
                              MakeUintegerChecker<uint32_t>(0, 1024));
        return tid;
    }

    void OnBegin(FlowView& flow, HpccState& s) const
    {
        m_rule.Begin(flow, s);
    }

    void OnAck(FlowView& flow, HpccState& s, const AckEvent& ack) const
    {
        if (!ack.hops)
        {
            return;
        }
        if (Measure(flow, s, ack))
        {
            m_rule.Update(flow, s, ack, s.u);
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

    void Prepare()
    {
    }

  private:
    /// The utilisation of the busiest port, averaged over a round trip (MeasureInflight).
    /// @return whether it could be measured.
    bool Measure(const FlowView& flow, HpccState& s, const AckEvent& ack) const
    {
        const auto rtt = static_cast<double>(m_rule.GetBaseRtt(flow));
        double busiest = 0;
        double over = 0;
        const bool measured = s.ports.Compare(*ack.hops, ack.now, [&](const HopChange& hop) {
            const double queued = std::min(hop.queued, hop.queuedBefore);
            const double u = hop.byteTime * (queued / rtt + hop.sent / hop.passed);
            if (u > busiest)
            {
                busiest = u;
                over = std::min(hop.passed, rtt) / rtt;
            }
        });
        if (measured)
        {
            s.u = static_cast<float>((1 - over) * s.u + over * busiest);
        }
        return measured;
    }

    uint32_t m_intBytes;
};

/// Ports keep their utilisation, and frames the highest of them in a few bits.
class Digest : public HopStamper
{
  public:
    /// @param base of the logarithm. @param most the largest digest. @param baseRtt T.
    Digest(double base, uint32_t most, Tick baseRtt)
        : m_logBase(std::log(base)),
          m_most(most),
          m_baseRtt(static_cast<double>(baseRtt))
    {
    }

    void Stamp(HopLog& log, const HopRecord& hop, const void* port) override
    {
        Port& p = m_ports[port];
        const double bdp = hop.bandwidthBps * m_baseRtt / 8e12;
        const auto passed = static_cast<double>(hop.at - p.at);
        const double counted = std::min(passed, m_baseRtt);
        const double over = counted / m_baseRtt;
        const double sent = passed > 0 ? (hop.sentBytes - p.sent) * (counted / passed) : 0;
        p.u = (1 - over) * p.u + (over * hop.queuedBytes + sent) / bdp;
        p.at = hop.at;
        p.sent = hop.sentBytes;
        log.digest = std::max(log.digest, Encode(p.u));
    }

    /// @return the digest of a utilisation, rounded up or down so that its mean is right.
    uint32_t Encode(double u)
    {
        const double value = std::max(1.0, std::ceil(u * kScale));
        const double exponent = std::log(value) / m_logBase;
        const double low = std::floor(exponent);
        // The mean of base^low and base^(low + 1), so weighted, is the value.
        const double below = std::exp(low * m_logBase);
        const double above = below * std::exp(m_logBase);
        const bool up = m_random.Uniform() < (value - below) / (above - below);
        return std::min(static_cast<uint32_t>(low) + up, m_most);
    }

    double Decode(uint32_t digest) const
    {
        return std::exp(digest * m_logBase) / kScale;
    }

    /// Digest 0 stands for a utilisation of one over this.
    static constexpr double kScale = 512;

  private:
    struct Port
    {
        Tick at{0};
        uint64_t sent{0};
        double u{0};
    };

    static constexpr int64_t kRounding = (1LL << 53) + 1;

    double m_logBase;
    uint32_t m_most;
    double m_baseRtt;
    RandomStream m_random{kRounding};
    std::unordered_map<const void*, Port> m_ports;
};

/**
 * HPCC with a digest of one or two bytes instead of records (Ben Basat et al., "PINT: Probabilistic
 * In-band Network Telemetry", SIGCOMM 2020): ports average, senders take what they are told.
 */
class HpccPint : public HpccBase<HpccPint, WindowState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(TypeId("ns3::aifabric::HpccPint"), MicroSeconds(13))
                .AddAttribute("DigestBytes",
                              "Of the digest, in every frame and acknowledgement",
                              UintegerValue(1),
                              MakeUintegerAccessor(&HpccPint::m_bytes),
                              MakeUintegerChecker<uint32_t>(1, 2))
                .AddAttribute(
                    "Base",
                    "One digest stands for so many times the utilisation of the one below",
                    DoubleValue(1.05),
                    MakeDoubleAccessor(&HpccPint::m_base),
                    MakeDoubleChecker<double>(1.0001, 4))
                .AddAttribute("SamplingProbability",
                              "Share of the acknowledgements whose digest counts (SIGCOMM 2020: 1, "
                              "1/16 and 1/256)",
                              DoubleValue(1),
                              MakeDoubleAccessor(&HpccPint::m_sampling),
                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    void OnBegin(FlowView& flow, WindowState& s) const
    {
        m_rule.Begin(flow, s);
    }

    void OnAck(FlowView& flow, WindowState& s, const AckEvent& ack) const
    {
        if (!ack.hops || (m_sampling < 1 && m_dice->Uniform() >= m_sampling))
        {
            return;
        }
        if (s.lastUpdate == 0)
        {
            s.lastUpdate = ack.GetSent();
        }
        else
        {
            m_rule.Update(flow, s, ack, m_digest->Decode(ack.hops->digest));
        }
    }

    PathTelemetry GetTelemetry() const override
    {
        return {true, m_bytes, m_digest.get()};
    }

    /// @throws ScenarioError where the digest cannot say what it has to.
    void Prepare()
    {
        if (m_rule.baseRtt <= 0)
        {
            throw ScenarioError(
                "base_rtt", "found 0, expected the longest of the network: ports average over it");
        }
        const uint32_t most = (1U << (8 * m_bytes)) - 1;
        if (most * std::log(m_base) < std::log(2 * Digest::kScale))
        {
            throw ScenarioError("base",
                                "found " + std::to_string(m_base) + ", expected one that lets " +
                                    std::to_string(m_bytes) + " bytes tell of twice the line rate");
        }
        m_digest = std::make_shared<Digest>(m_base, most, m_rule.baseRtt);
        m_dice = std::make_shared<RandomStream>(kDice);
    }

  private:
    static constexpr int64_t kDice = 1LL << 53;

    uint32_t m_bytes;
    double m_base;
    double m_sampling;
    std::shared_ptr<Digest> m_digest;
    std::shared_ptr<RandomStream> m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(Hpcc);
NS_OBJECT_ENSURE_REGISTERED(HpccPint);

} // namespace
} // namespace ns3::aifabric
