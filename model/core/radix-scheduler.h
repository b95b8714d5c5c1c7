// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RADIX_SCHEDULER_H
#define AIFABRIC_RADIX_SCHEDULER_H

#include "slot-bitmap.h"

#include "ns3/event-impl.h"
#include "ns3/scheduler.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-engine
 * An event list for simulations whose events are mostly close at hand: constant time per event, and
 * no memory allocated per event. Its order is exactly ns-3's.
 *
 * Three stages, from far to near:
 * - Times far ahead wait in slots whose width grows by 2^9 from one level to the next (a radix of
 *   aligned digits). When the present reaches a slot its events move a level down.
 * - The next few microseconds are a wheel of 2^14 slots of 2^SlotShift ticks each. Slots are
 *   unsorted lists of nodes from a pool.
 * - The run: the next handful of slots, sorted. Since the next eight events are known whenever
 *   there are that many near, memory that they will need is requested ahead of their turn, which on
 *   a large fabric is worth more than any saving in the list itself.
 *
 * Like all of ns-3's schedulers it may rely on two promises of the simulator: no insertion is
 * earlier than the last removal (it would be honoured, only slowly), and later insertions have
 * later uids. So equal times are first in, first out, and uids, which wrap at 2^32, are not compared.
 */
class RadixScheduler final : public Scheduler
{
  public:
    /// Requests memory; changes nothing.
    using Prefetch = void (*)(const EventImpl* event);

    static TypeId GetTypeId();

    RadixScheduler();
    ~RadixScheduler() override;

    /**
     * Shorter ways for one class of events, in which a large fabric spends its time. For all others
     * the event's own first line is requested, no more.
     *
     * @param type events of exactly that type, which nobody cancels.
     * @param dispatch their Notify.
     * @param stages hints, called one after the other, seven to one event before its turn. The
     * event's first line is cached by then, and what the stages before requested.
     */
    static void SetFrequent(const std::type_info& type,
                            void (*dispatch)(EventImpl* event),
                            const std::array<Prefetch, 4>& stages);

    void Insert(const Event& event) override
    {
        Put(event.impl, event.key.m_ts, event.key.m_uid, event.key.m_context);
    }

    bool IsEmpty() const override
    {
        return m_size == 0;
    }

    Event PeekNext() const override;

    Event RemoveNext() override
    {
        return Take();
    }

    void Remove(const Event& event) override;

    /// As Insert; the parts go straight to their place.
    void Put(EventImpl* impl, uint64_t ts, uint32_t uid, uint32_t context)
    {
        ++m_size;
        uint64_t slot = ts >> m_shift;
        if (Index n = m_free; n && slot > m_slot && slot < m_limit)
        {
            uint32_t i = slot & kNearMask;
            Node& node = m_nodes[n];
            m_free = node.next;
            // The latest insertion becomes the head: no other node has to be touched.
            node.next = std::exchange(m_near[i], n);
            node.event.impl = impl;
            node.event.key.m_ts = ts;
            node.event.key.m_uid = uid;
            node.event.key.m_context = context;
            m_nearUsed.Set(i);
            return;
        }
        PutElsewhere(impl, ts, uid, context);
    }

    /// EventImpl::Invoke, which is slow: it looks for log output and at whether it was cancelled.
    static void Invoke(EventImpl* event)
    {
        if (&typeid(*event) == s_type)
        {
            s_dispatch(event);
            return;
        }
        event->Invoke();
    }

    /// As RemoveNext.
    Event Take()
    {
        if (m_end < m_head + kAhead)
        {
            Refill();
        }
        --m_size;
        if (m_late.empty())
        {
            if (m_size >= kCold)
            {
                LookAhead();
            }
            return *m_head++;
        }
        return TakeLate();
    }

  private:
    static constexpr int kNearBits = 14;        ///< of the wheel, which holds two windows
    static constexpr int kFarBits = 10;         ///< of a level above it, likewise
    static constexpr int kLevels = 6;           ///< above the wheel; enough for 64 bits of time
    static constexpr std::ptrdiff_t kAhead = 8; ///< events known in advance, if they are near
    static constexpr std::size_t kCold = 256;   ///< with fewer pending events all is cached
    static constexpr std::ptrdiff_t kScan = 16; ///< steps of an insertion into the run

    /// Nodes have 32-bit names; 0 is none.
    using Index = uint32_t;

    struct alignas(32) Node
    {
        Event event;
        Index next;
    };

    /// An event that came too late for the run.
    struct Late
    {
        Event event;
        uint64_t order;

        bool operator<(const Late& o) const // for a heap with the earliest on top
        {
            return event.key.m_ts != o.event.key.m_ts ? event.key.m_ts > o.event.key.m_ts
                                                      : order > o.order;
        }
    };

    /// Slots further ahead than the wheel.
    struct Level
    {
        std::array<Index, 1 << kFarBits> lists{};
        SlotBitmap<1 << kFarBits> used;
    };

    /// A slot of a level.
    struct Place
    {
        int level; ///< 0 is the wheel; kLevels + 1 is nowhere
        uint32_t slot;
    };

    struct FreeDeleter
    {
        void operator()(void* p) const
        {
            std::free(p);
        }
    };

    static constexpr uint64_t kNearMask = (1ULL << kNearBits) - 1;
    static constexpr uint64_t kFarMask = (1ULL << kFarBits) - 1;

    Index NewNode()
    {
        if (!m_free)
        {
            GrowPool();
        }
        return std::exchange(m_free, m_nodes[m_free].next);
    }

    void FreeNode(Index n)
    {
        m_nodes[n].next = m_free;
        m_free = n;
    }

    template <int kPlace>
    void Hint(Prefetch stage) const
    {
        if (const EventImpl* event = m_head[kPlace].impl; &typeid(*event) == s_type)
        {
            stage(event);
        }
    }

    void LookAhead()
    {
        if (m_walk)
        {
            const Node& node = m_nodes[m_walk];
            __builtin_prefetch(node.event.impl, 1);
            m_walk = node.next;
            __builtin_prefetch(&m_nodes[m_walk]);
        }
        if (s_type && m_end - m_head >= kAhead)
        {
            Hint<7>(s_stages[0]);
            Hint<5>(s_stages[1]);
            Hint<3>(s_stages[2]);
            Hint<1>(s_stages[3]);
        }
    }

    /// @return by how much slots of that level, from 1 on, are wider than those of the wheel (log2).
    static constexpr int FarShift(int level)
    {
        return kNearBits - 1 + (level - 1) * (kFarBits - 1);
    }

    Place Find(uint64_t slot) const;
    Place FirstUsed() const;
    Index Earliest(Index list) const;
    Index& List(const Place& place);
    Index List(const Place& place) const;
    void SetUsed(const Place& place, bool used);
    void PutElsewhere(EventImpl* impl, uint64_t ts, uint32_t uid, uint32_t context);
    void PutIntoRun(const Event& event);
    void Refill();
    bool LoadFrom(uint64_t slot);
    void LoadMany(Index list);
    void Sort(Event* first);
    void Advance();
    void MoveTo(uint64_t slot);
    void Distribute(int level, uint64_t slot);

    void MakeRoom(std::size_t count)
    {
        if (static_cast<std::size_t>(m_runEnd - m_end) < count)
        {
            GrowRun(count);
        }
    }

    void GrowRun(std::size_t count);
    Event TakeLate();
    void GrowPool();

    static inline const std::type_info* s_type = nullptr;
    static inline void (*s_dispatch)(EventImpl*) = nullptr;
    static inline std::array<Prefetch, 4> s_stages{};

    std::unique_ptr<Node[], FreeDeleter> m_nodes;
    Index m_free{0};
    Index m_walk{0}; ///< node of a coming slot that is to be requested next
    Event* m_head;   ///< the run, within m_run
    Event* m_end;
    Event* m_runEnd;
    std::size_t m_size{0};
    uint64_t m_slot{0};  ///< all events of slots up to this one are in the run or late
    uint64_t m_limit{0}; ///< slots from this one on are beyond the wheel
    uint8_t m_shift{0};
    std::vector<Late> m_late; ///< a heap
    uint64_t m_order{0};
    std::vector<Event> m_run;
    Index m_poolSize{0};
    mutable Index m_peekedList{0}; ///< the list, by its head, whose earliest node is known
    mutable Index m_peekedBest{0};
    SlotBitmap<1 << kNearBits> m_nearUsed;
    std::array<Index, 1 << kNearBits> m_near{};
    std::array<Level, kLevels> m_far;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RADIX_SCHEDULER_H
