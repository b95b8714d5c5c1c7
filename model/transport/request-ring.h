// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REQUEST_RING_H
#define AIFABRIC_REQUEST_RING_H

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Work requests in the order in which they were posted. Each has a number that it keeps: the first
 * ever is 0. Grows by doubling and takes no memory before its first use.
 * @tparam T a plain value.
 */
template <class T>
class RequestRing
{
  public:
    bool IsEmpty() const
    {
        return m_begin == m_end;
    }

    /// @return number of the oldest.
    uint32_t GetBegin() const
    {
        return m_begin;
    }

    /// @return number that the next one gets.
    uint32_t GetEnd() const
    {
        return m_end;
    }

    const T& operator[](uint32_t number) const
    {
        return m_ring[number & m_mask];
    }

    const T& Front() const
    {
        return (*this)[m_begin];
    }

    void Push(const T& request)
    {
        if (!m_ring || m_end - m_begin > m_mask)
        {
            Grow();
        }
        m_ring[m_end++ & m_mask] = request;
    }

    T Pop()
    {
        return m_ring[m_begin++ & m_mask];
    }

    void Clear()
    {
        m_begin = m_end;
    }

  private:
    void Grow()
    {
        const uint32_t mask = m_ring ? 2 * m_mask + 1 : 1;
        std::unique_ptr<T[]> ring(new T[mask + 1]);
        for (uint32_t i = m_begin; i != m_end; ++i)
        {
            ring[i & mask] = m_ring[i & m_mask];
        }
        m_ring = std::move(ring);
        m_mask = mask;
    }

    std::unique_ptr<T[]> m_ring;
    uint32_t m_begin{0};
    uint32_t m_end{0};
    uint32_t m_mask{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_REQUEST_RING_H
