// SPDX-License-Identifier: GPL-2.0-only
#include "responder.h"

#include "completion-queue.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/frame-pool.h"

#include <utility>

namespace ns3::aifabric
{

namespace
{

bool
IsSend(Opcode op)
{
    return op <= Opcode::SendOnly;
}

/// @return whether a frame of that kind ends its message.
bool
IsLast(Opcode op)
{
    constexpr uint32_t kLast =
        1U << static_cast<int>(Opcode::SendLast) | 1U << static_cast<int>(Opcode::SendOnly) |
        1U << static_cast<int>(Opcode::WriteLast) | 1U << static_cast<int>(Opcode::WriteOnly);
    return kLast >> static_cast<int>(op) & 1;
}

} // namespace

void
Responder::Start(uint32_t psn)
{
    m_expected = psn & kPsnMask;
    m_messages = 0;
    m_refused = false;
    m_marked = false;
}

void
Responder::Reset()
{
    m_receives.Clear();
    m_arrived = 0;
}

WcStatus
Responder::OnData(QueuePairContext& c, Frame* f, Tick now)
{
    if (f->flags & kCe)
    {
        NoteMark(c, f->src, now);
    }
    const int32_t distance = PsnDistance(f->psn, m_expected);
    if (distance != 0)
    {
        if (distance < 0)
        {
            ++c.counters.duplicateFrames;
            Answer(c, f, kSyndromeAck, m_expected - 1, now);
        }
        else if (m_refused)
        {
            // One NAK for each expected frame (IBA vol. 1, 9.7.5.2.6): the rest is silence.
            FramePool::Return(f);
        }
        else
        {
            m_refused = true;
            ++c.counters.naksSent;
            Answer(c, f, kSyndromeSequenceError, m_expected, now);
        }
        return WcStatus::Success;
    }
    const Opcode op = f->op;
    const bool last = IsLast(op);
    if (IsSend(op))
    {
        if (std::optional<uint8_t> syndrome = Refuse(*f, c.profile->minRnrTimer))
        {
            m_refused = true;
            Answer(c, f, *syndrome, m_expected, now);
            if (*syndrome != kSyndromeInvalidRequest)
            {
                return WcStatus::Success;
            }
            CompleteReceive(c, WcStatus::LocalLengthError);
            return WcStatus::LocalLengthError;
        }
        m_arrived += f->payload;
    }
    m_refused = false;
    m_expected = (m_expected + 1) & kPsnMask;
    c.counters.deliveredBytes += f->payload;
    m_messages += last;
    if (f->flags & kAckReq)
    {
        Answer(c, f, kSyndromeAck, f->psn, now);
    }
    else
    {
        FramePool::Return(f);
    }
    if (last && IsSend(op))
    {
        CompleteReceive(c, WcStatus::Success);
    }
    return WcStatus::Success;
}

void
Responder::Flush(QueuePairContext& c)
{
    RequestRing<ReceiveRequest> receives = std::move(m_receives);
    m_receives = {};
    m_arrived = 0;
    while (!receives.IsEmpty())
    {
        c.receiveQueue->Push(
            {receives.Pop().wrId, c.number, 0, WcStatus::WrFlushError, WcOpcode::Receive});
    }
}

/// @return the syndrome to answer a SEND with that has no place to go.
std::optional<uint8_t>
Responder::Refuse(const Frame& f, uint32_t minRnrTimer) const
{
    if (m_receives.IsEmpty())
    {
        return kSyndromeRnrNak | minRnrTimer;
    }
    if (m_arrived + f.payload > m_receives.Front().bytes)
    {
        return kSyndromeInvalidRequest;
    }
    return std::nullopt;
}

/// Congestion was met on the way here: tell the sender as its congestion control wants to be told.
void
Responder::NoteMark(QueuePairContext& c, NodeIdx source, Tick now)
{
    const TransportProfile& p = *c.profile;
    ++c.counters.markedFrames;
    if (p.notification.mode == CongestionNotification::InAck)
    {
        m_marked = true;
    }
    if (p.notification.mode != CongestionNotification::Cnp || now < m_nextCnp)
    {
        return;
    }
    m_nextCnp = now + p.notification.interval;
    ++c.counters.cnpsSent;
    Frame* f = FramePool::Take();
    *f = Frame();
    f->ready = now + c.scheduler->GetLatency();
    f->src = c.self;
    f->dst = source;
    f->flow = c.peerNumber;
    f->bytes = p.headers.cnpBytes;
    f->entropy = c.entropy;
    f->op = Opcode::Cnp;
    f->priority = p.ackPriority;
    c.scheduler->GetPort().Enqueue(f, now);
}

/// Sends the frame back as an acknowledgement.
void
Responder::Answer(QueuePairContext& c, Frame* f, uint32_t syndrome, uint32_t psn, Tick now)
{
    const TransportProfile& p = *c.profile;
    f->ready = now + c.scheduler->GetLatency();
    f->dst = f->src;
    f->src = c.self;
    f->flow = c.peerNumber;
    f->psn = psn & kPsnMask;
    f->bytes = p.headers.ackBytes;
    f->aeth = syndrome << 24 | (m_messages & kPsnMask);
    f->entropy = c.entropy;
    f->op = Opcode::Acknowledge;
    f->priority = p.ackPriority;
    f->flags = 0;
    f->hops = 0;
    if (m_marked)
    {
        m_marked = false;
        f->flags = kBecn;
        ++c.counters.cnpsSent;
    }
    c.scheduler->GetPort().Enqueue(f, now);
}

void
Responder::CompleteReceive(QueuePairContext& c, WcStatus status)
{
    const auto bytes = static_cast<uint32_t>(std::exchange(m_arrived, 0));
    c.receiveQueue->Push({m_receives.Pop().wrId, c.number, bytes, status, WcOpcode::Receive});
}

} // namespace ns3::aifabric
