// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COMPLETION_QUEUE_H
#define AIFABRIC_COMPLETION_QUEUE_H

#include "verbs.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Where queue pairs report what has ended: one queue may serve many of them.
 *
 * With a callback a completion is handed over at once, within the event that caused it, and not
 * kept; the callback may post again, to the same queue pair too. Without one it waits for Poll().
 */
class CompletionQueue
{
  public:
    using Callback = std::function<void(const WorkCompletion&)>;

    CompletionQueue() = default;
    /// @param callback called for every completion.
    explicit CompletionQueue(Callback callback);

    /**
     * Takes the oldest completions.
     * @param out where they go.
     * @param count room there.
     * @return how many there were.
     */
    std::size_t Poll(WorkCompletion* out, std::size_t count);

    /// Reports; for queue pairs.
    void Push(const WorkCompletion& completion);

  private:
    Callback m_callback;
    std::vector<WorkCompletion> m_waiting;
    std::size_t m_first{0}; ///< of m_waiting, not yet polled
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COMPLETION_QUEUE_H
