// SPDX-License-Identifier: GPL-2.0-only
#include "host-pattern.h"

#include "ns3/random-stream.h"
#include "ns3/scenario-error.h"

namespace ns3::aifabric
{

namespace
{

/**
 * Every source sends one message, every destination receives one, and none sends to itself: a
 * derangement where both are the same hosts, all of them equally likely.
 */
class Permutation : public HostPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Permutation")
                                .SetParent<HostPattern>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Permutation>();
        return tid;
    }

  private:
    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override
    {
        Parties parties = ReadParties(context);
        const auto& from = parties.sources;
        auto& to = parties.destinations;
        if (from.size() != to.size())
        {
            throw ScenarioError("destinations",
                                "found " + std::to_string(to.size()) + " hosts, expected " +
                                    std::to_string(from.size()) + ", as many as sources");
        }
        CheckDestinations(parties);
        RandomStream random(context.stream);
        // Rejection keeps all derangements equally likely; one shuffle in e (2.7) is one.
        do
        {
            for (std::size_t i = to.size(); i > 1; --i)
            {
                std::swap(to[i - 1], to[static_cast<std::size_t>(random.Uniform() * i)]);
            }
        } while (HasFixedPoint(from, to));
        FlowSpec flow = MakeFlow(context);
        for (std::size_t i = 0; i < from.size(); ++i)
        {
            flow.source = from[i];
            flow.destination = to[i];
            flow.bytes = parties.sizes.Quantile(random.Uniform());
            flows.push_back(flow);
        }
    }

    static bool HasFixedPoint(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to)
    {
        for (std::size_t i = 0; i < from.size(); ++i)
        {
            if (from[i] == to[i])
            {
                return true;
            }
        }
        return false;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Permutation);

} // namespace

} // namespace ns3::aifabric
