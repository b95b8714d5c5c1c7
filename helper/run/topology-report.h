// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TOPOLOGY_REPORT_H
#define AIFABRIC_TOPOLOGY_REPORT_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

class Fabric;
struct ScenarioConfig;

/**
 * @ingroup ai-fabric-run
 * What `validate` tells of the network of a scenario.
 */
class TopologyReport
{
  public:
    /// @param fabric of that scenario.
    TopologyReport(const ScenarioConfig& config, const Fabric& fabric);
    ~TopologyReport();

    /// @return a JSON object: hosts, gpus, switches, cables, bisection_gbps, tiers and so on; null is
    /// what was not looked for because the network is too large.
    std::string ToJson() const;

    /// @return the same as tables.
    std::string ToText() const;

    /// @return the networks of variants side by side: sizes, and what they take for each host.
    static std::string
    Compare(const std::vector<std::pair<std::string, const TopologyReport*>>& variants);

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TOPOLOGY_REPORT_H
