// SPDX-License-Identifier: GPL-2.0-only
#include "completion-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

CompletionQueue::CompletionQueue(Callback callback)
    : m_callback(std::move(callback))
{
}

CompletionQueue::CompletionQueue(std::size_t capacity)
    : m_capacity(capacity)
{
}

std::size_t
CompletionQueue::Poll(WorkCompletion* out, std::size_t count)
{
    count = std::min(count, m_waiting.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const Entry& entry = m_waiting.front();
        out[i] = entry.completion;
        if (entry.places.freed)
        {
            *entry.places.freed = entry.places.number;
        }
        m_waiting.pop_front();
    }
    return count;
}

void
CompletionQueue::RequestNotify(bool solicitedOnly, std::function<void()> notify)
{
    m_solicitedOnly = solicitedOnly && (!m_notify || m_solicitedOnly);
    m_notify = std::move(notify);
}

void
CompletionQueue::OnAsyncEvent(std::function<void(const AsyncEvent&)> handler)
{
    m_asyncHandler = std::move(handler);
}

bool
CompletionQueue::Push(const WorkCompletion& completion, RequestPlaces places)
{
    if (m_callback)
    {
        if (places.freed)
        {
            *places.freed = places.number;
        }
        m_callback(completion);
        return true;
    }
    if (m_overflowed)
    {
        return false;
    }
    if (m_waiting.size() >= m_capacity)
    {
        m_overflowed = true;
        if (m_asyncHandler)
        {
            m_asyncHandler({AsyncEventType::CqError, 0, this});
        }
        return false;
    }
    m_waiting.push_back({completion, places});
    if (m_notify &&
        (!m_solicitedOnly || completion.solicited || completion.status != WcStatus::Success))
    {
        std::exchange(m_notify, nullptr)();
    }
    return true;
}

void
CompletionQueue::Purge(const uint32_t* freed)
{
    m_waiting.erase(
        std::remove_if(m_waiting.begin(),
                       m_waiting.end(),
                       [freed](const Entry& entry) { return entry.places.freed == freed; }),
        m_waiting.end());
}

} // namespace ns3::aifabric
