// SPDX-License-Identifier: GPL-2.0-only
// Cost of one event, dispatch and arming, by event list and number of pending events. Events are
// armed again by themselves at random delays of about 1 us, as those of links are.
#include "ns3/fabric-event.h"
#include "ns3/global-value.h"
#include "ns3/string.h"

#include <benchmark/benchmark.h>

#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class Bouncing final : public EventImpl
{
  public:
    static inline int64_t s_left = 0;

    void Arm(Tick now)
    {
        m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
        ArmEvent(this, now, now + kMicrosecond / 2 + static_cast<Tick>(m_random >> 44), 0);
    }

    void SetSeed(uint64_t seed)
    {
        m_random = seed * 0x9E3779B97F4A7C15ULL;
    }

  private:
    void Notify() override
    {
        if (--s_left == 0)
        {
            Simulator::Stop();
        }
        auto* simulator = SequentialSimulatorImpl::Current();
        Arm(simulator ? simulator->GetNow() : Simulator::Now().GetTimeStep());
    }

    uint64_t m_random{0};
};

void
Bench(benchmark::State& state, const char* simulator, const char* scheduler)
{
    Simulator::Destroy();
    GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
    GlobalValue::Bind("SchedulerType", StringValue(scheduler));
    Simulator::Now();
    constexpr int64_t kEvents = 100000;
    std::vector<Bouncing> events(state.range(0));
    for (std::size_t i = 0; i < events.size(); ++i)
    {
        events[i].SetSeed(i + 1);
        events[i].Arm(0);
    }
    Bouncing::s_left = static_cast<int64_t>(events.size()) * 3; // until the load is even
    Simulator::Run();
    for (auto _ : state)
    {
        Bouncing::s_left = kEvents;
        Simulator::Run();
    }
    state.SetItemsProcessed(state.iterations() * kEvents);
    Simulator::Destroy();
}

const char* const kDefault = "ns3::DefaultSimulatorImpl";
const char* const kRadix = "ns3::aifabric::RadixScheduler";

BENCHMARK_CAPTURE(Bench, map, kDefault, "ns3::MapScheduler")
    ->RangeMultiplier(10)
    ->Range(10, 100000);
BENCHMARK_CAPTURE(Bench, priority_queue, kDefault, "ns3::PriorityQueueScheduler")
    ->RangeMultiplier(10)
    ->Range(10, 100000);
BENCHMARK_CAPTURE(Bench, radix, kDefault, kRadix)->RangeMultiplier(10)->Range(10, 1000000);
BENCHMARK_CAPTURE(Bench, radix_sequential, "ns3::aifabric::SequentialSimulatorImpl", kRadix)
    ->RangeMultiplier(10)
    ->Range(10, 1000000);

} // namespace

BENCHMARK_MAIN();
