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
    count = std::min(count, GetSize());
    for (std::size_t i = 0; i < count; ++i)
    {
        const Entry entry = m_waiting.Pop();
        out[i] = entry.completion;
        entry.places.Free();
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
        places.Free();
        m_callback(completion);
        return true;
    }
    if (m_overflowed)
    {
        return false;
    }
    if (GetSize() >= m_capacity)
    {
        m_overflowed = true;
        if (m_asyncHandler)
        {
            m_asyncHandler({AsyncEventType::CqError, 0, this});
        }
        return false;
    }
    m_waiting.Push({completion, places});
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
    for (std::size_t left = GetSize(); left > 0; --left)
    {
        const Entry entry = m_waiting.Pop();
        if (entry.places.freed != freed)
        {
            m_waiting.Push(entry);
        }
    }
}

} // namespace ns3::aifabric
