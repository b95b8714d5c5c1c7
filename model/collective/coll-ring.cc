// SPDX-License-Identifier: GPL-2.0-only
#include "collective-algorithm.h"

#include <algorithm>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * The ring (Patarasuk and Yuan, JPDC 2009; NCCL's "ring"): each rank sends to the next in n-1 steps
 * of 1/n of the buffer, twice for an all-reduce: a reduce-scatter, then an all-gather.
 *
 * T = k(n-1)(alpha + S/(nB)), k = 2 for an all-reduce and 1 for the others. A step sends its part
 * whole: the pipelining of chunks within it is what alpha stands for.
 *
 * A group of several servers with g ranks in each has a ring per channel, up to g, that share the
 * buffer: each leaves a server through another rank's NIC, as NCCL's channels do. Elsewhere more
 * rings would share the wires of the first, and there is one.
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
        return operation < CollectiveOperation::AllToAll;
    }

  private:
    /// @return g if the group is two or more runs of g ranks of a server each, else 1.
    static std::size_t RanksPerServer(const std::vector<uint32_t>& ranks, const Plan& plan)
    {
        auto sameServer = [&](std::size_t a, std::size_t b) {
            return plan.Scope(ranks[a], ranks[b]) == NetworkScope::ScaleUp;
        };
        std::size_t g = 1;
        while (g < ranks.size() && sameServer(0, g))
        {
            ++g;
        }
        if (g == ranks.size() || ranks.size() % g != 0)
        {
            return 1;
        }
        for (std::size_t i = 0; i < ranks.size(); ++i)
        {
            if (!sameServer(i, i - i % g))
            {
                return 1;
            }
        }
        return g;
    }

    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t n = call.ranks.size();
        const std::size_t g = RanksPerServer(call.ranks, plan);
        const uint64_t rings = std::min<uint64_t>(call.channels, g);
        const uint64_t share = call.bytes / rings / call.elementBytes * call.elementBytes;
        PlanFrontier ends(frontier.size());
        std::vector<uint32_t> ring(n);
        for (uint64_t c = 0; c < rings; ++c)
        {
            for (std::size_t i = 0; i < n; ++i)
            {
                ring[i] = call.ranks[i - i % g + (i + c * g / rings) % g];
            }
            uint64_t bytes = c + 1 < rings ? share : call.bytes - c * share;
            AppendRing(call, ring, bytes, operation, plan, frontier, ends);
        }
        for (uint32_t rank : call.ranks)
        {
            frontier[rank] = std::move(ends[rank]);
        }
    }

    static void AppendRing(const CollectiveCall& call,
                           const std::vector<uint32_t>& ring,
                           uint64_t total,
                           uint32_t operation,
                           Plan& plan,
                           const PlanFrontier& begin,
                           PlanFrontier& ends)
    {
        const uint64_t n = ring.size();
        const uint64_t part = total / n / call.elementBytes * call.elementBytes;
        const uint64_t lastPart = total - (n - 1) * part;
        const uint64_t steps = (call.operation == CollectiveOperation::AllReduce ? 2 : 1) * (n - 1);
        std::vector<uint32_t> before(n);
        std::vector<uint32_t> sent(n);
        for (uint64_t k = 0; k < steps; ++k)
        {
            for (uint64_t i = 0; i < n; ++i)
            {
                uint32_t from = ring[i];
                uint32_t to = ring[(i + 1) % n];
                // Part i-k; after n-1 steps rank i has all of part i+1 and gathers from there, and
                // i - (n-1) = i + 1 modulo n.
                uint64_t index = (i + 2 * n - k) % n;
                Tick alpha =
                    call.latency.Of(plan.Scope(from, to)) + (k == 0 ? call.latency.launch : 0);
                uint64_t bytes = index == n - 1 ? lastPart : part;
                sent[i] = plan.Send(from, to, bytes, alpha, operation);
                if (k == 0)
                {
                    plan.After(begin[from], sent[i]);
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
            ends[ring[i]].push_back(before[(i + n - 1) % n]);
            ends[ring[i]].push_back(before[i]);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(Ring);

} // namespace ns3::aifabric
