// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-compat.h"
#include "ns3/fabric-event.h"
#include "ns3/fabric-registry.h"
#include "ns3/make-event.h"
#include "ns3/map-scheduler.h"
#include "ns3/radix-scheduler.h"
#include "ns3/test.h"

#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// The order of events is that of ns-3's map, ties included.
class SchedulerOrderCase : public TestCase
{
  public:
    SchedulerOrderCase()
        : TestCase("RadixScheduler has the order of MapScheduler")
    {
    }

  private:
    void DoRun() override
    {
        auto radix = CreateObject<RadixScheduler>();
        auto map = CreateObject<MapScheduler>();
        Ptr<EventImpl> nothing(MakeEvent([] {}), false);
        std::mt19937_64 random(1);
        uint64_t now = 0;
        uint32_t uid = 4;
        for (int i = 0; i < 100000; ++i)
        {
            if (map->IsEmpty() || random() % 100 < 55)
            {
                // Many at one instant, some far away.
                const uint64_t r = random();
                const uint64_t ts = now + (r % 4 ? r % 500 : (r >> 8) >> (r % 40));
                const Scheduler::Event event{PeekPointer(nothing), {ts, uid++, 0}};
                radix->Insert(event);
                map->Insert(event);
                continue;
            }
            const Scheduler::Event expected = map->RemoveNext();
            const Scheduler::Event next = radix->RemoveNext();
            NS_TEST_ASSERT_MSG_EQ(next.key.m_ts, expected.key.m_ts, "another instant");
            NS_TEST_ASSERT_MSG_EQ(next.key.m_uid, expected.key.m_uid, "another event");
            now = next.key.m_ts;
        }
    }
};

/// An event that its owner arms again costs nothing and keeps the time.
class ReusedEventCase : public TestCase
{
  public:
    ReusedEventCase()
        : TestCase("events are used again")
    {
    }

  private:
    class Ticker final : public EventImpl
    {
      public:
        std::vector<Tick> fired;

      private:
        void Notify() override
        {
            const Tick now = Simulator::Now().GetTimeStep();
            fired.push_back(now);
            if (fired.size() < 4)
            {
                ArmEvent(this, now, now + 81920, 0);
            }
        }
    };

    void DoRun() override
    {
        UseSequentialSimulator();
        // 4096 B at 400 Gb/s: no whole number of nanoseconds.
        UsePicoseconds();
        NS_TEST_ASSERT_MSG_EQ(ByteTime(400e9)(4096), 81920, "time of a frame");
        Ticker ticker;
        Simulator::Schedule(Time(0), [&] { ArmEvent(&ticker, 0, 81920, 0); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_NE(SequentialSimulatorImpl::Current(), nullptr, "not in use");
        NS_TEST_ASSERT_MSG_EQ(ticker.fired.size(), 4, "fired so often");
        NS_TEST_EXPECT_MSG_EQ(ticker.fired.back(), 4 * 81920, "fired then");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(ticker.GetReferenceCount(), 1, "somebody still holds it");
    }
};

class RegistryCase : public TestCase
{
  public:
    RegistryCase()
        : TestCase("ids of plug-ins")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_ASSERT_MSG_EQ(ToSnakeCase("Torus3D"), "torus_3d", "digits begin a word");
        NS_TEST_ASSERT_MSG_EQ(ToSnakeCase("EEcmp"), "e_ecmp", "a capital begins a word");
    }
};

class EngineSuite : public TestSuite
{
  public:
    EngineSuite()
        : TestSuite("ai-fabric-engine", compat::SuiteType<TestSuite>::kUnit)
    {
        AddTestCase(new SchedulerOrderCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new ReusedEventCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new RegistryCase, compat::CaseDuration<TestCase>::kQuick);
    }
};

EngineSuite g_engineSuite;

} // namespace
