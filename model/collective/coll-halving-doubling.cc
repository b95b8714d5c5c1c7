// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-reduce by recursive halving, then doubling (Rabenseifner; Thakur et al., IJHPCA 2005): at step
 * k of log2 n a rank gives half of what it still reduces to the rank whose number differs in one
 * bit; the way back gathers. T = 2 log2(n) alpha + 2(n-1)/n S/B for n a power of two.
 * Of a number of ranks that is no power of two the surplus ranks first give their buffer to a
 * partner, and are given the result in the end.
 */
class HalvingDoubling : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::HalvingDoubling")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<HalvingDoubling>();
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
        // Parts first[i] to first[i] + width - 1 of `power` are what rank i still reduces.
        std::vector<std::size_t> first(power, 0);
        auto bytes = [&](std::size_t begin, std::size_t width) {
            uint64_t sum = 0;
            for (std::size_t p = begin; p < begin + width; ++p)
            {
                sum += CollectiveRounds::Part(call.bytes, power, p, call.elementBytes);
            }
            return sum;
        };
        CollectiveRounds rounds(call, call.ranks, operation, plan, frontier);
        for (std::size_t i = power; i < call.ranks.size(); ++i)
        {
            rounds.Send(i, i - power, call.bytes);
        }
        rounds.Next();
        for (std::size_t half = power / 2; half > 0; half /= 2)
        {
            for (std::size_t i = 0; i < power; ++i)
            {
                bool upper = i & half;
                rounds.Send(i, i ^ half, bytes(first[i] + (upper ? 0 : half), half));
                first[i] += upper ? half : 0;
            }
            rounds.Next();
        }
        for (std::size_t half = 1; half < power; half *= 2)
        {
            for (std::size_t i = 0; i < power; ++i)
            {
                rounds.Send(i, i ^ half, bytes(i - i % half, half));
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

NS_OBJECT_ENSURE_REGISTERED(HalvingDoubling);

} // namespace ns3::aifabric
