// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

#include <vector>

namespace ns3::aifabric
{
namespace
{

/**
 * The frames that come in at a port take the equal next hops in turn, each port on its own and from
 * one by lot on. Queues stay shorter than with lots alone, since a port never sends two frames in a
 * row the same way. Frames without payload have turns of their own: where they alternate with data,
 * data would use every other next hop only.
 */
class RoundRobinSpray final : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::RoundRobinSpray")
                                .SetParent<LoadBalancer>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<RoundRobinSpray>();
        return tid;
    }

    void Begin(uint32_t id, EgressPort*) override
    {
        m_dice = MakeDice(id);
    }

    PortIdx Pick(const Frame& f, PortIdx in, NextHops hops, Tick) override
    {
        const std::size_t index = Index(f, in);
        while (index >= m_turns.size())
        {
            m_turns.push_back(m_dice.Below(kMostHops));
        }
        return hops.ports[m_turns[index]++ % hops.count];
    }

    PortIdx Guess(const Frame& f, PortIdx in, NextHops hops) const override
    {
        const std::size_t index = Index(f, in);
        return hops.ports[index < m_turns.size() ? m_turns[index] % hops.count : 0];
    }

    bool Reorders() const override
    {
        return true;
    }

  private:
    static constexpr uint32_t kMostHops = 1 << 16;

    static std::size_t Index(const Frame& f, PortIdx in)
    {
        return 2 * std::size_t{in} + CarriesPayload(f.op);
    }

    std::vector<uint32_t> m_turns; ///< by ingress, and whether there is payload
    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(RoundRobinSpray);

} // namespace
} // namespace ns3::aifabric
