// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PRESSED_FABRIC_H
#define AIFABRIC_PRESSED_FABRIC_H

#include "fabric-bed.h"
#include "two-event-switch.h"

#include <map>
#include <random>
#include <tuple>

namespace ns3::aifabric::test
{

/// All that a run shows.
struct Shown
{
    std::vector<std::tuple<Tick, uint64_t, uint64_t>> flows; ///< FCT, marks, bytes sent again
    /// Frames, marks, drops, pauses, time in pauses, longest queue by port of all switches.
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, Tick, uint32_t>> ports;
    std::vector<PauseSeen> pauses;
    uint64_t events{0};
    uint64_t marked{0};
    uint64_t dropped{0};
};

/// How departures come about.
enum class Departures
{
    Lazy,      ///< committed when somebody looks
    Watched,   ///< by the same ports, each on its instant
    TwoEvents, ///< of switches and links that know nothing else
};

/// A fabric and how hard it is pressed.
struct Press
{
    const char* name;
    const char* topology{"fat_tree"};
    uint64_t buffer{400000};
    const char* control{"none"};
    bool lossless{true};
    bool sharing{false};
    Tick latency{0};
    uint32_t quanta{0}; ///< length of a pause; 0 is the default
    uint32_t jitter{0}; ///< in ps, of the links' lengths
    uint32_t seed{7};
    int incasts{4};
    int flows{150};
    const char* scheduler{"ns3::aifabric::RadixScheduler"};
    const char* marking{"dequeue"};
    const char* policy{"dynamic_threshold"}; ///< of the buffer
};

inline std::ostream&
operator<<(std::ostream& out, const Press& press)
{
    return out << press.name;
}

/// Switches of two events in the place of all of a fabric's.
class TwoEventFabric
{
  public:
    TwoEventFabric(FabricBed& bed, const Press& press)
    {
        TwoEventSwitch::Settings settings;
        settings.bufferBytes = press.buffer;
        settings.latency = press.latency;
        settings.ecn = bed.settings.ecn;
        settings.losslessMask = bed.settings.pfc ? bed.settings.pfc->GetLosslessMask() : 0;
        settings.alpha = bed.settings.pfc ? bed.settings.pfc->GetAlpha() : 0;
        settings.quanta = bed.settings.pfc ? bed.settings.pfc->GetQuanta() : 0;
        settings.weights = bed.settings.dwrrWeights;
        Fabric& fabric = bed.GetFabric();
        std::map<const FrameSink*, TwoEventSwitch*> insteadOf;
        bed.ForEachSwitch([&](GraphNodeIdx node, FabricSwitch& at) {
            settings.id = fabric.GetGraph().Nodes()[node].number;
            m_switches.push_back(std::make_unique<TwoEventSwitch>(at, settings));
            TwoEventSwitch& instead = *m_switches.back();
            insteadOf[&at] = &instead;
            instead.onPause = [&bed, node](PortIdx in, uint8_t priority, bool stops, int64_t held) {
                bed.pauses.push_back({Simulator::Now().GetTimeStep(),
                                      node,
                                      in,
                                      priority,
                                      stops,
                                      static_cast<uint64_t>(held)});
            };
            instead.onDrop = [&bed](const Frame& f) { bed.tampered += CarriesPayload(f.op); };
        });
        for (const GraphLink& link : fabric.GetGraph().Links())
        {
            for (auto [node, port] : {std::pair{link.from, link.fromPort}, {link.to, link.toPort}})
            {
                EgressPort& here = fabric.GetPort(node, port);
                auto there = insteadOf.find(here.GetSettings().peer);
                FrameSink* peer =
                    there == insteadOf.end() ? here.GetSettings().peer : there->second;
                if (FabricSwitch* owner = PeekPointer(fabric.GetSwitch(node)))
                {
                    insteadOf[owner]->SetPeer(port, peer);
                }
                else
                {
                    m_hosts.push_back(std::make_unique<EagerHost>(here, peer));
                }
            }
        }
    }

  private:
    std::vector<std::unique_ptr<TwoEventSwitch>> m_switches;
    std::vector<std::unique_ptr<EagerHost>> m_hosts;
};

/// Incasts on up to four hosts and random flows between all, on three priorities.
inline Shown
Simulate(const Press& press, Departures departures)
{
    FabricBed bed(press.topology);
    Simulator::SetScheduler(ObjectFactory(press.scheduler));
    if (press.topology == std::string("leaf_spine"))
    {
        bed.Set("SpineCount", 2);
        bed.topology->SetLink("leaf_to_spine", {200e9, 300 * kNanosecond, 0, 0});
    }
    bed.SetSwitches({0, press.buffer, press.latency});
    bed.settings.mtuPayloadBytes = 1000;
    bed.settings.ecn = Make<EcnSettings>({{"Position", press.marking},
                                          {"KminBytes", "5000"},
                                          {"KmaxBytes", "200000"},
                                          {"Pmax", "0.2"}});
    bed.settings.buffer = MakePlugin<BufferManager>(press.policy);
    if (press.lossless)
    {
        auto pfc = Make<PfcSettings>({{"LosslessPriorities", "[2, 3]"}});
        if (press.quanta)
        {
            pfc->SetAttribute("PauseQuanta", UintegerValue(press.quanta));
        }
        bed.settings.pfc = pfc;
    }
    else
    {
        bed.settings.pfc = nullptr;
    }
    if (press.sharing)
    {
        bed.settings.dwrrWeights = {0, 1500, 1500, 3000, 0, 0, 0, 0};
    }
    bed.control = MakePlugin<CongestionControl>(press.control);
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(400)));
    Fabric& fabric = bed.Build();
    std::mt19937 random(press.seed);
    // Links of one length, on which much arrives at one instant, or of many, on which nothing does.
    for (const GraphLink& link : fabric.GetGraph().Links())
    {
        for (auto [node, port] : {std::pair{link.from, link.fromPort}, {link.to, link.toPort}})
        {
            PortSettings changed = fabric.GetPort(node, port).GetSettings();
            changed.delay += press.jitter ? random() % press.jitter : 0;
            bed.Rewire(node, port, changed);
        }
    }
    std::unique_ptr<TwoEventFabric> plain;
    if (departures == Departures::TwoEvents)
    {
        plain = std::make_unique<TwoEventFabric>(bed, press);
    }
    if (departures == Departures::Watched)
    {
        bed.WatchAlways();
    }
    const NodeIdx to[] = {0, 5, 6, 15};
    for (int i = 0; i < press.incasts; ++i)
    {
        for (NodeIdx from = 0; from < 16; ++from)
        {
            if (from != to[i])
            {
                bed.AddFlow(from, to[i], 60000, random() % 3 * 10 * kMicrosecond);
            }
        }
    }
    // No flow is posted at the very instant at which a frame arrives at its host: software comes
    // before or after an arrival as ns-3 has their events.
    for (int i = 0; i < press.flows; ++i)
    {
        const NodeIdx from = random() % 16;
        const NodeIdx other = (from + 1 + random() % 15) % 16;
        bed.AddFlow(from,
                    other,
                    random() % 40000,
                    random() % 100 * kMicrosecond + i,
                    static_cast<uint8_t>(1 + random() % 3));
    }
    const uint64_t before = Simulator::GetEventCount();
    bed.Run();
    Shown shown;
    shown.events = Simulator::GetEventCount() - before;
    for (const FlowResult& flow : bed.results)
    {
        shown.flows.emplace_back(flow.fct, flow.markedFrames, flow.retransmittedBytes);
    }
    bed.ForEachSwitch([&](GraphNodeIdx, FabricSwitch& at) {
        for (PortIdx i = 0; i < at.GetPortCount(); ++i)
        {
            const PortCounters& p = at.GetPort(i).GetCounters();
            const bool counted = departures != Departures::TwoEvents;
            shown.ports.emplace_back(p.frames,
                                     p.marked,
                                     p.dropped,
                                     p.pauses,
                                     p.pausedTime,
                                     counted ? p.maxQueueBytes : 0);
            shown.marked += p.marked;
            shown.dropped += p.dropped;
        }
    });
    shown.pauses = bed.pauses;
    // Two switches may do something at one instant in either order.
    std::stable_sort(
        shown.pauses.begin(), shown.pauses.end(), [](const PauseSeen& a, const PauseSeen& b) {
            return std::tie(a.at, a.node) < std::tie(b.at, b.node);
        });
    return shown;
}

/// @param queues whether both know the longest queues.
inline void
ExpectSame(const Shown& a, const Shown& b, bool queues = true)
{
    ASSERT_EQ(a.flows.size(), b.flows.size());
    for (std::size_t i = 0; i < a.flows.size(); ++i)
    {
        EXPECT_EQ(a.flows[i], b.flows[i]) << "flow " << i;
    }
    ASSERT_EQ(a.ports.size(), b.ports.size());
    for (std::size_t i = 0; i < a.ports.size(); ++i)
    {
        auto one = a.ports[i];
        auto other = b.ports[i];
        if (!queues)
        {
            std::get<5>(one) = std::get<5>(other) = 0;
        }
        EXPECT_EQ(one, other) << "port " << i;
    }
    ASSERT_EQ(a.pauses.size(), b.pauses.size());
    for (std::size_t i = 0; i < a.pauses.size(); ++i)
    {
        ASSERT_TRUE(a.pauses[i] == b.pauses[i]) << "pause " << i << " at " << a.pauses[i].at;
    }
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_PRESSED_FABRIC_H
