// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <vector>

namespace ns3::aifabric
{
namespace
{

struct Seen
{
    uint32_t id;
    Tick start;
    Tick arrival;

    bool operator==(const Seen& other) const
    {
        return id == other.id && start == other.start && arrival == other.arrival;
    }
};

std::ostream&
operator<<(std::ostream& out, const Seen& seen)
{
    return out << "frame " << seen.id << " starts " << seen.start << " arrives " << seen.arrival;
}

/// Notes what departs and what arrives.
class Notes : public FrameSink, public PortOwner
{
  public:
    void Receive(Frame* f, PortIdx, Tick now) override
    {
        EXPECT_EQ(now, Simulator::Now().GetTimeStep());
        seen.push_back({f->flow, f->sentAt, now});
        FramePool::Return(f);
    }

    void OnDeparture(EgressPort&, Frame& f, uint32_t, Tick start, Tick now) override
    {
        EXPECT_LE(start, now);
        f.sentAt = start;
    }

    void CatchUpAll(Tick now) override
    {
        port->CatchUp(now);
    }

    EgressPort* port{nullptr};
    std::vector<Seen> seen;
};

Frame*
MakeFrame(uint32_t id, uint8_t priority, uint32_t bytes, Tick ready)
{
    Frame* f = FramePool::Take();
    *f = {};
    f->flow = id;
    f->priority = priority;
    f->bytes = bytes;
    f->ready = ready;
    f->op = Opcode::WriteMiddle;
    f->payload = bytes;
    return f;
}

/// What happens to a port from outside.
struct Touch
{
    Tick at;

    enum
    {
        kFrame,
        kPause
    } kind;

    uint8_t priority;
    uint32_t bytes;
    Tick later; ///< of a frame: until it is ready; of a pause: its length
};

/// The port as one would write it without thought for speed: an event for the end of every
/// transmission, one for the arrival of every frame, one for the end of every wait.
class TwoEventPort
{
  public:
    TwoEventPort(double bps, Tick delay, uint32_t gap, std::array<uint32_t, 8> weights)
        : m_time(bps),
          m_delay(delay),
          m_gap(gap),
          m_weights(weights),
          m_dwrr(weights)
    {
    }

    void Enqueue(uint32_t id, uint8_t priority, uint32_t bytes, Tick ready)
    {
        TryStart();
        m_queues[priority].push_back({id, bytes, ready});
        TryStart();
    }

    void Pause(uint8_t priority, Tick until)
    {
        TryStart();
        m_pausedUntil[priority] = until;
        TryStart();
    }

    std::vector<Seen> seen;

  private:
    struct Item
    {
        uint32_t id;
        uint32_t bytes;
        Tick ready;
    };

    void TryStart()
    {
        const Tick now = Simulator::Now().GetTimeStep();
        if (now < m_free)
        {
            return;
        }
        uint32_t eligible = 0;
        uint32_t backlogged = 0;
        Tick next = kNever;
        for (int p = 0; p < 8; ++p)
        {
            if (!m_queues[p].empty())
            {
                backlogged |= 1 << p;
                Tick at = std::max(m_queues[p].front().ready, m_pausedUntil[p]);
                eligible |= (at <= now) << p;
                next = std::min(next, at);
            }
        }
        if (!eligible)
        {
            if (next != kNever)
            {
                Simulator::Schedule(Time(next - now), &TwoEventPort::TryStart, this);
            }
            return;
        }
        int chosen = 31 - __builtin_clz(eligible);
        uint32_t sharing = 0;
        for (int p = 0; p < 8; ++p)
        {
            sharing |= (m_weights[p] > 0) << p;
        }
        if (m_weights[chosen] > 0)
        {
            chosen = m_dwrr.Choose(eligible & sharing, backlogged);
            m_dwrr.Charge(chosen, m_queues[chosen].front().bytes);
        }
        Item item = m_queues[chosen].front();
        m_queues[chosen].pop_front();
        Tick wire = m_time(item.bytes + m_gap);
        m_free = now + wire;
        Simulator::Schedule(Time(wire), &TwoEventPort::TryStart, this);
        Simulator::Schedule(Time(wire + m_delay), &TwoEventPort::Arrive, this, item.id, now);
    }

    void Arrive(uint32_t id, Tick start)
    {
        seen.push_back({id, start, Simulator::Now().GetTimeStep()});
    }

    ByteTime m_time;
    Tick m_delay;
    uint32_t m_gap;
    std::array<uint32_t, 8> m_weights;
    DeficitRoundRobin m_dwrr;
    std::deque<Item> m_queues[8];
    std::array<Tick, 8> m_pausedUntil{};
    Tick m_free{0};
};

std::vector<Touch>
RandomTouches(uint32_t seed, int count, int priorities, Tick spacing)
{
    std::mt19937 random(seed);
    auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    std::vector<Touch> touches;
    Tick at = 0;
    Tick ready[8] = {};
    for (int i = 0; i < count; ++i)
    {
        // Multiples of 80 ns, a byte at 100 Mb/s: many things happen at one instant.
        at += below(3) == 0 ? 0 : 80000 * below(spacing / 40000);
        auto priority = static_cast<uint8_t>(below(priorities));
        if (below(20) == 0)
        {
            touches.push_back(
                {at, Touch::kPause, priority, 0, below(4) == 0 ? 0 : 80000 * Tick(below(4000))});
            continue;
        }
        // As in a switch, frames of a queue become ready in the order of their arrival.
        ready[priority] = std::max(ready[priority], at + 80000 * Tick(below(3) ? 0 : below(2000)));
        touches.push_back({at, Touch::kFrame, priority, 64 + below(1400), ready[priority] - at});
    }
    return touches;
}

class EgressPortTest : public ::testing::Test
{
  protected:
    EgressPortTest()
    {
        UsePicoseconds();
    }

    ~EgressPortTest() override
    {
        Simulator::Destroy();
        EXPECT_EQ(FramePool::Out(), 0U);
    }

    void Wire(EgressPort& port, PortSettings settings, const uint32_t* watching = nullptr)
    {
        m_notes.port = &port;
        settings.peer = &m_notes;
        port.Wire(settings, 0, &m_notes, watching);
    }

    Notes m_notes;
};

TEST_F(EgressPortTest, ArrivalIsSerialisationPlusDelay)
{
    EgressPort port;
    Wire(port, {100e9, kMicrosecond, 20});
    port.Enqueue(MakeFrame(1, 3, 1062, 0), 0);
    port.Enqueue(MakeFrame(2, 3, 66, 0), 0);
    Simulator::Run();
    // 1082 B at 80 ps each; the second follows 86 B later.
    std::vector<Seen> expected{{1, 0, 1086560}, {2, 86560, 1086560 + 6880}};
    EXPECT_EQ(m_notes.seen, expected);
    EXPECT_EQ(port.GetCounters().frames, 2U);
    EXPECT_EQ(port.GetCounters().bytes, 1128U);
}

TEST_F(EgressPortTest, OneEventPerFrameWhereTheLinkIsBusy)
{
    EgressPort port;
    Wire(port, {100e9, kMicrosecond});
    for (uint32_t i = 0; i < 1000; ++i)
    {
        port.Enqueue(MakeFrame(i, 3, 1000, 0), 0);
    }
    uint64_t before = Simulator::GetEventCount();
    Simulator::Run();
    EXPECT_EQ(m_notes.seen.size(), 1000U);
    EXPECT_EQ(Simulator::GetEventCount() - before, 1000U);
}

TEST_F(EgressPortTest, HandsOverEarlyWithCutThrough)
{
    EgressPort port;
    PortSettings settings{100e9};
    settings.cutThroughBytes = 64;
    Wire(port, settings);
    port.Enqueue(MakeFrame(1, 0, 4096, 0), 0);
    port.Enqueue(MakeFrame(2, 0, 32, 0), 0);
    Simulator::Run();
    std::vector<Seen> expected{{1, 0, 5120}, {2, 327680, 327680 + 2560}};
    EXPECT_EQ(m_notes.seen, expected);
}

TEST_F(EgressPortTest, LosesTheGivenShareOfFrames)
{
    EgressPort port;
    PortSettings settings{100e9};
    settings.lossProbability = 0.1;
    settings.bitErrorRate = 1e-5;
    settings.stream = 7;
    Wire(port, settings);
    for (uint32_t i = 0; i < 100000; ++i)
    {
        port.Enqueue(MakeFrame(i, 3, 1000, 0), 0);
    }
    Simulator::Run();
    // 1 - 0.9 * (1 - 1e-5)^8000 = 0.16919; four standard deviations are 475.
    EXPECT_NEAR(port.GetCounters().lost, 16919, 475);
    EXPECT_EQ(m_notes.seen.size() + port.GetCounters().lost, 100000U);
}

TEST_F(EgressPortTest, CreditStopsAndReleases)
{
    EgressPort port;
    PortSettings settings{100e9};
    settings.creditBytes = 8192;
    Wire(port, settings);
    for (uint32_t i = 0; i < 5; ++i)
    {
        port.Enqueue(MakeFrame(i, 0, 4096, 0), 0);
    }
    Simulator::Run();
    EXPECT_EQ(m_notes.seen.size(), 2U);
    Simulator::Schedule(Time(kMicrosecond), [&] {
        port.AddCredit(8192, kMicrosecond + 655360, kMicrosecond + 655360);
    });
    Simulator::Run();
    ASSERT_EQ(m_notes.seen.size(), 4U);
    EXPECT_EQ(m_notes.seen[2].start, kMicrosecond + 655360);
}

TEST_F(EgressPortTest, PauseExpiresByItself)
{
    EgressPort port;
    Wire(port, {100e9});
    port.Pause(3, 5 * kMicrosecond, 0);
    port.Enqueue(MakeFrame(1, 3, 1000, 0), 0);
    port.Enqueue(MakeFrame(2, 4, 1000, 0), 0);
    Simulator::Run();
    std::vector<Seen> expected{{2, 0, 80000}, {1, 5 * kMicrosecond, 5 * kMicrosecond + 80000}};
    EXPECT_EQ(m_notes.seen, expected);
    EXPECT_EQ(port.GetCounters().pausedTime, 5 * kMicrosecond);
    EXPECT_EQ(port.GetCounters().pauses, 1U);
}

TEST_F(EgressPortTest, DwrrSharesByWeightWhateverTheSizes)
{
    EgressPort port;
    Wire(port, {100e9});
    port.SetDwrr({0, 1000, 3000, 0, 0, 0, 0, 0});
    for (uint32_t i = 0; i < 4000; ++i)
    {
        port.Enqueue(MakeFrame(1, 1, 1500, 0), 0);
        port.Enqueue(MakeFrame(2, 2, 300, 0), 0);
    }
    Simulator::Stop(Time(80 * 1200000));
    Simulator::Run();
    double bytes[3] = {};
    for (const Seen& seen : m_notes.seen)
    {
        bytes[seen.id] += seen.id == 1 ? 1500 : 300;
    }
    EXPECT_NEAR(bytes[2] / bytes[1], 3, 0.03);
    Simulator::Run();
}

/// Both ports see the same touches; every start and arrival must agree to the picosecond.
class EgressPortOracleTest : public EgressPortTest,
                             public ::testing::WithParamInterface<std::tuple<int, int, bool, bool>>
{
};

TEST_P(EgressPortOracleTest, AgreesWithTwoEvents)
{
    auto [seed, priorities, sharing, watched] = GetParam();
    const double bps = 100e6;
    const uint32_t always = watched;
    std::array<uint32_t, 8> weights{};
    if (sharing)
    {
        weights = {0, 700, 1500, 0, 400, 0, 0, 0};
    }
    auto touches = RandomTouches(seed, 20000, priorities, 60 * kMicrosecond * (1 + seed % 3));

    EgressPort port;
    Wire(port, {bps, 90 * kMicrosecond * (seed % 4), 20}, &always);
    if (sharing)
    {
        port.SetDwrr(weights);
    }
    uint32_t id = 0;
    for (const Touch& touch : touches)
    {
        Simulator::Schedule(Time(touch.at), [&, touch, id] {
            if (touch.kind == Touch::kPause)
            {
                port.Pause(touch.priority, touch.at + touch.later, touch.at);
            }
            else
            {
                port.Enqueue(MakeFrame(id, touch.priority, touch.bytes, touch.at + touch.later),
                             touch.at);
            }
        });
        ++id;
    }
    Simulator::Run();
    Simulator::Destroy();

    TwoEventPort plain(bps, 90 * kMicrosecond * (seed % 4), 20, weights);
    id = 0;
    for (const Touch& touch : touches)
    {
        Simulator::Schedule(Time(touch.at), [&, touch, id] {
            if (touch.kind == Touch::kPause)
            {
                plain.Pause(touch.priority, touch.at + touch.later);
            }
            else
            {
                plain.Enqueue(id, touch.priority, touch.bytes, touch.at + touch.later);
            }
        });
        ++id;
    }
    Simulator::Run();
    ASSERT_EQ(m_notes.seen.size(), plain.seen.size());
    for (std::size_t i = 0; i < plain.seen.size(); ++i)
    {
        ASSERT_EQ(m_notes.seen[i], plain.seen[i]) << "at " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Random,
                         EgressPortOracleTest,
                         ::testing::Combine(::testing::Range(1, 7),
                                            ::testing::Values(1, 3, 8),
                                            ::testing::Bool(),
                                            ::testing::Bool()));

} // namespace
} // namespace ns3::aifabric
