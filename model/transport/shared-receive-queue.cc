// SPDX-License-Identifier: GPL-2.0-only
#include "shared-receive-queue.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3::aifabric
{

SharedReceiveQueue::SharedReceiveQueue(uint32_t capacity)
    : m_capacity(capacity)
{
}

Status
SharedReceiveQueue::PostReceive(const ReceiveRequest& request)
{
    if (GetSize() >= m_capacity)
    {
        return Status::QueueFull;
    }
    m_receives.Push(request);
    return Status::Ok;
}

Status
SharedReceiveQueue::SetLimit(uint32_t limit)
{
    if (limit > m_capacity)
    {
        return Status::InvalidAttribute;
    }
    m_limit = limit;
    return Status::Ok;
}

void
SharedReceiveQueue::OnAsyncEvent(std::function<void(const AsyncEvent&)> handler)
{
    m_asyncHandler = std::move(handler);
}

ReceiveRequest
SharedReceiveQueue::Take()
{
    NS_ABORT_MSG_IF(m_receives.IsEmpty(), "a receive taken from an empty shared queue");
    const ReceiveRequest request = m_receives.Pop();
    if (GetSize() < m_limit)
    {
        m_limit = 0;
        if (m_asyncHandler)
        {
            m_asyncHandler({AsyncEventType::SrqLimitReached, 0, this});
        }
    }
    return request;
}

} // namespace ns3::aifabric
