// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REQUESTER_H
#define AIFABRIC_REQUESTER_H

#include "request-cutter.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * The sending half of a queue pair: what comes back for what was sent, acknowledgements, answers, or
 * nothing, and what follows from that (IBA vol. 1, 9.7.5 and 9.7.6). What counts as lost is the
 * LossRecovery's; without frames that arrive out of order it is everything from the oldest
 * unacknowledged frame on.
 */
class Requester final : public RequestCutter
{
  public:
    /**
     * An acknowledgement arrived, positive or negative.
     * @return Success, or what the queue pair has to fail with once Complete() was called.
     */
    WcStatus OnAcknowledge(QueuePairContext& c, const Frame& f, Tick now);

    /// Part of the answer to a READ, or the answer to an atomic operation, arrived. @return as above.
    WcStatus OnAnswer(QueuePairContext& c, const Frame& f, Tick now);

    /// Part of the answer to a READ arrived without its payload. @return as above.
    WcStatus OnTrimmedAnswer(QueuePairContext& c, const Frame& f, Tick now);

    /// A congestion notification arrived.
    void OnNotification(QueuePairContext& c, Tick now);

    /**
     * The deadline may have come; the port is caught up.
     * @return Success, or what the queue pair has to fail with once Complete() was called.
     */
    WcStatus OnDeadline(QueuePairContext& c, Tick now);

    /// Reports the messages that have been acknowledged.
    /// @return false where a completion found no place: the queue pair has to fail.
    bool Complete(QueuePairContext& c)
    {
        return m_acked < m_headEnd || CompleteHead(c);
    }

    /// Gives up: the oldest message ends with status, all others are flushed.
    void Flush(QueuePairContext& c, WcStatus status);

    /// Takes a message that is flushed, behind those that are being flushed.
    void PostFlushed(QueuePairContext& c, const WorkRequest& request);

  private:
    WcStatus OnNews(QueuePairContext& c, const Frame& f, int32_t frames, Tick now);
    WcStatus
    OnTrimmed(QueuePairContext& c, const Frame& f, uint64_t index, uint32_t ackedBytes, Tick now);
    void TellAck(QueuePairContext& c, const Frame& f, uint32_t ackedBytes, Tick now);
    bool CompleteHead(QueuePairContext& c);
    uint32_t Advance(QueuePairContext& c, uint32_t frames, Tick now);
    void AdvanceTo(QueuePairContext& c, uint64_t index, Tick now);
    WcStatus AfterProgress(QueuePairContext& c, Tick now);
    void NoteAdvance(uint64_t before);
    void MakeAnswered(const QueuePairContext& c);
    WcStatus OnEarlyAnswer(QueuePairContext& c, const Frame& f, uint64_t index, Tick now);
    WcStatus Place(QueuePairContext& c, const Frame& f, uint32_t number, uint64_t index);
    void OvertakeAnswers(QueuePairContext& c, uint64_t end);
    WcStatus OnNak(QueuePairContext& c, uint32_t syndrome, Tick now);
    bool GoBack(QueuePairContext& c, Tick now, bool timeout);
    bool LoseAnswer(QueuePairContext& c, Tick now);
    bool NoteSack(QueuePairContext& c, uint64_t index);
    static bool TakeBytes(const QueuePairContext& c,
                          const WorkRequest& request,
                          uint64_t offset,
                          const std::byte* from,
                          uint64_t bytes);
    WcStatus OnTimeout(QueuePairContext& c, Tick now);
    void NoteTimeout(QueuePairContext& c, Tick now);
    void OnDeparture(QueuePairContext& c, Tick now);
};

} // namespace ns3::aifabric

#endif // AIFABRIC_REQUESTER_H
