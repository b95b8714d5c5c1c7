// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_RUNNER_H
#define AIFABRIC_SCENARIO_RUNNER_H

#include "ns3/scenario-file.h"

#include <string>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-run
/// How the command ended: its exit status.
enum class ExitStatus
{
    Ok = 0,
    RunFailed = 1,
    WrongInput = 2,
    CheckFailed = 3
};

/// @ingroup ai-fabric-run
/// What is not part of a scenario.
struct RunOptions
{
    std::string output; ///< folder for results in place of the scenario's; empty: the scenario's
    bool quiet{false};  ///< neither progress nor table
};

/**
 * @ingroup ai-fabric-run
 * Runs all runs of a scenario, one after the other, writes their results, and prints a table of each
 * to stdout.
 *
 * With variants or seeds the results of a run are in a folder VARIANT, seed-N or VARIANT/seed-N, and
 * a joint table beside them.
 * @throws ScenarioError for what only shows when it is put together.
 */
ExitStatus RunScenario(const ScenarioFile& file, const RunOptions& options);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_RUNNER_H
