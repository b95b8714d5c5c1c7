// SPDX-License-Identifier: GPL-2.0-only
#include "collective-algorithm.h"

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
        const uint64_t n = call.ranks.size();
        const uint64_t part = call.bytes / n / call.elementBytes * call.elementBytes;
        const uint64_t lastPart = call.bytes - (n - 1) * part;
        std::vector<uint32_t> before(n);
        std::vector<uint32_t> sent(n);
        for (uint64_t k = 1; k < n; ++k)
        {
            for (uint64_t i = 0; i < n; ++i)
            {
                uint32_t from = call.ranks[i];
                uint64_t j = (i + k) % n;
                uint32_t to = call.ranks[j];
                Tick alpha =
                    call.latency.Of(plan.Scope(from, to)) + (k == 1 ? call.latency.launch : 0);
                sent[i] = plan.Send(from, to, j == n - 1 ? lastPart : part, alpha, operation);
                if (k == 1)
                {
                    plan.After(frontier[from], sent[i]);
                }
                else
                {
                    // A step is an exchange: what it sent and what it was sent have both arrived.
                    plan.After(before[i], sent[i]);
                    plan.After(before[(i + n - (k - 1)) % n], sent[i]);
                }
            }
            std::swap(before, sent);
        }
        for (uint64_t i = 0; i < n; ++i)
        {
            frontier[call.ranks[i]].assign({before[i], before[(i + 1) % n]});
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(Pairwise);

} // namespace ns3::aifabric
