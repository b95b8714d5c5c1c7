// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"
#include "port-load.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::aifabric
{
namespace
{

/**
 * Adaptive routing per frame by what the switch knows itself: the equal next hop that is busy for
 * the shortest time, by lot among those alike; one whose priority is paused only where all are. As
 * in switches for InfiniBand and RoCE that route adaptively, which compare queues in coarse grades.
 * Frames of a flow overtake each other, which wants a transport that bears it.
 */
class Adaptive final : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Adaptive")
                .SetParent<LoadBalancer>()
                .SetGroupName("AiFabric")
                .AddConstructor<Adaptive>()
                .AddAttribute("Choices",
                              "Next hops that are compared, drawn anew for each frame; 0: all. Two "
                              "do most of the good (Mitzenmacher, TPDS 2001).",
                              UintegerValue(0),
                              MakeUintegerAccessor(&Adaptive::m_choices),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("Quantum",
                              "Loads count in steps of this; 0: exactly. Flows of one rate would "
                              "then take the same next hops in every turn, in the order of the "
                              "least difference, and collide behind them as with ECMP.",
                              TimeValue(MicroSeconds(2)),
                              MakeTimeAccessor(&Adaptive::m_quantum),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void Begin(uint32_t id, EgressPort* ports) override
    {
        m_dice = MakeDice(id);
        m_ports = ports;
        m_step = std::max<Tick>(ToTick(m_quantum), 1);
    }

    PortIdx Pick(const Frame& f, PortIdx, NextHops hops, Tick now) override
    {
        const bool all = m_choices == 0 || m_choices >= hops.count;
        const uint32_t count = all ? hops.count : m_choices;
        m_best.clear();
        Tick least = kNever;
        for (uint32_t i = 0; i < count; ++i)
        {
            const PortIdx port = hops.ports[all ? i : m_dice.Below(hops.count)];
            const Tick exact = GetPortLoad(m_ports[port], f.priority, now);
            const Tick load = exact == kNever ? kNever : exact / m_step;
            if (load < least)
            {
                least = load;
                m_best.clear();
            }
            if (load == least)
            {
                m_best.push_back(port);
            }
        }
        return m_best[m_best.size() == 1 ? 0 : m_dice.Below(m_best.size())];
    }

    bool Reorders() const override
    {
        return true;
    }

  private:
    uint32_t m_choices;
    Time m_quantum;
    Tick m_step{1};
    EgressPort* m_ports{nullptr};
    std::vector<PortIdx> m_best; ///< the least loaded so far; kept for its memory
    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(Adaptive);

} // namespace
} // namespace ns3::aifabric
