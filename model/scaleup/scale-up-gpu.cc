// SPDX-License-Identifier: GPL-2.0-only
#include "scale-up-gpu.h"

#include "ns3/frame-pool.h"

#include <algorithm>

namespace ns3::aifabric
{

void
ScaleUpGpu::Wire(NodeIdx index,
                 const PortSettings& settings,
                 EgressPort& downlink,
                 ScaleUpMessages& messages,
                 uint32_t turnBytes)
{
    m_index = index;
    m_messages = &messages;
    m_downlink = &downlink;
    m_turnBytes = turnBytes;
    m_uplink.Wire(settings, index, nullptr, nullptr);
    m_uplink.SetSource(this);
}

void
ScaleUpGpu::Send(uint32_t message, Tick now)
{
    // What has left by now was chosen without this message.
    m_uplink.CatchUp(now);
    const NodeIdx to = (*m_messages)[message].to;
    for (Stream& stream : m_streams)
    {
        if (stream.to == to)
        {
            (*m_messages)[stream.tail].next = message;
            stream.tail = message;
            return;
        }
    }
    // Last in the round: before the one whose turn it is.
    m_streams.insert(m_streams.begin() + m_current, {to, message, message, m_turnBytes});
    if (m_streams.size() > 1)
    {
        ++m_current;
        return;
    }
    m_uplink.SetPulling(0, true, now);
}

void
ScaleUpGpu::Receive(Frame* f, PortIdx /* in */, Tick now)
{
    m_downlink->AddCredit(f->bytes, now + m_uplink.GetSettings().delay, now);
    ScaleUpMessage& message = (*m_messages)[f->flow];
    message.undelivered -= f->payload;
    if (message.undelivered == 0)
    {
        ScaleUpReceiver* receiver = message.receiver;
        const uint64_t id = message.id;
        m_messages->Remove(f->flow);
        FramePool::Return(f);
        if (receiver)
        {
            receiver->OnScaleUpMessage(id);
        }
        return;
    }
    FramePool::Return(f);
}

const EgressPort*
ScaleUpGpu::Prefetch(const Frame& f, PortIdx /* in */) const
{
    m_messages->Prefetch(f.flow);
    return nullptr;
}

Tick
ScaleUpGpu::NextStart(uint8_t /* priority */, Tick from)
{
    return m_streams.empty() ? kNever : from;
}

Frame*
ScaleUpGpu::TakeFrame(uint8_t priority, Tick start)
{
    Stream& stream = m_streams[m_current];
    ScaleUpMessage& message = (*m_messages)[stream.head];
    Frame* f = FramePool::Take();
    *f = {};
    f->op = Opcode::Cell;
    f->priority = priority;
    f->src = m_index;
    f->dst = stream.to;
    f->flow = stream.head;
    f->payload = std::min<uint64_t>(message.cellBytes, message.uncut);
    f->bytes = std::max(f->payload, kScaleUpFlitBytes);
    message.uncut -= f->payload;
    stream.turn -= f->bytes;
    if (message.uncut == 0)
    {
        if (stream.head == stream.tail)
        {
            m_streams.erase(m_streams.begin() + m_current);
            m_current = m_current < m_streams.size() ? m_current : 0;
            if (m_streams.empty())
            {
                m_uplink.SetPulling(priority, false, start);
            }
            return f;
        }
        stream.head = message.next;
    }
    if (stream.turn <= 0)
    {
        stream.turn += m_turnBytes;
        m_current = m_current + 1 < m_streams.size() ? m_current + 1 : 0;
    }
    return f;
}

} // namespace ns3::aifabric
