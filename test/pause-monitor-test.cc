// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/pause-monitor.h"
#include "ns3/pause-summary.h"
#include "ns3/pause-victims.h"

#include <nlohmann/json.hpp>

#include <map>

namespace ns3::aifabric::test
{
namespace
{

class Sink final : public FrameSink
{
  public:
    void Receive(Frame* f, PortIdx, Tick) override
    {
        FramePool::Return(f);
    }
};

/**
 * Switches of 40 Gb/s in a ring: port 0 leads to a host, 1 to the next switch, 2 to the one before. All
 * go round one way: host i is endpoint i, and what is for endpoint 9 goes round until its hops are
 * used up. Hosts send whatever the switches say.
 */
class Circle : public ::testing::Test
{
  protected:
    static constexpr uint32_t kFrame = 1000;
    static constexpr Tick kFrameTime = 200 * kNanosecond;

    Circle()
    {
        UsePicoseconds();
    }

    ~Circle() override
    {
        Simulator::Destroy();
        monitor.reset();
        m_switches.clear();
        EXPECT_EQ(FramePool::Out(), 0U);
    }

    void Build(uint32_t count, uint8_t hopLimit = 64)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_switches.push_back(CreateObject<FabricSwitch>());
            m_switches[i]->MakePorts(3);
        }
        monitor = std::make_unique<PauseMonitor>(
            [](uint32_t node, PortIdx port) {
                return "s" + std::to_string(node) + "." + std::to_string(port);
            },
            true);
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint32_t next = (i + 1) % count;
            const uint32_t before = (i + count - 1) % count;
            Wire(i, 0, &m_host, 0);
            Wire(i, 1, PeekPointer(m_switches[next]), 2);
            Wire(i, 2, PeekPointer(m_switches[before]), 1);
            SwitchSettings settings;
            settings.id = i;
            settings.bufferBytes = 1000000;
            settings.maxFrameBytes = kFrame;
            settings.hopLimit = hopLimit;
            settings.pfc = CreateObject<PfcSettings>();
            settings.buffer = MakePlugin<BufferManager>("dynamic_threshold");
            std::vector<ForwardingTable::Run> runs;
            for (uint32_t to = 0; to < 10; ++to)
            {
                runs.push_back({to, to, to == i ? 0U : 1U});
            }
            settings.table = ForwardingTable({{0}, {1}}, runs, 10);
            m_switches[i]->Seal(settings, std::vector<Tick>(3, kMicrosecond));
            monitor->Watch(i, m_switches[i], {{100 + i, 0}, {next, 2}, {before, 1}});
        }
    }

    /// Host at sends to an endpoint so many frames, one every so often.
    void Send(uint32_t at, NodeIdx to, Tick period, uint64_t count)
    {
        if (count == 0)
        {
            return;
        }
        Frame* f = FramePool::Take();
        *f = {};
        f->op = Opcode::WriteOnly;
        f->dst = to;
        f->priority = 3;
        f->bytes = kFrame;
        m_switches[at]->Receive(f, 0, Simulator::Now().GetTimeStep());
        Simulator::Schedule(FromTick(period), [=] { Send(at, to, period, count - 1); });
    }

    PauseReport RunUntil(Tick end)
    {
        Simulator::Stop(FromTick(end));
        Simulator::Run();
        return monitor->Report(end);
    }

    uint64_t CountDepartures()
    {
        uint64_t count = 0;
        for (auto& at : m_switches)
        {
            at->GetPort(1).Sync(Simulator::Now().GetTimeStep());
            count += at->GetPort(1).GetCounters().dataFrames;
        }
        return count;
    }

    std::unique_ptr<PauseMonitor> monitor;

  private:
    void Wire(uint32_t i, PortIdx port, FrameSink* peer, PortIdx peerPort)
    {
        PortSettings link{40e9, kMicrosecond};
        link.peer = peer;
        link.peerPort = peerPort;
        FabricSwitch& at = *m_switches[i];
        at.GetPort(port).Wire(link, port, &at, at.GetWatching());
    }

    std::vector<Ptr<FabricSwitch>> m_switches;
    Sink m_host;
};

/// @return the ports of a deadlock, from the first by name on.
std::vector<std::string>
Rotated(std::vector<std::string> ports)
{
    std::rotate(ports.begin(), std::min_element(ports.begin(), ports.end()), ports.end());
    return ports;
}

// n switches, links of B, and frames that live for TTL hops: the loop drains up to n B / TTL, here 5
// Gb/s (Hu et al., HotNets 2016). 6 Gb/s deadlock, 4 do not.
TEST_F(Circle, RoutingLoopAboveItsThreshold)
{
    Build(2, 16);
    Send(0, 9, 4000 * kNanosecond / 3, 15000);
    const PauseReport report = RunUntil(25 * kMillisecond);
    ASSERT_EQ(report.deadlocks.size(), 1U);
    EXPECT_EQ(Rotated(report.deadlocks[0].ports), (std::vector<std::string>{"s0.1", "s1.1"}));
    EXPECT_EQ(report.deadlocks[0].priority, 3);
    EXPECT_GT(report.deadlocks[0].since, 0);
    EXPECT_LT(report.deadlocks[0].since, 20 * kMillisecond);
    const uint64_t before = CountDepartures();
    EXPECT_EQ(RunUntil(10 * kMillisecond).deadlocks.size(), 1U);
    EXPECT_EQ(CountDepartures(), before);
    EXPECT_NE(DeadlockText(report.deadlocks[0]).find("s0.1 waits for s1.1"), std::string::npos);
}

TEST_F(Circle, RoutingLoopBelowItsThreshold)
{
    Build(2, 16);
    Send(0, 9, 2000 * kNanosecond, 10000);
    EXPECT_TRUE(RunUntil(25 * kMillisecond).deadlocks.empty());
}

// Every host sends to the next but one at line rate: each link is wanted twice, and waits for the next
// one, all the way round.
TEST_F(Circle, FourSwitchesWaitForEachOther)
{
    Build(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        Send(i, (i + 2) % 4, kFrameTime, 20000);
    }
    const PauseReport report = RunUntil(10 * kMillisecond);
    ASSERT_EQ(report.deadlocks.size(), 1U);
    EXPECT_EQ(Rotated(report.deadlocks[0].ports),
              (std::vector<std::string>{"s0.1", "s1.1", "s2.1", "s3.1"}));
    const uint64_t before = CountDepartures();
    RunUntil(10 * kMillisecond);
    EXPECT_EQ(CountDepartures(), before);
}

// To the next switch only, nobody waits for another link; that hosts are paused is no deadlock.
TEST_F(Circle, NeighboursNeverDeadlock)
{
    Build(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        Send(i, (i + 1) % 4, kFrameTime / 2, 40000);
    }
    const PauseReport report = RunUntil(10 * kMillisecond);
    EXPECT_TRUE(report.deadlocks.empty());
    EXPECT_FALSE(report.ports.empty());
    for (const PauseRoot& root : report.roots)
    {
        EXPECT_EQ(root.cause, PauseRoot::Congestion);
    }
    // Frames stop for good in the end: so do the looks.
    EXPECT_LT(monitor->CountLooks(), 100U);
}

/**
 * Host 0, at the other leaf, and host 3 send to host 2 at once: the way to host 2 is congested, and what
 * leads there is paused up to host 0. Host 1 sends to host 3 by the same links.
 */
class Spreading : public ::testing::Test
{
  protected:
    Spreading()
        : bed("leaf_spine")
    {
        bed.Set("LeafCount", 2);
        bed.Set("SpineCount", 1);
        bed.Set("HostsPerLeaf", 2);
        bed.SetSwitches({0, 1000000, 0});
        bed.topology->SetLink("leaf_to_spine", {400e9, kMicrosecond, 0, 0});
        bed.Build();
        monitor = std::make_unique<PauseMonitor>(bed.GetFabric(), false);
    }

    /// Runs the flows, and finds out who waited for whom.
    void Run()
    {
        result.flows = bed.Run();
        result.pauses = monitor->Report(ToTick(Simulator::Now()));
        FindPauseVictims(bed.GetFabric(), result);
        AddPauseMetrics(result);
    }

    FabricBed bed;
    std::unique_ptr<PauseMonitor> monitor;
    RunResult result;
};

TEST_F(Spreading, TreeAndVictims)
{
    bed.AddFlow(0, 2, 10000000);
    bed.AddFlow(3, 2, 10000000);
    bed.AddFlow(1, 3, 2000000);
    bed.AddFlow(2, 0, 2000000);
    Run();
    const PauseReport& pauses = result.pauses;
    ASSERT_EQ(pauses.roots.size(), 1U);
    EXPECT_EQ(pauses.roots[0].port, "leaf1.port0");
    EXPECT_EQ(pauses.roots[0].cause, PauseRoot::Congestion);
    std::map<std::string, std::string> above;
    for (const PausedPort& port : pauses.ports)
    {
        above[port.port] = port.parent == PausedPort::kNone ? "" : pauses.ports[port.parent].port;
        EXPECT_EQ(port.root, 0U);
        EXPECT_EQ(port.priority, 3);
    }
    const std::map<std::string, std::string> expected{{"host3", ""},
                                                      {"spine0.port1", ""},
                                                      {"leaf0.port2", "spine0.port1"},
                                                      {"host0", "leaf0.port2"},
                                                      {"host1", "leaf0.port2"}};
    EXPECT_EQ(above, expected);
    // Only the flow that has nothing to do with host 2, and not the one the other way.
    ASSERT_EQ(pauses.victims.size(), 1U);
    EXPECT_EQ(pauses.victims[0].flow, 2U);
    EXPECT_GT(result.metrics["pfc_victim_slowdown_mean"], 1.2);
    EXPECT_EQ(result.metrics["pfc_victim_flow_count"], 1);
    EXPECT_EQ(result.metrics["pfc_root_count"], 1);
    EXPECT_EQ(result.metrics["pfc_paused_port_count"], 5);
    EXPECT_EQ(result.metrics["pfc_deadlock_count"], 0);
}

// What a switch decides arrives a link later, both when it stops and when it lets go; each may wait
// for a frame that is under way.
TEST_F(Spreading, TimesAreThoseOfThePorts)
{
    bed.AddFlow(0, 2, 10000000);
    bed.AddFlow(3, 2, 10000000);
    Run();
    for (const PausedPort& port : result.pauses.ports)
    {
        if (port.port.rfind("host", 0) == 0)
        {
            const auto& counters =
                bed.GetFabric().GetHostPort(port.port.back() - '0').GetCounters();
            EXPECT_EQ(port.pauses, counters.pauses);
            EXPECT_NEAR(port.total, counters.pausedTime, port.pauses * 4178. * 80);
            EXPECT_GT(port.total, 100 * kMicrosecond);
        }
    }
    EXPECT_TRUE(result.pauses.victims.empty());
}

TEST_F(Spreading, NothingWithoutPauses)
{
    bed.AddFlow(0, 2, 1000000);
    Run();
    EXPECT_TRUE(result.pauses.roots.empty() && result.pauses.ports.empty());
    EXPECT_EQ(result.metrics["pfc_paused_port_count"], 0);
    EXPECT_EQ(result.metrics.count("pfc_victim_slowdown_mean"), 0U);
}

TEST(PauseSummary, IsAForest)
{
    RunResult result;
    result.flows.resize(2);
    result.flows[0].source = "h0";
    result.flows[0].destination = "h3";
    result.flows[0].idealFct = 1000;
    result.flows[0].fct = 2500;
    PauseReport& pauses = result.pauses;
    pauses.roots = {{"a.port1", 3, PauseRoot::Congestion}, {"b.port0", 3, PauseRoot::Receiver}};
    pauses.ports = {{"c.port2", 3, 7, 5000, 90000, 60000, 0, PausedPort::kNone},
                    {"d.port0", 3, 1, 6000, 8000, 2000, 1, PausedPort::kNone},
                    {"h0", 3, 2, 7000, 80000, 50000, 0, 0},
                    {"h1", 3, 2, 7000, 80000, 40000, 0, 0}};
    pauses.deadlocks = {{4000, 3, {"x", "y"}}};
    pauses.victims = {{0, 2}};
    const auto json = nlohmann::json::parse(PauseSummary(result));
    ASSERT_EQ(json["roots"].size(), 2U);
    EXPECT_EQ(json["roots"][0]["port"], "a.port1");
    EXPECT_EQ(json["roots"][0]["cause"], "congestion");
    EXPECT_EQ(json["roots"][1]["cause"], "receiver");
    const auto first = json["roots"][0]["paused"];
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0]["pauses"], 7);
    EXPECT_EQ(first[0]["pause_time_ns"], 60);
    ASSERT_EQ(first[0]["paused"].size(), 2U);
    EXPECT_EQ(first[0]["paused"][0]["port"], "h0");
    EXPECT_EQ(first[0]["paused"][1]["first_ns"], 7);
    EXPECT_EQ(json["roots"][1]["paused"][0]["port"], "d.port0");
    EXPECT_EQ(json["deadlocks"][0]["ports"], (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(json["victims"][0]["slowdown"], 2.5);
    EXPECT_EQ(json["victims"][0]["root"], "a.port1");
}

} // namespace
} // namespace ns3::aifabric::test
