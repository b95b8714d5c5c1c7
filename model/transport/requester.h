// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REQUESTER_H
#define AIFABRIC_REQUESTER_H

#include "queue-pair-context.h"
#include "request-ring.h"

#include "ns3/congestion-control.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * The sending half of a reliable connection: cuts messages into frames, and recovers losses by
 * going back to the oldest unacknowledged frame (IBA vol. 1, 9.7).
 *
 * Frames are counted in 64 bits from the first one ever; only the wire sees 24.
 */
class Requester
{
  public:
    /// Unacknowledged frames, at most: half of the sequence numbers, less one.
    static constexpr uint64_t kMaxOutstanding = (1U << 23) - 1;

    /**
     * Becomes ready to send.
     * @param psn of the first frame.
     * @param baseRtt of the path, for the congestion control.
     */
    void Start(QueuePairContext& c, uint32_t psn, Tick baseRtt);

    /// Forgets everything that was posted, without a word.
    void Reset();

    /// Takes a message; where no other is being sent it waits for the NIC's latency first. The port
    /// is caught up.
    void Post(QueuePairContext& c, const WorkRequest& request, Tick now);

    /// @return whether there is a frame that may be sent, pacing aside.
    bool CanSend() const
    {
        return m_next < m_end && m_sentBytes - m_ackedBytes < m_view.window &&
               m_next - m_acked < kMaxOutstanding && !m_waits;
    }

    /// @return the next frame, which starts at start; CanSend() is true.
    Frame* Cut(QueuePairContext& c, Tick start);

    /**
     * An acknowledgement arrived, positive or negative.
     * @return Success, or what the queue pair has to fail with once Complete() was called.
     */
    WcStatus OnAcknowledge(QueuePairContext& c, const Frame& f, Tick now);

    /// A congestion notification arrived.
    void OnNotification(QueuePairContext& c, Tick now);

    /**
     * The deadline may have come; the port is caught up.
     * @return Success, or what the queue pair has to fail with.
     */
    WcStatus OnDeadline(QueuePairContext& c, Tick now);

    /// Reports the messages that have been acknowledged.
    void Complete(QueuePairContext& c)
    {
        if (m_acked >= m_headEnd)
        {
            CompleteHead(c);
        }
    }

    /// Gives up: the oldest message ends with status, all others are flushed.
    void Flush(QueuePairContext& c, WcStatus status);

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
        return m_requests.GetEnd() - m_requests.GetBegin();
    }

    /// @return payload of all messages, acknowledged so far.
    uint64_t GetAckedBytes() const
    {
        return m_ackedBytes;
    }

    /// When the NIC's timer will next look at this queue pair; kept by the NIC.
    Tick watchedAt{kNever};

    /// @return when something has to happen without a frame that arrives.
    Tick GetDeadline() const
    {
        return m_deadline;
    }

  private:
    /// A message: its frames are [first, first of the next).
    struct Message
    {
        uint64_t wrId;
        uint64_t firstByte; ///< payload of all messages before
        uint64_t first;
        uint32_t bytes;
        WrOpcode opcode;
        bool signaled;
    };

    uint64_t EndOf(uint32_t number) const;
    uint32_t Find(uint64_t index) const;
    uint64_t BytesBefore(const QueuePairContext& c, uint64_t index) const;
    void Seek(const QueuePairContext& c, uint64_t index);
    void Load(uint32_t number);
    void CompleteHead(QueuePairContext& c);
    uint32_t Advance(const QueuePairContext& c, uint32_t frames, Tick now);
    WcStatus OnNak(QueuePairContext& c, uint32_t syndrome, Tick now);
    bool GoBack(QueuePairContext& c, Tick now, bool timeout);
    void Pace(QueuePairContext& c);
    void Watch(QueuePairContext& c, Tick deadline);

    // What a frame touches when it leaves, and when its acknowledgement arrives.
    uint64_t m_next{0};    ///< frame to be cut next
    uint64_t m_acked{0};   ///< the oldest unacknowledged frame
    uint64_t m_highest{0}; ///< the first frame that was never sent
    uint64_t m_end{0};     ///< behind all that is posted
    uint64_t m_headEnd{std::numeric_limits<uint64_t>::max()}; ///< behind the oldest message
    uint64_t m_sentBytes{0};                                  ///< payload before m_next
    uint64_t m_ackedBytes{0};                                 ///< payload before m_acked
    Tick m_deadline{kNever};
    uint32_t m_left{0};    ///< payload of the message being cut that is left
    uint32_t m_message{0}; ///< number of that message
    uint32_t m_firstPsn{0};
    uint16_t m_unasked{0}; ///< frames since one that asked for an acknowledgement
    uint8_t m_opcode{0};   ///< of a first frame of that message
    bool m_begins{false};  ///< m_next begins it
    bool m_waits{false};   ///< for the peer to post a receive
    uint8_t m_retries{0};  ///< failures that may still follow
    uint8_t m_rnrRetries{0};
    FlowView m_view;
    double m_rate{0};      ///< for which m_psPerByte holds
    double m_psPerByte{0}; ///< from one frame to the next; 0: as the wire takes them
    Tick m_lastStart{0};
    Tick m_notBefore{0}; ///< a message waits for the NIC
    uint32_t m_lastWire{0};
    RequestRing<Message> m_requests;
    alignas(16) std::byte m_control[CongestionControl::kStateBytes];
};

} // namespace ns3::aifabric

#endif // AIFABRIC_REQUESTER_H
