// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COLLECTIVE_TREE_H
#define AIFABRIC_COLLECTIVE_TREE_H

#include "collective-algorithm.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * A tree of ranks, and the pipelined collectives over it: a reduce goes up to the root, a broadcast
 * down from it, an all-reduce up and down again, chunk by chunk.
 *
 * With d the depth, C the bytes of a chunk and B the rate at which a rank sends, an all-reduce of S
 * bytes in one chunk takes 2d(alpha + S/B) where nobody has two children; one in many chunks
 * approaches c S/B, where c is the largest number of neighbours of a rank: each rank sends every chunk
 * once to each of them.
 *
 * Shapes are those of NCCL (Sanders et al., Parallel Computing 2009; NCCL's src/graph/trees.cc).
 * Nodes of a tree are positions in a list of ranks.
 */
class CollectiveTree
{
  public:
    /// Parent of the root.
    static constexpr std::size_t kNone = -1;

    /// Chunks of an edge that are under way at most, NCCL's NCCL_STEPS.
    static constexpr std::size_t kSlots = 8;

    /// Longer messages have longer chunks, so that a plan stays small.
    static constexpr uint64_t kMaxChunks = 65536;

    /// How many nodes -> a tree of them.
    using Shape = CollectiveTree (*)(std::size_t nodes);

    /// @return each node below the one before it.
    static CollectiveTree Chain(std::size_t nodes);

    /**
     * @return NCCL's tree: node 0 above the highest power of two, everything else a search tree, of
     * which all odd nodes are leaves. The depth is log2 of the number of nodes, rounded up.
     */
    static CollectiveTree Binary(std::size_t nodes);

    /**
     * @return Binary() mirrored, or of an odd number of nodes shifted by one: what is not a leaf there
     * is one here, but for node 0 of an odd number. Both together, with half the bytes each, are the
     * double binary tree, in which nobody sends more than twice the buffer.
     */
    static CollectiveTree Second(std::size_t nodes);

    /**
     * @param group ranks of each server, side by side.
     * @param head which of them, counted from 0, receives from and sends to other servers.
     * @return a tree of all ranks: this one between the heads of servers, below each head a chain of
     * its server.
     */
    CollectiveTree OverServers(std::size_t group, std::size_t head) const;

    /// @return the same edges, with another root.
    CollectiveTree From(std::size_t root) const;

    /// @return the parent of each node, kNone for the root.
    const std::vector<std::size_t>& Parents() const
    {
        return m_parents;
    }

    /**
     * Appends the messages of a call.
     * @param call an all-reduce, broadcast or reduce, of which ranks and bytes don't count here.
     * @param ranks at the nodes.
     * @param bytes of the buffer, or of the share of it that takes this tree.
     * @param operation number of the call in plan.
     * @param plan where the messages go.
     * @param begin what each rank waits for before it takes part.
     * @param ends gets what each rank has sent and received last.
     */
    void Append(const CollectiveCall& call,
                const std::vector<uint32_t>& ranks,
                uint64_t bytes,
                uint32_t operation,
                Plan& plan,
                const PlanFrontier& begin,
                PlanFrontier& ends) const;

    /**
     * Appends a call over trees of each shape, between which its buffer is divided. A group of several
     * servers with g ranks in each has them over its servers, once per channel, up to g, with another
     * head each, so that they use that many NICs. A group within one server has chains. Any other
     * has the shapes over its ranks.
     *
     * Broadcasts and reduces have the first rank as root.
     */
    static void AppendOverServers(const CollectiveCall& call,
                                  const std::vector<Shape>& shapes,
                                  uint32_t operation,
                                  Plan& plan,
                                  PlanFrontier& frontier);

  private:
    explicit CollectiveTree(std::vector<std::size_t> parents);

    /// @return the nodes, each after its parent.
    std::vector<std::size_t> Order() const;

    std::vector<std::size_t> m_parents;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_TREE_H
