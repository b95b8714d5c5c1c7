// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JSON_TEXT_H
#define AIFABRIC_JSON_TEXT_H

#include <charconv>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Appends a number as JSON, in the fewest digits that read back the same. For lists of millions of
 * records, of which no tree of values is made.
 */
template <class T>
void
AppendNumber(std::string& out, T value)
{
    char digits[32];
    auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, end);
}

} // namespace ns3::aifabric

#endif // AIFABRIC_JSON_TEXT_H
