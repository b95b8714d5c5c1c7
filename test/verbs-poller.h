// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_POLLER_H
#define AIFABRIC_VERBS_POLLER_H

#include "verbs-poster.h"

#include <cstddef>
#include <vector>

namespace ns3::aifabric::test
{

/// Takes completions from queues that are polled, some at a time, some time after they were told.
class VerbsPoller
{
  public:
    VerbsPoller(VerbsSetting& setting, VerbsPoster& poster)
        : m_s(setting),
          m_poster(poster)
    {
        for (VerbsHost& host : m_s.pair.host)
        {
            for (CompletionQueue* queue : {host.polledSends.get(), host.polledReceives.get()})
            {
                if (queue)
                {
                    m_queues.push_back(queue);
                    queue->OnAsyncEvent([this](const AsyncEvent& e) {
                        EXPECT_EQ(e.type, AsyncEventType::CqError);
                        EXPECT_TRUE(m_s.overflows);
                        ++m_errors;
                    });
                    Ask(*queue);
                }
            }
        }
    }

    /// Takes all that is there; once nothing more will come.
    void TakeAll()
    {
        while (Count() > 0)
        {
            Poll();
        }
        std::size_t overflowed = 0;
        for (const CompletionQueue* queue : m_queues)
        {
            overflowed += queue->HasOverflowed();
        }
        EXPECT_EQ(m_errors, overflowed);
    }

  private:
    void Ask(CompletionQueue& queue)
    {
        queue.RequestNotify(false, [this] { PollLater(); });
    }

    void PollLater()
    {
        if (!m_pending)
        {
            m_pending = true;
            const Tick delay = 1 + m_s.Pick(m_s.overflows ? 20000 : 3000) * kNanosecond;
            Simulator::Schedule(TimeStep(delay), [this] {
                m_pending = false;
                Poll();
                for (CompletionQueue* queue : m_queues)
                {
                    Ask(*queue);
                }
                if (Count() > 0)
                {
                    PollLater();
                }
            });
        }
    }

    std::size_t Count() const
    {
        std::size_t count = 0;
        for (const CompletionQueue* queue : m_queues)
        {
            count += queue->GetSize();
        }
        return count;
    }

    /// Receives first, and all of them: what a request that has ended sent has been received.
    void Poll()
    {
        for (int end : {0, 1})
        {
            CompletionQueue& queue = *m_s.pair.host[end].polledReceives;
            Take(end, queue, queue.GetSize());
        }
        for (int end : {0, 1})
        {
            Take(end, *m_s.pair.host[end].polledSends, 1 + m_s.Pick(10));
        }
    }

    void Take(int end, CompletionQueue& queue, std::size_t most)
    {
        std::vector<WorkCompletion> taken(most);
        taken.resize(queue.Poll(taken.data(), most));
        for (const WorkCompletion& c : taken)
        {
            m_s.byNumber[end].at(c.queuePair)->NoteTaken(c);
        }
        for (const WorkCompletion& c : taken)
        {
            m_poster.Take(end, c);
        }
    }

    VerbsSetting& m_s;
    VerbsPoster& m_poster;
    std::vector<CompletionQueue*> m_queues;
    std::size_t m_errors{0};
    bool m_pending{false};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_POLLER_H
