// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JOINT_TABLE_H
#define AIFABRIC_JOINT_TABLE_H

#include "check-outcome.h"

#include "ns3/run-result.h"
#include "ns3/sample-statistics.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-run
/// What is kept of one of several runs: a row of the joint table.
struct JointRow
{
    std::string variant; ///< empty where the scenario has none
    uint64_t seed{0};
    std::string folder; ///< of its results, relative to the table's; empty where it has none
    std::map<std::string, double> metrics;
    EngineResult engine;
    std::vector<std::string> warnings;
};

/**
 * @ingroup ai-fabric-run
 * The runs of a scenario with variants, seeds or both.
 */
class JointTable
{
  public:
    /// @param name of the scenario.
    explicit JointTable(const std::string& name);

    /// Keeps what a joint table needs of a run.
    void Add(const RunResult& result, const std::string& folder = "");

    const std::vector<JointRow>& Rows() const
    {
        return m_rows;
    }

    const std::string& Name() const
    {
        return m_name;
    }

    /// @return the variants, in the order of their first run; one empty name where there are none.
    std::vector<std::string> Variants() const;

    /**
     * @return every metric over the seeds of its variant, by the name that checks use:
     *         "VARIANT/metric", or "metric" where there are no variants. A run that lacks the metric
     *         does not count in its mean.
     */
    std::map<std::string, MeanInterval> Metrics() const;

    /**
     * Writes runs.csv (a row per run: `variant,seed,folder`, then all metrics, empty where a run
     * has no such metric) and runs.json (`schema_version`, `name`, `runs`, `metrics` over the seeds
     * as Metrics() has them, `checks`), each whole or not at all.
     * @param folder exists (MakeOutputFolder).
     * @throws ScenarioError in the file that cannot be written.
     */
    void Write(const std::vector<CheckOutcome>& checks, const std::string& folder) const;

  private:
    std::string m_name;
    std::vector<JointRow> m_rows;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_JOINT_TABLE_H
