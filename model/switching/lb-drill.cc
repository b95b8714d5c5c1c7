// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"
#include "port-load.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace ns3::aifabric
{
namespace
{

/**
 * Per frame the least loaded of some next hops drawn by lot and of those remembered as the best so
 * far (Ghorbani et al., "DRILL: micro load balancing for low-latency data center networks",
 * SIGCOMM'17, 3.2: DRILL(d, m)). Each set of equal next hops has a memory of its own. Frames of a
 * flow overtake each other, which wants a transport that bears it.
 */
class Drill final : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Drill")
                .SetParent<LoadBalancer>()
                .SetGroupName("AiFabric")
                .AddConstructor<Drill>()
                .AddAttribute("Samples",
                              "Next hops drawn by lot for each frame: d",
                              UintegerValue(2),
                              MakeUintegerAccessor(&Drill::m_samples),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Memory",
                              "Next hops remembered, the best of those compared last: m",
                              UintegerValue(1),
                              MakeUintegerAccessor(&Drill::m_memory),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    void Begin(uint32_t id, EgressPort* ports) override
    {
        m_dice = MakeDice(id);
        m_ports = ports;
    }

    PortIdx Pick(const Frame& f, PortIdx, NextHops hops, Tick now) override
    {
        std::vector<PortIdx>& remembered = m_remembered[hops.ports];
        m_compared.clear();
        auto compare = [&](PortIdx port) {
            auto is = [port](const Candidate& c) { return c.port == port; };
            if (std::none_of(m_compared.begin(), m_compared.end(), is))
            {
                m_compared.push_back({GetPortLoad(m_ports[port], f.priority, now), port});
            }
        };
        for (uint32_t i = 0; i < m_samples; ++i)
        {
            compare(hops.ports[m_dice.Below(hops.count)]);
        }
        std::for_each(remembered.begin(), remembered.end(), compare);
        const std::size_t kept = std::min<std::size_t>(std::max(m_memory, 1U), m_compared.size());
        std::partial_sort(m_compared.begin(), m_compared.begin() + kept, m_compared.end());
        remembered.clear();
        for (std::size_t i = 0; i < kept && i < m_memory; ++i)
        {
            remembered.push_back(m_compared[i].port);
        }
        return m_compared.front().port;
    }

    bool Reorders() const override
    {
        return true;
    }

  private:
    struct Candidate
    {
        Tick load;
        PortIdx port;

        bool operator<(const Candidate& other) const
        {
            return load < other.load;
        }
    };

    uint32_t m_samples;
    uint32_t m_memory;
    EgressPort* m_ports{nullptr};
    std::unordered_map<const PortIdx*, std::vector<PortIdx>> m_remembered; ///< by next hops
    std::vector<Candidate> m_compared;                                     ///< kept for its memory
    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(Drill);

} // namespace
} // namespace ns3::aifabric
