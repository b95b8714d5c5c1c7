// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ATTRIBUTE_READER_H
#define AIFABRIC_ATTRIBUTE_READER_H

#include "attribute-key.h"
#include "json-value.h"

#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @file
 * @ingroup ai-fabric-scenario
 * The attributes of an ns-3 Object as a JSON object. There is no list of settings but the TypeId
 * table: an attribute is named by the snake_case of its name, with a unit where its type has one.
 *
 * | attribute | key | JSON |
 * |---|---|---|
 * | Time `Delay` | `delay_ns`, `delay_us`, `delay_ms` or `delay_s` | number, not negative |
 * | DataRate `Rate` | `rate_gbps` or `rate_mbps` | number; 0 only where it is the default |
 * | bool, integer, double | `gain` | true or false, number |
 * | enum | `mode` | name, as registered or in snake_case |
 * | string | `name` | string; where it has a MakeTextChecker what that says, as its JSON text |
 * | Ptr to an object | `fabric` | object of its attributes; for a family `{"type": id, ...}` or id |
 */

/**
 * Sets attributes from a JSON object.
 * @param object gets the values; what json does not name stays as it is.
 * @param json members are attributes, or among others.
 * @param others keys that the caller reads itself.
 * @throws ScenarioError with file and path: unknown key, wrong type, out of range, a key in two
 *         units.
 */
void
ApplyAttributes(Object& object, const JsonValue& json, const std::vector<std::string>& others = {});

/**
 * @param family family of plug-ins, or a class without children, whose id is not asked for.
 * @param json `{"type": id, parameter: value}`, or the bare id.
 * @param defaultId where json names none; empty: it must.
 * @param typeKey the key that holds the id.
 * @param others keys that the caller reads itself.
 * @return a new object, configured.
 */
Ptr<Object> MakeConfigured(TypeId family,
                           const JsonValue& json,
                           const std::string& defaultId = "",
                           const std::string& typeKey = "type",
                           std::vector<std::string> others = {});

/**
 * @param typeKey key for the id of a plug-in; empty leaves it out.
 * @return all attributes of an object with the values they have, as ApplyAttributes reads them.
 */
JsonValue ResolveAttributes(const Object& object, const std::string& typeKey = "");

} // namespace ns3::aifabric

#endif // AIFABRIC_ATTRIBUTE_READER_H
