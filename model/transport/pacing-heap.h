// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PACING_HEAP_H
#define AIFABRIC_PACING_HEAP_H

#include "send-entry.h"

#include <cstddef>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Senders by the instant from which each may send again; who waits for the same instant leaves in
 * an order that depends on nothing but what was done before.
 *
 * A binary heap that tells each sender its place, so that a change of its rate moves it where it
 * stands. Keys lie in the heap: comparing touches no sender.
 */
class PacingHeap
{
  public:
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    std::size_t GetSize() const
    {
        return m_heap.size();
    }

    /// @return the earliest instant; the heap is not empty.
    Tick GetFirst() const
    {
        return m_heap.front().at;
    }

    /// Adds a sender, by its `available`.
    void Push(SendEntry& sender)
    {
        m_heap.push_back({sender.available, &sender});
        Up(m_heap.size() - 1);
    }

    /// Takes the sender of GetFirst().
    SendEntry& Pop()
    {
        SendEntry& first = *m_heap.front().sender;
        Remove(first);
        return first;
    }

    /// Takes out a sender that is in the heap.
    void Remove(SendEntry& sender)
    {
        const uint32_t place = sender.heapPlace;
        const Item last = m_heap.back();
        m_heap.pop_back();
        if (last.sender != &sender)
        {
            m_heap[place] = last;
            Down(Up(place));
        }
    }

    /// The `available` of a sender in the heap has changed.
    void Update(SendEntry& sender)
    {
        m_heap[sender.heapPlace].at = sender.available;
        Down(Up(sender.heapPlace));
    }

  private:
    struct Item
    {
        Tick at;
        SendEntry* sender;
    };

    void Put(std::size_t place, const Item& item)
    {
        m_heap[place] = item;
        item.sender->heapPlace = place;
    }

    std::size_t Up(std::size_t place)
    {
        const Item item = m_heap[place];
        while (place > 0 && item.at < m_heap[(place - 1) / 2].at)
        {
            Put(place, m_heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        Put(place, item);
        return place;
    }

    void Down(std::size_t place)
    {
        const Item item = m_heap[place];
        for (std::size_t child; (child = 2 * place + 1) < m_heap.size(); place = child)
        {
            if (child + 1 < m_heap.size() && m_heap[child + 1].at < m_heap[child].at)
            {
                ++child;
            }
            if (m_heap[child].at >= item.at)
            {
                break;
            }
            Put(place, m_heap[child]);
        }
        Put(place, item);
    }

    std::vector<Item> m_heap;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PACING_HEAP_H
