// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_FILE_H
#define AIFABRIC_SCENARIO_FILE_H

#include "scenario-check.h"
#include "scenario-config.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/// A change to a scenario: path of a key, and JSON text or a string.
using ScenarioOverride = std::pair<std::string, std::string>;

/**
 * @ingroup ai-fabric-scenario
 * A scenario with all its runs: every variant with every seed.
 */
struct ScenarioFile
{
    std::string name;
    std::vector<ScenarioConfig> runs; ///< by variant, then by seed; one at least
    std::vector<ScenarioCheck> checks;
    bool joint{false}; ///< whether it has variants or seeds, and so a joint table
};

/**
 * Reads and checks a scenario.
 * @param json the whole file.
 * @param overrides applied in their order, before the variants'.
 * @param seed in place of the scenario's own and of its list.
 * @throws ScenarioError with file and path.
 */
ScenarioFile ReadScenarioFile(JsonValue json,
                              const std::vector<ScenarioOverride>& overrides = {},
                              std::optional<uint64_t> seed = {});

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_FILE_H
