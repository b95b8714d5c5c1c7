// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SUMMARY_WRITER_H
#define AIFABRIC_SUMMARY_WRITER_H

#include "check-outcome.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

class JointTable;
struct RunResult;

/// Of summary.json and runs.json; counts up when a reader must know.
inline constexpr int kSummarySchemaVersion = 1;

/**
 * @ingroup ai-fabric-run
 * @param scenario JSON text of the resolved scenario, whole.
 * @return summary.json: `schema_version`, `scenario`, `name`, `variant` where there is one, `seed`,
 * `versions` (`ai_fabric`, `ns3`, `compiler`), `metrics`, `checks` (each as in the scenario, with
 * `obtained`, `holds`, and `obtained_half_width_95` of a mean over seeds), `pfc` (PauseSummary),
 * `engine`, `warnings`.
 * Rates of the engine are per second of CPU time inside Run. What is not finite is null.
 */
std::string SummaryText(const RunResult& result,
                        const std::string& scenario,
                        const std::vector<CheckOutcome>& checks);

/**
 * @ingroup ai-fabric-run
 * Writes SummaryText() to summary.json, whole or not at all.
 * @param folder exists (MakeOutputFolder).
 * @throws ScenarioError in that file.
 */
void WriteSummary(const RunResult& result,
                  const std::string& scenario,
                  const std::vector<CheckOutcome>& checks,
                  const std::string& folder);

/// @ingroup ai-fabric-run
/// @return runs.json: see JointTable::Write.
std::string SummaryText(const JointTable& table, const std::vector<CheckOutcome>& checks);

} // namespace ns3::aifabric

#endif // AIFABRIC_SUMMARY_WRITER_H
