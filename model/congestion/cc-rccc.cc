// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"
#include "credit-policy.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace ns3::aifabric
{
namespace
{

/// Bytes are those on the wire.
struct RcccState
{
    uint64_t unscheduled{0}; ///< what it may send that nobody granted, ever
    uint64_t granted{0};
    uint64_t trimmed{0}; ///< frames that were: the receiver knows of them by itself
    uint64_t posted{0};  ///< payload of all messages, when nothing waited
    bool drained{false}; ///< nothing waited behind the frame sent last
};

/// Ports on the way have nothing to tell.
class Silent final : public HopStamper
{
    void Stamp(HopLog&, const HopRecord&, const void*) override
    {
    }
};

/**
 * The senders to one port take turns at its line rate. What a flow is still to be granted is what its
 * sender tells, and a frame for each that came trimmed.
 */
class PullPacer final : public CreditPolicy
{
  public:
    /// @param share of the line rate. @param frames granted at a time.
    PullPacer(CreditPort& port, double share, uint32_t frames)
        : m_port(port),
          m_psPerByte(8e12 / (port.GetLineRate() * share)),
          m_frames(frames)
    {
    }

    void Arrive(const ArrivalEvent& event) override
    {
        Flow& flow = m_flows[event.flow];
        flow.frameBytes = event.frameBytes;
        flow.told = std::max(flow.told, event.told);
        flow.trimmed += event.trimmed ? event.frameBytes : 0;
        if (flow.waits || flow.GetWanted() <= flow.granted)
        {
            return;
        }
        flow.waits = true;
        m_turns.push_back(event.flow);
        if (m_turns.size() == 1)
        {
            m_next = std::max(m_next, event.now);
            m_port.WakeAt(m_next, event.now);
        }
    }

    void Forget(uint32_t number) override
    {
        auto found = m_flows.find(number);
        if (found == m_flows.end())
        {
            return;
        }
        if (found->second.waits)
        {
            m_turns.erase(std::find(m_turns.begin(), m_turns.end(), number));
        }
        m_ended.wanted += std::max(found->second.GetWanted(), found->second.granted);
        m_ended.granted += found->second.granted;
        m_flows.erase(found);
    }

    void Wake(Tick now) override
    {
        if (m_turns.empty())
        {
            return;
        }
        const uint32_t number = m_turns.front();
        m_turns.pop_front();
        Flow& flow = m_flows[number];
        const uint64_t amount =
            std::min<uint64_t>(flow.GetWanted() - flow.granted, m_frames * flow.frameBytes);
        flow.granted += amount;
        flow.waits = flow.granted < flow.GetWanted();
        if (flow.waits)
        {
            m_turns.push_back(number);
        }
        m_port.SendCredit(number, flow.granted, now);
        m_next = now + static_cast<Tick>(static_cast<double>(amount) * m_psPerByte + 0.5);
        if (!m_turns.empty())
        {
            m_port.WakeAt(m_next, now);
        }
    }

    CreditCounters GetCounters() const override
    {
        CreditCounters sum = m_ended;
        for (const auto& [number, flow] : m_flows)
        {
            sum.wanted += std::max(flow.GetWanted(), flow.granted);
            sum.granted += flow.granted;
        }
        return sum;
    }

  private:
    /// Bytes on the wire.
    struct Flow
    {
        uint64_t told{0};
        uint64_t trimmed{0};
        uint64_t granted{0};
        uint32_t frameBytes{0};
        bool waits{false}; ///< for its turn

        uint64_t GetWanted() const
        {
            return told + trimmed;
        }
    };

    CreditPort& m_port;
    double m_psPerByte;
    uint64_t m_frames;
    Tick m_next{0}; ///< no credit before
    std::deque<uint32_t> m_turns;
    std::unordered_map<uint32_t, Flow> m_flows;
    CreditCounters m_ended;
};

/**
 * Credits from the receiver, as RCCC of Ultra Ethernet has them, and EQDS (Olteanu et al., NSDI'22) and
 * NDP (Handley et al., SIGCOMM'17) before it. A sender begins with a window that nobody has granted.
 * Each of its frames tells what else waits, and the receiving port grants that to its senders in turn,
 * no faster than its link can carry.
 *
 * What a sender may have sent since it began, retransmissions included, is what was granted and what
 * was not scheduled. What it tells is how much it needs to be granted altogether, without the frames
 * that were trimmed: those the receiver has seen itself. When all has been acknowledged a sender has a
 * window again for what comes next, and so it has after a timeout.
 */
class Rccc : public CongestionControlFor<Rccc, RcccState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Rccc")
                .SetParent<CongestionControl>()
                .SetGroupName("AiFabric")
                .AddConstructor<Rccc>()
                .AddAttribute(
                    "UnscheduledWindow",
                    "What a sender may send before the receiver has granted anything, over "
                    "the bandwidth-delay product",
                    DoubleValue(1.5),
                    MakeDoubleAccessor(&Rccc::m_window),
                    MakeDoubleChecker<double>(0.001))
                .AddAttribute("CreditFrames",
                              "Full frames that a receiver grants at a time",
                              UintegerValue(4),
                              MakeUintegerAccessor(&Rccc::m_frames),
                              MakeUintegerChecker<uint32_t>(1, 1 << 20))
                .AddAttribute("CreditShare",
                              "Share of its line rate that a receiver grants to all its senders",
                              DoubleValue(0.99),
                              MakeDoubleAccessor(&Rccc::m_share),
                              MakeDoubleChecker<double>(0.01, 1));
        return tid;
    }

    void OnBegin(FlowView& flow, RcccState& s) const
    {
        NS_ABORT_MSG_IF(flow.baseRtt <= 0, "RCCC needs the base RTT");
        s.unscheduled = GetWindow(flow);
        Apply(flow, s);
    }

    void OnAck(FlowView& flow, RcccState& s, const AckEvent& ack) const
    {
        if (s.drained && ack.acknowledged >= s.posted)
        {
            s.drained = false;
            Renew(flow, s);
        }
    }

    void OnLoss(FlowView& flow, RcccState& s, Tick, LossKind kind) const
    {
        if (kind == LossKind::Trimmed)
        {
            s.trimmed += flow.frameBytes;
        }
        else if (kind == LossKind::Timeout)
        {
            Renew(flow, s);
        }
    }

    /// What was allowed has been sent.
    void OnBytes(FlowView& flow, RcccState& s, Tick) const
    {
        Apply(flow, s);
    }

    void OnCredit(FlowView& flow, RcccState& s, uint32_t credit, Tick) const
    {
        // Credits may overtake each other, or be lost: the highest counts.
        const auto more = static_cast<int32_t>(credit - static_cast<uint32_t>(s.granted));
        s.granted += std::max(more, 0);
        Apply(flow, s);
    }

    uint64_t OnAnnounce(FlowView& flow, RcccState& s, const SendBacklog& backlog) const
    {
        s.drained = backlog.frames == 0;
        s.posted = backlog.posted;
        const uint64_t waits = backlog.payload + backlog.frames * (flow.frameBytes - flow.mtuBytes);
        const uint64_t needed = flow.bytesSent + backlog.frameBytes + waits;
        return needed - std::min(needed, s.unscheduled + s.trimmed);
    }

    PathTelemetry GetTelemetry() const override
    {
        static Silent silent;
        PathTelemetry telemetry;
        telemetry.wanted = telemetry.announces = true;
        telemetry.stamper = &silent;
        return telemetry;
    }

    std::unique_ptr<CreditPolicy> MakeCreditPolicy(CreditPort& port) const override
    {
        return std::make_unique<PullPacer>(port, m_share, m_frames);
    }

  private:
    uint64_t GetWindow(const FlowView& flow) const
    {
        const double product = flow.lineRate * (static_cast<double>(flow.baseRtt) / 8e12);
        return static_cast<uint64_t>(std::max(m_window * product, 1.0));
    }

    /// Lets it send a window that nobody has granted, from now on.
    void Renew(FlowView& flow, RcccState& s) const
    {
        const uint64_t allowed = flow.bytesSent + GetWindow(flow);
        s.unscheduled = std::max(s.unscheduled + s.granted, allowed) - s.granted;
        Apply(flow, s);
    }

    /// A frame may begin as long as not all of what is allowed has been sent.
    static void Apply(FlowView& flow, const RcccState& s)
    {
        constexpr auto kUnlimited = std::numeric_limits<uint64_t>::max();
        const uint64_t allowed = s.unscheduled + s.granted;
        const bool may = flow.bytesSent < allowed;
        flow.window = may ? kUnlimited : 0;
        flow.bytesDue = may ? allowed : kUnlimited;
    }

    double m_window;
    uint32_t m_frames;
    double m_share;
};

NS_OBJECT_ENSURE_REGISTERED(Rccc);

} // namespace
} // namespace ns3::aifabric
