// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_EGRESS_PORT_H
#define AIFABRIC_EGRESS_PORT_H

#include "arrival-order.h"
#include "credit-account.h"
#include "deficit-round-robin.h"
#include "flight-ring.h"
#include "frame-queue.h"
#include "link-observer.h"
#include "pause-state.h"

#include "ns3/event-impl.h"
#include "ns3/frame.h"
#include "ns3/huge-memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

class EgressPort;

/**
 * @ingroup ai-fabric
 * The switch that a port belongs to: it accounts for what the port lets go.
 */
class PortOwner
{
  public:
    /**
     * A frame begins to leave. Called when the departure is committed, which may be later.
     * @param port the port.
     * @param f the frame.
     * @param queued bytes left behind in the frame's queue.
     * @param start the instant at which it begins to leave; decide on this.
     * @param now the present.
     */
    virtual void OnDeparture(EgressPort& port, Frame& f, uint32_t queued, Tick start, Tick now) = 0;

    /// Brings all ports up to the present, in the order of their numbers.
    virtual void CatchUpAll(Tick now) = 0;

  protected:
    ~PortOwner() = default;
};

/**
 * @ingroup ai-fabric
 * Whoever cuts frames only when the wire is free for them: a NIC.
 */
class FrameSource
{
  public:
    /// @return the earliest instant, not before from, at which it has a frame of that priority;
    /// kNever if it has none.
    virtual Tick NextStart(uint8_t priority, Tick from) = 0;
    /// @return the frame that starts at start, an instant that NextStart gave; never null.
    virtual Frame* TakeFrame(uint8_t priority, Tick start) = 0;

  protected:
    ~FrameSource() = default;
};

/// What went over one direction of a link since the start.
struct PortCounters
{
    uint64_t frames{0};
    uint64_t bytes{0};         ///< of frames, without preamble and gap
    uint64_t dataFrames{0};    ///< frames with payload
    uint64_t payloadBytes{0};  ///< of those
    uint32_t maxQueueBytes{0}; ///< of any one priority
    uint64_t marked{0};        ///< frames marked when they left
    uint64_t dropped{0};       ///< frames refused admission on their way to this port
    uint64_t lost{0};          ///< frames that the link destroyed
    uint64_t pauses{0};        ///< pause frames received that stopped a priority
    Tick pausedTime{0};        ///< summed over priorities
};

/// What a port is built with.
struct PortSettings
{
    double bandwidthBps{0};      ///< above 0
    Tick delay{0};               ///< from the end of transmission to arrival at the far end
    uint32_t gapBytes{0};        ///< on the wire around each frame: preamble and gap
    double lossProbability{0};   ///< per frame
    double bitErrorRate{0};      ///< per bit of a frame
    int64_t stream{-1};          ///< of the losses
    uint32_t cutThroughBytes{0}; ///< if above 0, a frame is handed over when that much has arrived
    uint64_t creditBytes{0};     ///< if above 0, the far end's buffer; it returns credit
    FrameSink* peer{nullptr};
    PortIdx peerPort{0};
    uint32_t peerNode{0}; ///< ns-3's node id, the context of arrivals
};

/**
 * @ingroup ai-fabric
 * One direction of a link and the queues before it, at the cost of one event per frame.
 *
 * The event is the port itself: "the oldest frame in flight arrives". Departures have none. Every
 * touch of the port first catches up with the departures that were due since, in order, each at its
 * exact start; since whatever could change a decision is such a touch, every decision sees the
 * queues as they were at that instant. Where nobody would touch the port in time (nothing is in
 * flight, or the owner watches since somebody waits for the instant), a second event wakes it.
 *
 * Departures at an instant precede whatever else happens at that instant.
 *
 * There is a queue for each 802.1Q priority, served in strict order from 7 down except for those
 * that share by DWRR, and one before all of them for frames of the link itself (pauses).
 */
class alignas(64) EgressPort final : public EventImpl
{
  public:
    static constexpr int kPriorities = 8;
    static constexpr int kLinkQueue = 8;

    EgressPort();
    EgressPort(const EgressPort&) = delete;
    EgressPort& operator=(const EgressPort&) = delete;
    ~EgressPort() override;

    static void* operator new[](std::size_t bytes)
    {
        return HugeMemory::Take(bytes);
    }

    static void operator delete[](void* ports, std::size_t bytes)
    {
        HugeMemory::Return(ports, bytes);
    }

    /**
     * Wires the port; once, before time 0.
     * @param settings the link's.
     * @param index number of the port within its owner.
     * @param owner told of departures and asked to catch up while *watching; null for a NIC.
     * @param watching nonzero while the owner has to see departures on the instant.
     */
    void
    Wire(const PortSettings& settings, PortIdx index, PortOwner* owner, const uint32_t* watching);
    /**
     * Tells who returns credit. The far end of a credit-controlled link that accounts for departures
     * only when somebody looks is asked to, before this port waits for credit.
     * @param far who has the buffer.
     * @param waiting counts the ports that wait; far watches its departures while it is above 0.
     */
    void SetCreditReturn(PortOwner* far, uint32_t* waiting);
    /// Frames of some priorities come from there on demand.
    void SetSource(FrameSource* source);
    /// @param weights quanta in bytes by priority; those above 0 share by DWRR.
    void SetDwrr(const std::array<uint32_t, kPriorities>& weights);

    /// Shows every frame that leaves to tap as well, which must outlive the port's last one.
    void AddTap(FrameTap& tap);

    /// Takes f, which waits for f->ready and its turn.
    void Enqueue(Frame* f, Tick now)
    {
        Sync(now);
        EnqueueSynced(f, now);
    }

    /// Likewise, after Sync at this very instant.
    void EnqueueSynced(Frame* f, Tick now);

    /// Lets listener know of every pause; it must outlive the port's last one.
    void AddPauseListener(PauseListener& listener);

    /// Takes a frame of the link itself. Safe to call from within OnDeparture of this very port.
    void EnqueueLinkFrame(Frame* f, Tick now);
    /// The source has, or no longer has, frames of that priority, from now on.
    void SetPulling(uint8_t priority, bool pulling, Tick now);
    /**
     * Stops a priority until then; an earlier pause is replaced, not added to.
     * @param until an instant not after now resumes; kNever stops for good.
     */
    void Pause(uint8_t priority, Tick until, Tick now);
    /// The far end has sent a pause frame. @param quanta its length, kStickyPause, or 0 to resume.
    void ReceivePause(uint8_t priority, uint32_t quanta, Tick now);

    /// @param priorities at which pause frames are obeyed, one bit each; all where nobody says.
    void SetObeyed(uint8_t priorities)
    {
        m_obeyed = priorities;
    }

    uint8_t GetObeyed() const
    {
        return m_obeyed;
    }

    /// @return all that waits in a priority's queue, which is empty then: a list, oldest first, that
    /// the caller owns.
    Frame* TakeQueue(uint8_t priority);

    /**
     * The far end has freed that much of its buffer. Takes no room on the way back: links that have
     * credits put them into headers that are there anyway. Safe to call from within any port's
     * CatchUp.
     * @param at when this end gets to know; in the past only where nobody waits for it.
     */
    void AddCredit(uint32_t bytes, Tick at, Tick now);

    /// Commits all departures that start up to now. Any touch does; call before looking.
    void CatchUp(Tick now)
    {
        if (m_waiting | m_pulling | m_paused)
        {
            DoCatchUp(now);
        }
    }

    /// As CatchUp, and with it the whole owner while that is watching.
    void Sync(Tick now)
    {
        if (*m_watching)
        {
            m_owner->CatchUpAll(now);
        }
        else
        {
            CatchUp(now);
        }
    }

    /// @return bytes waiting in a priority's queue, those included that are on their way through the
    /// switch; as of the last touch.
    uint32_t GetQueuedBytes(uint8_t priority) const
    {
        return m_queues[priority].GetBytes();
    }

    /// @return bytes of those that are on their way through the switch at that instant; instants don't
    /// go back.
    uint32_t GetPipelineBytes(uint8_t priority, Tick at)
    {
        const FrameQueue& queue = m_queues[priority];
        return queue.IsEmpty() || queue.Back()->ready <= at ? 0 : FindPipelineBytes(priority, at);
    }

    /**
     * Shows the frames that wait in a priority's queue, as of the last touch, the oldest first.
     * @param visit called with each, until it returns false.
     */
    template <class F>
    void ForEachWaiting(uint8_t priority, F visit) const
    {
        for (const Frame* f = m_queues[priority].Front(); f && visit(*f); f = f->next)
        {
        }
    }

    /// @return whether the oldest frame in flight arrives then.
    bool HasArrivalAt(Tick at) const
    {
        return !m_flight.IsEmpty() && m_flight.Front().arrival == at;
    }

    /// @return frames in the queues and in flight.
    uint64_t CountFrames() const;

    /// @return bytes of the far end's buffer for which credit has not been returned.
    uint64_t GetSpentCredit() const
    {
        return m_credits ? m_credits->GetSpent() : 0;
    }

    /// @return until when a priority is stopped; not later than now when it is not.
    Tick GetPausedUntil(uint8_t priority) const
    {
        return m_pauses ? m_pauses->until[priority] : 0;
    }

    /// @return since when a priority that is stopped is so.
    Tick GetPausedSince(uint8_t priority) const
    {
        return m_pauses->since[priority];
    }

    /// @return whether a priority is stopped; call CatchUp first.
    bool IsPaused(uint8_t priority) const
    {
        return m_paused >> priority & 1;
    }

    /// @return pauses of a priority; call Sync first.
    PauseCounters GetPauseCounters(uint8_t priority, Tick now) const;

    /// @return for how long priorities were stopped, summed, those that are stopped included; call
    /// Sync first.
    Tick GetPausedTime(Tick now) const;

    /// @return counters; call Sync first.
    const PortCounters& GetCounters() const
    {
        return m_counters;
    }

    /// For what only the owner knows: marks and drops.
    PortCounters& Counters()
    {
        return m_counters;
    }

    PortIdx GetIndex() const
    {
        return m_index;
    }

    double GetBandwidth() const
    {
        return m_settings.bandwidthBps;
    }

    const PortSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return when the frame on the wire will have left; not later than now where there is none.
    Tick GetFree() const
    {
        return m_free;
    }

    /// @return how long that many frame bytes occupy the wire, gap included.
    Tick WireTime(uint32_t bytes) const
    {
        return m_byteTime(bytes + m_gap);
    }

    /// A hint that a frame of that priority will soon be put here.
    void Prefetch(uint8_t priority) const
    {
        __builtin_prefetch(this, 1);
        __builtin_prefetch(&m_watching, 1);
        __builtin_prefetch(&m_counters, 1);
        __builtin_prefetch(&m_queues[priority], 1);
    }

  private:
    /// The next departure, as things stand.
    struct Choice
    {
        Tick start{kNever};
        int queue{-1}; ///< -1: DWRR decides among eligible
        uint32_t eligible{0};
    };

    /// "The wire is free, or a frame may go": armed only where nobody else looks in time.
    class WakeEvent final : public EventImpl
    {
      public:
        EgressPort* port{nullptr};
        Tick at{kNever};

      private:
        void Notify() override;
    };

    /// What ports of credit-controlled links have.
    struct Credits : CreditAccount
    {
        using CreditAccount::CreditAccount;
        PortOwner* far{nullptr};
        uint32_t* waiting{nullptr};
        bool waits{false};
    };

    // What RadixScheduler does for an arrival, and while it is due soon, the nearer the later in the
    // list.
    static void Dispatch(EventImpl* event);
    static void PrefetchRing(const EventImpl* event);
    static void PrefetchFrame(const EventImpl* event);
    static void PrefetchPeer(const EventImpl* event);
    static void PrefetchQueue(const EventImpl* event);

    void Notify() override;
    void NotifyInOrder();
    void DoCatchUp(Tick now);
    void Deliver(Tick now);
    void ArmArrival(Tick at, Tick now);
    void Wake();
    void Append(int queue, Frame* f);
    uint32_t FindPipelineBytes(uint8_t priority, Tick at);
    Choice Next(Tick now);
    Choice NextOfMany(uint32_t candidates, Tick now);
    Tick EligibleAt(int queue, Tick now);
    Tick CreditAt(Tick now);
    void Transmit(const Choice& choice, Tick now);
    void Depart(Frame* f, uint32_t queued, Tick start, Tick now);
    void Attend(Frame& f, Tick start, Tick arrival);
    void Arm(Tick at, Tick now);
    void EndPause(uint8_t priority, Tick now);
    PauseState& Pauses();
    LinkObserver& GetObserver();

    // What every frame touches comes first, and in lines: of the link whose frame arrives the first
    // one, of the port that the frame goes to the first three and the one of its queue.
    int8_t m_stoodIn{0};   ///< times that others' events delivered for this less times it for them
    uint16_t m_waiting{0}; ///< queues with frames, one bit each
    FlightRing m_flight;
    uint32_t m_context{0};
    PortIdx m_peerPort{0};
    PortIdx m_rank{0}; ///< see ArrivalOrder
    FrameSink* m_peer{nullptr};
    uint32_t* m_due{ArrivalOrder::Nowhere()}; ///< see ArrivalOrder

    const uint32_t* m_watching;
    Tick m_free{0};        ///< no transmission starts before this
    uint16_t m_pulling{0}; ///< priorities for which the source has frames
    uint16_t m_paused{0};
    uint16_t m_strict{0x1FF};
    PortIdx m_index{0};
    PortOwner* m_owner{nullptr};
    ByteTime m_byteTime;
    Tick m_delay{0};
    Tick m_cutThrough{kNever}; ///< time from the start to the hand-over, at most the whole frame's
    std::unique_ptr<Credits> m_credits; ///< null where there is no such control
    uint32_t m_gap{0};
    bool m_attended{false};                   ///< there are credits, or an observer
    std::unique_ptr<LinkObserver> m_observer; ///< null where there is nothing to observe
    FrameSource* m_source{nullptr};

    PortCounters m_counters;
    FrameQueue m_queues[kPriorities + 1];
    mutable const EgressPort* m_guess{nullptr}; ///< where the next arrival will likely go
    WakeEvent m_wake;
    std::unique_ptr<PauseState> m_pauses; ///< null until the first pause
    uint8_t m_obeyed{0xFF};
    PortSettings m_settings;
    std::unique_ptr<DeficitRoundRobin> m_dwrr;
    std::unique_ptr<std::array<FramePipeline, kPriorities>> m_pipelines; ///< null: nobody has asked
};

} // namespace ns3::aifabric

#endif // AIFABRIC_EGRESS_PORT_H
