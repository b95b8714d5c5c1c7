// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-to-all in n-1 steps: at step k each rank sends 1/n of its buffer to the k-th rank after it and
 * receives from the k-th before it. T = (n-1)(alpha + S/(nB)).
 */
class Pairwise : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Pairwise")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Pairwise>();
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
        CollectiveRounds rounds(call, call.ranks, operation, plan, frontier);
        for (std::size_t k = 1; k < n; ++k)
        {
            for (std::size_t i = 0; i < n; ++i)
            {
                std::size_t to = (i + k) % n;
                rounds.Send(i, to, CollectiveRounds::Part(call.bytes, n, to, call.elementBytes));
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

NS_OBJECT_ENSURE_REGISTERED(Pairwise);

} // namespace ns3::aifabric
