// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RESPONDER_H
#define AIFABRIC_RESPONDER_H

#include "request-executor.h"

#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

class ReorderBuffer;
class ResponseQueue;

/**
 * @ingroup ai-fabric-transport
 * The receiving half of a queue pair: puts requests in order, has them done, and turns what has to be
 * answered round as its own answer (IBA vol. 1, 9.7.5 and 9.9).
 *
 * Plain SENDs and WRITEs go a short way. Whatever has a key, immediate data or an answer with data
 * is examined first.
 */
class Responder final : public RequestExecutor
{
  public:
    Responder();
    ~Responder();
    Responder(const Responder&) = delete;
    Responder& operator=(const Responder&) = delete;

    /// Becomes ready to receive; psn is that of the first frame.
    void Start(const QueuePairContext& c, uint32_t psn);
    /// Forgets all receives and the message that was arriving.
    void Reset();

    /**
     * A request of a reliable connection arrived.
     * @param f is taken.
     * @return Success, or what the queue pair has to fail with.
     */
    WcStatus OnRequest(QueuePairContext& c, Frame* f, Tick now);

    /// A request of a UC or UD arrived; f is taken. What does not fit is dropped without a word; a
    /// receive whose own memory refuses is a fault of this side.
    /// @return as OnRequest.
    WcStatus OnUnreliable(QueuePairContext& c, Frame* f);

    /// Congestion was met by a frame from there: tell the sender as its congestion control wants to
    /// be told.
    void NoteMark(QueuePairContext& c, NodeIdx source, Tick now);

    /// @return the next answer of those that take their turn; there is one.
    Frame* Cut(QueuePairContext& c, Tick start);

    /// Answers nothing more.
    void Stop(QueuePairContext& c);

    /// Flushes all receives, and what waits for an earlier frame.
    void Flush(QueuePairContext& c);

    /// @return number of the next frame.
    uint32_t GetExpected() const
    {
        return m_expected;
    }

    /// @return most frames that waited for an earlier one at one time.
    uint32_t GetReorderPeak() const;

  private:
    WcStatus OnOther(QueuePairContext& c, Frame* f, int32_t distance, Tick now);
    WcStatus OnUnusual(QueuePairContext& c, Frame* f, int32_t distance, Tick now);
    WcStatus TakeExpected(QueuePairContext& c, Frame* f, Tick now);
    WcStatus OnTrimmed(QueuePairContext& c, Frame* f, Tick now);
    WcStatus TakeKeeping(QueuePairContext& c, Frame* f, Tick now);
    WcStatus TakeKept(QueuePairContext& c, Frame* f, Tick now);
    WcStatus TakeSend(QueuePairContext& c, Frame* f, Tick now);
    WcStatus Take(QueuePairContext& c, Frame* f, Tick now);
    void Advance(QueuePairContext& c, Frame* f, Tick now);
    WcStatus Execute(QueuePairContext& c, Frame* f, Tick now);
    void Serve(QueuePairContext& c, Frame* f, Tick now);
    void ServeAgain(QueuePairContext& c, const Frame& f, Tick now);
    void Respond(QueuePairContext& c, Tick now);
    WcStatus FailReceive(QueuePairContext& c, WcStatus status);
    WcStatus Refuse(QueuePairContext& c, Frame* f, Fault fault, Tick now);
    void Answer(QueuePairContext& c,
                Frame* f,
                uint32_t syndrome,
                uint32_t psn,
                Tick now,
                uint32_t sack = 0);
    void TurnRound(QueuePairContext& c, Frame* f, uint32_t sack, Tick now);
    void Defer(const Frame& f);

    uint32_t m_takesPlain{0}; ///< m_plain, and more where frames may arrive out of order
    std::unique_ptr<ResponseQueue> m_responses;
    std::unique_ptr<ReorderBuffer> m_kept; ///< where frames may arrive out of order
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RESPONDER_H
