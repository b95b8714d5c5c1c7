// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HOST_SET_H
#define AIFABRIC_HOST_SET_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Reads a set of hosts: "all", "7", "0-15", "0-3, 8, 12-15", or the text of a JSON list of numbers
 * and ranges, `[3, 7]` or `["0-3", 8]`.
 * @param text what the user gave.
 * @param hostCount hosts are 0 to hostCount - 1.
 * @param noun what they are called in errors.
 * @return the hosts, ascending, at least one.
 * @throws ScenarioError (empty path) for what is no such set, hosts that do not exist and hosts
 *         named twice.
 */
std::vector<uint32_t>
ParseHostSet(const std::string& text, uint32_t hostCount, const std::string& noun = "host");

} // namespace ns3::aifabric

#endif // AIFABRIC_HOST_SET_H
