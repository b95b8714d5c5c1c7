// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/make-event.h"
#include "ns3/object-factory.h"
#include "ns3/radix-scheduler.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Owner of an event that is only looked at.
Ptr<EventImpl>
Nothing()
{
    return {MakeEvent([]() {}), false};
}

/// The order that ns-3 prescribes, by the standard's promise that a multimap keeps equals in the
/// order of their insertion.
class Oracle
{
  public:
    void Insert(const Scheduler::Event& e)
    {
        m_events.emplace(e.key.m_ts, e);
    }

    Scheduler::Event Next() const
    {
        return m_events.begin()->second;
    }

    void RemoveNext()
    {
        m_events.erase(m_events.begin());
    }

    Scheduler::Event RemoveAny(std::mt19937_64& random)
    {
        uint64_t span = m_events.rbegin()->first - m_events.begin()->first;
        auto it = m_events.lower_bound(m_events.begin()->first + random() % (span + 1));
        Scheduler::Event e = it->second;
        m_events.erase(it);
        return e;
    }

    std::size_t Size() const
    {
        return m_events.size();
    }

  private:
    std::multimap<uint64_t, Scheduler::Event> m_events;
};

/// How times are drawn.
enum class Gaps
{
    Dense,   ///< many events per slot, many ties
    Fabric,  ///< link delays, some timers, some events at once
    Immense, ///< any power of two up to the end of time
};

uint64_t
Delay(Gaps gaps, std::mt19937_64& random)
{
    uint64_t r = random();
    switch (gaps)
    {
    case Gaps::Dense:
        return r % 500;
    case Gaps::Fabric:
        return r % 8 == 0 ? 0 : r % 8 < 6 ? 1000000 + r % 300000 : r % 500000000;
    default:
        return r % 4 == 0 ? 0 : (r >> 2) >> (24 + r % 40);
    }
}

struct Case
{
    Gaps gaps;
    std::size_t pending;
    int events;
    uint8_t shift;
};

std::ostream&
operator<<(std::ostream& out, const Case& c)
{
    return out << c.pending << " pending, " << c.events << " events, slots of 2^" << int(c.shift);
}

class RadixSchedulerOrder : public testing::TestWithParam<Case>
{
};

} // namespace

TEST_P(RadixSchedulerOrder, IsNs3s)
{
    const Case& c = GetParam();
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        std::mt19937_64 random(seed);
        ObjectFactory factory(
            RadixScheduler::GetTypeId().GetName(), "SlotShift", UintegerValue(c.shift));
        auto radix = factory.Create<RadixScheduler>();
        Oracle oracle;
        Ptr<EventImpl> event = Nothing();
        uint64_t now = 0;
        uint32_t uid = 0xFFFFFFFF - c.events / 2; // wraps on the way
        for (int done = 0; done < c.events;)
        {
            // The number of pending events sweeps up and down between 0 and twice the nominal one.
            std::size_t target = c.pending * (1 + (done / 1000) % 3) / 2;
            uint64_t delay = Delay(c.gaps, random);
            if (oracle.Size() <= target && now + delay < 1ULL << 63)
            {
                Scheduler::Event e{PeekPointer(event), {now + delay, uid++, uid}};
                radix->Insert(e);
                oracle.Insert(e);
                continue;
            }
            if (oracle.Size() == 0)
            {
                break; // the end of time
            }
            ASSERT_FALSE(radix->IsEmpty());
            ++done;
            if (random() % 16 == 0)
            {
                radix->Remove(oracle.RemoveAny(random));
                continue;
            }
            Scheduler::Event expected = oracle.Next();
            if (random() % 4 == 0)
            {
                Scheduler::Event peeked = radix->PeekNext();
                ASSERT_EQ(peeked.key.m_ts, expected.key.m_ts);
                ASSERT_EQ(peeked.key.m_uid, expected.key.m_uid);
                // Something earlier than what was seen may still come.
                uint64_t before = expected.key.m_ts - now;
                if (before > 0)
                {
                    Scheduler::Event e{PeekPointer(event), {now + random() % before, uid++, 7}};
                    radix->Insert(e);
                    oracle.Insert(e);
                    expected = e;
                }
            }
            Scheduler::Event got = radix->RemoveNext();
            ASSERT_EQ(got.key.m_ts, expected.key.m_ts) << "event " << done << " seed " << seed;
            ASSERT_EQ(got.key.m_uid, expected.key.m_uid) << "event " << done << " seed " << seed;
            ASSERT_EQ(got.key.m_context, expected.key.m_context);
            oracle.RemoveNext();
            now = got.key.m_ts;
        }
        while (oracle.Size() > 0)
        {
            ASSERT_EQ(radix->RemoveNext().key.m_uid, oracle.Next().key.m_uid);
            oracle.RemoveNext();
        }
        EXPECT_TRUE(radix->IsEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(Loads,
                         RadixSchedulerOrder,
                         testing::Values(Case{Gaps::Dense, 1, 20000, 8},
                                         Case{Gaps::Dense, 20, 50000, 8},
                                         Case{Gaps::Dense, 3000, 50000, 8},
                                         Case{Gaps::Dense, 100, 50000, 0},
                                         Case{Gaps::Fabric, 5, 20000, 8},
                                         Case{Gaps::Fabric, 1000, 100000, 8},
                                         Case{Gaps::Fabric, 20000, 100000, 8},
                                         Case{Gaps::Fabric, 1000, 50000, 20},
                                         Case{Gaps::Immense, 10, 20000, 8},
                                         Case{Gaps::Immense, 1000, 50000, 0},
                                         Case{Gaps::Immense, 1000, 50000, 8},
                                         Case{Gaps::Immense, 1000, 50000, 32}));

TEST(RadixScheduler, BurstsAtOneInstantStayFirstInFirstOut)
{
    auto radix = CreateObject<RadixScheduler>();
    Ptr<EventImpl> event = Nothing();
    uint32_t uid = 4;
    uint32_t expected = 4;
    // A collective starts: everybody at once, each with an event at the same instant.
    for (int i = 0; i < 100000; ++i)
    {
        radix->Insert({PeekPointer(event), {5000, uid++, 0}});
    }
    for (int i = 0; i < 200000; ++i)
    {
        ASSERT_EQ(radix->RemoveNext().key.m_uid, expected++);
        if (i < 100000)
        {
            radix->Insert({PeekPointer(event), {5000, uid++, 0}});
        }
    }
    EXPECT_TRUE(radix->IsEmpty());
}

TEST(RadixScheduler, RemovesAnEventTwiceInTheListByItsUid)
{
    auto radix = CreateObject<RadixScheduler>();
    Ptr<EventImpl> event = Nothing();
    for (uint64_t ts : {0ULL, 3000ULL, 1ULL << 40})
    {
        radix->Insert({PeekPointer(event), {ts, 4, 0}});
        radix->Insert({PeekPointer(event), {ts, 5, 0}});
        radix->Remove({PeekPointer(event), {ts, 4, 0}});
        EXPECT_EQ(radix->PeekNext().key.m_uid, 5U);
        radix->Remove({PeekPointer(event), {ts, 5, 0}});
        EXPECT_TRUE(radix->IsEmpty());
    }
}
