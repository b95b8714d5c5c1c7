// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JSON_PARSER_H
#define AIFABRIC_JSON_PARSER_H

#include <cstddef>
#include <memory>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * Reads a JSON text; what JsonValue::Parse does, which see.
 * @param text UTF-8.
 * @param file name for messages, may be empty.
 * @return a value of nlohmann/json, an ordered one.
 * @throws ScenarioError with line and column, or with the path of the value that is refused.
 */
std::shared_ptr<const void> ParseJson(const std::string& text, const std::string& file);

/// @return what a message may hold of a user's text: one line of bounded length, whole characters.
std::string Printable(const std::string& text);

/// @return the path of a member: "jobs[0]" and "batch" are "jobs[0].batch".
std::string Join(const std::string& path, const std::string& key);
/// @return the path of an element: "jobs" and 0 are "jobs[0]".
std::string Join(const std::string& path, std::size_t index);

} // namespace ns3::aifabric

#endif // AIFABRIC_JSON_PARSER_H
