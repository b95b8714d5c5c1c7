// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEND_SCHEDULER_H
#define AIFABRIC_SEND_SCHEDULER_H

#include "pacing-heap.h"

#include "ns3/egress-port.h"

#include <boost/intrusive/list.hpp>

#include <array>
#include <memory>

namespace ns3::aifabric
{

class QueuePair;

/**
 * @ingroup ai-fabric-transport
 * Decides which queue pair sends next at a port of a NIC. A frame is cut only when the wire is free
 * for it.
 *
 * Per priority there is a round robin of the queue pairs that may send at once, one frame each, and
 * a heap of those that a rate makes wait. Whoever has nothing to send, or no window, is in neither.
 * The port decides between priorities.
 *
 * Optionally the bus behind the NIC limits it: a data frame starts no earlier than its predecessor
 * plus that one's payload at the rate of the bus.
 */
class SendScheduler final : public FrameSource
{
  public:
    /**
     * @param port pulls from here from now on.
     * @param back what is turned round at once leaves there: the same port, but in a loop.
     * @param busBps rate of the bus, bit/s of payload; 0 is unlimited.
     * @param latency of the NIC.
     */
    void Wire(EgressPort& port, EgressPort& back, double busBps, Tick latency);

    Tick NextStart(uint8_t priority, Tick from) override;
    Frame* TakeFrame(uint8_t priority, Tick start) override;

    /**
     * Puts a queue pair where it now belongs, by whether it can send and from when on. The port must
     * have been brought up to now before that changed: EgressPort::CatchUp.
     */
    void Update(SendEntry& sender, Tick now);

    /// Takes a queue pair out that will belong to another; under the same condition.
    void Remove(SendEntry& sender, Tick now);

    EgressPort& GetPort() const
    {
        return *m_port;
    }

    /// @return where acknowledgements and notifications leave.
    EgressPort& GetReturnPort() const
    {
        return *m_back;
    }

    Tick GetLatency() const
    {
        return m_latency;
    }

  private:
    using ReadyList =
        boost::intrusive::list<SendEntry, boost::intrusive::constant_time_size<false>>;

    /// The senders of one priority.
    struct Class
    {
        ReadyList ready;
        PacingHeap paced;
    };

    void Leave(Class& senders, SendEntry& sender);
    void StopIfIdle(const Class& senders, uint8_t priority, Tick now);

    EgressPort* m_port{nullptr};
    EgressPort* m_back{nullptr};
    ByteTime m_busTime;
    Tick m_latency{0};
    bool m_busLimits{false};
    Tick m_busFree{0};
    std::array<std::unique_ptr<Class>, EgressPort::kPriorities> m_classes;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SEND_SCHEDULER_H
