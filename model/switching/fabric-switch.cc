// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/frame-pool.h"
#include "ns3/hop-log.h"
#include "ns3/link-frames.h"
#include "ns3/scenario-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

const char*
NameOf(DropReason reason)
{
    switch (reason)
    {
    case DropReason::NoRoute:
        return "no_route";
    case DropReason::HopLimit:
        return "hop_limit";
    case DropReason::BufferFull:
        return "buffer_full";
    case DropReason::HeadroomFull:
        return "headroom_full";
    case DropReason::Watchdog:
        return "watchdog";
    case DropReason::Early:
        return "early";
    case DropReason::Trimmed:
        return "trimmed";
    case DropReason::kCount:
        break;
    }
    NS_ABORT_MSG("no reason to drop: " << static_cast<int>(reason));
}

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FabricSwitch")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricSwitch>()
            .AddTraceSource("Pause",
                            "An ingress stops (true) or releases (false) its sender: port, "
                            "priority, stops, and the egress of the frame that was too much, or "
                            "that made room.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_pauseTrace),
                            "ns3::aifabric::FabricSwitch::PauseCallback")
            .AddTraceSource("Storm",
                            "The watchdog begins (true) or ends (false) to free a queue that "
                            "pauses have stopped: port, priority, begins.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_stormTrace),
                            "ns3::aifabric::FabricSwitch::StormCallback")
            .AddTraceSource("Drop",
                            "A frame is dropped: frame, ingress, reason.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_dropTrace),
                            "ns3::aifabric::FabricSwitch::DropCallback");
    return tid;
}

void
FabricSwitch::MakePorts(uint32_t count, bool credits)
{
    NS_ABORT_MSG_IF(m_ports, "the switch has its ports already");
    NS_ABORT_MSG_IF(count >= kNoPort, count << " ports: at most 65534");
    m_ports = std::make_unique<EgressPort[]>(count);
    m_order = std::make_unique<ArrivalOrder>(count);
    m_portCount = count;
    m_creditReturns.resize(credits ? count : 0);
    // A sender waits for credit as it does for the end of a pause.
    m_watching = credits ? &m_creditWaiting : &m_pfc.GetStopped();
}

void
FabricSwitch::ReturnCredits(PortIdx in, EgressPort& sender, Tick delay)
{
    m_creditReturns[in] = {&sender, delay};
    sender.SetCreditReturn(this, &m_creditWaiting);
}

std::vector<std::string>
FabricSwitch::Seal(const SwitchSettings& settings, const std::vector<Tick>& delayIn)
{
    std::vector<std::string> warnings;
    m_latency = settings.forwardingLatency;
    m_hopLimit = settings.hopLimit;
    m_table = settings.table;
    m_balancerOwned = settings.balancer;
    m_balancer = PeekPointer(m_balancerOwned);
    if (m_balancer)
    {
        m_balancer->Begin(settings.id, m_ports.get());
    }
    if (settings.ecn && settings.ecn->IsEnabled())
    {
        MakeMarkers(*settings.ecn, settings.id);
    }
    if (settings.pfc && settings.bufferBytes > 0)
    {
        m_pfc.Configure(m_ports.get(), this, settings.pfc->GetQuanta());
        if (settings.pfc->GetWatchdog()->enabled)
        {
            m_watchdog = std::make_unique<PfcWatchdog>(*this, settings.pfc->GetWatchdog());
        }
    }
    if (settings.trimming && settings.trimming->GetTrimmedMask())
    {
        m_trimmer = std::make_unique<PacketTrimmer>(
            *settings.trimming, settings.alignmentBytes, m_portCount);
        m_early |= settings.trimming->GetQueueBytes() > 0 ? kEarlyTrim : 0;
    }
    m_headroom.resize(m_portCount);
    m_lossless.resize(m_portCount);
    if (settings.bufferBytes == 0)
    {
        return warnings;
    }
    BufferLayout layout{settings.bufferBytes, {}, 0};
    if (settings.pfc)
    {
        layout.alpha = settings.pfc->GetAlpha();
        m_lossless.assign(m_portCount, settings.pfc->GetLosslessMask());
    }
    if (!settings.lossless.empty())
    {
        m_lossless = settings.lossless;
    }
    for (PortIdx i = 0; i < m_portCount; ++i)
    {
        const double bps = m_ports[i].GetBandwidth();
        if (m_lossless[i])
        {
            // What comes after the decision: both ways of the cable, the frame that keeps ours
            // waiting and the one just begun at the far end, our pause frame, the far end's answer.
            const Tick round = m_ports[i].GetSettings().delay + delayIn[i] +
                               ToTick(settings.pfc->GetResponseTime());
            const auto needed = static_cast<uint64_t>(std::ceil(round * bps / 8e12)) +
                                2 * settings.maxFrameBytes + kPauseFrameBytes +
                                m_ports[i].GetSettings().gapBytes;
            m_headroom[i] = settings.pfc->GetHeadroomBytes().value_or(needed);
            if (m_headroom[i] < needed)
            {
                warnings.push_back("port" + std::to_string(i) + ": headroom of " +
                                   std::to_string(m_headroom[i]) + " bytes is less than the " +
                                   std::to_string(needed) + " that rate, length and MTU ask for");
            }
        }
        layout.ports.push_back(
            {bps, m_headroom[i], m_lossless[i], m_ports[i].GetSettings().gapBytes});
    }
    m_buffer = settings.buffer;
    m_manager = PeekPointer(m_buffer);
    m_manager->Configure(layout);
    return warnings;
}

void
FabricSwitch::MakeMarkers(const EcnSettings& ecn, uint32_t id)
{
    const bool leaving = ecn.GetPosition() == EcnSettings::kDequeue;
    m_early = (leaving ? 0 : kEarlyMark) | (ecn.DropsUnmarkable() ? kEarlyDrop : 0);
    for (PortIdx i = 0; i < m_portCount; ++i)
    {
        Marker marker{{}, RandomStream((static_cast<int64_t>(id) << 17) + 2 * i)};
        for (int priority = 0; priority < EgressPort::kPriorities; ++priority)
        {
            marker.red[priority] = ecn.For(m_ports[i].GetBandwidth(), priority);
            m_markAbove = leaving ? std::min(m_markAbove, marker.red[priority].kmin) : m_markAbove;
        }
        m_markers.push_back(std::move(marker));
    }
}

void
FabricSwitch::Receive(Frame* f, PortIdx in, Tick now)
{
    if (IsLinkLocal(f->op))
    {
        if (m_watchdog && f->psn > 0)
        {
            m_watchdog->OnXoff(in, f->priority, now);
        }
        ObeyLinkFrame(m_ports[in], f, now);
        return;
    }
    if (++f->hops > m_hopLimit)
    {
        Drop(f, in, DropReason::HopLimit);
        return;
    }
    const NextHops hops = m_table.Find(f->dst);
    PortIdx out;
    if (hops.count == 1)
    {
        out = hops.ports[0];
    }
    else if (hops.count == 0)
    {
        Drop(f, in, DropReason::NoRoute);
        return;
    }
    else
    {
        out = m_balancer->Pick(*f, in, hops, now);
    }
    EgressPort& port = m_ports[out];
    f->ingress = in;
    f->ready = now + m_latency;
    if (m_early)
    {
        Store<true>(f, in, port, now);
        return;
    }
    Store<false>(f, in, port, now);
}

/// @tparam early whether frames on their way in may be marked, trimmed or dropped by the queue they
/// find.
template <bool early>
inline void
FabricSwitch::Store(Frame* f, PortIdx in, EgressPort& port, Tick now)
{
    port.Sync(now);
    if (early && m_early & kStorm && m_watchdog->Discards(in, port.GetIndex(), f->priority))
    {
        DropOnWayTo(port, f, DropReason::Watchdog);
        return;
    }
    if (early && m_early & kEarlyTrim && m_trimmer->TrimsAt(*f, port.GetQueuedBytes(f->priority)))
    {
        m_trimmer->Trim(*f, port.GetIndex());
    }
    const bool signal = early && IsSignalledEarly(port, *f, now);
    if (signal && !(f->flags & kEct))
    {
        ++port.Counters().dropped;
        Drop(f, in, DropReason::Early);
        return;
    }
    if (m_manager && !Admit(f, in, port, now))
    {
        return;
    }
    if (signal)
    {
        Mark(port, *f);
    }
    port.EnqueueSynced(f, now);
}

inline bool
FabricSwitch::Admit(Frame* f, PortIdx in, EgressPort& port, Tick now)
{
    const BufferSlot slot{in, port.GetIndex(), f->priority};
    const Verdict verdict =
        m_manager->Admit(slot, f->bytes, port.GetQueuedBytes(f->priority), *m_watching != 0);
    return (verdict.admission == Admission::Shared && verdict.pause == PauseEdge::None) ||
           Settle(f, slot, verdict, port, now);
}

/// Does what a verdict asks for beyond room in the pool. @return whether the frame is admitted.
bool
FabricSwitch::Settle(Frame* f, const BufferSlot& slot, Verdict verdict, EgressPort& port, Tick now)
{
    if (verdict.admission == Admission::Unsure)
    {
        CatchUpAll(now);
        verdict = m_manager->Admit(slot, f->bytes, port.GetQueuedBytes(f->priority), true);
    }
    if (verdict.pause == PauseEdge::Xoff)
    {
        m_pfc.Xoff(slot.in, f->priority, now);
        m_pauseTrace(slot.in, f->priority, true, slot.out);
        // From here on every departure has to be seen on the instant.
        CatchUpAll(now);
    }
    if (verdict.admission == Admission::Drop)
    {
        return Refuse(f, slot, port, now);
    }
    return true;
}

/// There is no room for a frame: it is dropped, or its payload is. @return whether it is admitted.
bool
FabricSwitch::Refuse(Frame* f, const BufferSlot& slot, EgressPort& port, Tick now)
{
    if (m_trimmer && m_trimmer->Trims(*f))
    {
        m_trimmer->Trim(*f, slot.out);
        const BufferSlot left{slot.in, slot.out, f->priority};
        const uint32_t queued = port.GetQueuedBytes(f->priority);
        return Settle(f, left, m_manager->Admit(left, f->bytes, queued, true), port, now);
    }
    const bool lossless = m_lossless[slot.in] >> f->priority & 1;
    DropOnWayTo(port,
                f,
                f->flags & kTrimmed ? DropReason::Trimmed
                : lossless          ? DropReason::HeadroomFull
                                    : DropReason::BufferFull);
    return false;
}

/// Draws. @return whether a queue of that length tells the frame of congestion.
inline bool
FabricSwitch::IsLong(const EgressPort& port, const Frame& f, uint32_t queued)
{
    Marker& marker = m_markers[port.GetIndex()];
    const RedThresholds& red = marker.red[f.priority];
    return queued > red.kmin &&
           (queued > red.kmax || marker.stream.Uniform() < red.Probability(queued));
}

bool
FabricSwitch::IsSignalledEarly(EgressPort& port, const Frame& f, Tick now)
{
    const bool concerned = f.flags & kEct
                               ? m_early & kEarlyMark && !(f.flags & kCe)
                               : m_early & kEarlyDrop && !(m_lossless[f.ingress] >> f.priority & 1);
    return concerned &&
           IsLong(
               port, f, port.GetQueuedBytes(f.priority) - port.GetPipelineBytes(f.priority, now));
}

inline void
FabricSwitch::Mark(EgressPort& port, Frame& f)
{
    f.flags |= kCe;
    ++port.Counters().marked;
}

void
FabricSwitch::OnDeparture(EgressPort& port, Frame& f, uint32_t queued, Tick start, Tick now)
{
    if (queued > m_markAbove && (f.flags & (kEct | kCe)) == kEct &&
        IsLong(port, f, queued - port.GetPipelineBytes(f.priority, start)))
    {
        Mark(port, f);
    }
    if (f.hopLog && f.op != Opcode::Acknowledge)
    {
        Stamp(port, f, queued, start);
    }
    Release(f, port.GetIndex(), queued, start, now);
}

// Apart from its caller, every frame's, which so has less to save.
[[gnu::noinline]] void
FabricSwitch::Stamp(EgressPort& port, const Frame& f, uint32_t queued, Tick start)
{
    const PortCounters& left = port.GetCounters();
    HopLog::Stamp(f,
                  {start,
                   left.bytes + left.frames * port.GetSettings().gapBytes,
                   port.GetBandwidth(),
                   queued - port.GetPipelineBytes(f.priority, start)},
                  &port);
}

inline void
FabricSwitch::Release(const Frame& f, PortIdx out, uint32_t queued, Tick start, Tick now)
{
    if (m_manager &&
        m_manager->Release(f.ingress, out, f.priority, f.bytes, queued) == PauseEdge::Xon)
    {
        Resume(f.ingress, out, f.priority, start, now);
    }
    if (!m_creditReturns.empty())
    {
        const CreditReturn& back = m_creditReturns[f.ingress];
        back.sender->AddCredit(f.bytes, start + back.delay, now);
    }
}

// Apart from its caller, every frame's, which so has less to save.
[[gnu::noinline]] void
FabricSwitch::Resume(PortIdx in, PortIdx out, uint8_t priority, Tick start, Tick now)
{
    NS_ABORT_MSG_IF(start != now, "a pause ends " << now - start << " ps late");
    m_pfc.Xon(in, priority, now);
    m_pauseTrace(in, priority, false, out);
}

void
FabricSwitch::BeginStorm(PortIdx number, uint8_t priority, bool drops, Tick now)
{
    EgressPort& port = m_ports[number];
    m_stormTrace(number, priority, true);
    if (!drops)
    {
        port.SetObeyed(port.GetObeyed() & ~(1 << priority));
        port.Pause(priority, now, now);
        return;
    }
    m_early |= kStorm;
    CatchUpAll(now);
    uint32_t queued = port.GetQueuedBytes(priority);
    for (Frame* f = port.TakeQueue(priority); f;)
    {
        Frame* next = f->next;
        queued -= f->bytes;
        Release(*f, number, queued, now, now);
        DropOnWayTo(port, f, DropReason::Watchdog);
        f = next;
    }
}

void
FabricSwitch::EndStorm(PortIdx number, uint8_t priority, Tick now)
{
    EgressPort& port = m_ports[number];
    // Nobody has asked for a pause lately: one that is in force was never taken back.
    port.Pause(priority, now, now);
    port.SetObeyed(port.GetObeyed() | 1 << priority);
    m_early &= m_watchdog->GetActive() > 0 ? ~0 : ~kStorm;
    m_stormTrace(number, priority, false);
}

void
FabricSwitch::CatchUpAll(Tick now)
{
    for (uint32_t i = 0; i < m_portCount; ++i)
    {
        m_ports[i].CatchUp(now);
    }
    m_pfc.CatchUp(now);
}

const EgressPort*
FabricSwitch::Prefetch(const Frame& f, PortIdx in) const
{
    PortIdx out = in;
    if (!IsLinkLocal(f.op))
    {
        out = NextHop(f, in);
        if (out == kNoPort)
        {
            return nullptr;
        }
    }
    __builtin_prefetch(m_manager, 1);
    m_ports[out].Prefetch(f.priority);
    return &m_ports[out];
}

PortIdx
FabricSwitch::NextHop(const Frame& f, PortIdx in) const
{
    const NextHops hops = m_table.Find(f.dst);
    if (hops.count == 0)
    {
        return kNoPort;
    }
    return hops.count == 1 ? hops.ports[0] : m_balancer->Guess(f, in, hops);
}

void
FabricSwitch::DropOnWayTo(EgressPort& port, Frame* f, DropReason reason)
{
    ++port.Counters().dropped;
    Drop(f, f->ingress, reason);
}

void
FabricSwitch::Drop(Frame* f, PortIdx in, DropReason reason)
{
    ++m_dropped[static_cast<int>(reason)];
    m_dropTrace(*f, in, reason);
    FramePool::Discard(f);
}

} // namespace ns3::aifabric
