// SPDX-License-Identifier: GPL-2.0-only
#include "send-queue.h"

#include <algorithm>

namespace ns3::aifabric
{

HandlePool<RequestDetails>&
SendQueue::Details()
{
    static HandlePool<RequestDetails> pool;
    return pool;
}

uint32_t
SendQueue::Find(uint64_t frame) const
{
    uint32_t low = m_messages.GetBegin();
    uint32_t count = m_messages.GetEnd() - low;
    while (count > 1)
    {
        const uint32_t half = count / 2;
        if (m_messages[low + half].first <= frame)
        {
            low += half;
            count -= half;
        }
        else
        {
            count = half;
        }
    }
    return low;
}

uint64_t
SendQueue::BytesBefore(uint64_t frame, uint32_t mtu) const
{
    const Message& m = m_messages[Find(frame)];
    return m.firstByte +
           (m.IsAnswered() ? 0 : std::min<uint64_t>((frame - m.first) * mtu, m.bytes));
}

void
SendQueue::Push(const WorkRequest& request, uint32_t details, uint64_t firstByte, uint32_t mtu)
{
    if (!IsEmpty())
    {
        const Message& last = m_messages[m_messages.GetEnd() - 1];
        firstByte = last.firstByte + (last.IsAnswered() ? 0 : last.bytes);
    }
    const auto bytes = static_cast<uint32_t>(request.bytes);
    m_messages.Push(
        {request.wrId, firstByte, m_end, bytes, details, request.opcode, request.signaled});
    m_end += bytes == 0 ? 1 : (bytes - 1) / mtu + 1;
}

void
SendQueue::Clear()
{
    while (!IsEmpty())
    {
        Details().Return(Pop().details);
    }
}

} // namespace ns3::aifabric
