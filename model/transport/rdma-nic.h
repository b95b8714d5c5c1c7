// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RDMA_NIC_H
#define AIFABRIC_RDMA_NIC_H

#include "queue-pair-context.h"

#include "ns3/frame.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

class CongestionControl;
class CreditGate;
class CreditPolicy;
class EgressPort;
class NicLoop;
class PfcController;
class QueuePair;
class SendScheduler;
struct QueuePairInit;

/// What has happened at a NIC; all its queue pairs, those destroyed too.
struct NicCounters : QueuePairCounters
{
    uint64_t unknownQueuePair{0}; ///< frames for none that exists, is ready, and has that peer
    uint64_t strayFrames{0};      ///< ordinary frames that nobody takes
};

/**
 * @ingroup ai-fabric-transport
 * A network interface card with its queue pairs: the end of the fabric.
 *
 * Its latency is waited once by a message posted to an idle queue pair before its first frame, and
 * once by an acknowledgement or notification before it leaves. Its bus limits the payload that it
 * takes from memory, each port its share.
 *
 * What a port sends to its own address never reaches the wire: it takes a NicLoop.
 *
 * One event serves all timeouts: it looks at the earliest deadline, which may have moved on. So a
 * simulation without a stop time ends when the last of these has looked.
 */
class RdmaNic final : public FrameSink
{
  public:
    RdmaNic();
    RdmaNic(const RdmaNic&) = delete;
    RdmaNic& operator=(const RdmaNic&) = delete;
    ~RdmaNic();

    /**
     * Adds a port; before time 0. Ports are numbered in the order in which they are added.
     * @param port the way out; wired by then, outlives the NIC's use.
     * @param address of the port.
     * @param latency of processing, see above.
     * @param busBps the port's share of the bus, bit/s of payload; 0 is unlimited.
     * @return its number.
     */
    PortIdx AddPort(EgressPort& port, NodeIdx address, Tick latency = 0, double busBps = 0);

    /// @param sink takes ordinary frames; without one they are dropped and counted.
    void SetOrdinarySink(FrameSink* sink);

    /// Makes a queue pair, in state Reset. Its number is never used again.
    QueuePair& CreateQueuePair(const QueuePairInit& init);

    /**
     * Makes a reliable connection that checks no keys, in state Reset.
     * @param port that it sends and receives by.
     * @param profile shared with others.
     * @param sendQueue completions of sends; outlives the queue pair.
     * @param receiveQueue completions of receives; may be the same.
     */
    QueuePair& CreateQueuePair(PortIdx port,
                               std::shared_ptr<const TransportProfile> profile,
                               CompletionQueue& sendQueue,
                               CompletionQueue& receiveQueue);

    /// Ends a queue pair without a word; frames still under way to it are dropped. Allowed within a
    /// completion's callback.
    void DestroyQueuePair(QueuePair& queuePair);

    /// @return a key that no memory region of this NIC has had; never 0.
    uint32_t TakeKey();

    /// @return the queue pair of that number, or null.
    QueuePair* FindQueuePair(uint32_t number) const
    {
        return number < m_count ? m_queuePairs[number] : nullptr;
    }

    /// @param quanta length of the pauses that it asks for: see PfcSettings.
    void SetPauseQuanta(uint32_t quanta);
    /**
     * Pauses whoever sends to a port, in one priority, and again before the pause runs out, until
     * ResumeSender. Those who ask for it add up: the last to leave resumes. A NIC gone mad, a pause
     * storm, is one that never does.
     */
    void PauseSender(PortIdx port, uint8_t priority);
    void ResumeSender(PortIdx port, uint8_t priority);

    void Receive(Frame* f, PortIdx in, Tick now) override;
    const EgressPort* Prefetch(const Frame& f, PortIdx in) const override;

    /// @return sums over all queue pairs.
    NicCounters GetCounters() const;

    /// @param handler is told what happens outside of completions (ibv_get_async_event).
    void OnAsyncEvent(std::function<void(const AsyncEvent&)> handler);

    /// Tells it; for queue pairs.
    void Raise(const AsyncEvent& event) const
    {
        if (m_asyncHandler)
        {
            m_asyncHandler(event);
        }
    }

    PortIdx CountPorts() const
    {
        return static_cast<PortIdx>(m_ports.size());
    }

    /// @return who decides what a port sends to there, made where it is the first of its kind.
    SendScheduler& GetScheduler(PortIdx port, NodeIdx destination);

    /// @return a port's way to itself; null where nobody has taken it.
    const NicLoop* GetLoop(PortIdx port) const
    {
        return m_ports[port].loop.get();
    }

    /// @return a port's address.
    NodeIdx GetAddress(PortIdx port) const
    {
        return m_ports[port].address;
    }

    /// @return a port's way out.
    EgressPort& GetEgressPort(PortIdx port) const
    {
        return *m_ports[port].way;
    }

    /// While one exists a callback may be running inside a queue pair: none is freed.
    class Inside
    {
      public:
        explicit Inside(RdmaNic& nic)
            : m_nic(nic)
        {
            ++m_nic.m_depth;
        }

        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

        ~Inside()
        {
            --m_nic.m_depth;
        }

      private:
        RdmaNic& m_nic;
    };

    /// @return when the next CNP may go from one port to another, or to all others (kNoNode), where
    /// flows share that; for responders.
    Tick& GetNextCnp(NodeIdx from, NodeIdx to)
    {
        return m_nextCnp[{from, to}];
    }

    /// @return who grants credits at a port to the senders under that congestion control, made where
    /// nobody has asked before; null where nobody does.
    CreditPolicy* GetCreditPolicy(PortIdx port, const Ptr<const CongestionControl>& control);

    /// The timer shall look at that queue pair then; for queue pairs.
    void Watch(uint32_t number, Tick deadline);

  private:
    /// A port, with the scheduler that decides what it sends.
    struct Port
    {
        std::unique_ptr<SendScheduler> scheduler;
        EgressPort* way;
        NodeIdx address;
        double busBps;
        std::unique_ptr<NicLoop> loop;          ///< null until somebody sends to himself
        std::unique_ptr<PfcController> pauses;  ///< null until it pauses somebody
        std::array<uint32_t, 8> pauseReasons{}; ///< how many ask for it, by priority
    };

    /// When to look at a queue pair.
    struct Deadline
    {
        Tick at;
        uint32_t number;

        bool operator<(const Deadline& other) const
        {
            return at > other.at || (at == other.at && number > other.number);
        }
    };

    class Timer;

    void OnTimer(Tick now);
    void Arm();

    std::vector<QueuePair*> m_queuePairs; ///< by number
    uint32_t m_count{0};                  ///< of those, which each frame is held against
    std::vector<Port> m_ports;
    std::vector<Deadline> m_deadlines; ///< a heap, the earliest in front
    Timer* m_timer{nullptr};
    Tick m_armedAt{kNever};
    FrameSink* m_ordinary{nullptr};
    std::function<void(const AsyncEvent&)> m_asyncHandler;
    uint32_t m_lastKey{0};
    std::map<std::pair<NodeIdx, NodeIdx>, Tick> m_nextCnp;
    uint32_t m_pauseQuanta;
    NicCounters m_counters; ///< of what no queue pair counts, and of those destroyed
    std::vector<QueuePair*> m_retired;
    uint32_t m_depth{0}; ///< how many Inside there are
    std::map<std::pair<PortIdx, const CongestionControl*>, std::unique_ptr<CreditGate>> m_gates;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RDMA_NIC_H
