// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_TABLE_H
#define AIFABRIC_FLOW_TABLE_H

#include "flow-spec.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Reads flows from the text of a JSON list of objects with the keys `source`, `destination`,
 * `size_bytes` and, optional, `start_time_s`, `priority`, `tag`, `destination_port`.
 * @param text the list.
 * @param hostCount hosts are 0 to hostCount - 1.
 * @param defaults what a flow has where its keys are absent.
 * @throws ScenarioError with a path ("flows[3].size_bytes").
 */
std::vector<FlowSpec>
ReadFlowList(const std::string& text, uint32_t hostCount, const FlowSpec& defaults);

/**
 * @ingroup ai-fabric
 * Reads flows from a CSV file whose first line names its columns by the keys of ReadFlowList, in any
 * order. Empty fields take the default; fields cannot be quoted; `#` begins a comment line.
 * @param name relative to folder unless absolute.
 * @throws ScenarioError with file and line.
 */
std::vector<FlowSpec> ReadFlowFile(const std::string& name,
                                   const std::string& folder,
                                   uint32_t hostCount,
                                   const FlowSpec& defaults);

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_TABLE_H
