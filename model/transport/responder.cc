// SPDX-License-Identifier: GPL-2.0-only
#include "responder.h"

#include "rdma-nic.h"
#include "reorder-buffer.h"
#include "response-queue.h"
#include "send-scheduler.h"
#include "transport-profile.h"
#include "trimmed-frames.h"

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

using opcodes::Has;
using opcodes::kBegins;
using opcodes::kEnds;

namespace
{

// What goes the short way.
constexpr uint32_t kPlainSends =
    opcodes::Set(Opcode::SendFirst, Opcode::SendMiddle, Opcode::SendLast, Opcode::SendOnly);
constexpr uint32_t kPlainWrites =
    opcodes::Set(Opcode::WriteFirst, Opcode::WriteMiddle, Opcode::WriteLast, Opcode::WriteOnly);

} // namespace

Responder::Responder() = default;
Responder::~Responder() = default;

void
Responder::Start(const QueuePairContext& c, uint32_t psn)
{
    const TransportProfile& p = *c.profile;
    m_expected = psn & kPsnMask;
    m_messages = 0;
    Begin();
    const uint32_t plain = c.domain           ? 0
                           : c.sharedReceives ? kPlainWrites
                                              : kPlainWrites | kPlainSends;
    const bool keeps = c.type == QpType::Rc && p.reorderFrames > 0;
    m_plain = keeps ? 0 : plain;
    m_takesPlain = plain;
    m_ackPriority = p.ackPriority;
    m_refused = false;
    m_marked = false;
    m_kept.reset();
    if (keeps)
    {
        m_kept = std::make_unique<ReorderBuffer>(p.reorderFrames);
    }
}

void
Responder::Reset()
{
    Forget();
    m_responses.reset();
    m_kept.reset();
}

WcStatus
Responder::OnRequest(QueuePairContext& c, Frame* f, Tick now)
{
    const int32_t distance = PsnDistance(f->psn, m_expected);
    const uint32_t plain = m_legal & m_plain;
    if (distance == 0 && plain >> static_cast<int>(f->op) & 1 &&
        !(f->flags & (kExtended | kSolicited | kTrimmed)))
    {
        if (f->flags & kCe)
        {
            NoteMark(c, f->src, now);
        }
        return Take(c, f, now);
    }
    return OnUnusual(c, f, distance, now);
}

/// A frame that is that far behind the expected one, or more than a plain one.
WcStatus
Responder::OnUnusual(QueuePairContext& c, Frame* f, int32_t distance, Tick now)
{
    const uint8_t odd = f->flags & (kCe | kTrimmed);
    if (odd)
    {
        if (odd & kCe)
        {
            NoteMark(c, f->src, now);
        }
        if (odd & kTrimmed)
        {
            return OnTrimmed(c, f, now);
        }
    }
    if (distance != 0)
    {
        return OnOther(c, f, distance, now);
    }
    return m_kept ? TakeKept(c, f, now) : TakeExpected(c, f, now);
}

/// The expected frame, whatever it is.
WcStatus
Responder::TakeExpected(QueuePairContext& c, Frame* f, Tick now)
{
    const uint32_t plain = m_legal & m_takesPlain;
    return plain >> static_cast<int>(f->op) & 1 && !(f->flags & (kExtended | kSolicited))
               ? Take(c, f, now)
               : Execute(c, f, now);
}

/// Sends the frame back as an acknowledgement; its AETH and number are set.
[[gnu::always_inline]] inline void
Responder::TurnRound(QueuePairContext& c, Frame* f, uint32_t sack, Tick now)
{
    const HeaderProfile& headers = c.profile->headers;
    f->ready = now + c.scheduler->GetLatency();
    f->dst = f->src;
    f->src = c.self;
    f->flow = c.peerNumber;
    f->bytes = headers.AckFrame(sack);
    f->sack = sack;
    if (!c.profile->paths)
    {
        f->entropy = c.entropy;
    }
    f->op = Opcode::Acknowledge;
    f->priority = m_ackPriority;
    f->flags = 0;
    f->hops = 0;
    if (m_marked)
    {
        m_marked = false;
        f->flags = kBecn;
        ++c.counters.cnpsSent;
    }
    c.scheduler->GetReturnPort().Enqueue(f, now);
}

/// Makes the frame an acknowledgement, positive or negative, that takes its turn where answers wait.
void
Responder::Answer(QueuePairContext& c,
                  Frame* f,
                  uint32_t syndrome,
                  uint32_t psn,
                  Tick now,
                  uint32_t sack)
{
    FrameExtension::RemoveFrom(*f);
    f->aeth = syndrome << 24 | (m_messages & kPsnMask);
    f->psn = psn & kPsnMask;
    if (c.responding && !sack)
    {
        Defer(*f);
        FramePool::Discard(f);
        return;
    }
    TurnRound(c, f, sack, now);
}

/// A frame that is not the expected one, but the one that far behind it.
WcStatus
Responder::OnOther(QueuePairContext& c, Frame* f, int32_t distance, Tick now)
{
    if (distance < 0)
    {
        ++c.counters.duplicateFrames;
        if (f->op == Opcode::ReadRequest || Has(opcodes::kAtomics, f->op))
        {
            ServeAgain(c, *f, now);
            FramePool::Discard(f);
            return WcStatus::Success;
        }
        Answer(c, f, kSyndromeAck, m_expected - 1, now);
    }
    else if (m_kept)
    {
        if (!m_kept->Wants(distance))
        {
            FramePool::Discard(f);
            return WcStatus::Success;
        }
        m_kept->Keep(f, distance);
        Frame* answer = FramePool::Take();
        *answer = *f;
        f->hopLog = 0;
        answer->flags &= ~kExtended;
        const bool nak = c.profile->naksGaps;
        c.counters.naksSent += nak;
        Answer(c,
               answer,
               nak ? kSyndromeSequenceError : kSyndromeAck,
               nak ? m_expected : m_expected - 1,
               now,
               kSacks | f->psn);
    }
    else if (m_refused)
    {
        // One NAK for each expected frame (IBA vol. 1, 9.7.5.2.6): the rest is silence.
        FramePool::Discard(f);
    }
    else
    {
        m_refused = true;
        ++c.counters.naksSent;
        Answer(c, f, kSyndromeSequenceError, m_expected, now);
    }
    return WcStatus::Success;
}

/// A frame whose payload a switch has cut off: the sender is told of it at once.
WcStatus
Responder::OnTrimmed(QueuePairContext& c, Frame* f, Tick now)
{
    const int32_t distance = PsnDistance(f->psn, m_expected);
    if (distance < 0 || (m_kept && m_kept->Has(distance)))
    {
        ++c.counters.duplicateFrames;
        Answer(c, f, kSyndromeAck, m_expected - 1, now, distance < 0 ? 0 : kSacks | f->psn);
    }
    else if (m_kept || distance == 0 || !m_refused)
    {
        // Where the sender goes back, the expected frame is asked for again whenever it is trimmed.
        m_refused = m_refused || !m_kept;
        ++c.counters.naksSent;
        const uint32_t sack = m_kept ? kSacks | kSackTrimmed | f->psn : 0;
        Answer(c, f, kSyndromeSequenceError, m_expected, now, sack);
    }
    else
    {
        FramePool::Discard(f);
    }
    return WcStatus::Success;
}

/// The expected frame, where others may be here already: the last of them acknowledges all.
WcStatus
Responder::TakeKeeping(QueuePairContext& c, Frame* f, Tick now)
{
    if (Frame* behind = m_kept->Find(1))
    {
        // Its acknowledgement will be for this one too, which filled the gap (cf. RFC 7323, 4.3).
        f->flags &= ~kAckReq;
        behind->sentAt = f->sentAt;
        std::swap(behind->hopLog, f->hopLog);
    }
    const uint32_t before = m_expected;
    const WcStatus verdict = TakeExpected(c, f, now);
    if (m_kept)
    {
        m_kept->Advance((m_expected - before) & kPsnMask);
    }
    return verdict;
}

/// The expected frame, and what of the others follows it.
WcStatus
Responder::TakeKept(QueuePairContext& c, Frame* f, Tick now)
{
    WcStatus verdict = TakeKeeping(c, f, now);
    while (verdict == WcStatus::Success && m_kept && (f = m_kept->Take()))
    {
        f->flags |= kAckReq;
        verdict = TakeKeeping(c, f, now);
    }
    return verdict;
}

/// The expected frame, and a plain WRITE, or a plain SEND that has a receive.
[[gnu::always_inline]] inline void
Responder::Advance(QueuePairContext& c, Frame* f, Tick now)
{
    const Opcode op = f->op;
    const bool last = kEnds >> static_cast<int>(op) & 1;
    m_arrived = last ? 0 : m_arrived + f->payload;
    m_refused = false;
    m_expected = (m_expected + 1) & kPsnMask;
    m_legal = FollowersOf(op);
    m_messages += last;
    c.counters.deliveredBytes += f->payload;
    if (!(f->flags & kAckReq))
    {
        FramePool::Return(f);
    }
    else if (c.responding)
    {
        Answer(c, f, kSyndromeAck, f->psn, now);
    }
    else
    {
        f->aeth = kSyndromeAck << 24 | (m_messages & kPsnMask);
        TurnRound(c, f, 0, now);
    }
}

/// The expected frame, and a plain SEND.
WcStatus
Responder::TakeSend(QueuePairContext& c, Frame* f, Tick now)
{
    const uint64_t bytes = m_arrived + f->payload;
    if (m_receives.IsEmpty())
    {
        return Refuse(c, f, Fault::NotReady, now);
    }
    if (bytes > m_receives.Front().bytes)
    {
        return Refuse(c, f, Fault::Length, now);
    }
    const bool last = Has(kEnds, f->op);
    Advance(c, f, now);
    return last ? CompleteReceive(c,
                                  {0,
                                   c.number,
                                   static_cast<uint32_t>(bytes),
                                   WcStatus::Success,
                                   WcOpcode::Receive})
                : WcStatus::Success;
}

/// The expected frame, and a plain SEND or WRITE.
[[gnu::always_inline]] inline WcStatus
Responder::Take(QueuePairContext& c, Frame* f, Tick now)
{
    if (Has(kPlainSends, f->op))
    {
        return TakeSend(c, f, now);
    }
    Advance(c, f, now);
    return WcStatus::Success;
}

/// The expected frame, if it is more than a plain SEND or WRITE, or cannot be.
WcStatus
Responder::Execute(QueuePairContext& c, Frame* f, Tick now)
{
    const Fault fault = Examine(c, *f);
    if (fault != Fault::None)
    {
        return Refuse(c, f, fault, now);
    }
    if (f->op == Opcode::ReadRequest || Has(opcodes::kAtomics, f->op))
    {
        Serve(c, f, now);
        return WcStatus::Success;
    }
    Place(c, *f);
    m_refused = false;
    m_expected = (m_expected + 1) & kPsnMask;
    m_messages += Has(kEnds, f->op);
    const WorkCompletion completion = Describe(c, *f);
    const Opcode op = f->op;
    if (f->flags & kAckReq)
    {
        Answer(c, f, kSyndromeAck, f->psn, now);
    }
    else
    {
        FramePool::Discard(f);
    }
    if (Has(kEnds, op))
    {
        m_arrived = 0;
    }
    return ConsumesReceive(op) ? CompleteReceive(c, completion) : WcStatus::Success;
}

WcStatus
Responder::OnUnreliable(QueuePairContext& c, Frame* f)
{
    f->op = OperationOf(f->op);
    const int32_t distance = PsnDistance(f->psn, m_expected);
    const bool datagram = c.type == QpType::Ud;
    bool wanted = datagram || distance >= 0;
    if (wanted && !datagram)
    {
        m_expected = (f->psn + 1) & kPsnMask;
        if (distance > 0 || m_refused)
        {
            // What is left of a message with a gap is dropped (IBA vol. 1, 9.8.3.1).
            m_refused = !Has(kBegins, f->op);
            Begin();
            wanted = !m_refused;
        }
    }
    const Fault fault = wanted ? Examine(c, *f) : Fault::Invalid;
    if (fault != Fault::None)
    {
        m_refused = !datagram;
        Begin();
        FramePool::Discard(f);
        return fault == Fault::Protection ? FailReceive(c, WcStatus::LocalProtectionError)
                                          : WcStatus::Success;
    }
    const uint32_t front = datagram ? kGrhBytes : 0;
    m_arrived = datagram ? front : m_arrived;
    Place(c, *f);
    WorkCompletion completion = Describe(c, *f);
    if (datagram)
    {
        completion.sourceNumber = FrameExtension::Of(*f).sourceNumber;
        completion.sourceAddress = f->src;
    }
    const Opcode op = f->op;
    FramePool::Discard(f);
    if (Has(kEnds, op))
    {
        m_arrived = 0;
    }
    return ConsumesReceive(op) ? CompleteReceive(c, completion) : WcStatus::Success;
}

uint32_t
Responder::GetReorderPeak() const
{
    return m_kept ? m_kept->GetPeak() : 0;
}

/// The oldest receive cannot take what comes. @return what the queue pair has to fail with.
WcStatus
Responder::FailReceive(QueuePairContext& c, WcStatus status)
{
    const auto bytes = static_cast<uint32_t>(m_arrived);
    CompleteReceive(c, {0, c.number, bytes, status, WcOpcode::Receive});
    return status;
}

/// Answers a request that is not done. @return what the queue pair has to fail with.
WcStatus
Responder::Refuse(QueuePairContext& c, Frame* f, Fault fault, Tick now)
{
    m_refused = true;
    const bool takes = ConsumesReceive(f->op) && !m_receives.IsEmpty();
    if (fault == Fault::NotReady)
    {
        ++c.counters.rnrNaksSent;
        Answer(c, f, kSyndromeRnrNak | c.profile->minRnrTimer, m_expected, now);
        return WcStatus::Success;
    }
    const uint32_t syndrome = fault == Fault::Access       ? kSyndromeAccessError
                              : fault == Fault::Protection ? kSyndromeOperationError
                                                           : kSyndromeInvalidRequest;
    const bool send = IsSend(f->op);
    Answer(c, f, syndrome, m_expected, now);
    if (fault == Fault::Length || fault == Fault::Protection)
    {
        return FailReceive(c,
                           fault == Fault::Length ? WcStatus::LocalLengthError
                                                  : WcStatus::LocalProtectionError);
    }
    if (fault == Fault::Access && takes && !send)
    {
        CompleteReceive(
            c, {0, c.number, 0, WcStatus::LocalAccessError, WcOpcode::ReceiveWriteWithImmediate});
    }
    c.nic->Raise(
        {fault == Fault::Access ? AsyncEventType::QpAccessError : AsyncEventType::QpRequestError,
         c.number});
    return WcStatus::WrFlushError;
}

void
Responder::Flush(QueuePairContext& c)
{
    m_kept.reset();
    RequestExecutor::Flush(c);
}

void
Responder::NoteMark(QueuePairContext& c, NodeIdx source, Tick now)
{
    const TransportProfile& p = *c.profile;
    ++c.counters.markedFrames;
    if (p.notification.mode == CongestionNotification::InAck || p.paths)
    {
        m_marked = true;
    }
    if (p.notification.mode != CongestionNotification::Cnp)
    {
        return;
    }
    const auto scope = p.notification.scope;
    Tick& next =
        scope == CongestionNotification::Flow
            ? m_nextCnp
            : c.nic->GetNextCnp(c.self, scope == CongestionNotification::Port ? kNoNode : source);
    if (now < next)
    {
        return;
    }
    next = now + p.notification.interval;
    ++c.counters.cnpsSent;
    c.SendNotice(Opcode::Cnp, source, p.headers.cnpBytes, 0, p.notification.delay, now);
}

} // namespace ns3::aifabric
