// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * Two rings that run in opposite directions on half the buffer each, for ranks with a port to either
 * neighbour: T = k(n-1)(alpha + S/(2nB)) with B of a port, k as of Ring.
 */
class BidirectionalRing : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::BidirectionalRing")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<BidirectionalRing>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation < CollectiveOperation::AllToAll;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t rounds =
            (call.operation == CollectiveOperation::AllReduce ? 2 : 1) * (call.ranks.size() - 1);
        const std::vector<uint32_t> orders[] = {call.ranks,
                                                {call.ranks.rbegin(), call.ranks.rend()}};
        PlanFrontier ends(frontier.size());
        for (std::size_t c = 0; c < 2; ++c)
        {
            CollectiveRounds pattern(call, orders[c], operation, plan, frontier);
            pattern.Ring(CollectiveRounds::Part(call.bytes, 2, c, call.elementBytes), 0, rounds);
            pattern.AppendEnds(ends);
        }
        for (uint32_t rank : call.ranks)
        {
            frontier[rank] = std::move(ends[rank]);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(BidirectionalRing);

} // namespace ns3::aifabric
