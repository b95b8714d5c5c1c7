// SPDX-License-Identifier: GPL-2.0-only
#include "plan.h"

#include "ns3/abort.h"
#include "ns3/scenario-error.h"

#include <algorithm>
#include <numeric>

namespace ns3::aifabric
{

const char*
ToString(CollectiveOperation operation)
{
    static constexpr const char* kNames[] = {
        "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "send"};
    return kNames[static_cast<int>(operation)];
}

double
BusBandwidthFactor(CollectiveOperation operation, std::size_t n)
{
    if (operation >= CollectiveOperation::Broadcast)
    {
        return 1;
    }
    double share = (n - 1.0) / n;
    return operation == CollectiveOperation::AllReduce ? 2 * share : share;
}

Plan::Plan(std::vector<uint32_t> domains)
    : m_domains(std::move(domains))
{
}

PlanFrontier
Plan::Begin() const
{
    return PlanFrontier(m_domains.size());
}

uint16_t
Plan::Tag(const std::string& name)
{
    auto known = std::find(m_tags.begin(), m_tags.end(), name);
    if (known == m_tags.end())
    {
        known = m_tags.insert(known, name);
    }
    return known - m_tags.begin();
}

uint32_t
Plan::Add(const PlanOperation& operation)
{
    m_operations.push_back(operation);
    return m_operations.size() - 1;
}

uint32_t
Plan::Push(const PlanStep& step)
{
    NS_ABORT_MSG_IF(m_sealed, "a sealed plan takes no more steps");
    NS_ABORT_MSG_IF(step.rank >= m_domains.size(),
                    "rank " << step.rank << " in a plan of " << m_domains.size());
    NS_ABORT_MSG_IF(m_steps.size() == PlanStep::kNone, "a plan holds 2^32 - 1 steps at most");
    m_steps.push_back(step);
    return m_steps.size() - 1;
}

uint32_t
Plan::Compute(uint32_t rank, Tick duration, PlanFrontier& frontier)
{
    return Follow({duration, 0, rank, PlanStep::kNone, PlanStep::kNone}, frontier);
}

uint32_t
Plan::Launch(uint32_t rank, Tick duration, uint32_t operation, PlanFrontier& frontier)
{
    return Follow({duration, 0, rank, PlanStep::kNone, operation}, frontier);
}

uint32_t
Plan::Follow(const PlanStep& step, PlanFrontier& frontier)
{
    const uint32_t number = Push(step);
    After(frontier[step.rank], number);
    frontier[step.rank].assign(1, number);
    return number;
}

uint32_t
Plan::Send(uint32_t from, uint32_t to, uint64_t bytes, Tick alpha, uint32_t operation)
{
    return Push({alpha, bytes, from, Connect(from, to), operation});
}

uint32_t
Plan::Connect(uint32_t from, uint32_t to)
{
    NS_ABORT_MSG_IF(from == to || std::max(from, to) >= m_domains.size(),
                    "no message from rank " << from << " to rank " << to << " of "
                                            << m_domains.size());
    auto [known, isNew] =
        m_connectionOf.try_emplace(uint64_t{from} << 32 | to, m_connections.size());
    if (isNew)
    {
        m_connections.push_back({from, to, Scope(from, to)});
    }
    return known->second;
}

void
Plan::After(const PlanFrontier::value_type& before, uint32_t after)
{
    for (uint32_t step : before)
    {
        After(step, after);
    }
}

void
Plan::Seal()
{
    NS_ABORT_MSG_IF(m_sealed, "a plan is sealed once");
    m_sealed = true;
    m_waitCounts.assign(m_steps.size(), 0);
    m_firstSuccessor.assign(m_steps.size() + 1, 0);
    for (auto [before, after] : m_edges)
    {
        ++m_waitCounts[after];
        ++m_firstSuccessor[before + 1];
    }
    std::partial_sum(m_firstSuccessor.begin(), m_firstSuccessor.end(), m_firstSuccessor.begin());
    m_successors.resize(m_edges.size());
    std::vector<uint32_t> next(m_firstSuccessor.begin(), m_firstSuccessor.end() - 1);
    for (auto [before, after] : m_edges)
    {
        m_successors[next[before]++] = after;
    }
    m_edges = {};
    m_steps.shrink_to_fit();
    RefuseCircles();
}

void
Plan::RefuseCircles() const
{
    std::vector<uint32_t> waits = m_waitCounts;
    std::vector<uint32_t> ready;
    for (uint32_t s = 0; s < waits.size(); ++s)
    {
        if (waits[s] == 0)
        {
            ready.push_back(s);
        }
    }
    std::size_t done = 0;
    for (; !ready.empty(); ++done)
    {
        uint32_t step = ready.back();
        ready.pop_back();
        ForEachSuccessor(step, [&](uint32_t s) {
            if (--waits[s] == 0)
            {
                ready.push_back(s);
            }
        });
    }
    if (done < m_steps.size())
    {
        auto stuck = std::find_if(waits.begin(), waits.end(), [](uint32_t w) { return w > 0; });
        throw ScenarioError("",
                            std::to_string(m_steps.size() - done) + " of " +
                                std::to_string(m_steps.size()) +
                                " steps wait in a circle, the first is step " +
                                std::to_string(stuck - waits.begin()));
    }
}

} // namespace ns3::aifabric
