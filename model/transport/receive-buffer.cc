// SPDX-License-Identifier: GPL-2.0-only
#include "receive-buffer.h"

#include "rdma-nic.h"

#include "ns3/fabric-event.h"
#include "ns3/frame-pool.h"

#include <algorithm>

namespace ns3::aifabric
{

ReceiveBuffer::ReceiveBuffer(RdmaNic& nic, PortIdx port, const ReceiveBufferSettings& settings)
    : m_nic(nic),
      m_port(port),
      m_settings(settings),
      m_byteTime(settings.rateBps)
{
}

ReceiveBuffer::~ReceiveBuffer()
{
    for (; !m_waiting.IsEmpty(); m_waiting.Pop())
    {
        FramePool::Discard(m_waiting.Front().frame);
    }
}

void
ReceiveBuffer::Receive(Frame* f, PortIdx in, Tick now)
{
    if (IsLinkLocal(f->op))
    {
        m_nic.Receive(f, in, now);
        return;
    }
    Class& c = m_classes[f->priority];
    if (c.held + f->bytes > m_settings.bytes)
    {
        ++c.dropped;
        FramePool::Discard(f);
        return;
    }
    c.held += f->bytes;
    c.peak = std::max(c.peak, c.held);
    if (c.held > m_settings.xoffBytes && !c.stops && m_settings.losslessMask >> f->priority & 1)
    {
        c.stops = true;
        m_nic.PauseSender(m_port, f->priority);
    }
    m_free = std::max(m_free, now) + m_byteTime(f->bytes);
    if (m_waiting.IsEmpty())
    {
        ArmEvent(this, now, m_free, Simulator::NO_CONTEXT);
    }
    m_waiting.Push({m_free, f});
}

void
ReceiveBuffer::Notify()
{
    const Tick now = m_waiting.Front().arrival;
    Frame* f = m_waiting.Front().frame;
    m_waiting.Pop();
    if (!m_waiting.IsEmpty())
    {
        ArmEvent(this, now, m_waiting.Front().arrival, Simulator::NO_CONTEXT);
    }
    Class& c = m_classes[f->priority];
    c.held -= f->bytes;
    if (c.stops && c.held <= m_settings.xonBytes)
    {
        c.stops = false;
        m_nic.ResumeSender(m_port, f->priority);
    }
    m_nic.Receive(f, m_port, now);
}

uint64_t
ReceiveBuffer::GetHeldBytes() const
{
    uint64_t held = 0;
    for (const Class& c : m_classes)
    {
        held += c.held;
    }
    return held;
}

} // namespace ns3::aifabric
