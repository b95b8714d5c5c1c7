// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TEXT_CHECKER_H
#define AIFABRIC_TEXT_CHECKER_H

#include "ns3/attribute.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Checker of a string attribute that holds JSON text. Where ns-3's own MakeStringChecker() is used
 * a scenario file has to have a string there.
 * @param kinds what may stand there in a scenario file, of "string", "number", "boolean",
 *        "array" and "object", with '|' between them.
 */
Ptr<const AttributeChecker> MakeTextChecker(const std::string& kinds);

} // namespace ns3::aifabric

#endif // AIFABRIC_TEXT_CHECKER_H
