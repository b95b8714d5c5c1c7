// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PLAN_H
#define AIFABRIC_PLAN_H

#include "ns3/fabric-time.h"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-collective Collectives
 * @ingroup ai-fabric
 *
 * Whatever causes traffic (a training job, a trace, a single collective) becomes a Plan, and one
 * PlanRunner runs plans over a PlanTransport.
 */

/**
 * @ingroup ai-fabric-collective
 * What a group of ranks does together, or one rank with another.
 */
enum class CollectiveOperation : uint8_t
{
    AllReduce,
    ReduceScatter,
    AllGather,
    AllToAll,
    Broadcast, ///< of the buffer of the first rank
    Reduce,    ///< into the buffer of the first rank
    Send,      ///< one rank to one other: no collective, but counted like one
};

/**
 * @ingroup ai-fabric-collective
 * @return the key of an operation in a scenario: "all_reduce".
 */
const char* ToString(CollectiveOperation operation);

/**
 * @ingroup ai-fabric-collective
 * @param operation the operation.
 * @param n size of the group.
 * @return bus bandwidth / algorithm bandwidth as nccl-tests define it (doc/PERFORMANCE.md):
 * 2(n-1)/n for an all-reduce, 1 for a broadcast, a reduce and a send, (n-1)/n for the others.
 */
double BusBandwidthFactor(CollectiveOperation operation, std::size_t n);

/**
 * @ingroup ai-fabric-collective
 * Which network a message takes.
 */
enum class NetworkScope : uint8_t
{
    ScaleUp,  ///< between ranks of one server or NVLink domain
    ScaleOut, ///< between servers
};

/**
 * @ingroup ai-fabric-collective
 * A pair of ranks of which the first sends to the second at some time: what needs a queue pair.
 */
struct PlanConnection
{
    uint32_t from;
    uint32_t to;
    NetworkScope scope;
};

/**
 * @ingroup ai-fabric-collective
 * One collective of one group, or one send: what the steps that make it up have in common.
 */
struct PlanOperation
{
    uint64_t bytes;     ///< of the whole buffer: "size" of nccl-tests
    uint32_t groupSize; ///< ranks that take part; 1, the sender, of a send
    uint16_t tag;       ///< number of its tag, see Plan::Tag()
    CollectiveOperation operation;
};

/**
 * @ingroup ai-fabric-collective
 * The smallest piece of work: a rank computes, launches a collective, or sends one message to
 * another.
 */
struct PlanStep
{
    /// The operation of a step that belongs to none.
    static constexpr uint32_t kNone = 0xFFFFFFFF;

    Tick duration;  ///< of a computation or launch; of a send of 0 bytes, wire included (alpha)
    uint64_t bytes; ///< payload of a send
    uint32_t rank;  ///< who does it
    uint32_t connection; ///< of a send, or kNone
    uint32_t operation;  ///< or kNone

    bool IsSend() const
    {
        return connection != kNone;
    }

    bool IsComputation() const
    {
        return connection == kNone && operation == kNone;
    }
};

/**
 * @ingroup ai-fabric-collective
 * For each rank the steps that its next step waits for: a point in the program of all ranks. Two
 * frontiers over one plan are two streams that run at the same time.
 */
using PlanFrontier = std::vector<boost::container::small_vector<uint32_t, 2>>;

/**
 * @ingroup ai-fabric-collective
 * A graph of steps as plain data: built with Compute(), Launch(), Send() and After(), closed with
 * Seal(), then run as often as wanted. About 50 B per step of a ring.
 */
class Plan
{
  public:
    Plan() = default;

    /// @param domains number of the server (or NVLink domain) of each rank.
    explicit Plan(std::vector<uint32_t> domains);

    /// @return a frontier before the first step.
    PlanFrontier Begin() const;

    /// @return the number of a tag ("tp"), which groups operations in results; made when new.
    uint16_t Tag(const std::string& name);

    /// Adds an operation. @return its number.
    uint32_t Add(const PlanOperation& operation);

    /**
     * Adds a computation that follows frontier[rank] and replaces it.
     * @return the number of the step.
     */
    uint32_t Compute(uint32_t rank, Tick duration, PlanFrontier& frontier);

    /**
     * Adds what a rank does before its part in an operation: it follows frontier[rank] and replaces
     * it, like a computation, but is communication.
     * @return the number of the step.
     */
    uint32_t Launch(uint32_t rank, Tick duration, uint32_t operation, PlanFrontier& frontier);

    /**
     * Adds a message that depends on nothing yet.
     * @param from the rank that sends.
     * @param to the rank that receives, another one.
     * @param bytes payload, 0 too.
     * @param alpha time that 0 bytes take, from the end of what it waits for until it has arrived.
     * @param operation what it is a part of, or PlanStep::kNone.
     * @return the number of the step.
     */
    uint32_t Send(uint32_t from, uint32_t to, uint64_t bytes, Tick alpha, uint32_t operation);

    /// The step after starts no earlier than before ends.
    void After(uint32_t before, uint32_t after)
    {
        m_edges.emplace_back(before, after);
    }

    /// The step after starts no earlier than all of before end.
    void After(const PlanFrontier::value_type& before, uint32_t after);

    /// @return which network a message between two ranks takes.
    NetworkScope Scope(uint32_t from, uint32_t to) const
    {
        return m_domains[from] == m_domains[to] ? NetworkScope::ScaleUp : NetworkScope::ScaleOut;
    }

    /**
     * Nothing can be added from here on, and the plan can run.
     * @throws ScenarioError (empty path) when steps wait for each other in a circle.
     */
    void Seal();

    bool IsSealed() const
    {
        return m_sealed;
    }

    uint32_t RankCount() const
    {
        return m_domains.size();
    }

    uint32_t StepCount() const
    {
        return m_steps.size();
    }

    const std::vector<PlanStep>& Steps() const
    {
        return m_steps;
    }

    /// @return all pairs that exchange messages: known before the run, so that queue pairs can be.
    const std::vector<PlanConnection>& Connections() const
    {
        return m_connections;
    }

    const std::vector<PlanOperation>& Operations() const
    {
        return m_operations;
    }

    /// @return names of tags by number.
    const std::vector<std::string>& Tags() const
    {
        return m_tags;
    }

    /// @return for each step how many it waits for. Sealed plans only.
    const std::vector<uint32_t>& WaitCounts() const
    {
        return m_waitCounts;
    }

    /// Calls visit with each step that waits for that one. Sealed plans only.
    template <class Visit>
    void ForEachSuccessor(uint32_t step, Visit&& visit) const
    {
        for (uint32_t i = m_firstSuccessor[step]; i < m_firstSuccessor[step + 1]; ++i)
        {
            visit(m_successors[i]);
        }
    }

  private:
    uint32_t Follow(const PlanStep& step, PlanFrontier& frontier);
    uint32_t Connect(uint32_t from, uint32_t to);
    uint32_t Push(const PlanStep& step);
    void RefuseCircles() const;

    std::vector<uint32_t> m_domains;
    std::vector<PlanStep> m_steps;
    std::vector<PlanConnection> m_connections;
    std::vector<PlanOperation> m_operations;
    std::vector<std::string> m_tags;
    std::unordered_map<uint64_t, uint32_t> m_connectionOf;
    std::vector<std::pair<uint32_t, uint32_t>> m_edges;
    std::vector<uint32_t> m_waitCounts;
    std::vector<uint32_t> m_firstSuccessor;
    std::vector<uint32_t> m_successors;
    bool m_sealed{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PLAN_H
