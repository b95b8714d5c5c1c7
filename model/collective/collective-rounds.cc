// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rounds.h"

namespace ns3::aifabric
{

CollectiveRounds::CollectiveRounds(const CollectiveCall& call,
                                   const std::vector<uint32_t>& ranks,
                                   uint32_t operation,
                                   Plan& plan,
                                   const PlanFrontier& begin)
    : m_call(call),
      m_ranks(ranks),
      m_operation(operation),
      m_plan(plan)
{
    m_state.reserve(ranks.size());
    for (uint32_t rank : ranks)
    {
        m_state.push_back({begin[rank], {}, false});
    }
}

void
CollectiveRounds::Send(std::size_t from, std::size_t to, uint64_t bytes)
{
    uint32_t a = m_ranks[from];
    uint32_t b = m_ranks[to];
    Rank& sender = m_state[from];
    uint32_t message = m_plan.Send(a, b, bytes, m_call.latency.Of(m_plan.Scope(a, b)), m_operation);
    m_plan.After(sender.waits, message);
    sender.sends = true;
    sender.messages.push_back(message);
    m_state[to].messages.push_back(message);
}

void
CollectiveRounds::Next()
{
    for (Rank& rank : m_state)
    {
        // Who has only received still waits for what came before: it may not have begun yet.
        if (rank.sends)
        {
            rank.waits.clear();
        }
        rank.waits.insert(rank.waits.end(), rank.messages.begin(), rank.messages.end());
        rank.messages.clear();
        rank.sends = false;
    }
}

void
CollectiveRounds::Ring(uint64_t bytes, std::size_t from, std::size_t to)
{
    const std::size_t n = m_ranks.size();
    for (std::size_t k = from; k < to; ++k)
    {
        for (std::size_t i = 0; i < n; ++i)
        {
            std::size_t index = (i + 2 * n - k) % n;
            Send(i, (i + 1) % n, Part(bytes, n, index, m_call.elementBytes));
        }
        Next();
    }
}

void
CollectiveRounds::AppendEnds(PlanFrontier& ends) const
{
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
    {
        auto& end = ends[m_ranks[i]];
        end.insert(end.end(), m_state[i].waits.begin(), m_state[i].waits.end());
    }
}

uint64_t
CollectiveRounds::Part(uint64_t bytes, std::size_t parts, std::size_t index, uint32_t element)
{
    uint64_t part = bytes / parts / element * element;
    return index + 1 < parts ? part : bytes - (parts - 1) * part;
}

std::size_t
CollectiveRounds::RanksPerServer(const std::vector<uint32_t>& ranks, const Plan& plan)
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

} // namespace ns3::aifabric
