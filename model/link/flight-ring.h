// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLIGHT_RING_H
#define AIFABRIC_FLIGHT_RING_H

#include "ns3/frame.h"
#include "ns3/huge-memory.h"

#include <cstdint>
#include <new>

namespace ns3::aifabric
{

/// A frame in flight. The instant is kept here, so that neither an arrival nor a departure touches
/// a neighbour's cache line.
struct Flight
{
    Tick arrival;
    Frame* frame;
};

/**
 * @ingroup ai-fabric
 * The frames in flight on a link, oldest first; grows by doubling, up to what the link holds.
 */
class FlightRing
{
  public:
    FlightRing() = default;
    FlightRing(const FlightRing&) = delete;
    FlightRing& operator=(const FlightRing&) = delete;

    ~FlightRing()
    {
        Free();
    }

    bool IsEmpty() const
    {
        return m_size == 0;
    }

    uint32_t GetSize() const
    {
        return m_size;
    }

    const Flight& Front() const
    {
        return m_ring[m_head & m_mask];
    }

    void Pop()
    {
        ++m_head;
        --m_size;
    }

    void Push(const Flight& flight)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        m_ring[(m_head + m_size++) & m_mask] = flight;
    }

    /// Requests the line that Front reads.
    void PrefetchFront() const
    {
        __builtin_prefetch(&m_ring[m_head & m_mask]);
    }

    /// Requests the line that the next Push writes.
    void PrefetchBack() const
    {
        __builtin_prefetch(&m_ring[(m_head + m_size) & m_mask], 1);
    }

  private:
    // Apart from its caller, every departure's, which so has less to save.
    [[gnu::noinline]] void Grow()
    {
        const uint32_t capacity = m_ring ? 2 * m_capacity : 4;
        auto* ring = new (HugeMemory::Take(capacity * sizeof(Flight))) Flight[capacity];
        for (uint32_t i = 0; i < m_size; ++i)
        {
            ring[i] = m_ring[(m_head + i) & m_mask];
        }
        Free();
        m_ring = ring;
        m_head = 0;
        m_mask = capacity - 1;
        m_capacity = capacity;
    }

    void Free()
    {
        if (m_ring)
        {
            HugeMemory::Return(m_ring, m_capacity * sizeof(Flight));
        }
    }

    Flight* m_ring{nullptr};
    uint32_t m_head{0};
    uint32_t m_size{0};
    uint32_t m_mask{0};
    uint32_t m_capacity{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FLIGHT_RING_H
