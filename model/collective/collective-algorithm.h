// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COLLECTIVE_ALGORITHM_H
#define AIFABRIC_COLLECTIVE_ALGORITHM_H

#include "plan.h"

#include "ns3/object.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * What the steps of a collective cost beside their bytes.
 */
struct StepLatency
{
    Tick scaleUp;  ///< alpha of a step inside a server
    Tick scaleOut; ///< alpha of a step between servers
    Tick launch;   ///< once per collective, before the first step of each rank

    Tick Of(NetworkScope scope) const
    {
        return scope == NetworkScope::ScaleUp ? scaleUp : scaleOut;
    }
};

/**
 * @ingroup ai-fabric-collective
 * One collective that is wanted.
 */
struct CollectiveCall
{
    CollectiveOperation operation;
    std::vector<uint32_t> ranks; ///< the group, in the order in which they sit side by side; the
                                 ///< first is the root of a broadcast or reduce
    uint64_t bytes;              ///< of the whole buffer: of the result of an all-gather, of the
                                 ///< operand of the others
    uint32_t elementBytes;       ///< a chunk boundary cuts no element
    uint64_t chunkBytes;         ///< grain of algorithms that pipeline; 0: no pipelining
    uint32_t channels;           ///< parallel copies of the pattern, at least 1
    StepLatency latency;
    std::string tag; ///< groups collectives in results
};

/**
 * @ingroup ai-fabric-collective
 * How a group of ranks does a collective: turns a call into steps. A constant object: all jobs share
 * one.
 */
class CollectiveAlgorithm : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return whether the algorithm can do that operation.
    virtual bool Does(CollectiveOperation operation) const = 0;

    /**
     * Appends a collective to a plan, the launch at each rank first; one of a group of one rank is
     * no step at all.
     * @param call an operation that Does().
     * @param plan where to.
     * @param frontier of each rank of the group: what its first step waits for, and afterwards what
     * has to end before the rank has its result and may reuse its buffer.
     */
    void Append(const CollectiveCall& call, Plan& plan, PlanFrontier& frontier) const;

  private:
    /**
     * Appends the steps after the launch.
     * @param operation number of the call in the plan, for Plan::Send.
     */
    virtual void DoAppend(const CollectiveCall& call,
                          uint32_t operation,
                          Plan& plan,
                          PlanFrontier& frontier) const = 0;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_ALGORITHM_H
