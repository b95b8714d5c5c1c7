// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::aifabric
{
namespace
{

/**
 * A flow changes its next hop, by lot, where it has been silent for long enough that nothing of it
 * can be overtaken: between flowlets (Vanini et al., "Let it flow: resilient asymmetric load
 * balancing with flowlet switching", NSDI'17). Flows share the entries of a table, as in the
 * switches' hash tables. RDMA paces its frames, and has few gaps: it is ECMP then, by the first
 * frame.
 */
class Letflow final : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Letflow")
                .SetParent<LoadBalancer>()
                .SetGroupName("AiFabric")
                .AddConstructor<Letflow>()
                .AddAttribute("Timeout",
                              "Silence after which a flow may go another way: more than the delays "
                              "of two ways differ",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&Letflow::m_timeout),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("TableSize",
                              "Entries of each switch's table of flowlets",
                              UintegerValue(65536),
                              MakeUintegerAccessor(&Letflow::m_tableSize),
                              MakeUintegerChecker<uint32_t>(1, 1 << 24));
        return tid;
    }

    void Begin(uint32_t id, EgressPort*) override
    {
        m_dice = MakeDice(id);
        m_silence = ToTick(m_timeout);
        m_table.resize(m_tableSize);
    }

    PortIdx Pick(const Frame& f, PortIdx, NextHops hops, Tick now) override
    {
        Flowlet& flowlet = m_table[Index(f)];
        const PortIdx* end = hops.ports + hops.count;
        if (now > flowlet.until || std::find(hops.ports, end, flowlet.port) == end)
        {
            flowlet.port = hops.ports[m_dice.Below(hops.count)];
        }
        flowlet.until = now + m_silence;
        return flowlet.port;
    }

    PortIdx Guess(const Frame& f, PortIdx, NextHops) const override
    {
        return m_table[Index(f)].port;
    }

  private:
    struct Flowlet
    {
        Tick until{-1}; ///< its way is fixed
        PortIdx port{0};
    };

    std::size_t Index(const Frame& f) const
    {
        uint64_t h = (uint64_t{f.src} << 32 | f.dst) * 0x9E3779B97F4A7C15U;
        h = (h ^ h >> 32 ^ (uint64_t{f.flow} << 16 | f.entropy)) * 0xBF58476D1CE4E5B9U;
        return (h ^ h >> 31) % m_table.size();
    }

    Time m_timeout;
    uint32_t m_tableSize;
    Tick m_silence{0};
    std::vector<Flowlet> m_table;
    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(Letflow);

} // namespace
} // namespace ns3::aifabric
