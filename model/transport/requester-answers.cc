// SPDX-License-Identifier: GPL-2.0-only
// What the requester does with answers to READs and atomics.
#include "protection-domain.h"
#include "requester.h"
#include "sack-board.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/frame-extension.h"

#include <algorithm>
#include <cstring>

namespace ns3::aifabric
{

WcStatus
Requester::OnAnswer(QueuePairContext& c, const Frame& f, Tick now)
{
    c.scheduler->GetPort().CatchUp(now);
    const uint32_t oldest = m_firstPsn + static_cast<uint32_t>(m_acked);
    const uint64_t index = m_acked + PsnDistance(f.psn, oldest);
    const uint64_t awaited = GetAnswerFrame();
    if (PsnDistance(f.psn, oldest) < 0 || index >= m_highest || m_answers.IsEmpty() ||
        index < awaited)
    {
        return WcStatus::Success;
    }
    if (index > awaited)
    {
        return OnEarlyAnswer(c, f, index, now);
    }
    // An answer acknowledges all requests before its own (IBA vol. 1, 9.7.5.1.2).
    AdvanceTo(c, awaited, now);
    if (WcStatus verdict = Place(c, f, m_answers.Front(), index); verdict != WcStatus::Success)
    {
        return verdict;
    }
    uint64_t acked = index + 1;
    for (bool here = true; here;)
    {
        const uint64_t end = m_queue.EndOf(m_answers.Front());
        acked = m_answered ? m_answered->FindMissing(acked, end) : acked;
        if (acked < end)
        {
            break;
        }
        m_answers.Pop();
        const uint64_t next = m_answers.IsEmpty() ? kNone : m_queue[m_answers.Front()].first;
        acked = m_board ? std::max(acked, std::min(m_board->peerAcked, next)) : acked;
        here = acked == next && m_answered && m_answered->Has(next);
    }
    m_waits = false;
    AdvanceTo(c, acked, now);
    return AfterProgress(c, now);
}

/// An answer arrived, and one before it has not.
WcStatus
Requester::OnEarlyAnswer(QueuePairContext& c, const Frame& f, uint64_t index, Tick now)
{
    if (!m_board)
    {
        return LoseAnswer(c, now) ? AfterProgress(c, now) : WcStatus::RetryExceeded;
    }
    const uint32_t number = m_queue.Find(index);
    const SendQueue::Message& m = m_queue[number];
    if (!m.IsAnswered() || index - m_acked > c.profile->reorderFrames)
    {
        return WcStatus::Success;
    }
    MakeAnswered(c);
    // What is wrong with it shall come to light when its turn comes.
    if (m_answered->Has(index) || Place(c, f, number, index) != WcStatus::Success)
    {
        return WcStatus::Success;
    }
    m_answered->Add(index);
    m_board->peerAcked = std::max(m_board->peerAcked, m.first);
    OvertakeAnswers(c, index);
    return AfterProgress(c, now);
}

WcStatus
Requester::OnTrimmedAnswer(QueuePairContext& c, const Frame& f, Tick now)
{
    c.scheduler->GetPort().CatchUp(now);
    const uint32_t oldest = m_firstPsn + static_cast<uint32_t>(m_acked);
    const int32_t distance = PsnDistance(f.psn, oldest);
    const uint64_t index = m_acked + distance;
    if (distance < 0 || index >= m_highest || m_answers.IsEmpty() || index < GetAnswerFrame())
    {
        return WcStatus::Success;
    }
    if (!m_board)
    {
        m_askedAgain = index == GetAnswerFrame() ? kNone : m_askedAgain;
        return LoseAnswer(c, now) ? AfterProgress(c, now) : WcStatus::RetryExceeded;
    }
    MakeAnswered(c);
    c.counters.answersLost += m_answered->Trim(index);
    return AfterProgress(c, now);
}

/// From here on the answers that have overtaken others are known.
void
Requester::MakeAnswered(const QueuePairContext& c)
{
    if (!m_answered)
    {
        m_answered = std::make_unique<SackBoard>(m_board->GetWindow(), c.profile->reorderFrames, 0);
    }
}

/// Takes what an answer brings to where its request wants it. @return what is wrong with it.
WcStatus
Requester::Place(QueuePairContext& c, const Frame& f, uint32_t number, uint64_t index)
{
    const SendQueue::Message& m = m_queue[number];
    RequestDetails& details = m.GetDetails();
    if (m.IsAtomic())
    {
        if (f.op != Opcode::AtomicAcknowledge || !(f.flags & kExtended))
        {
            return WcStatus::BadResponse;
        }
        const auto* value = reinterpret_cast<const std::byte*>(&FrameExtension::Of(f).swapOrAdd);
        return TakeBytes(c, details.request, 0, value, kAtomicBytes)
                   ? WcStatus::Success
                   : WcStatus::LocalProtectionError;
    }
    const uint64_t offset = (index - m.first) * c.profile->mtu;
    const uint64_t bytes = std::min<uint64_t>(c.profile->mtu, m.bytes - offset);
    if (f.op == Opcode::AtomicAcknowledge || f.payload != bytes)
    {
        return WcStatus::BadResponse;
    }
    if (f.flags & kExtended)
    {
        details.answer = FrameExtension::Of(f).source;
        details.answerBegin = offset;
    }
    const std::byte* from =
        details.answer ? details.answer.get() + (offset - details.answerBegin) : nullptr;
    c.counters.deliveredBytes += f.payload;
    return TakeBytes(c, details.request, offset, from, bytes) ? WcStatus::Success
                                                              : WcStatus::LocalProtectionError;
}

/// What was sent after the answers before end has arrived.
void
Requester::OvertakeAnswers(QueuePairContext& c, uint64_t end)
{
    const bool known = FindLostAnswer() < m_highest;
    m_answered->Overtake(end);
    m_answered->Lose(c.profile->recovery->FindLostEnd(m_answered->View(m_acked, m_highest)));
    c.counters.answersLost += !known && FindLostAnswer() < m_highest;
}

/// Writes part of an answer to where the request wants it.
/// @return false where that memory has gone since.
bool
Requester::TakeBytes(const QueuePairContext& c,
                     const WorkRequest& request,
                     uint64_t offset,
                     const std::byte* from,
                     uint64_t bytes)
{
    if (!c.domain || request.localKey == 0 || bytes == 0)
    {
        return true;
    }
    const uint64_t address = request.address + offset;
    const MemoryRegion* region = c.domain->FindFor(request.localKey, address, bytes, kLocalWrite);
    if (region && region->At(address) && from)
    {
        std::memcpy(region->At(address), from, bytes);
    }
    return region;
}

} // namespace ns3::aifabric
