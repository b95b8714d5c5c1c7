// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_SWITCH_H
#define AIFABRIC_FABRIC_SWITCH_H

#include "buffer-manager.h"
#include "ecn-settings.h"
#include "forwarding-table.h"
#include "load-balancer.h"
#include "packet-trimmer.h"
#include "pfc-settings.h"
#include "pfc-watchdog.h"

#include "ns3/arrival-order.h"
#include "ns3/egress-port.h"
#include "ns3/object.h"
#include "ns3/pfc-controller.h"
#include "ns3/random-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3::aifabric
{

/// Why a switch dropped a frame.
enum class DropReason : uint8_t
{
    NoRoute,      ///< its destination can't be reached from here
    HopLimit,     ///< it went round in circles
    BufferFull,   ///< a lossy priority was above its threshold
    HeadroomFull, ///< a lossless priority came in faster than the headroom was made for
    Watchdog,     ///< pauses had stopped its queue for too long (PfcWatchdog)
    Early,        ///< it could not be marked, and its queue was long (EcnSettings)
    Trimmed,      ///< there was no room even for what trimming had left of it
    kCount
};

/// @return the reason as metrics have it: "buffer_full".
const char* NameOf(DropReason reason);

/// What a switch is built with, apart from its ports.
struct SwitchSettings
{
    uint32_t id{0};            ///< a number that no other switch of the fabric has
    uint64_t bufferBytes{0};   ///< shared by all ports; 0 is without limit
    Tick forwardingLatency{0}; ///< between admission and the egress queue
    uint32_t maxFrameBytes{0}; ///< of the longest frame, gap included: for the headroom
    uint8_t hopLimit{64};
    Ptr<const EcnSettings> ecn;           ///< null: no marks
    Ptr<const PfcSettings> pfc;           ///< null: no pauses
    Ptr<const TrimmingSettings> trimming; ///< null: frames are dropped whole
    uint32_t alignmentBytes{1};           ///< payload is padded to a multiple of this
    /// Priorities by port that pause their sender, one bit each; empty: those of pfc at all ports.
    std::vector<uint8_t> lossless;
    Ptr<BufferManager> buffer;  ///< null where bufferBytes is 0
    Ptr<LoadBalancer> balancer; ///< null where all next hops are single
    ForwardingTable table;
};

/**
 * @ingroup ai-fabric
 * An output-queued switch with any number of ports: looks up the next hops, balances, admits to the
 * shared buffer, queues; marks when a frame leaves or joins, and pauses who sends too much.
 */
class FabricSwitch final : public Object, public FrameSink, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /// Signature of the trace source Pause.
    typedef void (*PauseCallback)(PortIdx in, uint8_t priority, bool stops, PortIdx out);
    /// Signature of the trace source Storm.
    typedef void (*StormCallback)(PortIdx port, uint8_t priority, bool begins);
    /// Signature of the trace source Drop.
    typedef void (*DropCallback)(const Frame& f, PortIdx in, DropReason reason);

    /**
     * Makes the ports, which then have to be wired. Once.
     * @param credits whether those who send here have credits: see ReturnCredits.
     */
    void MakePorts(uint32_t count, bool credits = false);

    /**
     * Tells whose credits pay for what comes in at a port; for all ports or none.
     * @param delay from here to the sender.
     */
    void ReturnCredits(PortIdx in, EgressPort& sender, Tick delay);

    uint32_t GetPortCount() const
    {
        return m_portCount;
    }

    EgressPort& GetPort(PortIdx port)
    {
        return m_ports[port];
    }

    /// @return what EgressPort::Wire wants to know.
    const uint32_t* GetWatching() const
    {
        return m_watching;
    }

    /**
     * Ends the set-up; every port is wired by now.
     * @param delayIn by port, from the far end to here.
     * @throws ScenarioError if the settings contradict the ports. @return warnings, one line each.
     */
    std::vector<std::string> Seal(const SwitchSettings& settings, const std::vector<Tick>& delayIn);

    void Receive(Frame* f, PortIdx in, Tick now) override;
    const EgressPort* Prefetch(const Frame& f, PortIdx in) const override;

    ArrivalOrder* GetArrivalOrder() override
    {
        return m_order.get();
    }

    void OnDeparture(EgressPort& port, Frame& f, uint32_t queued, Tick start, Tick now) override;
    void CatchUpAll(Tick now) override;

    /// @return frames dropped here for that reason.
    uint64_t GetDropped(DropReason reason) const
    {
        return m_dropped[static_cast<int>(reason)];
    }

    /// @return data frames that lost their payload on their way to that port.
    uint64_t GetTrimmed(PortIdx out) const
    {
        return m_trimmer ? m_trimmer->GetTrimmed(out) : 0;
    }

    /// @return null where the buffer has no limit.
    Ptr<BufferManager> GetBuffer() const
    {
        return m_buffer;
    }

    /**
     * @param f source, destination and entropy are what counts. @param in where it comes in.
     * @return the port by which it would leave, kNoPort for none; sure where the load balancer
     * decides by these alone, a guess where by its state.
     */
    PortIdx NextHop(const Frame& f, PortIdx in) const;

    const PfcController& GetPfc() const
    {
        return m_pfc;
    }

    /// @return null where there is none.
    const PfcWatchdog* GetWatchdog() const
    {
        return m_watchdog.get();
    }

    /// The watchdog has found a queue that pauses never let go, and drops or sends it.
    void BeginStorm(PortIdx port, uint8_t priority, bool drops, Tick now);
    void EndStorm(PortIdx port, uint8_t priority, Tick now);

    /// @return headroom of that port, bytes per lossless priority.
    uint64_t GetHeadroomBytes(PortIdx port) const
    {
        return m_headroom[port];
    }

  private:
    /// Bits of m_early.
    enum Early : uint8_t
    {
        kEarlyMark = 1, ///< they may be marked
        kEarlyDrop = 2, ///< those that cannot be marked may be dropped
        kStorm = 4,     ///< the watchdog may want them dropped
        kEarlyTrim = 8, ///< they may be trimmed though there is room
    };

    /// No queue is as long.
    static constexpr uint32_t kNoMarks = 0xFFFFFFFF;

    struct CreditReturn
    {
        EgressPort* sender;
        Tick delay;
    };

    struct Marker
    {
        std::array<RedThresholds, EgressPort::kPriorities> red; ///< by priority
        RandomStream stream;
    };

    void MakeMarkers(const EcnSettings& ecn, uint32_t id);
    template <bool early>
    void Store(Frame* f, PortIdx in, EgressPort& port, Tick now);
    bool Admit(Frame* f, PortIdx in, EgressPort& port, Tick now);
    bool Settle(Frame* f, const BufferSlot& slot, Verdict verdict, EgressPort& port, Tick now);
    bool Refuse(Frame* f, const BufferSlot& slot, EgressPort& port, Tick now);
    bool IsLong(const EgressPort& port, const Frame& f, uint32_t queued);
    bool IsSignalledEarly(EgressPort& port, const Frame& f, Tick now);
    void Mark(EgressPort& port, Frame& f);
    void Resume(PortIdx in, PortIdx out, uint8_t priority, Tick start, Tick now);
    static void Stamp(EgressPort& port, const Frame& f, uint32_t queued, Tick start);
    void Release(const Frame& f, PortIdx out, uint32_t queued, Tick start, Tick now);
    void Drop(Frame* f, PortIdx in, DropReason reason);
    void DropOnWayTo(EgressPort& port, Frame* f, DropReason reason);

    // What every frame touches comes first: a line of where to, a line of all else.
    alignas(64) ForwardingTable m_table;
    std::unique_ptr<EgressPort[]> m_ports;
    BufferManager* m_manager{nullptr};
    LoadBalancer* m_balancer{nullptr};
    const uint32_t* m_watching{nullptr};
    Tick m_latency{0};
    uint8_t m_hopLimit{64};
    uint8_t m_early{0};             ///< Early: what becomes of frames on their way in
    uint32_t m_markAbove{kNoMarks}; ///< no frame is marked on its way out from a shorter queue
    std::vector<CreditReturn> m_creditReturns; ///< by ingress; none without credits
    std::vector<Marker> m_markers;
    PfcController m_pfc;
    std::unique_ptr<PfcWatchdog> m_watchdog;  ///< null where there is none
    std::unique_ptr<PacketTrimmer> m_trimmer; ///< null where nothing is trimmed
    std::unique_ptr<ArrivalOrder> m_order;
    uint32_t m_portCount{0};
    uint32_t m_creditWaiting{0};
    std::vector<uint64_t> m_headroom;
    std::vector<uint8_t> m_lossless; ///< priorities by port, one bit each
    Ptr<BufferManager> m_buffer;
    Ptr<LoadBalancer> m_balancerOwned;
    std::array<uint64_t, static_cast<int>(DropReason::kCount)> m_dropped{};
    TracedCallback<PortIdx, uint8_t, bool, PortIdx> m_pauseTrace;
    TracedCallback<PortIdx, uint8_t, bool> m_stormTrace;
    TracedCallback<const Frame&, PortIdx, DropReason> m_dropTrace;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_SWITCH_H
