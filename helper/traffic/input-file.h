// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_INPUT_FILE_H
#define AIFABRIC_INPUT_FILE_H

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Finds a file that a scenario names: as given (relative to folder unless absolute), else
 * traces/NAME or traces/NAME.txt of this module.
 * @param name what the user gave.
 * @param folder of the scenario; empty is the working directory.
 * @return its path.
 * @throws ScenarioError (empty path) when there is none, with the nearest name in traces/.
 */
std::string FindInputFile(const std::string& name, const std::string& folder);

/// @return the names of the data that come with the module: "web_search", …, sorted.
std::vector<std::string> TraceNames();

} // namespace ns3::aifabric

#endif // AIFABRIC_INPUT_FILE_H
