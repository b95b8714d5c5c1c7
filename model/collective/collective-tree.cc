// SPDX-License-Identifier: GPL-2.0-only
#include "collective-tree.h"

#include "collective-rounds.h"

#include <algorithm>
#include <array>

namespace ns3::aifabric
{

namespace
{

using Steps = PlanFrontier::value_type;

/// The messages of a tree in one direction. Edges have the number of the node below them.
class Pipeline
{
  public:
    Pipeline(const CollectiveCall& call,
             const std::vector<uint32_t>& ranks,
             uint32_t operation,
             Plan& plan,
             const PlanFrontier& begin)
        : m_call(call),
          m_ranks(ranks),
          m_operation(operation),
          m_plan(plan),
          m_begin(begin),
          m_slots(ranks.size())
    {
    }

    /// Sends a chunk over an edge when what it consists of is there, and a slot is free for it.
    uint32_t
    Send(std::size_t edge, std::size_t from, std::size_t to, uint64_t bytes, const Steps& after)
    {
        const uint32_t a = m_ranks[from];
        const uint32_t b = m_ranks[to];
        const Tick alpha = m_call.latency.Of(m_plan.Scope(a, b));
        const uint32_t message = m_plan.Send(a, b, bytes, alpha, m_operation);
        uint32_t& slot = m_slots[edge][m_chunk % CollectiveTree::kSlots];
        m_plan.After(after, message);
        if (m_chunk < CollectiveTree::kSlots)
        {
            m_plan.After(m_begin[a], message);
        }
        else
        {
            m_plan.After(slot, message);
        }
        if (m_chunk == CollectiveTree::kSlots)
        {
            // There are slots at a receiver before it has begun, but it does not empty them.
            m_plan.After(m_begin[b], message);
        }
        slot = message;
        return message;
    }

    /// Ends the chunk.
    void Next()
    {
        ++m_chunk;
    }

    /// @return the last message over an edge.
    uint32_t Last(std::size_t edge) const
    {
        return m_slots[edge][(m_chunk - 1) % CollectiveTree::kSlots];
    }

  private:
    const CollectiveCall& m_call;
    const std::vector<uint32_t>& m_ranks;
    const uint32_t m_operation;
    Plan& m_plan;
    const PlanFrontier& m_begin;
    std::vector<std::array<uint32_t, CollectiveTree::kSlots>> m_slots;
    uint64_t m_chunk{0};
};

/// @return how long chunks are: no element is cut, and there are kMaxChunks at most.
uint64_t
ChunkBytes(const CollectiveCall& call, uint64_t bytes)
{
    const uint64_t wanted = call.chunkBytes == 0 ? bytes : call.chunkBytes;
    const uint64_t least = (bytes + CollectiveTree::kMaxChunks - 1) / CollectiveTree::kMaxChunks;
    const uint64_t elements = std::max(wanted, least) / call.elementBytes;
    return std::max<uint64_t>(elements, 1) * call.elementBytes;
}

} // namespace

CollectiveTree::CollectiveTree(std::vector<std::size_t> parents)
    : m_parents(std::move(parents))
{
}

CollectiveTree
CollectiveTree::Chain(std::size_t nodes)
{
    std::vector<std::size_t> parents(nodes, kNone);
    for (std::size_t i = 1; i < nodes; ++i)
    {
        parents[i] = i - 1;
    }
    return CollectiveTree(std::move(parents));
}

CollectiveTree
CollectiveTree::Binary(std::size_t nodes)
{
    std::vector<std::size_t> parents(nodes, kNone);
    for (std::size_t i = 1; i < nodes; ++i)
    {
        const std::size_t bit = i & -i;
        const std::size_t parent = (i ^ bit) | bit << 1;
        parents[i] = parent < nodes ? parent : i ^ bit;
    }
    return CollectiveTree(std::move(parents));
}

CollectiveTree
CollectiveTree::Second(std::size_t nodes)
{
    auto place = [nodes](std::size_t i) {
        return nodes % 2 == 0 ? nodes - 1 - i : (i + 1) % nodes;
    };
    const CollectiveTree first = Binary(nodes);
    std::vector<std::size_t> parents(nodes, kNone);
    for (std::size_t i = 1; i < nodes; ++i)
    {
        parents[place(i)] = place(first.m_parents[i]);
    }
    return CollectiveTree(std::move(parents));
}

CollectiveTree
CollectiveTree::OverServers(std::size_t group, std::size_t head) const
{
    std::vector<std::size_t> parents(m_parents.size() * group, kNone);
    for (std::size_t server = 0; server < m_parents.size(); ++server)
    {
        if (m_parents[server] != kNone)
        {
            parents[server * group + head] = m_parents[server] * group + head;
        }
        for (std::size_t i = 1; i < group; ++i)
        {
            parents[server * group + (head + i) % group] = server * group + (head + i - 1) % group;
        }
    }
    return CollectiveTree(std::move(parents));
}

CollectiveTree
CollectiveTree::From(std::size_t root) const
{
    CollectiveTree tree = *this;
    std::size_t below = kNone;
    while (root != kNone)
    {
        const std::size_t above = m_parents[root];
        tree.m_parents[root] = below;
        below = root;
        root = above;
    }
    return tree;
}

std::vector<std::size_t>
CollectiveTree::Order() const
{
    std::vector<std::vector<std::size_t>> children(m_parents.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_parents.size(); ++i)
    {
        (m_parents[i] == kNone ? order : children[m_parents[i]]).push_back(i);
    }
    order.reserve(m_parents.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto& below = children[order[i]];
        order.insert(order.end(), below.begin(), below.end());
    }
    return order;
}

void
CollectiveTree::Append(const CollectiveCall& call,
                       const std::vector<uint32_t>& ranks,
                       uint64_t bytes,
                       uint32_t operation,
                       Plan& plan,
                       const PlanFrontier& begin,
                       PlanFrontier& ends) const
{
    const std::size_t n = m_parents.size();
    const std::vector<std::size_t> order = Order();
    Pipeline up(call, ranks, operation, plan, begin);
    Pipeline down(call, ranks, operation, plan, begin);
    std::vector<bool> sends(n);
    std::vector<Steps> received(n); // of a chunk
    const uint64_t chunkBytes = ChunkBytes(call, bytes);
    uint64_t left = bytes;
    do
    {
        const uint64_t chunk = std::min(chunkBytes, left);
        left -= chunk;
        for (Steps& steps : received)
        {
            steps.clear();
        }
        for (std::size_t k = n - 1; call.operation != CollectiveOperation::Broadcast && k > 0; --k)
        {
            const std::size_t i = order[k];
            received[m_parents[i]].push_back(up.Send(i, i, m_parents[i], chunk, received[i]));
            sends[i] = true;
        }
        for (std::size_t k = 1; call.operation != CollectiveOperation::Reduce && k < n; ++k)
        {
            const std::size_t i = order[k];
            received[i].assign(1, down.Send(i, m_parents[i], i, chunk, received[m_parents[i]]));
            sends[m_parents[i]] = true;
        }
        up.Next();
        down.Next();
    } while (left > 0);

    const Pipeline& last = call.operation == CollectiveOperation::Reduce ? up : down;
    for (std::size_t i = 0; i < n; ++i)
    {
        Steps& end = ends[ranks[i]];
        if (m_parents[i] != kNone)
        {
            end.push_back(last.Last(i));
            ends[ranks[m_parents[i]]].push_back(last.Last(i));
        }
        if (!sends[i])
        {
            // Who has only received may not have begun yet.
            end.insert(end.end(), begin[ranks[i]].begin(), begin[ranks[i]].end());
        }
    }
}

void
CollectiveTree::AppendOverServers(const CollectiveCall& call,
                                  const std::vector<Shape>& shapes,
                                  uint32_t operation,
                                  Plan& plan,
                                  PlanFrontier& frontier)
{
    const std::size_t n = call.ranks.size();
    const bool oneServer = std::all_of(call.ranks.begin(), call.ranks.end(), [&](uint32_t rank) {
        return plan.Scope(call.ranks.front(), rank) == NetworkScope::ScaleUp;
    });
    const std::size_t g = oneServer ? n : CollectiveRounds::RanksPerServer(call.ranks, plan);
    const std::size_t channels = oneServer ? 1 : std::min<std::size_t>(call.channels, g);
    PlanFrontier ends(frontier.size());
    for (std::size_t c = 0; c < channels; ++c)
    {
        const uint64_t share = CollectiveRounds::Part(call.bytes, channels, c, call.elementBytes);
        for (std::size_t s = 0; s < shapes.size(); ++s)
        {
            CollectiveTree tree = shapes[s](n / g).OverServers(g, c * g / channels);
            if (call.operation != CollectiveOperation::AllReduce)
            {
                tree = tree.From(0);
            }
            tree.Append(call,
                        call.ranks,
                        CollectiveRounds::Part(share, shapes.size(), s, call.elementBytes),
                        operation,
                        plan,
                        frontier,
                        ends);
        }
    }
    for (uint32_t rank : call.ranks)
    {
        frontier[rank] = std::move(ends[rank]);
    }
}

} // namespace ns3::aifabric
