// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COLLECTIVE_ROUNDS_H
#define AIFABRIC_COLLECTIVE_ROUNDS_H

#include "collective-algorithm.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * What most algorithms are made of: rounds in which ranks send, and what a rank sends in a round
 * waits for all that it sent and received in the rounds before. There is no barrier between rounds.
 */
class CollectiveRounds
{
  public:
    /**
     * @param call whose latencies hold.
     * @param ranks who takes part; positions below are in this list.
     * @param operation number of the call in plan.
     * @param plan where the messages go.
     * @param begin what the first message of each rank waits for.
     */
    CollectiveRounds(const CollectiveCall& call,
                     const std::vector<uint32_t>& ranks,
                     uint32_t operation,
                     Plan& plan,
                     const PlanFrontier& begin);

    /// A message of this round. @param from,to positions.
    void Send(std::size_t from, std::size_t to, uint64_t bytes);

    /// Ends the round.
    void Next();

    /**
     * Rounds of a ring: in round k rank i sends part i-k of bytes to the next. With n ranks it has
     * received the sum of part i+1 after n-1 rounds, and from there gathering goes on.
     * @param bytes of the buffer.
     * @param from,to the rounds from <= k < to: 0 to n-1 scatters or gathers, 0 to 2(n-1) does
     * both.
     */
    void Ring(uint64_t bytes, std::size_t from, std::size_t to);

    /// Adds to ends[rank] what the rank has sent and received last.
    void AppendEnds(PlanFrontier& ends) const;

    /**
     * @return bytes of part number index of parts of a buffer: the last takes what whole elements
     * leave over.
     */
    static uint64_t Part(uint64_t bytes, std::size_t parts, std::size_t index, uint32_t element);

    /// @return g if the ranks are two or more runs of g ranks of one server each, else 1.
    static std::size_t RanksPerServer(const std::vector<uint32_t>& ranks, const Plan& plan);

  private:
    using Steps = PlanFrontier::value_type;

    struct Rank
    {
        Steps waits;    ///< for what its next message waits
        Steps messages; ///< of this round, both ways
        bool sends;     ///< in this round
    };

    const CollectiveCall& m_call;
    const std::vector<uint32_t>& m_ranks;
    const uint32_t m_operation;
    Plan& m_plan;
    std::vector<Rank> m_state;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_ROUNDS_H
