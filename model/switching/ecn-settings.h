// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ECN_SETTINGS_H
#define AIFABRIC_ECN_SETTINGS_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// When a queue marks: RED on its length at the instant of departure, without averaging.
struct RedThresholds
{
    uint32_t kmin; ///< bytes up to which nothing is marked
    uint32_t kmax; ///< bytes above which everything is
    double pmax;   ///< probability at kmax

    /// @return probability of a mark at a queue of that many bytes (Zhu et al., SIGCOMM'15, eq. 5).
    double Probability(uint32_t queued) const
    {
        return queued <= kmin ? 0 : queued > kmax ? 1 : pmax * (queued - kmin) / (kmax - kmin);
    }
};

/**
 * @ingroup ai-fabric
 * Marking by switches: one set of thresholds, or one per link rate.
 */
class EcnSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError if thresholds contradict each other.
    RedThresholds ForRate(double bandwidthBps) const;

    bool IsEnabled() const
    {
        return m_enabled;
    }

  private:
    struct Entry
    {
        double bandwidthBps;
        RedThresholds thresholds;
    };

    void SetThresholds(std::string json);
    std::string GetThresholds() const;

    bool m_enabled;
    uint32_t m_kmin;
    uint32_t m_kmax;
    double m_pmax;
    double m_reference;
    std::string m_json;
    std::vector<Entry> m_entries;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ECN_SETTINGS_H
