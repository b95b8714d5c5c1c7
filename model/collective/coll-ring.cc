// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"
#include "collective-tree.h"

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
 * A broadcast goes around the ring from the first rank in chunks of C bytes, a reduce the same way
 * back: T = (n-1)(alpha + C/B) + (S-C)/B.
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
        return operation != CollectiveOperation::AllToAll && operation != CollectiveOperation::Send;
    }

  private:
    /// @return by which rail the first ring enters a server: no server by that of the one before, for
    /// it leaves by another rank than it enters by.
    static std::size_t Rail(std::size_t server, std::size_t servers)
    {
        server %= servers;
        return servers % 2 == 0 ? server % 2 : server < 3 ? server : (server - 3) % 2;
    }

    /**
     * @return the ranks in the order of a ring.
     * @param ranks of the group, g of each server.
     * @param first place in its server of the rank by which the ring enters the first one.
     */
    static std::vector<uint32_t>
    Order(const std::vector<uint32_t>& ranks, std::size_t g, std::size_t first)
    {
        const std::size_t servers = ranks.size() / g;
        std::vector<uint32_t> ring(ranks.size());
        for (std::size_t server = 0; server < servers; ++server)
        {
            const std::size_t entry = (first + Rail(server, servers)) % g;
            std::size_t exit = (first + Rail(server + 1, servers)) % g;
            exit = exit == entry ? (entry + g - 1) % g : exit;
            std::size_t place = server * g;
            for (std::size_t i = 0; i < g; ++i)
            {
                const std::size_t rank = (entry + i) % g;
                if (rank != exit || g == 1)
                {
                    ring[place++] = ranks[server * g + rank];
                }
            }
            ring[server * g + g - 1] = ranks[server * g + exit];
        }
        return ring;
    }

    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        const std::size_t n = call.ranks.size();
        const std::size_t g = CollectiveRounds::RanksPerServer(call.ranks, plan);
        const std::size_t rings = std::min<std::size_t>(call.channels, g);
        const bool rooted = call.operation == CollectiveOperation::Broadcast ||
                            call.operation == CollectiveOperation::Reduce;
        const std::size_t rounds =
            (call.operation == CollectiveOperation::AllReduce ? 2 : 1) * (n - 1);
        PlanFrontier ends(frontier.size());
        for (std::size_t c = 0; c < rings; ++c)
        {
            std::vector<uint32_t> ring = Order(call.ranks, g, c * g / rings);
            const uint64_t bytes = CollectiveRounds::Part(call.bytes, rings, c, call.elementBytes);
            if (rooted)
            {
                std::rotate(ring.begin(),
                            std::find(ring.begin(), ring.end(), call.ranks.front()),
                            ring.end());
                CollectiveTree::Chain(n).Append(call, ring, bytes, operation, plan, frontier, ends);
                continue;
            }
            CollectiveRounds pattern(call, ring, operation, plan, frontier);
            pattern.Ring(bytes, 0, rounds);
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
