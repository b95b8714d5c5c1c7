// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REQUEST_CUTTER_H
#define AIFABRIC_REQUEST_CUTTER_H

#include "queue-pair-context.h"
#include "request-ring.h"
#include "sack-board.h"
#include "send-queue.h"

#include "ns3/congestion-control.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace ns3::aifabric
{

class PathSelector;

/**
 * @ingroup ai-fabric-transport
 * What a queue pair sends: messages, cut into frames, in order, as far as windows, rates, answers that
 * are due and the state of the queue pair let it (IBA vol. 1, 9.7.3).
 *
 * Frames are counted in 64 bits from the first one ever; only the wire sees 24. A READ takes a
 * number for each frame of its answer: its request stands for all of them.
 */
class RequestCutter
{
  public:
    /// Unacknowledged frames, at most: half of the sequence numbers, less one.
    static constexpr uint64_t kMaxOutstanding = (1U << 23) - 1;

    RequestCutter();
    ~RequestCutter();
    RequestCutter(const RequestCutter&) = delete;
    RequestCutter& operator=(const RequestCutter&) = delete;

    /// Learns the base round-trip time of its path, for the congestion control.
    void Start(QueuePairContext& c, Tick baseRtt);

    /// Becomes ready to send; psn is that of the first frame.
    void Begin(const QueuePairContext& c, uint32_t psn);

    /// Forgets everything that was posted, without a word.
    void Reset();

    /// Takes a message; where no other is being sent it waits for the NIC's latency first. The port
    /// is caught up.
    void Post(QueuePairContext& c, const WorkRequest& request, Tick now);

    /// @return whether there is a frame that may be sent, pacing aside.
    bool CanSend() const
    {
        return m_next < m_limit && m_sentBytes - m_ackedBytes < m_view.window &&
               m_next - m_acked < m_maxOutstanding;
    }

    /// @return the next frame, which starts at start; CanSend() is true.
    Frame* Cut(QueuePairContext& c, Tick start);

    /// A frame of that many bytes starts then: the next one waits as its rate wants.
    void NoteSent(QueuePairContext& c, uint32_t bytes, Tick start);

    /// The receiver grants credit: all so far, the lower 32 bits.
    void OnCredit(QueuePairContext& c, uint32_t credit, Tick now);

    /// Where nothing is under way, and credit has to come: the timer looks after that.
    void AwaitCredit(QueuePairContext& c, Tick now);

    /// Begins no further message from here on.
    void Drain(QueuePairContext& c, Tick now);
    /// Begins messages again.
    void Resume(QueuePairContext& c, Tick now);

    bool IsDrained() const
    {
        return m_draining && m_acked == m_drainEnd;
    }

    /// @return rate, window and the like.
    const FlowView& GetView() const
    {
        return m_view;
    }

    /// @return state of the congestion control.
    const void* GetControlState() const
    {
        return m_control;
    }

    /// @return messages that have not ended.
    uint32_t CountPending() const
    {
        return m_queue.GetEnd() - m_queue.GetBegin();
    }

    /// @return messages whose place in the queue is not free, up to when their completion is taken.
    uint32_t CountPlaces() const
    {
        return m_queue.GetEnd() - m_freed;
    }

    /// @return payload of all messages, acknowledged so far.
    uint64_t GetAckedBytes() const
    {
        return m_ackedBytes;
    }

    /// @return READs and atomics that the peer owes an answer.
    uint32_t CountUnanswered() const
    {
        return m_answers.GetEnd() - m_answers.GetBegin();
    }

    /// @return number of the next frame as the wire has it.
    uint32_t GetPsn() const
    {
        return (m_firstPsn + static_cast<uint32_t>(m_next)) & kPsnMask;
    }

    /// Tells whose completions are whose in a completion queue.
    const uint32_t* GetOwnerMark() const
    {
        return &m_freed;
    }

    /// When the NIC's timer will next look at this queue pair; kept by the NIC.
    Tick watchedAt{kNever};

    /// @return when something has to happen without a frame that arrives.
    Tick GetDeadline() const
    {
        return m_deadline;
    }

  protected:
    static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

    /// The frame to be cut next is that one.
    void Seek(QueuePairContext& c, uint64_t index);
    /// Goes to the lost frame that is next, or to the first one that was never sent.
    void SeekNext(QueuePairContext& c);
    /// How far may be sent: after whatever changed that.
    void UpdateLimit(QueuePairContext& c);
    /// From which acknowledgement on a closer look is needed: after whatever changed that.
    void UpdateGuard();
    /// @return the frame that the peer owes the next answer for.
    uint64_t GetAnswerFrame() const;
    /// @return the frame of a lost answer that is to be asked for next, or the first that was never
    /// sent.
    uint64_t FindLostAnswer();
    /// The peer is there: the timeout begins anew.
    void NoteHeard(const QueuePairContext& c, Tick now);
    /// The NIC's timer shall look here by then.
    void Watch(QueuePairContext& c, Tick deadline);

    /// Dates the next frame by the present rate.
    void Pace(QueuePairContext& c)
    {
        if (m_view.rate != m_rate)
        {
            m_rate = m_view.rate;
            m_psPerByte = m_rate < m_view.lineRate ? 8e12 / std::max(m_rate, 1.0) : 0;
        }
        if (m_psPerByte > 0 && m_burstLeft == 0)
        {
            c.available = std::max(m_lastStart + static_cast<Tick>(m_lastWire * m_psPerByte + 0.5),
                                   c.notBefore);
        }
        else
        {
            c.available = std::max(m_lastStart, c.notBefore);
        }
    }

    // What a frame touches when it leaves, and when its acknowledgement arrives.
    uint64_t m_next{0};        ///< frame to be cut next
    uint64_t m_acked{0};       ///< the oldest unacknowledged frame
    uint64_t m_highest{0};     ///< the first frame that was never sent
    uint64_t m_limit{0};       ///< no frame from this one on may be sent yet
    uint64_t m_headEnd{kNone}; ///< behind the oldest message
    uint64_t m_guard{kNone}; ///< acknowledgement of this frame, or a later one, needs a closer look
    uint64_t m_sentBytes{0}; ///< payload before m_next
    uint64_t m_ackedBytes{0}; ///< payload before m_acked
    Tick m_deadline{kNever};
    uint32_t m_maxOutstanding{kMaxOutstanding};
    uint32_t m_left{0};    ///< of the message being cut, bytes
    uint32_t m_message{0}; ///< number of that message
    uint32_t m_details{0}; ///< and handle of its details
    uint32_t m_firstPsn{0};
    uint16_t m_unasked{0}; ///< frames since one that asked for an acknowledgement
    uint8_t m_opcode{0};   ///< of a first frame of that message
    bool m_begins{false};  ///< m_next begins it
    bool m_rare{false};    ///< it is not plain, or there is a board, or nothing is acknowledged
    bool m_waits{false};   ///< for the peer to post a receive
    uint8_t m_retries{0};  ///< failures that may still follow
    uint8_t m_rnrRetries{0};
    bool m_draining{false}; ///< nothing new begins
    FlowView m_view;
    double m_rate{0};        ///< for which m_psPerByte holds
    double m_psPerByte{0};   ///< from one frame to the next; 0: as the wire takes them
    Tick m_lastStart{0};     ///< of the last frame, or of the first one of the last burst
    uint64_t m_burstLeft{0}; ///< payload of the burst under way that has not left; 0: none is
    uint32_t m_lastWire{0};  ///< bytes since m_lastStart
    uint32_t m_freed{0};     ///< messages whose completion has been taken
    SendQueue m_queue;
    alignas(16) std::byte m_control[CongestionControl::kStateBytes];

    // What only rare requests touch.
    RequestRing<uint32_t> m_answers;       ///< numbers of READs and atomics that are under way
    std::unique_ptr<SackBoard> m_board;    ///< where frames may arrive out of order
    std::unique_ptr<PathSelector> m_paths; ///< of its frames; null: they all go one way
    std::unique_ptr<SackBoard> m_answered; ///< of answers, once any has; beside m_board only
    uint64_t m_askedAgain{kNone};          ///< the answer that was last taken for lost
    uint64_t m_drainEnd{0};                ///< nothing from here on is begun
    WcStatus m_failure{WcStatus::Success}; ///< of the message that m_limit is at
    bool m_flushing{false};

  private:
    template <bool kRare>
    Frame* CutFrame(QueuePairContext& c, Tick start);
    void Log(const QueuePairContext& c, Frame& f);
    uint64_t Announce(const QueuePairContext& c, const Frame& f);
    void Leave(QueuePairContext& c,
               const CongestionControl* control,
               uint32_t bytes,
               Tick start,
               bool continues);
    bool Burst(Frame& f, uint32_t payload, bool ends);
    uint32_t Extend(QueuePairContext& c, Frame& f, bool last);
    uint64_t FindLostRequest();
    uint64_t FindGapEnd() const;
    uint32_t Ask(QueuePairContext& c, Frame& f, const RequestDetails& details);
    void Load(QueuePairContext& c, uint32_t number);
    WcStatus Examine(const QueuePairContext& c) const;
    bool Stalls(QueuePairContext& c) const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_REQUEST_CUTTER_H
