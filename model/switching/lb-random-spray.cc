// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

namespace ns3::aifabric
{
namespace
{

/**
 * Each frame takes one of the equal next hops by lot, whatever the others hold. Frames of a flow
 * overtake each other, which wants a transport that bears it (Dixit et al., "On the impact of packet
 * spraying in data center networks", INFOCOM'13).
 */
class RandomSpray final : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::RandomSpray")
                                .SetParent<LoadBalancer>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<RandomSpray>();
        return tid;
    }

    void Begin(uint32_t id, EgressPort*) override
    {
        m_dice = MakeDice(id);
    }

    PortIdx Pick(const Frame&, PortIdx, NextHops hops, Tick) override
    {
        return hops.ports[m_dice.Below(hops.count)];
    }

    bool Reorders() const override
    {
        return true;
    }

  private:
    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(RandomSpray);

} // namespace
} // namespace ns3::aifabric
