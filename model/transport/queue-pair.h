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

class CreditPolicy;

/// How a queue pair is made (ibv_qp_init_attr).
struct QueuePairInit
{
    QpType type{QpType::Rc};
    PortIdx port{0};                                 ///< number of the NIC's port
    std::shared_ptr<const TransportProfile> profile; ///< shared with others
    CompletionQueue* sendQueue{nullptr};             ///< completions of sends; outlives it
    CompletionQueue* receiveQueue{nullptr};          ///< of receives; may be the same
    SharedReceiveQueue* sharedReceives{nullptr};     ///< where receives come from; null: its own
    const ProtectionDomain* domain{nullptr};         ///< null: no keys are checked
    uint32_t maxSendRequests{0};                     ///< posted at one time; 0 is unlimited
    uint32_t maxReceiveRequests{0};                  ///< the same
    uint32_t maxInlineBytes{256};                    ///< of a request that is inlined
    bool signalAll{false};                           ///< every success is reported (sq_sig_all)
    bool generalServices{false}; ///< takes number 1, which each NIC has once: for managers
};

/**
 * @ingroup ai-fabric-transport
 * A queue pair (ibv_qp). Made by RdmaNic::CreateQueuePair.
 */
class alignas(64) QueuePair final : private QueuePairContext
{
  public:
    QueuePair(RdmaNic& nic, uint32_t number, const QueuePairInit& init);
    QueuePair(const QueuePair&) = delete;
    QueuePair& operator=(const QueuePair&) = delete;

    static void* operator new(std::size_t bytes);
    static void operator delete(void* memory, std::size_t bytes);

    /**
     * Walks from Reset through Init and Rtr to Rts at once, with the profile's values and all access
     * allowed: knows its peer, may send.
     * @param peerNumber of the peer's queue pair.
     * @param sendPsn of the first frame sent. @param receivePsn of the first frame expected.
     * @return WrongState unless in Reset.
     */
    Status Connect(const AddressVector& path,
                   uint32_t peerNumber,
                   uint32_t sendPsn = 0,
                   uint32_t receivePsn = 0);

    /**
     * One step of the state machine, or new attributes in the same state (ibv_modify_qp; IBA vol. 1,
     * 10.3.1). To Err flushes everything posted, to Reset forgets it, completions that wait included.
     * @param mask QpAttributeMask: what of the attributes counts. Without kQpState the state stays.
     * @return as CheckTransition and CheckValues; WrongState where kQpCurrentState names another
     * state, or where the attributes of a queue pair in Sqd are to change that has not drained.
     */
    Status Modify(const QueuePairAttributes& attributes, uint32_t mask);

    /// A step that needs no attribute but the state.
    Status Modify(QpState to);

    /// @return everything that it was told, and where it is now (ibv_query_qp).
    QueuePairAttributes Query() const;

    /// Posts a message (ibv_post_send). In Err and Sqe it is taken, and flushed at once.
    Status PostSend(const WorkRequest& request);
    /// Posts room for a SEND of the peer (ibv_post_recv).
    Status PostReceive(const ReceiveRequest& request);

    QpType GetType() const
    {
        return type;
    }

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

    /// The receiving half, to look at.
    const Responder& GetResponder() const
    {
        return m_responder;
    }

    // What the NIC and its schedulers call.

    bool CanSend() const
    {
        return responding || m_requester.CanSend();
    }

    /// @return the next frame, which starts at start. @param more receives whether it can send on.
    Frame* Cut(Tick start, bool& more)
    {
        if (responding)
        {
            Frame* f = CutAnswer(start);
            more = CanSend();
            return f;
        }
        Frame* f = m_requester.Cut(*this, start);
        more = m_requester.CanSend();
        return f;
    }

    /// A frame for this queue pair; takes it. @return whether it was wanted.
    bool Receive(Frame* f, Tick now);

    /// Sends a credit frame to the peer. @param credit see RequestCutter::OnCredit.
    void SendCredit(uint32_t credit, Tick now);

    /// The NIC's timer looks here, as it was asked to.
    void OnTimer(Tick at, Tick now);

    /// Requests the memory that a frame of that kind needs.
    void Prefetch(Opcode op) const;

  private:
    friend class SendScheduler;

    void Enter(QpState to);
    void Become(QpState to);
    void Apply(const QueuePairAttributes& attributes, uint32_t mask);
    void SetPath();
    void NoteArrival(const Frame& f, Tick now);
    Status CheckRequest(const WorkRequest& request) const;
    bool ReceiveUnusual(Frame* f, Tick now);
    bool Dispatch(Frame* f, Tick now);
    bool DispatchRare(Frame* f, Tick now);
    bool EndSends(WcStatus verdict);
    WcStatus TakeAnswer(Frame* f, Tick now);
    Frame* CutAnswer(Tick start);
    void End(WcStatus verdict, bool ofPeer);
    void Fail(WcStatus status, bool ofPeer);
    void NoteDrained();

    Requester m_requester;
    alignas(64) Responder m_responder;
    std::shared_ptr<const TransportProfile> m_profile;
    QueuePairAttributes m_attributes;
    uint32_t m_maxSendRequests;
    uint32_t m_maxReceiveRequests;
    bool m_established{false};             ///< the peer has been heard
    bool m_drained{false};                 ///< the drain of the send queue has been told
    CreditPolicy* m_creditPolicy{nullptr}; ///< grants credits to the peer; null: nobody does
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
