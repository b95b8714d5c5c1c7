// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

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
 * buffer: each leaves a server through another rank's NIC, as NCCL's channels do, and enters the next
 * through that of the like rank, on the same rail (with two ranks in each of an odd number of
 * servers it cannot everywhere). Elsewhere more rings would share the wires of the first, and there
 * is one.
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
    /// @return by which rail the first ring enters a server: no server by that of the one before, for
    /// it leaves by another rank than it enters by.
    static std::size_t Rail(std::size_t server, std::size_t servers)
    {
        server %= servers;
        return servers % 2 == 0 ? server % 2 : server < 3 ? server : (server - 3) % 2;
    }

    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t n = call.ranks.size();
        const std::size_t g = CollectiveRounds::RanksPerServer(call.ranks, plan);
        const std::size_t rings = std::min<std::size_t>(call.channels, g);
        const std::size_t rounds =
            (call.operation == CollectiveOperation::AllReduce ? 2 : 1) * (n - 1);
        PlanFrontier ends(frontier.size());
        std::vector<uint32_t> ring(n);
        for (std::size_t c = 0; c < rings; ++c)
        {
            for (std::size_t server = 0; server < n / g; ++server)
            {
                const std::size_t entry = (c * g / rings + Rail(server, n / g)) % g;
                std::size_t exit = (c * g / rings + Rail(server + 1, n / g)) % g;
                exit = exit == entry ? (entry + g - 1) % g : exit;
                std::size_t place = server * g;
                for (std::size_t i = 0; i < g; ++i)
                {
                    const std::size_t rank = (entry + i) % g;
                    if (rank != exit || g == 1)
                    {
                        ring[place++] = call.ranks[server * g + rank];
                    }
                }
                ring[server * g + g - 1] = call.ranks[server * g + exit];
            }
            CollectiveRounds pattern(call, ring, operation, plan, frontier);
            pattern.Ring(
                CollectiveRounds::Part(call.bytes, rings, c, call.elementBytes), 0, rounds);
            pattern.AppendEnds(ends);
        }
        for (uint32_t rank : call.ranks)
        {
            frontier[rank] = std::move(ends[rank]);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(Ring);

} // namespace ns3::aifabric
