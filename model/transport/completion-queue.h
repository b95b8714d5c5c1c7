// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COMPLETION_QUEUE_H
#define AIFABRIC_COMPLETION_QUEUE_H

#include "request-ring.h"
#include "verbs.h"

#include <cstddef>
#include <functional>
#include <limits>

namespace ns3::aifabric
{

/// Where a queue of requests learns how many of them have ended. It frees its places only when
/// their completion, or a later one, has been taken from the completion queue (IBA vol. 1,
/// 10.8.5.1).
struct RequestPlaces
{
    uint32_t* freed{nullptr}; ///< also tells whose completion it is; null: it has no place
    uint32_t number{0};       ///< is written there

    void Free() const
    {
        if (freed)
        {
            *freed = number;
        }
    }
};

/**
 * @ingroup ai-fabric-transport
 * Where queue pairs report what has ended (ibv_cq): one queue may serve many of them.
 *
 * With a callback a completion is handed over at once, within the event that caused it, and not
 * kept; the callback may post again, to the same queue pair too. Without one it waits for Poll().
 * Outlives the queue pairs that report to it.
 */
class CompletionQueue
{
  public:
    using Callback = std::function<void(const WorkCompletion&)>;

    /// Without a bound.
    CompletionQueue() = default;

    /**
     * @param capacity completions that may wait. One more is an overflow: it is lost, CqError tells
     * so once, the queue never takes another, and queue pairs that report to it go to Err. What
     * waits can still be taken.
     */
    explicit CompletionQueue(std::size_t capacity);

    /// @param callback called for every completion.
    explicit CompletionQueue(Callback callback);

    CompletionQueue(const CompletionQueue&) = delete;
    CompletionQueue& operator=(const CompletionQueue&) = delete;

    /**
     * Takes the oldest completions, and frees the places of their requests.
     * @param out where they go.
     * @param count room there.
     * @return how many there were.
     */
    std::size_t Poll(WorkCompletion* out, std::size_t count);

    /**
     * Asks to be told once of a completion that comes from now on (ibv_req_notify_cq). What waits
     * already does not count: poll after asking. Asked again before that, for all or for solicited
     * ones, all it is. A queue with a callback tells nobody else.
     * @param solicitedOnly whether only solicited ones, and failures, count.
     * @param notify called within the event that causes the completion, which then can be polled;
     * may ask again. Null asks for nothing any more.
     */
    void RequestNotify(bool solicitedOnly, std::function<void()> notify);

    /// @param handler is told of an overflow, within the event that causes it.
    void OnAsyncEvent(std::function<void(const AsyncEvent&)> handler);

    /// @return whether a completion was lost, and all since.
    bool HasOverflowed() const
    {
        return m_overflowed;
    }

    /// @return completions that wait.
    std::size_t GetSize() const
    {
        return m_waiting.GetEnd() - m_waiting.GetBegin();
    }

    /// Reports; for queue pairs. @return false where it overflows, or has.
    bool Push(const WorkCompletion& completion, RequestPlaces places = {});

    /// Forgets what waits of one owner, and frees no places of it; for queue pairs that are reset
    /// or destroyed, once for either queue of requests.
    void Purge(const uint32_t* freed);

  private:
    /// What waits.
    struct Entry
    {
        WorkCompletion completion;
        RequestPlaces places;
    };

    Callback m_callback;
    std::size_t m_capacity{std::numeric_limits<std::size_t>::max()};
    RequestRing<Entry> m_waiting;
    std::function<void()> m_notify;
    std::function<void(const AsyncEvent&)> m_asyncHandler;
    bool m_solicitedOnly{false};
    bool m_overflowed{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COMPLETION_QUEUE_H
