// SPDX-License-Identifier: GPL-2.0-only
#include "radix-scheduler.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RadixScheduler);

TypeId
RadixScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RadixScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("AiFabric")
            .AddConstructor<RadixScheduler>()
            .AddAttribute("SlotShift",
                          "Width of a slot of the wheel: log2 of ticks of ns3::Time. 1 to 10 "
                          "pending events per slot are best.",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          UintegerValue(8),
                          MakeUintegerAccessor(&RadixScheduler::m_shift),
                          MakeUintegerChecker<uint8_t>(0, 32));
    return tid;
}

RadixScheduler::RadixScheduler()
    : m_limit(1ULL << kNearBits),
      m_run(64)
{
    m_head = m_end = m_run.data();
    m_runEnd = m_end + m_run.size();
}

RadixScheduler::~RadixScheduler() = default;

void
RadixScheduler::SetFrequent(const std::type_info& type,
                            void (*dispatch)(EventImpl* event),
                            const std::array<Prefetch, 4>& stages)
{
    s_type = &type;
    s_dispatch = dispatch;
    s_stages = stages;
}

RadixScheduler::Event
RadixScheduler::PeekNext() const
{
    if (!m_late.empty() && (m_head == m_end || m_late[0].event.key.m_ts < m_head->key.m_ts))
    {
        return m_late[0].event;
    }
    if (m_head != m_end)
    {
        return *m_head;
    }
    // The slot must not be loaded yet: something earlier may still be inserted. The answer is kept,
    // since a rank of a distributed simulation asks again and again while it waits for others.
    Index list = List(FirstUsed());
    if (list != m_peekedList)
    {
        m_peekedList = list;
        m_peekedBest = Earliest(list);
    }
    return m_nodes[m_peekedBest].event;
}

void
RadixScheduler::Remove(const Event& event)
{
    auto same = [&](const Event& e) {
        return e.impl == event.impl && e.key.m_ts == event.key.m_ts && e.key == event.key;
    };
    m_peekedList = 0;
    --m_size;
    uint64_t slot = event.key.m_ts >> m_shift;
    if (slot <= m_slot)
    {
        Event* e = std::find_if(m_head, m_end, same);
        if (e != m_end)
        {
            m_end = std::move(e + 1, m_end, e);
            return;
        }
        auto late = std::find_if(
            m_late.begin(), m_late.end(), [&](const Late& l) { return same(l.event); });
        NS_ABORT_MSG_IF(late == m_late.end(), "RadixScheduler: no such event to remove");
        m_late.erase(late);
        std::make_heap(m_late.begin(), m_late.end());
        return;
    }
    Place place = Find(slot);
    Index* link = &List(place);
    while (*link && !same(m_nodes[*link].event))
    {
        link = &m_nodes[*link].next;
    }
    Index n = *link;
    NS_ABORT_MSG_IF(!n, "RadixScheduler: no such event to remove");
    *link = m_nodes[n].next;
    FreeNode(n);
    if (!List(place))
    {
        SetUsed(place, false);
    }
}

RadixScheduler::Place
RadixScheduler::Find(uint64_t slot) const
{
    if (slot < m_limit)
    {
        return {0, static_cast<uint32_t>(slot & kNearMask)};
    }
    int level = 1;
    while (level < kLevels && (slot >> FarShift(level + 1)) - (m_slot >> FarShift(level + 1)) > 1)
    {
        ++level;
    }
    return {level, static_cast<uint32_t>((slot >> FarShift(level)) & kFarMask)};
}

RadixScheduler::Place
RadixScheduler::FirstUsed() const
{
    // What is on a lower level is earlier than all that is above.
    uint32_t slot = m_nearUsed.Next((m_slot + 1) & kNearMask);
    int level = 0;
    while (slot == (level ? 1U << kFarBits : 1U << kNearBits) && level < kLevels)
    {
        ++level;
        slot = m_far[level - 1].used.Next(((m_slot >> FarShift(level)) + 1) & kFarMask);
    }
    NS_ABORT_MSG_IF(level == kLevels && slot == 1U << kFarBits, "RadixScheduler: no event is left");
    return {level, slot};
}

RadixScheduler::Index&
RadixScheduler::List(const Place& place)
{
    return place.level ? m_far[place.level - 1].lists[place.slot] : m_near[place.slot];
}

RadixScheduler::Index
RadixScheduler::List(const Place& place) const
{
    return place.level ? m_far[place.level - 1].lists[place.slot] : m_near[place.slot];
}

void
RadixScheduler::SetUsed(const Place& place, bool used)
{
    auto set = [&](auto& bits) { used ? bits.Set(place.slot) : bits.Clear(place.slot); };
    place.level ? set(m_far[place.level - 1].used) : set(m_nearUsed);
}

RadixScheduler::Index
RadixScheduler::Earliest(Index list) const
{
    Index best = list;
    for (Index n = m_nodes[list].next; n; n = m_nodes[n].next)
    {
        // Lists run from the latest insertion to the first, which has precedence.
        best = m_nodes[n].event.key.m_ts <= m_nodes[best].event.key.m_ts ? n : best;
    }
    return best;
}

void
RadixScheduler::PutElsewhere(EventImpl* impl, uint64_t ts, uint32_t uid, uint32_t context)
{
    Event event{impl, {ts, uid, context}};
    uint64_t slot = ts >> m_shift;
    if (slot <= m_slot)
    {
        PutIntoRun(event);
        return;
    }
    Index n = NewNode();
    m_nodes[n].event = event;
    Place place = Find(slot);
    Index& list = List(place);
    m_nodes[n].next = list;
    list = n;
    SetUsed(place, true);
}

void
RadixScheduler::PutIntoRun(const Event& event)
{
    uint64_t ts = event.key.m_ts;
    // Once something is late all that follows is, so that at equal times the run has precedence.
    if (m_late.empty())
    {
        MakeRoom(1);
        std::ptrdiff_t steps = std::min(m_end - m_head, kScan);
        Event* at = m_end;
        while (at > m_end - steps && at[-1].key.m_ts > ts)
        {
            --at;
        }
        if (at == m_head || at[-1].key.m_ts <= ts)
        {
            std::move_backward(at, m_end, m_end + 1);
            ++m_end;
            *at = event;
            return;
        }
        at = m_head;
        while (at < m_head + steps && at->key.m_ts <= ts)
        {
            ++at;
        }
        if (at->key.m_ts > ts && m_head > m_run.data())
        {
            std::move(m_head, at, m_head - 1);
            --m_head;
            at[-1] = event;
            return;
        }
    }
    m_late.push_back({event, m_order++});
    std::push_heap(m_late.begin(), m_late.end());
}

RadixScheduler::Event
RadixScheduler::TakeLate()
{
    if (m_head != m_end && m_head->key.m_ts <= m_late[0].event.key.m_ts)
    {
        return *m_head++;
    }
    std::pop_heap(m_late.begin(), m_late.end());
    Event event = m_late.back().event;
    m_late.pop_back();
    return event;
}

void
RadixScheduler::Refill()
{
    m_peekedList = 0;
    if (m_head == m_end)
    {
        m_head = m_end = m_run.data();
    }
    if (!LoadFrom(m_slot + 1) && m_head == m_end && m_late.empty())
    {
        Advance();
    }
    uint32_t i = (m_slot + 1) & kNearMask;
    uint64_t near = m_nearUsed.Near(i);
    m_walk = near ? m_near[i + __builtin_ctzll(near)] : 0;
}

/// Appends used slots from that one to the last of its 64 until the run is twice as long as it has to
/// be, so as not to come back for each event.
bool
RadixScheduler::LoadFrom(uint64_t slot)
{
    uint32_t i = slot & kNearMask;
    uint64_t near = m_nearUsed.Near(i);
    if (!near)
    {
        return false;
    }
    if (slot >> FarShift(1) != m_slot >> FarShift(1))
    {
        MoveTo(slot);
    }
    MakeRoom(2 * kAhead);
    uint32_t first = i;
    Event* enough = m_head + 2 * kAhead;
    --i;
    do
    {
        int skip = __builtin_ctzll(near) + 1;
        i += skip;
        near = near >> (skip - 1) >> 1;
        Index list = std::exchange(m_near[i], 0);
        Node& node = m_nodes[list];
        if (node.next)
        {
            LoadMany(list);
            enough = m_head + 2 * kAhead;
        }
        else
        {
            *m_end++ = node.event;
            FreeNode(list);
        }
    } while (near && m_end < enough);
    m_nearUsed.ClearThrough(i);
    m_slot = slot + (i - first);
    return true;
}

void
RadixScheduler::Advance()
{
    Place place = FirstUsed();
    uint64_t slot = m_slot + 1;
    if (place.level == 0)
    {
        slot += (place.slot - slot) & kNearMask;
    }
    else
    {
        // Straight to the earliest event: at most one slot of each level has to be distributed.
        slot = m_nodes[Earliest(List(place))].event.key.m_ts >> m_shift;
        MoveTo(slot - 1);
    }
    LoadFrom(slot);
}

void
RadixScheduler::MoveTo(uint64_t slot)
{
    uint64_t old = m_slot;
    m_slot = slot;
    m_limit = ((slot >> FarShift(1)) + 2) << FarShift(1);
    // A level holds the window that the present is in and the one after. A window comes down as a
    // whole, before the first insertion that goes there directly: so lists stay first in, first out.
    for (int level = kLevels; level > 0; --level)
    {
        uint64_t window = slot >> FarShift(level);
        if (window != old >> FarShift(level))
        {
            Distribute(level, window);
            Distribute(level, window + 1);
        }
    }
}

void
RadixScheduler::Distribute(int level, uint64_t slot)
{
    Place from{level, static_cast<uint32_t>(slot & kFarMask)};
    Index n = std::exchange(List(from), 0);
    SetUsed(from, false);
    Index reversed = 0;
    while (n)
    {
        Index next = std::exchange(m_nodes[n].next, reversed);
        reversed = n;
        n = next;
    }
    while (reversed)
    {
        Place to = Find(m_nodes[reversed].event.key.m_ts >> m_shift);
        Index& list = List(to);
        Index next = std::exchange(m_nodes[reversed].next, list);
        list = reversed;
        SetUsed(to, true);
        reversed = next;
    }
}

void
RadixScheduler::LoadMany(Index list)
{
    Index last = list;
    std::size_t count = 1;
    while (Index next = m_nodes[last].next)
    {
        last = next;
        ++count;
    }
    MakeRoom(count + 2 * kAhead); // and for what the caller adds
    Event* first = m_end;
    m_end += count;
    Event* to = m_end;
    for (Index n = list; n; n = m_nodes[n].next)
    {
        *--to = m_nodes[n].event;
    }
    m_nodes[last].next = m_free;
    m_free = list;
    Sort(first);
}

void
RadixScheduler::Sort(Event* first)
{
    if (m_end - first > 32)
    {
        std::stable_sort(
            first, m_end, [](const Event& a, const Event& b) { return a.key.m_ts < b.key.m_ts; });
        return;
    }
    for (Event* e = first + 1; e < m_end; ++e)
    {
        if (e[-1].key.m_ts <= e->key.m_ts)
        {
            continue;
        }
        Event moved = *e;
        Event* at = e;
        do
        {
            *at = at[-1];
            --at;
        } while (at > first && at[-1].key.m_ts > moved.key.m_ts);
        *at = moved;
    }
}

void
RadixScheduler::GrowRun(std::size_t count)
{
    std::size_t length = m_end - m_head;
    std::memmove(m_run.data(), m_head, length * sizeof(Event));
    if (length + count > m_run.size() / 2)
    {
        m_run.resize(2 * (length + count));
    }
    m_head = m_run.data();
    m_end = m_head + length;
    m_runEnd = m_head + m_run.size();
}

void
RadixScheduler::GrowPool()
{
    constexpr std::size_t kHugePage = 2 << 20;
    std::size_t size = m_poolSize ? 2 * static_cast<std::size_t>(m_poolSize) : 256;
    std::size_t bytes = size * sizeof(Node);
    void* memory = std::aligned_alloc(std::min(bytes, kHugePage), bytes);
    NS_ABORT_MSG_IF(!memory || size > UINT32_MAX, "RadixScheduler: no memory for events");
    if (bytes >= kHugePage)
    {
        madvise(memory, bytes, MADV_HUGEPAGE);
    }
    Node* nodes = static_cast<Node*>(memory);
    if (m_poolSize)
    {
        std::memcpy(memory, m_nodes.get(), m_poolSize * sizeof(Node));
    }
    else
    {
        nodes[0] = {};
        m_poolSize = 1;
    }
    for (std::size_t n = size; n-- > m_poolSize;)
    {
        nodes[n].next = m_free;
        m_free = n;
    }
    m_nodes.reset(nodes);
    m_poolSize = size;
}

} // namespace ns3::aifabric
