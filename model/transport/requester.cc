// SPDX-License-Identifier: GPL-2.0-only
#include "requester.h"

#include "completion-queue.h"
#include "rdma-nic.h"
#include "sack-board.h"
#include "send-scheduler.h"
#include "transport-profile.h"
#include "transport-settings.h"

#include "ns3/frame-pool.h"
#include "ns3/hop-log.h"
#include "ns3/path-selector.h"

#include <algorithm>

namespace ns3::aifabric
{

/// That many frames more are acknowledged. @return their payload.
[[gnu::always_inline]] inline uint32_t
Requester::Advance(QueuePairContext& c, uint32_t frames, Tick now)
{
    const TransportProfile& p = *c.profile;
    const uint64_t before = m_ackedBytes;
    m_acked += frames;
    // Short of its end all frames of a message are full.
    m_ackedBytes =
        m_acked < m_headEnd ? m_ackedBytes + frames * p.mtu : m_queue.BytesBefore(m_acked, p.mtu);
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
    const bool nak = f.aeth >> 29 != kAethAck;
    const uint32_t oldest = m_firstPsn + static_cast<uint32_t>(m_acked);
    // A NAK acknowledges all frames before the one it asks for.
    const int32_t frames = PsnDistance(f.psn, oldest) + !nak;
    if (frames < 0 || m_acked + frames > m_highest)
    {
        return WcStatus::Success;
    }
    // Frames that were due before now left in the state before; where that state says nothing about
    // them the port need not know.
    const bool matters = nak || f.flags & kBecn || c.profile->hearsAcks || m_next < m_highest ||
                         m_view.window != std::numeric_limits<uint64_t>::max() ||
                         m_maxOutstanding < kMaxOutstanding ||
                         m_next - m_acked > kMaxOutstanding / 2 || f.sack ||
                         m_acked + frames > m_guard;
    if (matters)
    {
        return OnNews(c, f, frames, now);
    }
    if (frames > 0)
    {
        Advance(c, frames, now);
    }
    return WcStatus::Success;
}

/// An acknowledgement that may change what is sent next.
WcStatus
Requester::OnNews(QueuePairContext& c, const Frame& f, int32_t frames, Tick now)
{
    const TransportProfile& p = *c.profile;
    const uint32_t syndrome = f.aeth >> 24;
    const bool nak = syndrome >> 5 != kAethAck;
    const bool notified = f.flags & kBecn;
    if (nak && m_acked + frames >= m_highest)
    {
        // It asks for what was never sent: it is late, and what it was about has been acknowledged.
        return WcStatus::Success;
    }
    const uint32_t oldest = m_firstPsn + static_cast<uint32_t>(m_acked);
    c.scheduler->GetPort().CatchUp(now);
    const uint64_t sacked = m_acked + PsnDistance(f.sack & kPsnMask, oldest);
    bool unanswered = false;
    if (m_acked + frames > m_guard && m_acked + frames > GetAnswerFrame())
    {
        if (m_board)
        {
            m_board->peerAcked = std::max(m_board->peerAcked, m_acked + frames);
        }
        frames = static_cast<int32_t>(GetAnswerFrame() - m_acked);
        unanswered = true;
    }
    const uint64_t before = m_acked;
    // Whoever goes on has posted a receive since: that there was none is old news.
    m_waits = m_waits && frames <= 0;
    const uint32_t ackedBytes = frames > 0 ? Advance(c, frames, now) : 0;
    bool lost = false;
    if (m_board)
    {
        NoteAdvance(before);
        if (f.sack)
        {
            c.counters.naksReceived += nak;
            if (f.sack & kSackTrimmed)
            {
                return OnTrimmed(c, f, sacked, ackedBytes, now);
            }
            lost = NoteSack(c, sacked);
        }
    }
    WcStatus verdict = WcStatus::Success;
    // Only those without a SACK take their turn behind answers.
    if (unanswered && !f.sack)
    {
        verdict = LoseAnswer(c, now) ? WcStatus::Success : WcStatus::RetryExceeded;
    }
    else if (nak && !f.sack)
    {
        verdict = OnNak(c, syndrome, now);
    }
    if (verdict != WcStatus::Success)
    {
        return verdict;
    }
    if (lost && p.control)
    {
        p.control->Loss(m_view, m_control, now, LossKind::Nak);
    }
    if (notified)
    {
        ++c.counters.notificationsReceived;
        if (p.control && p.notification.mode == CongestionNotification::InAck)
        {
            p.control->Cnp(m_view, m_control, now);
        }
    }
    if (m_paths)
    {
        m_paths->OnAcknowledged(f.entropy, notified, now);
    }
    if (p.usesAcks)
    {
        TellAck(c, f, ackedBytes, now);
    }
    return AfterProgress(c, now);
}

/// Tells the congestion control of an acknowledgement.
[[gnu::always_inline]] inline void
Requester::TellAck(QueuePairContext& c, const Frame& f, uint32_t ackedBytes, Tick now)
{
    c.profile->control->Ack(m_view,
                            m_control,
                            {now,
                             now - f.sentAt,
                             ackedBytes,
                             m_sentBytes - m_ackedBytes,
                             m_ackedBytes,
                             (f.flags & kBecn) != 0,
                             HopLog::Of(f)});
}

/// The receiver got that frame without its payload, and the acknowledgement says so.
WcStatus
Requester::OnTrimmed(QueuePairContext& c,
                     const Frame& f,
                     uint64_t index,
                     uint32_t ackedBytes,
                     Tick now)
{
    const TransportProfile& p = *c.profile;
    const bool news = index >= m_acked && index < m_highest && m_board->Trim(index);
    NoteHeard(c, now);
    if (f.flags & kBecn)
    {
        ++c.counters.notificationsReceived;
    }
    if (m_paths)
    {
        m_paths->OnAcknowledged(f.entropy, true, now);
    }
    if (p.control)
    {
        if (f.flags & kBecn && p.notification.mode == CongestionNotification::InAck)
        {
            p.control->Cnp(m_view, m_control, now);
        }
        if (news)
        {
            p.control->Loss(m_view, m_control, now, LossKind::Trimmed);
        }
        if (p.usesAcks && ackedBytes > 0)
        {
            TellAck(c, f, ackedBytes, now);
        }
    }
    return AfterProgress(c, now);
}

/// What may be sent has changed. @return what the message that comes next has to fail with.
WcStatus
Requester::AfterProgress(QueuePairContext& c, Tick now)
{
    if (m_board)
    {
        SeekNext(c);
        if (m_deadline == kNever && m_next > m_acked && c.profile->retransmissionTimeout != kNever)
        {
            // The oldest frame has arrived, so it is not sent next, but its answer is missing.
            m_deadline = now + c.profile->retransmissionTimeout;
            Watch(c, m_deadline);
        }
    }
    if (m_guard != kNone || m_limit != m_queue.GetEndFrame())
    {
        UpdateLimit(c);
    }
    Pace(c);
    c.scheduler->Update(c, now);
    return m_acked == m_next ? m_failure : WcStatus::Success;
}

/// All frames before that one are acknowledged, those of answers too.
void
Requester::AdvanceTo(QueuePairContext& c, uint64_t index, Tick now)
{
    const uint64_t before = m_acked;
    if (index == before)
    {
        return;
    }
    Advance(c, static_cast<uint32_t>(index - before), now);
    m_ackedBytes = m_queue.BytesBefore(m_acked, c.profile->mtu);
    NoteAdvance(before);
}

/// The oldest unacknowledged frame has moved.
void
Requester::NoteAdvance(uint64_t before)
{
    if (m_board)
    {
        m_board->Advance(before, m_acked);
    }
    if (m_answered)
    {
        m_answered->Advance(before, m_acked);
    }
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
        UpdateLimit(c);
    }
    else if (c.type != QpType::Rc)
    {
        OnDeparture(c, now);
    }
    else if (m_acked < m_next)
    {
        const WcStatus verdict = OnTimeout(c, now);
        if (verdict != WcStatus::Success)
        {
            return verdict;
        }
    }
    else if (c.profile->telemetry.announces)
    {
        m_deadline = kNever;
        c.profile->control->Loss(m_view, m_control, now, LossKind::Timeout);
    }
    Pace(c);
    c.scheduler->Update(c, now);
    return m_acked == m_next ? m_failure : WcStatus::Success;
}

void
Requester::NoteTimeout(QueuePairContext& c, Tick now)
{
    ++c.counters.timeouts;
    m_askedAgain = kNone;
    if (m_paths)
    {
        m_paths->OnTimeout(now);
    }
}

/// Nothing has been heard for as long as the timeout.
WcStatus
Requester::OnTimeout(QueuePairContext& c, Tick now)
{
    const TransportProfile& p = *c.profile;
    if (!m_board)
    {
        NoteTimeout(c, now);
        return GoBack(c, now, true) ? WcStatus::Success : WcStatus::RetryExceeded;
    }
    const SentFrames frames = m_board->View(m_acked, m_highest);
    const Tick full = p.recovery->GetTimeout(p.configuredTimeout, frames);
    const Tick put = full == kNever ? kNever : m_deadline + full - p.retransmissionTimeout;
    if (m_deadline != m_board->extendedTo && put > now)
    {
        m_board->extendedTo = m_deadline = put;
        Watch(c, m_deadline);
        return WcStatus::Success;
    }
    NoteTimeout(c, now);
    if (m_retries == 0)
    {
        return WcStatus::RetryExceeded;
    }
    --m_retries;
    const uint64_t lostEnd = p.recovery->FindLostEndAfterTimeout(frames);
    m_board->LoseAgain(m_acked, lostEnd);
    if (m_answered && !m_answers.IsEmpty())
    {
        // All that is missing of one answer is one request.
        m_answered->LoseAgain(m_acked,
                              GetAnswerFrame() < lostEnd
                                  ? std::max(lostEnd, m_queue.EndOf(m_answers.Front()))
                                  : lostEnd);
    }
    m_board->episodeEnd = m_highest;
    m_deadline = kNever;
    SeekNext(c);
    UpdateGuard();
    if (p.control)
    {
        p.control->Loss(m_view, m_control, now, LossKind::Timeout);
    }
    return WcStatus::Success;
}

/// Without acknowledgements, what has left has ended (IBA vol. 1, 9.8.1).
void
Requester::OnDeparture(QueuePairContext& c, Tick now)
{
    const Tick left =
        m_lastStart + c.scheduler->GetPort().WireTime(m_lastWire - c.profile->headers.gapBytes);
    if (left > now)
    {
        m_deadline = left;
        Watch(c, left);
        return;
    }
    m_deadline = kNever;
    m_acked = m_next;
    m_ackedBytes = m_sentBytes;
    UpdateLimit(c);
}

void
Requester::Flush(QueuePairContext& c, WcStatus status)
{
    m_deadline = kNever;
    m_limit = m_next;
    c.scheduler->Update(c, m_lastStart);
    m_flushing = true;
    // A callback may post: that is flushed behind what was posted before. It may reset the queue pair:
    // then nothing more is told.
    for (; m_flushing && !m_queue.IsEmpty(); status = WcStatus::WrFlushError)
    {
        const SendQueue::Message m = m_queue.Pop();
        SendQueue::Details().Return(m.details);
        c.sendQueue->Push({m.wrId, c.number, m.bytes, status, CompletionOf(m.opcode)},
                          {&m_freed, m_queue.GetBegin()});
    }
    if (m_flushing)
    {
        const uint32_t freed = m_freed;
        Reset();
        m_freed = freed;
    }
}

void
Requester::PostFlushed(QueuePairContext& c, const WorkRequest& request)
{
    m_queue.Push(request, 0, 0, c.profile->mtu);
    if (!m_flushing)
    {
        Flush(c, WcStatus::WrFlushError);
    }
}

bool
Requester::CompleteHead(QueuePairContext& c)
{
    bool placed = true;
    // A callback may post, reset or fail this very queue pair.
    while (m_acked >= m_headEnd)
    {
        const SendQueue::Message m = m_queue.Pop();
        const uint32_t number = m_queue.GetBegin();
        m_headEnd = m_queue.IsEmpty() ? kNone : m_queue.EndOf(number);
        SendQueue::Details().Return(m.details);
        if ((m.signaled || c.signalAll) &&
            !c.sendQueue->Push(
                {m.wrId, c.number, m.bytes, WcStatus::Success, CompletionOf(m.opcode)},
                {&m_freed, number}))
        {
            placed = false;
        }
    }
    return placed;
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
        if (m_board)
        {
            m_board->LoseAgain(m_acked, m_highest);
        }
        Seek(c, m_acked);
        m_waits = true;
        m_deadline = now + RnrDelay(syndrome);
        UpdateLimit(c);
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
    case kSyndromeAccessError:
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
        c.profile->control->Loss(
            m_view, m_control, now, timeout ? LossKind::Timeout : LossKind::Nak);
    }
    return true;
}

/// What came belongs behind an answer that has not come (IBA vol. 1, 9.7.5.1.1, "implied NAK").
/// @return false when it was asked for too often.
bool
Requester::LoseAnswer(QueuePairContext& c, Tick now)
{
    const uint64_t missing = GetAnswerFrame();
    if (m_board)
    {
        MakeAnswered(c);
        OvertakeAnswers(c, m_board->peerAcked);
        return true;
    }
    // Once for each: what follows the lost answer closely says nothing new.
    if (m_next == m_acked || m_waits || m_askedAgain == missing)
    {
        return true;
    }
    m_askedAgain = missing;
    ++c.counters.answersLost;
    return GoBack(c, now, false);
}

/// The receiver has that frame, and misses an earlier one.
/// @return whether that is news of a loss for the congestion control.
bool
Requester::NoteSack(QueuePairContext& c, uint64_t index)
{
    if (index <= m_acked || index >= m_highest || !m_board->Add(index))
    {
        return false;
    }
    m_board->Lose(c.profile->recovery->FindLostEnd(m_board->View(m_acked, m_highest)));
    if (m_board->FindOvertaken(m_acked, kNone) == kNone || m_acked < m_board->episodeEnd)
    {
        return false;
    }
    m_board->episodeEnd = m_highest;
    return true;
}

} // namespace ns3::aifabric
