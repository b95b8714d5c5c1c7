// SPDX-License-Identifier: GPL-2.0-only
#include "host-pattern.h"

#include "ns3/random-stream.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/**
 * Every source sends to every destination but itself, all at once. Sources begin their lists at
 * different destinations: the k-th messages of n sources to the same n hosts are a permutation.
 */
class AllToAll : public HostPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::AllToAll")
                                .SetParent<HostPattern>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<AllToAll>();
        return tid;
    }

  private:
    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override
    {
        const Parties parties = ReadParties(context);
        const auto& to = parties.destinations;
        CheckDestinations(parties);
        CheckCount(static_cast<double>(parties.sources.size()) * to.size());
        RandomStream random(context.stream);
        FlowSpec flow = MakeFlow(context);
        for (std::size_t i = 0; i < to.size(); ++i)
        {
            for (uint32_t source : parties.sources)
            {
                auto next = std::upper_bound(to.begin(), to.end(), source) - to.begin();
                flow.source = source;
                flow.destination = to[(next + i) % to.size()];
                if (flow.destination != source)
                {
                    flow.bytes = parties.sizes.Quantile(random.Uniform());
                    flows.push_back(flow);
                }
            }
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(AllToAll);

} // namespace

} // namespace ns3::aifabric
