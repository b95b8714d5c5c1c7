// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PRIORITY_LIST_H
#define AIFABRIC_PRIORITY_LIST_H

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Reads 802.1Q priorities from a JSON list: "[3, 4]".
 * @return one bit each.
 * @throws ScenarioError at path unless json is a list of priorities.
 */
uint8_t ReadPriorities(const std::string& json, const std::string& path);

/// @ingroup ai-fabric
/// @return the JSON list of those priorities, one bit each.
std::string WritePriorities(uint8_t mask);

} // namespace ns3::aifabric

#endif // AIFABRIC_PRIORITY_LIST_H
