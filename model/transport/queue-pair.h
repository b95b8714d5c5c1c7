// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_QUEUE_PAIR_H
#define AIFABRIC_QUEUE_PAIR_H

#include "queue-pair-attributes.h"
#include "queue-pair-context.h"
#include "requester.h"
#include "responder.h"

#include <cstddef>
#include <memory>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * One end of a reliable connection (RC). Made by RdmaNic::CreateQueuePair.
 */
class alignas(64) QueuePair final : private QueuePairContext
{
  public:
    QueuePair(RdmaNic& nic,
              SendScheduler& scheduler,
              NodeIdx self,
              uint32_t number,
              std::shared_ptr<const TransportProfile> profile,
              CompletionQueue& sendQueue,
              CompletionQueue& receiveQueue);
    QueuePair(const QueuePair&) = delete;
    QueuePair& operator=(const QueuePair&) = delete;

    static void* operator new(std::size_t bytes);
    static void operator delete(void* memory, std::size_t bytes);

    /**
     * Walks from Reset through Init and Rtr to Rts, with the profile's values: knows its peer, may
     * send.
     * @param peerNumber of the peer's queue pair.
     * @param sendPsn of the first frame sent. @param receivePsn of the first frame expected.
     * @return WrongState unless in Reset.
     */
    Status Connect(const AddressVector& path,
                   uint32_t peerNumber,
                   uint32_t sendPsn = 0,
                   uint32_t receivePsn = 0);

    /**
     * One step of the state machine (IBA vol. 1, 10.3.1); Rtr and Rts by Connect() only. To Err
     * flushes everything posted, to Reset forgets it.
     */
    Status Modify(QpState to);

    /// Posts a message. In Err it is taken, and flushed at once.
    Status PostSend(const WorkRequest& request);
    /// Posts room for a SEND of the peer.
    Status PostReceive(const ReceiveRequest& request);

    uint32_t GetNumber() const
    {
        return number;
    }

    NodeIdx GetAddress() const
    {
        return self;
    }

    QpState GetState() const
    {
        return state;
    }

    uint16_t GetEntropy() const
    {
        return entropy;
    }

    const QueuePairCounters& GetCounters() const
    {
        return counters;
    }

    const TransportProfile& GetProfile() const
    {
        return *profile;
    }

    /// The sending half, to look at.
    const Requester& GetRequester() const
    {
        return m_requester;
    }

    // What the NIC and its schedulers call.

    bool CanSend() const
    {
        return m_requester.CanSend();
    }

    Frame* Cut(Tick start)
    {
        return m_requester.Cut(*this, start);
    }

    /// A frame for this queue pair; takes it. @return whether it was wanted.
    bool Receive(Frame* f, Tick now);

    /// The NIC's timer looks here, as it was asked to.
    void OnTimer(Tick at, Tick now);

    /// Requests the memory that a frame of that kind needs.
    void Prefetch(Opcode op) const;

  private:
    friend class SendScheduler;

    void Fail(WcStatus status);

    Requester m_requester;
    alignas(64) Responder m_responder;
    std::shared_ptr<const TransportProfile> m_profile;
};

/**
 * @ingroup ai-fabric-transport
 * Connects two queue pairs in Reset with each other.
 * @param baseRtt as in AddressVector, of either direction.
 * @param entropy UDP source port of both, 0 as there.
 */
void ConnectQueuePairs(QueuePair& a, QueuePair& b, Tick baseRtt, uint16_t entropy = 0);

} // namespace ns3::aifabric

#endif // AIFABRIC_QUEUE_PAIR_H
