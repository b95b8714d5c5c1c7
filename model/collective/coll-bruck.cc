// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-to-all in log2 n steps (Bruck et al., IEEE TPDS 1997): at step k each rank sends all blocks
 * whose way has bit k set to the rank 2^k after it. More bytes and fewer steps than Pairwise: T =
 * log2(n)(alpha + S/(2B)) for n a power of two.
 */
class Bruck : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Bruck")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Bruck>();
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
        for (std::size_t hop = 1; hop < n; hop *= 2)
        {
            for (std::size_t i = 0; i < n; ++i)
            {
                // Block j of rank i, of the size that its last owner makes it, has way j to go; on
                // the way it is at rank i now if it came from i - (j mod hop).
                uint64_t bytes = 0;
                for (std::size_t way = hop; way < n; ++way)
                {
                    if (way & hop)
                    {
                        std::size_t origin = (i + n - way % hop) % n;
                        bytes += CollectiveRounds::Part(
                            call.bytes, n, (origin + way) % n, call.elementBytes);
                    }
                }
                rounds.Send(i, (i + hop) % n, bytes);
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

NS_OBJECT_ENSURE_REGISTERED(Bruck);

} // namespace ns3::aifabric
