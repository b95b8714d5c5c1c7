// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-compat.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::aifabric
{
namespace
{

enum Variant
{
    kPaper,
    kConnectX
};

enum Reporting
{
    kAuto,
    kPackets,
    kInAck
};

/// What belongs together: the parameters that each variant was published with.
struct Published
{
    Tick cnp;
    Tick alpha;
    Tick increase;
    Tick cut;
    uint64_t increaseBytes;
    uint32_t fastRecovery;
    double additive; ///< share of the line rate
    double hyper;    ///< share of the line rate
};

constexpr Published kPublished[] = {
    // 40 and 200 Mb/s at 40 Gb/s: Zhu et al., SIGCOMM 2015; timers: Zhu et al., CoNEXT 2016.
    {50 * kMicrosecond, 55 * kMicrosecond, 55 * kMicrosecond, 0, 10'000'000, 5, 1e-3, 5e-3},
    // 20 and 200 Mb/s at 100 Gb/s, as the simulator of Li et al., SIGCOMM 2019.
    {4 * kMicrosecond, 1 * kMicrosecond, 300 * kMicrosecond, 4 * kMicrosecond, 0, 1, 2e-4, 2e-3}};

struct State
{
    double alpha{1};
    double target{0};          ///< bit/s, what the rate rises to
    Tick alphaSince{kNever};   ///< alpha is up to date with this instant
    Tick firstCnp{kNever};     ///< connectx: the checks are at multiples of CutInterval from here
    Tick cutAt{kNever};        ///< connectx: the next check, when it has something to do
    Tick riseAt{kNever};       ///< the increase timer, unless the flow is at line rate for good
    uint32_t timerStage{0};    ///< increases by the timer since the last cut
    uint32_t byteStage{0};     ///< increases by the byte counter since the last cut
    bool notifiedSince{false}; ///< connectx: a notification came after alphaSince
};

/**
 * DCQCN's reaction point, in two variants.
 *
 * `paper` (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015): each
 * CNP cuts, alpha decays for every AlphaInterval without one, and the rate rises by a timer and by a
 * byte counter. `connectx` (as NICs do it, and the simulator of Li et al., SIGCOMM 2019): alpha
 * follows a check per AlphaInterval, cuts happen at a check per CutInterval, the rate rises by the
 * timer alone.
 *
 * Alpha is worked out when a cut needs it. Due in the sense of FlowView are cuts and increases only,
 * and none of those once the flow is back at line rate.
 *
 * Of things at one instant, alpha comes first, then the increase, then the cut, then a CNP.
 */
class Dcqcn : public CongestionControlFor<Dcqcn, State>
{
  public:
    static TypeId GetTypeId();

    void OnBegin(FlowView& flow, State& s) const
    {
        NS_ABORT_MSG_IF(m_alpha == 0, "Dcqcn: flows use what ForLineRate() returns");
        NS_ABORT_MSG_IF(m_window && flow.baseRtt <= 0, "Dcqcn: Window needs the base RTT");
        s.alpha = m_initialAlpha;
        s.target = flow.lineRate;
        SetRate(flow, flow.lineRate);
    }

    void OnCnp(FlowView& flow, State& s, Tick now) const
    {
        if (m_variant == kPaper)
        {
            if (s.alphaSince != kNever)
            {
                s.alpha *= Decay((now - s.alphaSince) / m_alpha);
            }
            s.target = flow.rate;
            Cut(flow, s, now);
            s.alpha = (1 - m_gain) * s.alpha + m_gain;
            s.alphaSince = now;
            flow.bytesDue = flow.bytesSent + m_increaseBytes;
            flow.timerAt = s.riseAt;
            return;
        }
        if (s.firstCnp == kNever)
        {
            s.firstCnp = s.alphaSince = now;
            s.target = m_firstCnpRate * flow.rate;
            SetRate(flow, s.target);
            s.notifiedSince = false;
        }
        else
        {
            UpdateAlpha(s, now);
            s.notifiedSince = true;
        }
        if (s.cutAt == kNever)
        {
            s.cutAt = s.firstCnp + ((now - s.firstCnp) / m_cut + 1) * m_cut;
            flow.timerAt = std::min(s.cutAt, s.riseAt);
        }
    }

    void OnTimer(FlowView& flow, State& s, Tick at) const
    {
        if (at == s.riseAt)
        {
            s.riseAt += m_increase;
            ++s.timerStage;
            Increase(flow, s);
        }
        else
        {
            UpdateAlpha(s, at);
            // Aiming again at the rate before the first of several cuts, unless it has risen since.
            if (m_clampTarget || s.timerStage > 0)
            {
                s.target = flow.rate;
            }
            s.cutAt = kNever;
            Cut(flow, s, at);
        }
        flow.timerAt = std::min(s.cutAt, s.riseAt);
    }

    void OnBytes(FlowView& flow, State& s, Tick) const
    {
        flow.bytesDue += m_increaseBytes;
        ++s.byteStage;
        Increase(flow, s);
        flow.timerAt = s.riseAt;
    }

    CongestionNotification GetNotification() const override
    {
        if (m_reporting == kInAck)
        {
            return {CongestionNotification::InAck, 0};
        }
        return {CongestionNotification::Cnp, ToTick(m_cnpInterval), m_cnpScope, ToTick(m_cnpDelay)};
    }

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override;
    void RefuseForeign() const;
    void CheckTogether(const Dcqcn& given) const;

    /// @return what is left of alpha after so many intervals without notification.
    double Decay(Tick intervals) const
    {
        return std::pow(1 - m_gain, static_cast<double>(intervals));
    }

    /// connectx: all checks of alpha up to and including that instant.
    void UpdateAlpha(State& s, Tick upTo) const
    {
        Tick checks = (upTo - s.alphaSince) / m_alpha;
        if (checks > 0)
        {
            s.alpha = (1 - m_gain) * s.alpha + (s.notifiedSince ? m_gain : 0);
            s.alpha *= Decay(checks - 1);
            s.notifiedSince = false;
            s.alphaSince += checks * m_alpha;
        }
    }

    void Cut(FlowView& flow, State& s, Tick at) const
    {
        SetRate(flow, std::max(m_minRateBps, flow.rate * (1 - s.alpha / 2)));
        s.timerStage = s.byteStage = 0;
        s.riseAt = at + m_increase;
    }

    void Increase(FlowView& flow, State& s) const
    {
        auto [least, most] = std::minmax(s.timerStage, s.byteStage);
        if (m_variant == kConnectX)
        {
            s.target += most <= m_fastRecovery       ? 0
                        : most == m_fastRecovery + 1 ? m_additiveBps
                                                     : m_hyperBps;
        }
        else if (most > m_fastRecovery)
        {
            s.target +=
                least > m_fastRecovery ? (least - m_fastRecovery) * m_hyperBps : m_additiveBps;
        }
        s.target = std::min(s.target, flow.lineRate);
        double before = flow.rate;
        SetRate(flow, (flow.rate + s.target) / 2);
        // From here on increases change nothing, and the next cut sets all of this anew.
        if (s.target == flow.lineRate && flow.rate == before)
        {
            s.riseAt = kNever;
            flow.bytesDue = std::numeric_limits<uint64_t>::max();
        }
    }

    void SetRate(FlowView& flow, double rate) const
    {
        flow.rate = rate;
        if (m_window)
        {
            // The bandwidth-delay product, scaled by the rate (Li et al., SIGCOMM 2019, 5.1).
            double bytes = rate / 8 * static_cast<double>(flow.baseRtt) / kSecond;
            flow.window = std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
        }
    }

    Variant m_variant;
    Reporting m_reporting;
    double m_gain;
    double m_initialAlpha;
    double m_firstCnpRate;
    Time m_cnpInterval;
    CongestionNotification::Scope m_cnpScope;
    Time m_cnpDelay;
    Time m_alphaInterval;
    Time m_increaseInterval;
    Time m_cutInterval;
    uint64_t m_increaseBytes;
    uint32_t m_fastRecovery;
    DataRate m_additiveIncrease;
    DataRate m_hyperIncrease;
    DataRate m_minRate;
    bool m_clampTarget;
    bool m_window;

    // The same, as the fast path wants them; filled in by Configure.
    Tick m_alpha{0};
    Tick m_increase{0};
    Tick m_cut{0};
    double m_additiveBps{0};
    double m_hyperBps{0};
    double m_minRateBps{0};
};

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Dcqcn")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<Dcqcn>()
            .AddAttribute(
                "Variant",
                "paper: a cut per CNP, timer and byte counter (Zhu et al., SIGCOMM 2015); "
                "connectx: periodic checks, timer only (NICs; Li et al., SIGCOMM 2019). "
                "Parameters left at 0 are those of the variant",
                EnumValue(kConnectX),
                compat::EnumAccessor<Variant>(&Dcqcn::m_variant, 0),
                MakeEnumChecker(kPaper, "paper", kConnectX, "connectx"))
            .AddAttribute("Notification",
                          "How the receiver reports marks: cnp, frames of their own; in_ack, a bit "
                          "in each ACK (connectx only); auto: cnp for paper, in_ack for connectx",
                          EnumValue(kAuto),
                          compat::EnumAccessor<Reporting>(&Dcqcn::m_reporting, 0),
                          MakeEnumChecker(kAuto, "auto", kPackets, "cnp", kInAck, "in_ack"))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a flow; 0: paper 50 us (SIGCOMM 2015), "
                          "connectx 4 us",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Dcqcn::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "CnpScope",
                "Which flows of a receiver keep the CNP interval together: none but "
                "itself (flow), all from one port (destination), or all that come in by "
                "one port (port), as NICs do that keep less state",
                EnumValue(CongestionNotification::Flow),
                compat::EnumAccessor<CongestionNotification::Scope>(&Dcqcn::m_cnpScope, 0),
                MakeEnumChecker(CongestionNotification::Flow,
                                "flow",
                                CongestionNotification::Destination,
                                "destination",
                                CongestionNotification::Port,
                                "port"))
            .AddAttribute("CnpDelay",
                          "Of a CNP within the receiver, besides the latency of its NIC",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Dcqcn::m_cnpDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Gain",
                          "g, the weight of the newest sample in alpha (SIGCOMM 2015: 1/256)",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Dcqcn::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha at the first notification; 1 makes the first cut one half",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Dcqcn::m_initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaInterval",
                          "paper: alpha decays for each such time without CNP; connectx: period of "
                          "its update; 0: paper 55 us, connectx 1 us",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Dcqcn::m_alphaInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CutInterval",
                          "connectx only: period of the check whether to cut; 0: 4 us",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Dcqcn::m_cutInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ClampTarget",
                "connectx only: every cut sets the target to the rate before it, even when "
                "the rate has not risen since the last one; paper always does",
                BooleanValue(false),
                MakeBooleanAccessor(&Dcqcn::m_clampTarget),
                MakeBooleanChecker())
            .AddAttribute("FirstCnpRate",
                          "connectx only: share of its rate that a flow keeps at its very first "
                          "notification, ahead of the cut",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Dcqcn::m_firstCnpRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("IncreaseInterval",
                          "Period of the increase timer; 0: paper 55 us (CoNEXT 2016), connectx "
                          "300 us",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Dcqcn::m_increaseInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "IncreaseBytes",
                "paper only: bytes on the wire that make the byte counter raise the rate; "
                "0: 10 MB",
                UintegerValue(0),
                MakeUintegerAccessor(&Dcqcn::m_increaseBytes),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("FastRecoverySteps",
                          "F, increases towards the target before the target rises; 0: paper 5, "
                          "connectx 1",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Dcqcn::m_fastRecovery),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute(
                "AdditiveIncrease",
                "Step of the target after fast recovery; 0: paper line rate/1000 (40 Mb/s "
                "at 40 Gb/s), connectx line rate/5000 (20 Mb/s at 100 Gb/s)",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&Dcqcn::m_additiveIncrease),
                MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Step of the target after additive increase (paper: times the number of "
                          "such steps); 0: paper line rate/200, connectx line rate/500",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Dcqcn::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "No cut goes below; 0: line rate/1000",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Dcqcn::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("Window",
                          "Whether unacknowledged payload is limited to base RTT times rate too "
                          "(DCQCN+win of Li et al., SIGCOMM 2019)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Dcqcn::m_window),
                          MakeBooleanChecker());
    return tid;
}

Ptr<CongestionControl>
Dcqcn::Configure(double lineRate) const
{
    UsePicoseconds();
    Ptr<Dcqcn> c = CopyObject(Ptr<const Dcqcn>(this));
    const Published& p = kPublished[m_variant];
    auto take = [](auto& value, auto zero, auto preset) {
        if (value == zero)
        {
            value = preset;
        }
    };
    auto share = [lineRate](double part) {
        return DataRate(static_cast<uint64_t>(lineRate * part + 0.5));
    };
    RefuseForeign();
    take(c->m_reporting, kAuto, m_variant == kPaper ? kPackets : kInAck);
    take(c->m_cnpInterval, Time(0), FromTick(p.cnp));
    take(c->m_alphaInterval, Time(0), FromTick(p.alpha));
    take(c->m_increaseInterval, Time(0), FromTick(p.increase));
    take(c->m_cutInterval, Time(0), FromTick(p.cut));
    take(c->m_increaseBytes, 0U, p.increaseBytes);
    take(c->m_fastRecovery, 0U, p.fastRecovery);
    take(c->m_additiveIncrease, DataRate(0), share(p.additive));
    take(c->m_hyperIncrease, DataRate(0), share(p.hyper));
    c->CheckTogether(*this);
    c->m_alpha = ToTick(c->m_alphaInterval);
    c->m_increase = ToTick(c->m_increaseInterval);
    c->m_cut = ToTick(c->m_cutInterval);
    c->m_additiveBps = static_cast<double>(c->m_additiveIncrease.GetBitRate());
    c->m_hyperBps = static_cast<double>(c->m_hyperIncrease.GetBitRate());
    c->m_minRateBps = LeastRate(m_minRate, lineRate);
    c->m_minRate = DataRate(static_cast<uint64_t>(c->m_minRateBps + 0.5));
    return c;
}

/// Ends with a ScenarioError unless holds.
template <class T>
void
Expect(bool holds, const char* attribute, const T& found, const std::string& expected)
{
    if (!holds)
    {
        std::ostringstream message;
        message << "found " << found << ", expected " << expected;
        throw ScenarioError(attribute, message.str());
    }
}

/// @return "55 us".
std::string
Shown(const Time& time)
{
    std::ostringstream text;
    text << time.ToDouble(Time::US) << " us";
    return text.str();
}

void
Dcqcn::RefuseForeign() const
{
    if (m_variant == kPaper)
    {
        const char* why = "none: it belongs to variant 'connectx', and this is 'paper'";
        Expect(m_cutInterval.IsZero(), "cut_interval", Shown(m_cutInterval), why);
        Expect(!m_clampTarget, "clamp_target", "true", why);
        Expect(m_firstCnpRate == 1, "first_cnp_rate", m_firstCnpRate, why);
        Expect(m_reporting != kInAck,
               "notification",
               "in_ack",
               "cnp: variant 'paper' needs CNPs that are paced");
    }
    else
    {
        Expect(m_increaseBytes == 0,
               "increase_bytes",
               m_increaseBytes,
               "none: it belongs to variant 'paper', and this is 'connectx'");
        const char* packets = "none, or notification 'cnp': in_ack has no CNPs";
        const bool cnps = m_reporting == kPackets;
        Expect(cnps || m_cnpInterval.IsZero(), "cnp_interval", Shown(m_cnpInterval), packets);
        Expect(cnps || m_cnpDelay.IsZero(), "cnp_delay", Shown(m_cnpDelay), packets);
        Expect(cnps || m_cnpScope == CongestionNotification::Flow,
               "cnp_scope",
               "that of several flows",
               packets);
    }
}

/// @param given what of it the user gave: that is named, not what is the variant's.
void
Dcqcn::CheckTogether(const Dcqcn& given) const
{
    const char* why = ", or alpha decays under congestion";
    if (m_variant == kPaper)
    {
        const bool alpha = !given.m_alphaInterval.IsZero();
        Expect(m_alphaInterval >= m_cnpInterval,
               alpha ? "alpha_interval" : "cnp_interval",
               Shown(alpha ? m_alphaInterval : m_cnpInterval),
               alpha ? "no less than the CNP interval of " + Shown(m_cnpInterval) + why
                     : "no more than the alpha interval of " + Shown(m_alphaInterval) + why);
    }
    else if (m_reporting == kPackets)
    {
        const bool cnp = !given.m_cnpInterval.IsZero();
        Expect(m_cnpInterval <= m_cutInterval,
               cnp ? "cnp_interval" : "cut_interval",
               Shown(cnp ? m_cnpInterval : m_cutInterval),
               cnp ? "no more than the cut interval of " + Shown(m_cutInterval) + why
                   : "no less than the CNP interval of " + Shown(m_cnpInterval) + why);
    }
    Expect(m_firstCnpRate > 0, "first_cnp_rate", m_firstCnpRate, "above 0 and up to 1");
}

} // namespace
} // namespace ns3::aifabric
