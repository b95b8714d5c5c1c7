// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CREDIT_ACCOUNT_H
#define AIFABRIC_CREDIT_ACCOUNT_H

#include "ns3/abort.h"
#include "ns3/fabric-time.h"

#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What the sender of a credit-controlled link knows of the buffer at its far end: how much of it is
 * free, and when what was freed since gets known here.
 *
 * Returns need neither frames nor events: the far end notes when they will arrive, and the sender
 * looks when it has run out. It may overdraw by less than one frame, as the buffer is of more than
 * one.
 */
class CreditAccount
{
  public:
    /// @param bytes of the buffer, which is empty.
    explicit CreditAccount(uint64_t bytes)
        : m_credit(bytes)
    {
    }

    /// @return whether a frame may go, as far as is known without looking at returns.
    bool HasCredit() const
    {
        return m_credit > 0;
    }

    /// @return bytes spent that have not been returned.
    uint64_t GetSpent() const
    {
        return m_spent;
    }

    void Spend(uint32_t bytes)
    {
        m_credit -= bytes;
        m_spent += bytes;
    }

    /// @param at when the sender gets to know of it; in any order.
    void Return(uint32_t bytes, Tick at)
    {
        NS_ABORT_MSG_IF(bytes > m_spent, "more credit returned than was spent");
        m_spent -= bytes;
        if (m_size > m_mask || !m_ring)
        {
            Grow();
        }
        uint32_t i = m_head + m_size++;
        for (; i != m_head && m_ring[(i - 1) & m_mask].at > at; --i)
        {
            m_ring[i & m_mask] = m_ring[(i - 1) & m_mask];
        }
        m_ring[i & m_mask] = {at, bytes};
    }

    /**
     * @param from the earliest instant in question, no earlier than in the call before.
     * @return from when on a frame may go; kNever if what was returned does not suffice.
     */
    Tick AvailableAt(Tick from)
    {
        while (m_credit <= 0 && m_size > 0 && m_ring[m_head & m_mask].at <= from)
        {
            m_credit += m_ring[m_head++ & m_mask].bytes;
            --m_size;
        }
        int64_t credit = m_credit;
        Tick at = from;
        for (uint32_t i = m_head; credit <= 0; ++i)
        {
            if (i == m_head + m_size)
            {
                return kNever;
            }
            credit += m_ring[i & m_mask].bytes;
            at = m_ring[i & m_mask].at;
        }
        return at;
    }

  private:
    struct Grant
    {
        Tick at;
        uint32_t bytes;
    };

    void Grow()
    {
        const uint32_t capacity = m_ring ? 2 * (m_mask + 1) : 16;
        std::unique_ptr<Grant[]> ring(new Grant[capacity]);
        for (uint32_t i = 0; i < m_size; ++i)
        {
            ring[i] = m_ring[(m_head + i) & m_mask];
        }
        m_ring = std::move(ring);
        m_head = 0;
        m_mask = capacity - 1;
    }

    int64_t m_credit;
    uint64_t m_spent{0};
    std::unique_ptr<Grant[]> m_ring; ///< returns not yet counted in, in the order of their arrival
    uint32_t m_head{0};
    uint32_t m_size{0};
    uint32_t m_mask{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CREDIT_ACCOUNT_H
