// SPDX-License-Identifier: GPL-2.0-only
#include "collective-algorithm.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * The ring (Patarasuk and Yuan, JPDC 2009; NCCL's "ring"): each rank sends to the next in n-1 steps
 * of 1/n of the buffer, twice for an all-reduce: a reduce-scatter, then an all-gather.
 *
 * T = k(n-1)(alpha + S/(nB)), k = 2 for an all-reduce and 1 for the others. A step sends its part
 * whole: the pipelining of chunks within it is what alpha stands for.
 */
class Ring : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Ring")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Ring>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation != CollectiveOperation::AllToAll;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const uint64_t n = call.ranks.size();
        const uint64_t part = call.bytes / n / call.elementBytes * call.elementBytes;
        const uint64_t lastPart = call.bytes - (n - 1) * part;
        const uint64_t steps = (call.operation == CollectiveOperation::AllReduce ? 2 : 1) * (n - 1);
        std::vector<uint32_t> before(n);
        std::vector<uint32_t> sent(n);
        for (uint64_t k = 0; k < steps; ++k)
        {
            for (uint64_t i = 0; i < n; ++i)
            {
                uint32_t from = call.ranks[i];
                uint32_t to = call.ranks[(i + 1) % n];
                // Part i-k; after n-1 steps rank i has all of part i+1 and gathers from there, and
                // i - (n-1) = i + 1 modulo n.
                uint64_t index = (i + 2 * n - k) % n;
                Tick alpha =
                    call.latency.Of(plan.Scope(from, to)) + (k == 0 ? call.latency.launch : 0);
                uint64_t bytes = index == n - 1 ? lastPart : part;
                sent[i] = plan.Send(from, to, bytes, alpha, operation);
                if (k == 0)
                {
                    plan.After(frontier[from], sent[i]);
                }
                else
                {
                    // What it forwards has arrived, and it has begun the collective itself.
                    plan.After(before[(i + n - 1) % n], sent[i]);
                    plan.After(before[i], sent[i]);
                }
            }
            std::swap(before, sent);
        }
        for (uint64_t i = 0; i < n; ++i)
        {
            frontier[call.ranks[i]].assign({before[(i + n - 1) % n], before[i]});
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(Ring);

} // namespace ns3::aifabric
