// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

#include "ns3/random-stream.h"

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

    void Begin(uint32_t id) override
    {
        m_dice = RandomStream(kFirstStream + id);
    }

    PortIdx Pick(const Frame&, PortIdx, NextHops hops) override
    {
        // The generator's largest value, times a count, may round up to the count.
        const auto at = static_cast<uint32_t>(m_dice.Uniform() * hops.count);
        return hops.ports[at < hops.count ? at : hops.count - 1];
    }

  private:
    /// Behind the streams of ports, which are 2^17 for each switch.
    static constexpr int64_t kFirstStream = 1LL << 52;

    RandomStream m_dice;
};

NS_OBJECT_ENSURE_REGISTERED(RandomSpray);

} // namespace
} // namespace ns3::aifabric
