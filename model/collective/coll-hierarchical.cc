// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-reduce in two levels: a reduce-scatter within each server, an all-reduce of each shard between
 * the ranks of equal place in their servers, an all-gather within each server, all by rings. With g
 * ranks in each of N servers T = 2(g-1)(alpha1 + S/(g B1)) + 2(N-1)(alpha2 + S/(g N B2)).
 *
 * A group that is not g > 1 ranks in each of several servers is one level: a ring.
 */
class Hierarchical : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Hierarchical")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Hierarchical>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation == CollectiveOperation::AllReduce;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t n = call.ranks.size();
        const std::size_t g = CollectiveRounds::RanksPerServer(call.ranks, plan);
        auto ring = [&](std::size_t first,
                        std::size_t stride,
                        std::size_t size,
                        uint64_t bytes,
                        std::size_t from,
                        std::size_t to) {
            std::vector<uint32_t> ranks;
            for (std::size_t i = 0; i < size; ++i)
            {
                ranks.push_back(call.ranks[first + i * stride]);
            }
            CollectiveRounds pattern(call, ranks, operation, plan, frontier);
            pattern.Ring(bytes, from, to);
            for (uint32_t rank : ranks)
            {
                frontier[rank].clear();
            }
            pattern.AppendEnds(frontier);
        };
        if (g == 1)
        {
            ring(0, 1, n, call.bytes, 0, 2 * (n - 1));
            return;
        }
        for (std::size_t server = 0; server < n; server += g)
        {
            ring(server, 1, g, call.bytes, 0, g - 1);
        }
        for (std::size_t place = 0; place < g; ++place)
        {
            // After the reduce-scatter the rank at a place has the sum of the part after it.
            uint64_t shard =
                CollectiveRounds::Part(call.bytes, g, (place + 1) % g, call.elementBytes);
            ring(place, g, n / g, shard, 0, 2 * (n / g - 1));
        }
        for (std::size_t server = 0; server < n; server += g)
        {
            ring(server, 1, g, call.bytes, g - 1, 2 * (g - 1));
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(Hierarchical);

} // namespace ns3::aifabric
