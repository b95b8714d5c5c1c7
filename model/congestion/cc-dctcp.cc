// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

struct State
{
    double alpha{1};
    uint64_t ackedBytes{0};  ///< since the window of observation began
    uint64_t markedBytes{0}; ///< of those, acknowledged with a mark
    uint64_t windowEnd{0};   ///< payload acknowledged beyond which it ends
    uint64_t cutEnd{0};      ///< payload acknowledged beyond which the rate may change again
    uint64_t sent{0};        ///< payload sent at the last acknowledgement
    bool cut{false};         ///< until then (CWR)
};

/**
 * DCTCP (Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, equations 1 and 2; RFC 8257,
 * 3.3 and 3.5) for flows of RDMA, as the simulator of Li et al. (SIGCOMM 2019) has it: no slow start,
 * frames are paced by the rate, and the window is the rate times the base round-trip time.
 */
class Dctcp : public CongestionControlFor<Dctcp, State>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Dctcp")
                .SetParent<CongestionControl>()
                .SetGroupName("AiFabric")
                .AddConstructor<Dctcp>()
                .AddAttribute("Gain",
                              "g, the weight of the newest share of marked bytes in alpha (SIGCOMM "
                              "2010, RFC 8257: 1/16)",
                              DoubleValue(1.0 / 16),
                              MakeDoubleAccessor(&Dctcp::m_gain),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("InitialAlpha",
                              "Alpha of a new flow (RFC 8257, 4.2: 1)",
                              DoubleValue(1),
                              MakeDoubleAccessor(&Dctcp::m_initialAlpha),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute(
                    "AdditiveIncrease",
                    "Of the rate per round trip without a cut; 0: the payload of one full "
                    "frame per base RTT (SIGCOMM 2010: one segment)",
                    DataRateValue(DataRate(0)),
                    MakeDataRateAccessor(&Dctcp::m_increase),
                    MakeDataRateChecker())
                .AddAttribute("LossDecrease",
                              "Share of the rate that a loss takes away, once per round trip (RFC "
                              "8257, 3.5: 1/2); 0: none (the simulator of SIGCOMM 2019)",
                              DoubleValue(0.5),
                              MakeDoubleAccessor(&Dctcp::m_lossDecrease),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("MinRate",
                              "No flow goes slower; 0: line rate/1000",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&Dctcp::m_minRate),
                              MakeDataRateChecker());
        return tid;
    }

    void OnBegin(FlowView& flow, State& s) const
    {
        NS_ABORT_MSG_IF(m_minRateBps == 0, "Dctcp: flows use what ForLineRate() returns");
        NS_ABORT_MSG_IF(flow.baseRtt <= 0, "Dctcp: needs the base RTT");
        s.alpha = m_initialAlpha;
        SetRate(flow, flow.lineRate);
    }

    void OnAck(FlowView& flow, State& s, const AckEvent& ack) const
    {
        s.sent = ack.GetSent();
        s.ackedBytes += ack.ackedBytes;
        s.markedBytes += ack.congestionNotified ? ack.ackedBytes : 0;
        const bool roundTrip = ack.acknowledged > s.windowEnd && s.ackedBytes > 0;
        if (roundTrip)
        {
            const double marked = static_cast<double>(s.markedBytes) / s.ackedBytes;
            s.alpha += m_gain * (marked - s.alpha);
            s.ackedBytes = s.markedBytes = 0;
            s.windowEnd = s.sent;
        }
        s.cut = s.cut && ack.acknowledged <= s.cutEnd;
        if (ack.congestionNotified)
        {
            Cut(flow, s, s.alpha / 2);
        }
        if (roundTrip && !s.cut)
        {
            const double increase =
                m_increaseBps > 0 ? m_increaseBps : flow.mtuBytes * 8e12 / flow.baseRtt;
            SetRate(flow, flow.rate + increase);
        }
    }

    void OnLoss(FlowView& flow, State& s, Tick, LossKind) const
    {
        Cut(flow, s, m_lossDecrease);
    }

    CongestionNotification GetNotification() const override
    {
        return {CongestionNotification::InAck, 0};
    }

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        UsePicoseconds();
        Ptr<Dctcp> c = CopyObject(Ptr<const Dctcp>(this));
        c->m_increaseBps = static_cast<double>(m_increase.GetBitRate());
        c->m_minRateBps = LeastRate(m_minRate, lineRate);
        return c;
    }

    /// Takes that share of the rate away, unless that has been done within the round trip.
    void Cut(FlowView& flow, State& s, double share) const
    {
        if (!s.cut && share > 0)
        {
            s.cut = true;
            s.cutEnd = s.sent;
            SetRate(flow, flow.rate * (1 - share));
        }
    }

    void SetRate(FlowView& flow, double rate) const
    {
        flow.rate = std::clamp(rate, m_minRateBps, flow.lineRate);
        const double bytes = flow.rate * (flow.baseRtt / 8e12);
        flow.window = std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
    }

    double m_gain;
    double m_initialAlpha;
    DataRate m_increase;
    double m_lossDecrease;
    DataRate m_minRate;

    // The same, as the fast path wants them; filled in by Configure.
    double m_increaseBps{0};
    double m_minRateBps{0};
};

NS_OBJECT_ENSURE_REGISTERED(Dctcp);

} // namespace
} // namespace ns3::aifabric
