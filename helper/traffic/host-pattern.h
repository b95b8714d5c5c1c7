// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HOST_PATTERN_H
#define AIFABRIC_HOST_PATTERN_H

#include "size-distribution.h"
#include "traffic-pattern.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A pattern between two sets of hosts, with messages of one size or of a size distribution.
 */
class HostPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId();

  protected:
    /// The keys of the entry, read and checked.
    struct Parties
    {
        std::vector<uint32_t> sources;      ///< ascending
        std::vector<uint32_t> destinations; ///< ascending
        SizeDistribution sizes;
    };

    /// @throws ScenarioError when a key makes no sense.
    Parties ReadParties(const TrafficContext& context) const;

    /**
     * @param hosts ascending, at least one of them not excluded.
     * @param u uniform in (0, 1).
     * @return one of hosts other than excluded, all equally likely.
     */
    static uint32_t PickOther(const std::vector<uint32_t>& hosts, uint32_t excluded, double u);

    /// @throws ScenarioError when a source has no destination but itself.
    static void CheckDestinations(const Parties& parties);

  private:
    std::string m_sources;
    std::string m_destinations;
    uint64_t m_sizeBytes;
    std::string m_sizeDistribution;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HOST_PATTERN_H
