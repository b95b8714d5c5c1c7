// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-to-all that stays on its rail (NCCL's PXN): within each server ranks exchange what goes to each
 * place, in any server, then ranks of equal place exchange between servers. With g ranks in each of
 * N servers g-1 steps of S/g in a server, then N-1 of S/N between servers: no byte changes its rail
 * in the network, and there are g times fewer and larger messages than with Pairwise.
 *
 * A group that is not g > 1 ranks in each of several servers does what Pairwise does.
 */
class RailPairwise : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::RailPairwise")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<RailPairwise>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation == CollectiveOperation::AllToAll;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t n = call.ranks.size();
        const std::size_t g = CollectiveRounds::RanksPerServer(call.ranks, plan);
        auto part = [&](std::size_t to) {
            return CollectiveRounds::Part(call.bytes, n, to, call.elementBytes);
        };
        CollectiveRounds rounds(call, call.ranks, operation, plan, frontier);
        for (std::size_t k = 1; k < g; ++k)
        {
            for (std::size_t i = 0; i < n; ++i)
            {
                std::size_t place = (i + k) % g;
                uint64_t bytes = 0;
                for (std::size_t to = place; to < n; to += g)
                {
                    bytes += part(to);
                }
                rounds.Send(i, i - i % g + place, bytes);
            }
            rounds.Next();
        }
        for (std::size_t k = g; k < n; k += g)
        {
            for (std::size_t i = 0; i < n; ++i)
            {
                std::size_t to = (i + k) % n;
                rounds.Send(i, to, g * part(to));
            }
            rounds.Next();
        }
        for (uint32_t rank : call.ranks)
        {
            frontier[rank].clear();
        }
        rounds.AppendEnds(frontier);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RailPairwise);

} // namespace ns3::aifabric
