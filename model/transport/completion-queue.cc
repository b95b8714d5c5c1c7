// SPDX-License-Identifier: GPL-2.0-only
#include "completion-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

const char*
ToString(WcStatus status)
{
    switch (status)
    {
    case WcStatus::Success:
        return "done";
    case WcStatus::LocalLengthError:
        return "local_length_error";
    case WcStatus::WrFlushError:
        return "flushed";
    case WcStatus::RemoteInvalidRequest:
        return "remote_invalid_request";
    case WcStatus::RemoteAccessError:
        return "remote_access_error";
    case WcStatus::RemoteOperationError:
        return "remote_operation_error";
    case WcStatus::RetryExceeded:
        return "retry_exceeded";
    case WcStatus::RnrRetryExceeded:
        return "rnr_retry_exceeded";
    }
    return "unknown";
}

CompletionQueue::CompletionQueue(Callback callback)
    : m_callback(std::move(callback))
{
}

std::size_t
CompletionQueue::Poll(WorkCompletion* out, std::size_t count)
{
    count = std::min(count, m_waiting.size() - m_first);
    std::copy_n(m_waiting.begin() + m_first, count, out);
    m_first += count;
    if (m_first == m_waiting.size())
    {
        m_waiting.clear();
        m_first = 0;
    }
    return count;
}

void
CompletionQueue::Push(const WorkCompletion& completion)
{
    if (m_callback)
    {
        m_callback(completion);
    }
    else
    {
        m_waiting.push_back(completion);
    }
}

} // namespace ns3::aifabric
