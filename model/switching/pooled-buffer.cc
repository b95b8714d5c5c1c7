// SPDX-License-Identifier: GPL-2.0-only
#include "pooled-buffer.h"

#include "ns3/boolean.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PooledBuffer);

TypeId
PooledBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PooledBuffer")
            .SetParent<BufferManager>()
            .SetGroupName("AiFabric")
            .AddAttribute("ReservedBytes",
                          "Bytes that each queue has for itself: by ingress where a priority is "
                          "lossless, by egress where it is lossy.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PooledBuffer::m_reservedBytes),
                          MakeUintegerChecker<uint32_t>(0, 1 << 30))
            .AddAttribute(
                "Priorities",
                "JSON list of {priority, reserved_bytes} for priorities that need their own; with "
                "alpha or limit_bytes, as the policy has it.",
                StringValue("[]"),
                MakeStringAccessor(&PooledBuffer::SetPriorities, &PooledBuffer::GetPriorities),
                MakeTextChecker("array"))
            .AddAttribute("ScaleWithRate",
                          "Multiply the thresholds of lossless ingresses, and limits in bytes, by "
                          "the port's rate over the slowest port's.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PooledBuffer::m_scaleWithRate),
                          MakeBooleanChecker())
            .AddAttribute("XonOffsetBytes",
                          "A paused ingress resumes this far below its threshold.",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&PooledBuffer::m_xonOffset),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
PooledBuffer::SetPriorities(std::string json)
{
    const NumberKey share = GetShareKey();
    NumberTable table(json,
                      "priorities",
                      {{"priority", 7, true, true}, {"reserved_bytes", 1 << 30, true}, share});
    m_priorities = std::move(table);
}

std::string
PooledBuffer::GetPriorities() const
{
    return m_priorities.GetText();
}

void
PooledBuffer::Configure(const BufferLayout& layout)
{
    m_portCount = static_cast<uint32_t>(layout.ports.size());
    m_reserved.fill(m_reservedBytes);
    for (const NumberTable::Entry& entry : m_priorities.GetEntries())
    {
        const auto priority = static_cast<uint8_t>(entry.at("priority"));
        m_reserved[priority] =
            static_cast<uint32_t>(entry.Get("reserved_bytes").value_or(m_reservedBytes));
        m_shares[priority] = entry.Get(GetShareKey().name);
    }
    int64_t headrooms = 0;
    int64_t reserves = 0;
    for (const auto& port : layout.ports)
    {
        headrooms += __builtin_popcount(port.losslessMask) * port.headroomBytes;
        m_headroom.push_back(port.headroomBytes);
        for (uint32_t bytes : m_reserved)
        {
            reserves += bytes;
        }
    }
    m_pool = static_cast<int64_t>(layout.bytes) - headrooms - reserves;
    if (m_pool <= 0)
    {
        throw ScenarioError(
            "buffer_bytes",
            "found " + std::to_string(layout.bytes) +
                ", expected more than the headrooms of all lossless ingresses, " +
                std::to_string(headrooms) +
                (reserves > 0 ? ", and the reserves of all queues, " + std::to_string(reserves)
                              : ""));
    }
    m_ingress.resize(kPriorities * m_portCount);
    m_peakHeadroom.resize(m_ingress.size());
    for (PortIdx port = 0; port < m_portCount; ++port)
    {
        for (uint8_t priority = 0; priority < kPriorities; ++priority)
        {
            Ingress& in = m_ingress[Index(port, priority)];
            in.alpha = 0;
            in.stopped = false;
            in.lossless = layout.ports[port].losslessMask >> priority & 1;
            in.shared = -ReservedAt(in, priority);
        }
    }
    double slowest = layout.ports.empty() ? 0 : layout.ports.front().bandwidthBps;
    for (const auto& port : layout.ports)
    {
        slowest = std::min(slowest, port.bandwidthBps);
    }
    std::vector<double> scale;
    for (const auto& port : layout.ports)
    {
        scale.push_back(m_scaleWithRate ? port.bandwidthBps / slowest : 1);
    }
    DoConfigure(layout, scale);
}

uint32_t
PooledBuffer::Fixed(double alpha) const
{
    // Of the 30 bits no more than products with the pool have room for.
    const double most = std::min(0x3FFFFFFF + 0., 0x1p62 / static_cast<double>(m_pool));
    return static_cast<uint32_t>(std::min(alpha * 65536 + 0.5, most));
}

Verdict
PooledBuffer::Stop(Ingress& in, const BufferSlot& slot, uint32_t bytes)
{
    if (in.stopped)
    {
        return ToHeadroom(in, slot, bytes, PauseEdge::None);
    }
    const int64_t after = in.shared + bytes;
    const int64_t used = m_used + FromPool(after, bytes);
    if (used <= m_pool)
    {
        in.stopped = true;
        in.shared = after;
        m_used = used;
        return {Admission::Shared, PauseEdge::Xoff};
    }
    Verdict verdict = ToHeadroom(in, slot, bytes, PauseEdge::Xoff);
    // Only an ingress that holds something will see the release that ends its pause.
    in.stopped = in.shared + ReservedAt(in, slot.priority) + in.headroom > 0;
    verdict.pause = in.stopped ? PauseEdge::Xoff : PauseEdge::None;
    return verdict;
}

Verdict
PooledBuffer::ToHeadroom(Ingress& in, const BufferSlot& slot, uint32_t bytes, PauseEdge edge)
{
    if (in.headroom + bytes > m_headroom[slot.in])
    {
        return {Admission::Drop, edge};
    }
    in.headroom += bytes;
    uint32_t& peak = m_peakHeadroom[Index(slot.in, slot.priority)];
    peak = std::max(peak, in.headroom);
    return {Admission::Headroom, edge};
}

uint64_t
PooledBuffer::GetUsedBytes() const
{
    uint64_t used = 0;
    for (PortIdx in = 0; in < m_portCount; ++in)
    {
        for (uint8_t priority = 0; priority < kPriorities; ++priority)
        {
            used += GetIngressBytes(in, priority) + GetHeadroomBytes(in, priority);
        }
    }
    return used;
}

uint64_t
PooledBuffer::GetPeakHeadroomBytes() const
{
    return m_peakHeadroom.empty() ? 0
                                  : *std::max_element(m_peakHeadroom.begin(), m_peakHeadroom.end());
}

uint64_t
PooledBuffer::GetPeakHeadroomBytes(PortIdx in, uint8_t priority) const
{
    return m_peakHeadroom[Index(in, priority)];
}

uint64_t
PooledBuffer::GetIngressBytes(PortIdx in, uint8_t priority) const
{
    const Ingress& ingress = m_ingress[Index(in, priority)];
    return ingress.shared + ReservedAt(ingress, priority);
}

uint64_t
PooledBuffer::GetHeadroomBytes(PortIdx in, uint8_t priority) const
{
    return m_ingress[Index(in, priority)].headroom;
}

} // namespace ns3::aifabric
