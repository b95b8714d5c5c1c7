// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COLLECTIVE_SETTINGS_H
#define AIFABRIC_COLLECTIVE_SETTINGS_H

#include "collective-algorithm.h"

#include "ns3/nstime.h"

namespace ns3::aifabric
{

/// As many channels as an algorithm has use for: those that leave a server by all of its NICs.
inline constexpr uint32_t kEveryChannel = 64;

/**
 * @ingroup ai-fabric-collective
 * How one operation is done: the value of "collectives.all_reduce".
 */
struct CollectiveChoice
{
    Ptr<const CollectiveAlgorithm> algorithm;
    uint32_t channels{kEveryChannel};
};

/**
 * @ingroup ai-fabric-collective
 * The block "collectives" of a scenario: which algorithm does what, and what a step costs.
 *
 * An operation's value is an id ("ring") or JSON text with the keys `algorithm`, `protocol`
 * (only `simple`: the step latencies are what tells protocols apart), `channel_count`
 * (unless it is given, a ring per GPU of a server), and for all_to_all `use_rail_forwarding`, which makes `pairwise` `rail_pairwise`.
 */
class CollectiveSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * @return who does that operation.
     * @throws ScenarioError ("all_reduce", "all_reduce.protocol") for what cannot be done.
     */
    CollectiveChoice Choose(CollectiveOperation operation) const;

    /**
     * @param text an id or JSON text, as the value of an operation.
     * @return who does that operation so. @throws ScenarioError ("", "protocol") for what cannot be.
     */
    static CollectiveChoice Choose(CollectiveOperation operation, const std::string& text);

    /// @throws ScenarioError for any of it that cannot be used.
    void Check() const;

    /// @return latencies of steps. @throws ScenarioError when one is negative.
    StepLatency Latency() const;

    /**
     * @return a call with all that these settings say; @throws ScenarioError as Latency().
     * @param operation what, as given to Choose().
     * @param choice the result of Choose().
     */
    CollectiveCall Call(CollectiveOperation operation, const CollectiveChoice& choice) const;

  private:
    uint64_t m_chunkBytes;
    Time m_stepLatencyIntra;
    Time m_stepLatencyInter;
    Time m_launchLatency;
    std::string m_allReduce;
    std::string m_reduceScatter;
    std::string m_allGather;
    std::string m_allToAll;
    std::string m_broadcast;
    std::string m_reduce;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_SETTINGS_H
