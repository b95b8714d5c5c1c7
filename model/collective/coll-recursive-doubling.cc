// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-reduce in log2 n exchanges of the whole buffer with the rank whose number differs in bit k
 * (Thakur et al., IJHPCA 2005): T = log2(n)(alpha + S/B). Of a number of ranks that is no power of two the surplus ranks first give their buffer to a
 * partner, and are given the result in the end.
 */
class RecursiveDoubling : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::RecursiveDoubling")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<RecursiveDoubling>();
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
        std::size_t power = 1;
        while (2 * power <= call.ranks.size())
        {
            power *= 2;
        }
        CollectiveRounds rounds(call, call.ranks, operation, plan, frontier);
        for (std::size_t i = power; i < call.ranks.size(); ++i)
        {
            rounds.Send(i, i - power, call.bytes);
        }
        rounds.Next();
        for (std::size_t bit = 1; bit < power; bit *= 2)
        {
            for (std::size_t i = 0; i < power; ++i)
            {
                rounds.Send(i, i ^ bit, call.bytes);
            }
            rounds.Next();
        }
        for (std::size_t i = power; i < call.ranks.size(); ++i)
        {
            rounds.Send(i - power, i, call.bytes);
        }
        rounds.Next();
        for (uint32_t rank : call.ranks)
        {
            frontier[rank].clear();
        }
        rounds.AppendEnds(frontier);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoubling);

} // namespace ns3::aifabric
