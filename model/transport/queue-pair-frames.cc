// SPDX-License-Identifier: GPL-2.0-only
// What a queue pair does with frames, as they come and go.
#include "queue-pair.h"
#include "rdma-nic.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/credit-policy.h"
#include "ns3/frame-pool.h"
#include "ns3/hop-log.h"

#include <cstddef>

namespace ns3::aifabric
{

/// Fails where something went wrong.
inline void
QueuePair::End(WcStatus verdict, bool ofPeer)
{
    if (verdict != WcStatus::Success && state != QpState::Reset && state != QpState::Err)
    {
        Fail(ofPeer ? WcStatus::WrFlushError : verdict, ofPeer);
    }
}

/// Reports what the sending half has brought to an end, and fails with its verdict.
inline bool
QueuePair::EndSends(WcStatus verdict)
{
    End(m_requester.Complete(*this) ? verdict : WcStatus::WrFlushError, false);
    return true;
}

/// A frame of the peer, or a congestion notification.
[[gnu::always_inline]] inline bool
QueuePair::Dispatch(Frame* f, Tick now)
{
    if (f->op <= Opcode::WriteOnlyImmediate)
    {
        // What the receiving half fails with has been reported there.
        End(m_responder.OnRequest(*this, f, now), true);
        return true;
    }
    if (f->op == Opcode::Acknowledge)
    {
        const WcStatus verdict = m_requester.OnAcknowledge(*this, *f, now);
        HopLog::RemoveFrom(*f);
        FramePool::Return(f);
        return EndSends(verdict);
    }
    return DispatchRare(f, now);
}

/// One that is neither a SEND, a WRITE nor an acknowledgement.
bool
QueuePair::DispatchRare(Frame* f, Tick now)
{
    if (f->op == Opcode::Cnp)
    {
        m_requester.OnNotification(*this, now);
        FramePool::Return(f);
        return EndSends(WcStatus::Success);
    }
    if (OperationOf(f->op) != f->op)
    {
        // Of another transport than this one's (IBA vol. 1, 9.6.1.2).
        const bool credit = f->op == Opcode::Credit;
        if (credit)
        {
            m_requester.OnCredit(*this, f->aeth, now);
        }
        FramePool::Discard(f);
        return credit;
    }
    if (opcodes::Has(opcodes::kReadResponses, f->op) || f->op == Opcode::AtomicAcknowledge)
    {
        return EndSends(TakeAnswer(f, now));
    }
    End(m_responder.OnRequest(*this, f, now), true);
    return true;
}

bool
QueuePair::Receive(Frame* f, Tick now)
{
    return f->src == peer && open ? Dispatch(f, now) : ReceiveUnusual(f, now);
}

/// In a state that is not RTS, or without a connection. Apart from its caller, every frame's, which
/// so has less to save.
[[gnu::noinline]] bool
QueuePair::ReceiveUnusual(Frame* f, Tick now)
{
    const auto transport = static_cast<uint8_t>(f->op) & 0xE0;
    const bool ofNic = f->op == Opcode::Cnp || f->op == Opcode::Credit;
    const bool mine = ofNic || transport == bthTransport;
    if (!mine || state < QpState::Rtr || state == QpState::Err ||
        (type != QpType::Ud && f->src != peer))
    {
        FramePool::Discard(f);
        return false;
    }
    if (state == QpState::Rtr && !m_established)
    {
        m_established = true;
        nic->Raise({AsyncEventType::CommunicationEstablished, number});
    }
    if (type == QpType::Rc || ofNic)
    {
        if (m_creditPolicy)
        {
            NoteArrival(*f, now);
        }
        const bool wanted = Dispatch(f, now);
        if (m_creditPolicy)
        {
            m_requester.AwaitCredit(*this, now);
        }
        NoteDrained();
        return wanted;
    }
    if (f->flags & kCe && type == QpType::Uc)
    {
        m_responder.NoteMark(*this, f->src, now);
    }
    if (f->flags & kTrimmed)
    {
        FramePool::Discard(f);
        return true;
    }
    End(m_responder.OnUnreliable(*this, f), true);
    return true;
}

/// Tells who grants credits of a frame of the peer.
void
QueuePair::NoteArrival(const Frame& f, Tick now)
{
    if (CarriesPayload(f.op) && !opcodes::Has(opcodes::kReadResponses, f.op))
    {
        const HopLog* log = HopLog::Of(f);
        m_creditPolicy->Arrive({now,
                                number,
                                m_requester.GetView().frameBytes,
                                log ? log->backlogBytes : 0,
                                (f.flags & kTrimmed) != 0,
                                (f.flags & kCe) != 0});
    }
}

void
QueuePairContext::SendNotice(Opcode op,
                             NodeIdx to,
                             uint32_t bytes,
                             uint32_t credit,
                             Tick delay,
                             Tick now)
{
    Frame* f = FramePool::Take();
    *f = Frame();
    f->ready = now + scheduler->GetLatency() + delay;
    f->src = self;
    f->dst = to;
    f->flow = peerNumber;
    f->aeth = credit;
    f->bytes = bytes;
    f->entropy = entropy;
    f->op = op;
    f->priority = profile->ackPriority;
    scheduler->GetReturnPort().Enqueue(f, now);
}

void
QueuePair::SendCredit(uint32_t credit, Tick now)
{
    SendNotice(Opcode::Credit, peer, profile->headers.ackBytes, credit, 0, now);
}

WcStatus
QueuePair::TakeAnswer(Frame* f, Tick now)
{
    const uint8_t odd = f->flags & (kCe | kTrimmed);
    if (odd & kCe)
    {
        m_responder.NoteMark(*this, f->src, now);
    }
    const WcStatus verdict = odd & kTrimmed ? m_requester.OnTrimmedAnswer(*this, *f, now)
                                            : m_requester.OnAnswer(*this, *f, now);
    FramePool::Discard(f);
    return verdict;
}

Frame*
QueuePair::CutAnswer(Tick start)
{
    Frame* f = m_responder.Cut(*this, start);
    m_requester.NoteSent(*this, f->bytes, start);
    return f;
}

void
QueuePair::OnTimer(Tick at, Tick now)
{
    if (at != m_requester.watchedAt)
    {
        return;
    }
    m_requester.watchedAt = kNever;
    scheduler->GetPort().CatchUp(now);
    const WcStatus verdict = m_requester.OnDeadline(*this, now);
    EndSends(verdict);
    NoteDrained();
}

void
QueuePair::Prefetch(Opcode op) const
{
    constexpr std::size_t kLine = 64;
    const auto* context =
        reinterpret_cast<const std::byte*>(static_cast<const QueuePairContext*>(this));
    for (std::size_t at = 0; at < sizeof(QueuePairContext); at += kLine)
    {
        __builtin_prefetch(context + at, 1);
    }
    if (op <= Opcode::WriteOnlyImmediate)
    {
        __builtin_prefetch(&m_responder, 1);
        return;
    }
    const auto* requester = reinterpret_cast<const std::byte*>(&m_requester);
    __builtin_prefetch(requester, 1);
    __builtin_prefetch(requester + kLine, 1);
}

} // namespace ns3::aifabric
