// SPDX-License-Identifier: GPL-2.0-only
#include "requester.h"

#include "completion-queue.h"
#include "rdma-nic.h"
#include "send-scheduler.h"
#include "transport-profile.h"
#include "transport-settings.h"

#include "ns3/frame-pool.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

void
Requester::Start(QueuePairContext& c, uint32_t psn, Tick baseRtt)
{
    const TransportProfile& p = *c.profile;
    m_firstPsn = psn - static_cast<uint32_t>(m_next);
    m_retries = p.retryCount;
    m_rnrRetries = p.rnrRetryCount;
    m_view = FlowView();
    m_view.rate = m_view.lineRate = p.lineRate;
    m_view.baseRtt = baseRtt;
    if (p.control)
    {
        p.control->Begin(m_view, m_control);
    }
    m_rate = 0;
    m_lastWire = 0;
    Pace(c);
}

void
Requester::Reset()
{
    m_requests.Clear();
    m_next = m_acked = m_highest = m_end;
    m_headEnd = std::numeric_limits<uint64_t>::max();
    m_sentBytes = m_ackedBytes;
    m_deadline = kNever;
    m_left = 0;
    m_unasked = 0;
    m_waits = false;
}

void
Requester::Post(QueuePairContext& c, const WorkRequest& request, Tick now)
{
    const bool idle = m_next == m_end;
    const auto bytes = static_cast<uint32_t>(request.bytes);
    const uint32_t number = m_requests.GetEnd();
    uint64_t firstByte = m_sentBytes;
    if (!idle)
    {
        const Message& last = m_requests[number - 1];
        firstByte = last.firstByte + last.bytes;
    }
    const bool oldest = m_requests.IsEmpty();
    m_requests.Push({request.wrId, firstByte, m_end, bytes, request.opcode, request.signaled});
    m_end += bytes == 0 ? 1 : (bytes - 1) / c.profile->mtu + 1;
    if (oldest)
    {
        m_headEnd = m_end;
    }
    if (idle)
    {
        Load(number);
        m_notBefore = now + c.scheduler->GetLatency();
        c.available = std::max(c.available, m_notBefore);
        c.scheduler->Update(c, now);
    }
}

Frame*
Requester::Cut(QueuePairContext& c, Tick start)
{
    const TransportProfile& p = *c.profile;
    const CongestionControl* control = PeekPointer(p.control);
    if (m_view.timerAt <= start)
    {
        control->CatchUp(m_view, m_control, start);
    }
    const bool last = m_left <= p.mtu;
    const uint32_t payload = last ? m_left : p.mtu;
    // First, Middle, Last and Only of an operation are numbered 0, 1, 2 and 4 from its first one.
    const uint8_t part = m_begins ? (last ? 4 : 0) : (last ? 2 : 1);
    const bool addressed = m_begins && m_opcode == static_cast<uint8_t>(Opcode::WriteFirst);

    Frame* f = FramePool::Take();
    f->ready = 0;
    f->sentAt = start;
    f->src = c.self;
    f->dst = c.peer;
    f->flow = c.peerNumber;
    f->psn = (m_firstPsn + static_cast<uint32_t>(m_next)) & kPsnMask;
    f->bytes = p.headers.DataFrame(payload, addressed);
    f->payload = payload;
    f->hopLog = 0;
    f->length = addressed ? m_left : 0;
    f->entropy = c.entropy;
    f->ingress = 0;
    f->op = static_cast<Opcode>(m_opcode + part);
    f->priority = c.priority;
    f->flags = kEct;
    f->hops = 0;

    if (m_next == m_acked)
    {
        m_deadline = p.retransmissionTimeout == kNever ? kNever : start + p.retransmissionTimeout;
        Watch(c, m_deadline);
    }
    ++m_next;
    if (m_next > m_highest)
    {
        m_highest = m_next;
    }
    else
    {
        c.counters.retransmittedBytes += payload;
    }
    ++c.counters.dataFramesSent;
    m_left -= payload;
    m_sentBytes += payload;
    m_begins = false;
    if (++m_unasked >= p.ackInterval || last || m_sentBytes - m_ackedBytes >= m_view.window ||
        m_next - m_acked >= kMaxOutstanding)
    {
        f->flags |= kAckReq;
        m_unasked = 0;
    }
    if (last && m_next < m_end)
    {
        Load(m_message + 1);
    }

    m_lastStart = start;
    m_lastWire = f->bytes + p.headers.gapBytes;
    if (control)
    {
        control->Sent(m_view, m_control, m_lastWire, start);
    }
    Pace(c);
    return f;
}

/// That many frames more are acknowledged. @return their payload.
inline uint32_t
Requester::Advance(const QueuePairContext& c, uint32_t frames, Tick now)
{
    const TransportProfile& p = *c.profile;
    const uint64_t before = m_ackedBytes;
    m_acked += frames;
    // Short of its end all frames of a message are full.
    m_ackedBytes = m_acked < m_headEnd ? m_ackedBytes + frames * p.mtu : BytesBefore(c, m_acked);
    m_retries = p.retryCount;
    m_rnrRetries = p.rnrRetryCount;
    if (m_next < m_acked)
    {
        Seek(c, m_acked);
    }
    m_deadline = m_next > m_acked && p.retransmissionTimeout != kNever
                     ? now + p.retransmissionTimeout
                     : kNever;
    return static_cast<uint32_t>(m_ackedBytes - before);
}

WcStatus
Requester::OnAcknowledge(QueuePairContext& c, const Frame& f, Tick now)
{
    const TransportProfile& p = *c.profile;
    const uint32_t syndrome = f.aeth >> 24;
    const bool nak = syndrome >> 5 != kAethAck;
    const bool notified = f.flags & kBecn;
    const uint32_t oldest = m_firstPsn + static_cast<uint32_t>(m_acked);
    // A NAK acknowledges all frames before the one it asks for.
    const int32_t frames = PsnDistance(f.psn, oldest) + !nak;
    if (frames < 0 || m_acked + frames > m_highest)
    {
        return WcStatus::Success;
    }
    // Frames that were due before now left in the state before; where that state says nothing about
    // them the port need not know.
    const bool matters = nak || notified || p.usesAcks || m_next < m_highest ||
                         m_view.window != std::numeric_limits<uint64_t>::max() ||
                         m_next - m_acked > kMaxOutstanding / 2;
    if (!matters)
    {
        if (frames > 0)
        {
            Advance(c, frames, now);
        }
        return WcStatus::Success;
    }
    c.scheduler->GetPort().CatchUp(now);
    const uint32_t ackedBytes = frames > 0 ? Advance(c, frames, now) : 0;
    const WcStatus verdict = nak ? OnNak(c, syndrome, now) : WcStatus::Success;
    if (verdict != WcStatus::Success)
    {
        return verdict;
    }
    if (notified)
    {
        ++c.counters.notificationsReceived;
        if (p.control)
        {
            p.control->Cnp(m_view, m_control, now);
        }
    }
    if (p.usesAcks)
    {
        p.control->Ack(
            m_view,
            m_control,
            {now, now - f.sentAt, ackedBytes, m_sentBytes - m_ackedBytes, notified, f.hopLog});
    }
    Pace(c);
    c.scheduler->Update(c, now);
    return WcStatus::Success;
}

void
Requester::OnNotification(QueuePairContext& c, Tick now)
{
    ++c.counters.notificationsReceived;
    if (!c.profile->control)
    {
        return;
    }
    c.scheduler->GetPort().CatchUp(now);
    c.profile->control->Cnp(m_view, m_control, now);
    Pace(c);
    c.scheduler->Update(c, now);
}

WcStatus
Requester::OnDeadline(QueuePairContext& c, Tick now)
{
    if (m_deadline > now)
    {
        if (m_deadline != kNever)
        {
            Watch(c, m_deadline);
        }
        return WcStatus::Success;
    }
    if (m_waits)
    {
        m_waits = false;
        m_deadline = kNever;
    }
    else
    {
        ++c.counters.timeouts;
        if (!GoBack(c, now, true))
        {
            return WcStatus::RetryExceeded;
        }
    }
    Pace(c);
    c.scheduler->Update(c, now);
    return WcStatus::Success;
}

void
Requester::Flush(QueuePairContext& c, WcStatus status)
{
    RequestRing<Message> requests = std::move(m_requests);
    m_requests = {};
    Reset();
    c.scheduler->Update(c, m_lastStart);
    for (; !requests.IsEmpty(); status = WcStatus::WrFlushError)
    {
        const Message m = requests.Pop();
        c.sendQueue->Push({m.wrId,
                           c.number,
                           m.bytes,
                           status,
                           m.opcode == WrOpcode::Send ? WcOpcode::Send : WcOpcode::Write});
    }
}

uint64_t
Requester::EndOf(uint32_t number) const
{
    return number + 1 == m_requests.GetEnd() ? m_end : m_requests[number + 1].first;
}

/// @return number of the message that frame belongs to; it is posted and not popped.
uint32_t
Requester::Find(uint64_t index) const
{
    uint32_t low = m_requests.GetBegin();
    uint32_t count = m_requests.GetEnd() - low;
    while (count > 1)
    {
        const uint32_t half = count / 2;
        if (m_requests[low + half].first <= index)
        {
            low += half;
            count -= half;
        }
        else
        {
            count = half;
        }
    }
    return low;
}

uint64_t
Requester::BytesBefore(const QueuePairContext& c, uint64_t index) const
{
    const Message& m = m_requests[Find(index)];
    return m.firstByte + std::min<uint64_t>((index - m.first) * c.profile->mtu, m.bytes);
}

/// The frame to be cut next is that one.
void
Requester::Seek(const QueuePairContext& c, uint64_t index)
{
    m_next = index;
    m_unasked = 0;
    m_sentBytes = BytesBefore(c, index);
    if (index < m_end)
    {
        const uint32_t number = Find(index);
        Load(number);
        const Message& m = m_requests[number];
        m_left -= static_cast<uint32_t>(m_sentBytes - m.firstByte);
        m_begins = index == m.first;
    }
}

/// Begins to cut a message.
void
Requester::Load(uint32_t number)
{
    const Message& m = m_requests[number];
    m_message = number;
    m_left = m.bytes;
    m_begins = true;
    m_opcode =
        static_cast<uint8_t>(m.opcode == WrOpcode::Send ? Opcode::SendFirst : Opcode::WriteFirst);
}

void
Requester::CompleteHead(QueuePairContext& c)
{
    // A callback may post, reset or fail this very queue pair.
    while (m_acked >= m_headEnd)
    {
        const Message m = m_requests.Pop();
        m_headEnd = m_requests.IsEmpty() ? std::numeric_limits<uint64_t>::max()
                                         : EndOf(m_requests.GetBegin());
        if (m.signaled)
        {
            c.sendQueue->Push({m.wrId,
                               c.number,
                               m.bytes,
                               WcStatus::Success,
                               m.opcode == WrOpcode::Send ? WcOpcode::Send : WcOpcode::Write});
        }
    }
}

WcStatus
Requester::OnNak(QueuePairContext& c, uint32_t syndrome, Tick now)
{
    if (syndrome >> 5 == kAethRnrNak)
    {
        ++c.counters.rnrNaksReceived;
        if (m_rnrRetries == 0)
        {
            return WcStatus::RnrRetryExceeded;
        }
        // 7 is without end (IBA vol. 1, 9.7.5.2.8).
        m_rnrRetries -= m_rnrRetries < 7;
        Seek(c, m_acked);
        m_waits = true;
        m_deadline = now + RnrDelay(syndrome);
        Watch(c, m_deadline);
        return WcStatus::Success;
    }
    switch (syndrome)
    {
    case kSyndromeSequenceError:
        // Whoever has gone back already has nothing more to learn from it.
        if (m_next == m_acked || m_waits)
        {
            return WcStatus::Success;
        }
        ++c.counters.naksReceived;
        return GoBack(c, now, false) ? WcStatus::Success : WcStatus::RetryExceeded;
    case kSyndromeInvalidRequest:
        return WcStatus::RemoteInvalidRequest;
    case kSyndromeInvalidRequest + 1:
        return WcStatus::RemoteAccessError;
    default:
        return WcStatus::RemoteOperationError;
    }
}

/// Everything unacknowledged will be sent again. @return false when that was tried too often.
bool
Requester::GoBack(QueuePairContext& c, Tick now, bool timeout)
{
    if (m_retries == 0)
    {
        return false;
    }
    --m_retries;
    Seek(c, m_acked);
    m_deadline = kNever;
    if (c.profile->control)
    {
        c.profile->control->Loss(m_view, m_control, now, timeout);
    }
    return true;
}

/// Dates the next frame by the present rate.
void
Requester::Pace(QueuePairContext& c)
{
    if (m_view.rate != m_rate)
    {
        m_rate = m_view.rate;
        m_psPerByte = m_rate < m_view.lineRate ? 8e12 / std::max(m_rate, 1.0) : 0;
    }
    if (m_psPerByte > 0)
    {
        c.available =
            std::max(m_lastStart + static_cast<Tick>(m_lastWire * m_psPerByte + 0.5), m_notBefore);
    }
    else
    {
        c.available = std::max(m_lastStart, m_notBefore);
    }
}

/// The NIC's timer shall look here by then.
void
Requester::Watch(QueuePairContext& c, Tick deadline)
{
    if (deadline < watchedAt)
    {
        watchedAt = deadline;
        c.nic->Watch(c.number, deadline);
    }
}

} // namespace ns3::aifabric
