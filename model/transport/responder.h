// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RESPONDER_H
#define AIFABRIC_RESPONDER_H

#include "queue-pair-context.h"
#include "request-ring.h"

#include <cstdint>
#include <optional>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * The receiving half of a reliable connection: takes frames in order, and turns what has to be
 * answered round as its own answer (IBA vol. 1, 9.7.5 and 9.9).
 */
class Responder
{
  public:
    /// Becomes ready to receive; psn is that of the first frame.
    void Start(uint32_t psn);
    /// Forgets all receives and the message that was arriving.
    void Reset();

    void Post(const ReceiveRequest& request)
    {
        m_receives.Push(request);
    }

    /**
     * A data frame arrived.
     * @param f is taken.
     * @return Success, or what the queue pair has to fail with.
     */
    WcStatus OnData(QueuePairContext& c, Frame* f, Tick now);

    /// Flushes all receives.
    void Flush(QueuePairContext& c);

  private:
    std::optional<uint8_t> Refuse(const Frame& f, uint32_t minRnrTimer) const;
    void NoteMark(QueuePairContext& c, NodeIdx source, Tick now);
    void Answer(QueuePairContext& c, Frame* f, uint32_t syndrome, uint32_t psn, Tick now);
    void CompleteReceive(QueuePairContext& c, WcStatus status);

    uint32_t m_expected{0}; ///< sequence number of the next frame
    uint32_t m_messages{0}; ///< completed, 24 bits
    uint64_t m_arrived{0};  ///< bytes of the SEND that is arriving
    Tick m_nextCnp{0};      ///< none before this
    bool m_marked{false};   ///< the next acknowledgement notifies
    bool m_refused{false};  ///< the peer was told what is expected
    RequestRing<ReceiveRequest> m_receives;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RESPONDER_H
