// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SHARED_RECEIVE_QUEUE_H
#define AIFABRIC_SHARED_RECEIVE_QUEUE_H

#include "request-ring.h"
#include "verbs.h"

#include <cstdint>
#include <functional>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Receives for whichever of many queue pairs needs one first (ibv_srq). Outlives them.
 */
class SharedReceiveQueue
{
  public:
    /// @param capacity receives that may be posted.
    explicit SharedReceiveQueue(uint32_t capacity = 1U << 20);
    SharedReceiveQueue(const SharedReceiveQueue&) = delete;
    SharedReceiveQueue& operator=(const SharedReceiveQueue&) = delete;

    /// Posts a receive. @return QueueFull beyond the capacity.
    Status PostReceive(const ReceiveRequest& request);

    /**
     * Asks to be told once when fewer receives are left: SrqLimitReached (IBA vol. 1, 10.2.9.4).
     * @param limit at most the capacity; 0 disarms. Armed with fewer there, it tells when the next
     * one is taken.
     * @return InvalidAttribute beyond the capacity.
     */
    Status SetLimit(uint32_t limit);

    /// @return the limit that is armed; 0: none.
    uint32_t GetLimit() const
    {
        return m_limit;
    }

    /// @return receives posted and not taken.
    uint32_t GetSize() const
    {
        return m_receives.GetEnd() - m_receives.GetBegin();
    }

    /// @param handler is told when the limit is reached, within the event that takes the receive;
    /// it may post and set a limit again.
    void OnAsyncEvent(std::function<void(const AsyncEvent&)> handler);

    /// Takes the oldest; for queue pairs, which look first: aborts where there is none.
    ReceiveRequest Take();

  private:
    RequestRing<ReceiveRequest> m_receives;
    std::function<void(const AsyncEvent&)> m_asyncHandler;
    uint32_t m_capacity;
    uint32_t m_limit{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SHARED_RECEIVE_QUEUE_H
