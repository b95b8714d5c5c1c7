// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRAFFIC_PATTERN_H
#define AIFABRIC_TRAFFIC_PATTERN_H

#include "flow-spec.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What a traffic pattern must know of the cluster that it loads.
 */
struct TrafficContext
{
    std::vector<double> nicRates; ///< bit/s of each host; its size is the number of hosts
    std::string folder;           ///< of the scenario: where files are looked for
    int64_t stream{0}; ///< the pattern draws from stream and the nicRates.size() streams after it
    uint32_t entry{0}; ///< index in the scenario's traffic list
};

/**
 * @ingroup ai-fabric
 * One entry of a scenario's traffic list: a rule that says which host sends how much to which other,
 * and when. The attributes are the keys of the entry.
 *
 * Patterns are open loop: no start depends on how the network fares. Each host draws from a stream
 * of its own, so that the same seed gives the same flows whatever else there is.
 *
 * A new pattern is one file pattern-*.cc with DoGenerate.
 */
class TrafficPattern : public Object
{
  public:
    /// Flows that one entry may have: beyond it there is a mistake in the units.
    static constexpr uint64_t kMaxFlows = 20'000'000;

    static TypeId GetTypeId();

    /**
     * @return the flows, ordered by start; among equal starts in the pattern's own order.
     * @throws ScenarioError with a path relative to the entry ("sources", "flows[3].size_bytes").
     */
    std::vector<FlowSpec> Generate(const TrafficContext& context) const;

  protected:
    /// Adds the flows in any order; their starts count from the entry's start time.
    virtual void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const = 0;

    /// @return a flow with the entry's priority, tag and index, and start 0.
    FlowSpec MakeFlow(const TrafficContext& context) const;

    /// @throws ScenarioError when that many flows are too many.
    static void CheckCount(double flows);

  private:
    std::string m_name;
    std::string m_tag;
    uint8_t m_priority;
    Time m_startTime;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRAFFIC_PATTERN_H
