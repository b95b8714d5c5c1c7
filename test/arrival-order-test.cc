// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/arrival-order.h"
#include "ns3/egress-port.h"
#include "ns3/frame-pool.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace ns3::aifabric
{
namespace
{

/// A switch that only notes what comes in.
class Arrivals final : public FrameSink
{
  public:
    explicit Arrivals(PortIdx ports)
        : m_order(ports)
    {
    }

    void Receive(Frame* f, PortIdx in, Tick now) override
    {
        EXPECT_EQ(now, Simulator::Now().GetTimeStep());
        seen.emplace_back(now, in, f->flow);
        FramePool::Return(f);
    }

    ArrivalOrder* GetArrivalOrder() override
    {
        return &m_order;
    }

    std::vector<std::tuple<Tick, PortIdx, uint32_t>> seen;

  private:
    ArrivalOrder m_order;
};

Frame*
MakeFrame(uint32_t id, Tick ready)
{
    Frame* f = FramePool::Take();
    *f = {};
    f->flow = id;
    f->bytes = 1000;
    f->ready = ready;
    return f;
}

class ArrivalOrderTest : public ::testing::TestWithParam<int>
{
};

// Frames of 80 ns on links of lengths of whole frames, armed in a random order and partly while the
// link is busy: whatever arrives at one instant comes by ports.
TEST_P(ArrivalOrderTest, IsThatOfPorts)
{
    UsePicoseconds();
    const auto ports = static_cast<PortIdx>(GetParam());
    std::mt19937 random(GetParam());
    Arrivals sink(ports);
    auto links = std::make_unique<EgressPort[]>(ports);
    for (PortIdx i = 0; i < ports; ++i)
    {
        PortSettings settings;
        settings.bandwidthBps = 100e9;
        settings.delay = 80000 * (1 + random() % 3);
        settings.peer = &sink;
        settings.peerPort = i;
        links[i].Wire(settings, 0, nullptr, nullptr);
    }
    std::vector<std::tuple<Tick, PortIdx, uint32_t>> expected;
    for (Tick at = 0; at < 300 * 80000; at += 80000)
    {
        std::vector<PortIdx> order;
        for (PortIdx i = 0; i < ports; ++i)
        {
            if (random() % 3)
            {
                order.push_back(i);
            }
        }
        std::shuffle(order.begin(), order.end(), random);
        for (PortIdx i : order)
        {
            const auto id = static_cast<uint32_t>(expected.size());
            expected.emplace_back(at + 80000 + links[i].GetSettings().delay, i, id);
            Simulator::Schedule(Time(at),
                                [&links, i, id, at] { links[i].Enqueue(MakeFrame(id, at), at); });
        }
    }
    const uint64_t before = Simulator::GetEventCount();
    Simulator::Run();
    // One event for each frame, beside the ones above.
    EXPECT_EQ(Simulator::GetEventCount() - before, 2 * expected.size());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sink.seen, expected);
    Simulator::Destroy();
    EXPECT_EQ(FramePool::Out(), 0U);
}

/// As Arrivals, where nobody cares about the order.
class Host final : public FrameSink
{
  public:
    void Receive(Frame* f, PortIdx /* in */, Tick now) override
    {
        seen.push_back(now);
        FramePool::Return(f);
    }

    std::vector<Tick> seen;
};

// Only half of an instant is noted, and there are ports without links: neither is mistaken for a
// frame that comes before, at the instants whose noted half is 0 as elsewhere.
TEST(ArrivalOrderNotes, AreHalves)
{
    UsePicoseconds();
    constexpr Tick kWrap = Tick(1) << 32;
    Host host;
    Arrivals sink(6);
    EgressPort toHost;
    EgressPort toSink;
    EgressPort late;
    PortSettings settings;
    settings.bandwidthBps = 100e9;
    settings.delay = kWrap - 80000;
    settings.peer = &host;
    toHost.Wire(settings, 0, nullptr, nullptr);
    settings.peer = &sink;
    settings.peerPort = 5;
    toSink.Wire(settings, 0, nullptr, nullptr);
    settings.delay += 2 * kWrap;
    settings.peerPort = 1;
    late.Wire(settings, 0, nullptr, nullptr);
    toHost.Enqueue(MakeFrame(0, 0), 0);
    toSink.Enqueue(MakeFrame(1, 0), 0);
    late.Enqueue(MakeFrame(2, 0), 0);
    Simulator::Run();
    EXPECT_EQ(host.seen, std::vector<Tick>{kWrap});
    const std::vector<std::tuple<Tick, PortIdx, uint32_t>> expected{{kWrap, 5, 1},
                                                                    {3 * kWrap, 1, 2}};
    EXPECT_EQ(sink.seen, expected);
    Simulator::Destroy();
}

// Ports fewer, as many and more than are looked at in one go.
INSTANTIATE_TEST_SUITE_P(Ports, ArrivalOrderTest, ::testing::Values(1, 2, 4, 5, 8, 9, 33, 130));

} // namespace
} // namespace ns3::aifabric
