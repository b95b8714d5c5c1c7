// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CONGESTION_CONTROL_H
#define AIFABRIC_CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/fabric-time.h"
#include "ns3/hop-log.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::aifabric
{

class CreditPolicy;
class CreditPort;

/**
 * @ingroup ai-fabric
 * What a congestion control sees of its flow, and all that it may change: rate, window and the two
 * deadlines.
 */
struct FlowView
{
    double rate{0};     ///< bit/s that the flow may put on its wire, overhead included
    double lineRate{0}; ///< bit/s of its NIC port
    uint64_t window{
        std::numeric_limits<uint64_t>::max()}; ///< unacknowledged payload allowed, bytes
    uint64_t burstBytes{
        0};               ///< payload that leaves back to back, at line rate, before the rate makes
                          ///< what follows wait; 0: each frame waits
    Tick baseRtt{0};      ///< without queues, one full frame and its ACK
    uint32_t mtuBytes{0}; ///< payload of a full frame
    uint32_t frameBytes{0}; ///< of a full frame on the wire, preamble and gap too
    Tick timerAt{kNever};   ///< Timer() is due then
    uint64_t bytesSent{0};  ///< on the wire, retransmissions included
    uint64_t bytesDue{
        std::numeric_limits<uint64_t>::max()}; ///< Bytes() is due when bytesSent gets there
};

/// What an acknowledgement tells.
struct AckEvent
{
    Tick now;
    Tick rtt;                ///< from the start of the acknowledged frame to now; in a burst, from
                             ///< when that would have been had nothing held the burst up in its NIC
    uint32_t ackedBytes;     ///< payload newly acknowledged
    uint64_t inFlight;       ///< payload still unacknowledged
    uint64_t acknowledged;   ///< payload acknowledged since the flow began
    bool congestionNotified; ///< the receiver saw a mark since its last ACK
    const HopLog* hops;      ///< what the acknowledged frame was told on its way; null: nothing

    /// @return payload sent since the flow began: what is acknowledged beyond it has seen a round trip
    /// from now on.
    uint64_t GetSent() const
    {
        return acknowledged + inFlight;
    }
};

/// How it was found that a frame did not arrive.
enum class LossKind : uint8_t
{
    Nak,     ///< the receiver misses it
    Timeout, ///< nothing came back
    Trimmed, ///< a switch cut its payload off, and the receiver told
};

/// How the receiver reports marks to the sender.
struct CongestionNotification
{
    enum Mode
    {
        None,
        InAck, ///< a bit in the next ACK (HPCC's simulator)
        Cnp    ///< a CNP of its own
    } mode{None};

    /// Whose CNPs keep the interval.
    enum Scope
    {
        Flow,
        Destination, ///< all flows from here to one port
        Port         ///< all that leave by one port
    };

    Tick interval{0}; ///< least time between two CNPs
    Scope scope{Flow};
    Tick delay{0}; ///< from the mark to the CNP, besides the NIC's latency
};

/// What waits at a sender behind a frame that it sends.
struct SendBacklog
{
    uint64_t frames;     ///< to be sent, for the first time or again
    uint64_t payload;    ///< of those
    uint64_t posted;     ///< payload of all messages since the flow began
    uint32_t frameBytes; ///< of the frame that is sent, on the wire, preamble and gap too
};

/// What the frames of a flow collect on their way, and its acknowledgements bring back.
struct PathTelemetry
{
    bool wanted{false};           ///< frames have a HopLog
    uint32_t bytes{0};            ///< that takes in every frame of the flow, both ways
    HopStamper* stamper{nullptr}; ///< null: a record for each port; outlives the flows
    bool announces{false};        ///< frames tell what waits, for a CreditPolicy at the receiver
};

/**
 * @ingroup ai-fabric
 * Congestion control of RDMA flows: one object per set of parameters, shared and constant; what
 * belongs to a flow lives in a buffer inside its queue pair.
 *
 * Derive from CongestionControlFor, which gives typed state. Losses are recovered elsewhere and
 * frames are paced elsewhere: an algorithm decides on FlowView::rate and FlowView::window only.
 *
 * There are no timer events. An algorithm writes down when it wants to be called (timerAt,
 * bytesDue); the queue pair says CatchUp() before it looks at rate or window, and Sent() for every
 * frame, and the algorithm is called with the very instant that was due. A timer that nobody looks
 * at costs nothing. What is due at an instant precedes what else happens then.
 *
 * Flows use what ForLineRate() returns, never the object that holds the user's attributes.
 */
class CongestionControl : public Object
{
  public:
    static constexpr std::size_t kStateBytes = 144;

    static TypeId GetTypeId();

    CongestionControl() = default;

    /// A copy starts with nothing made for any line rate.
    CongestionControl(const CongestionControl& other)
        : Object(other)
    {
    }

    /**
     * @param lineRate bit/s of the port, above 0.
     * @return what flows of such a port use: one object per rate, with the attributes that were set
     * when it was first asked for, checked, and with the presets of that speed.
     * @throws ScenarioError (path: the attribute) when the attributes do not go together.
     */
    Ptr<const CongestionControl> ForLineRate(double lineRate) const;

    /// Calls Timer() for all that has come due up to now, which included.
    void CatchUp(FlowView& flow, void* state, Tick now) const
    {
        while (flow.timerAt <= now)
        {
            Timer(flow, state, flow.timerAt);
        }
    }

    /// Counts a frame of that many bytes whose transmission starts now, retransmitted or not.
    void Sent(FlowView& flow, void* state, uint32_t bytes, Tick now) const
    {
        flow.bytesSent += bytes;
        while (flow.bytesSent >= flow.bytesDue)
        {
            Bytes(flow, state, now);
        }
    }

    /// A flow begins: builds its state; the rate is the line rate already, the window unlimited.
    virtual void Begin(FlowView& flow, void* state) const = 0;
    /// An acknowledgement arrived. Only called where UsesAcks().
    virtual void Ack(FlowView& flow, void* state, const AckEvent& event) const = 0;
    /// A congestion notification arrived, by itself or in an ACK.
    virtual void Cnp(FlowView& flow, void* state, Tick now) const = 0;
    /// Frames were lost.
    virtual void Loss(FlowView& flow, void* state, Tick now, LossKind kind) const = 0;
    /// FlowView::timerAt has passed; at is that instant. Must move timerAt on.
    virtual void Timer(FlowView& flow, void* state, Tick at) const = 0;
    /// FlowView::bytesDue has been sent. Must move bytesDue on.
    virtual void Bytes(FlowView& flow, void* state, Tick now) const = 0;

    /**
     * The receiver grants credit.
     * @param credit all that it has granted since the flow began, the lower 32 bits.
     */
    virtual void Credit(FlowView& flow, void* state, uint32_t credit, Tick now) const = 0;
    /**
     * A frame that asks for an acknowledgement is sent. Only called where PathTelemetry::announces.
     * @return what it tells the receiver: HopLog::backlogBytes.
     */
    virtual uint64_t Announce(FlowView& flow, void* state, const SendBacklog& backlog) const = 0;

    /// @return who grants credits at a port where such flows arrive; null where nobody does. Only
    /// called where PathTelemetry::announces. @param port outlives it.
    virtual std::unique_ptr<CreditPolicy> MakeCreditPolicy(CreditPort& port) const;

    /// @return whether Ack() does anything.
    virtual bool UsesAcks() const = 0;

    /**
     * Says before a run where its attributes do not suit the network, though they are valid.
     * @param flow a typical one at its start: its rates, its base round trip and its full frames.
     * @return with numbers, a line each.
     */
    virtual std::vector<std::string> Advise(const FlowView& /* flow */) const
    {
        return {};
    }

    /// @return what the far end has to report.
    virtual CongestionNotification GetNotification() const
    {
        return {};
    }

    /// @return what its frames collect.
    virtual PathTelemetry GetTelemetry() const
    {
        return {};
    }

  protected:
    /**
     * @param given attribute MinRate, "no flow goes slower"; 0: a thousandth of the line rate.
     * @param lineRate bit/s.
     * @return what it is, bit/s.
     * @throws ScenarioError (path: min_rate) where it is no less than the line rate.
     */
    static double LeastRate(DataRate given, double lineRate);

  private:
    /**
     * Checks the attributes, and fills in what depends on the speed of the port.
     * @param lineRate bit/s.
     * @return a copy that flows shall use, or null when this object will do.
     * @throws ScenarioError as ForLineRate.
     */
    virtual Ptr<CongestionControl> Configure(double /* lineRate */) const
    {
        return nullptr;
    }

    mutable std::map<double, Ptr<const CongestionControl>> m_forLineRate;
};

/**
 * @ingroup ai-fabric
 * Gives an algorithm its state by type. Self has `OnBegin(FlowView&, State&) const` and what it
 * wants of OnAck, OnCnp, OnLoss, OnTimer, OnBytes, OnCredit and OnAnnounce, with the arguments of
 * CongestionControl; all but OnBegin, OnTimer and OnAnnounce are called with the timers caught up.
 * @tparam Self the algorithm.
 * @tparam State what it keeps per flow: at most kStateBytes, trivially destructible.
 */
template <class Self, class State>
class CongestionControlFor : public CongestionControl
{
  public:
    static_assert(sizeof(State) <= kStateBytes && std::is_trivially_destructible_v<State>);

    void Begin(FlowView& flow, void* state) const final
    {
        That().OnBegin(flow, *new (state) State);
    }

    void Ack(FlowView& flow, void* state, const AckEvent& event) const final
    {
        CatchUp(flow, state, event.now);
        That().OnAck(flow, Of(state), event);
    }

    void Cnp(FlowView& flow, void* state, Tick now) const final
    {
        CatchUp(flow, state, now);
        That().OnCnp(flow, Of(state), now);
    }

    void Loss(FlowView& flow, void* state, Tick now, LossKind kind) const final
    {
        CatchUp(flow, state, now);
        That().OnLoss(flow, Of(state), now, kind);
    }

    void Timer(FlowView& flow, void* state, Tick at) const final
    {
        That().OnTimer(flow, Of(state), at);
    }

    void Bytes(FlowView& flow, void* state, Tick now) const final
    {
        CatchUp(flow, state, now);
        That().OnBytes(flow, Of(state), now);
    }

    void Credit(FlowView& flow, void* state, uint32_t credit, Tick now) const final
    {
        CatchUp(flow, state, now);
        That().OnCredit(flow, Of(state), credit, now);
    }

    uint64_t Announce(FlowView& flow, void* state, const SendBacklog& backlog) const final
    {
        return That().OnAnnounce(flow, Of(state), backlog);
    }

    bool UsesAcks() const final
    {
        return !std::is_same_v<decltype(&Self::OnAck), decltype(&CongestionControlFor::OnAck)>;
    }

    void OnAck(FlowView&, State&, const AckEvent&) const
    {
    }

    void OnCnp(FlowView&, State&, Tick) const
    {
    }

    void OnLoss(FlowView&, State&, Tick, LossKind) const
    {
    }

    void OnCredit(FlowView&, State&, uint32_t, Tick) const
    {
    }

    uint64_t OnAnnounce(FlowView&, State&, const SendBacklog& backlog) const
    {
        return backlog.payload;
    }

    void OnTimer(FlowView& flow, State&, Tick) const
    {
        flow.timerAt = kNever;
    }

    void OnBytes(FlowView& flow, State&, Tick) const
    {
        flow.bytesDue = std::numeric_limits<uint64_t>::max();
    }

  private:
    const Self& That() const
    {
        return static_cast<const Self&>(*this);
    }

    static State& Of(void* state)
    {
        return *static_cast<State*>(state);
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CONGESTION_CONTROL_H
