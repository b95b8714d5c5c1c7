// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ATTRIBUTE_KEY_H
#define AIFABRIC_ATTRIBUTE_KEY_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-scenario
/// Of what kind the value of an attribute is.
enum class AttributeKind
{
    Bool,
    Integer,
    Unsigned,
    Number,
    Enum,
    Text,
    Duration,
    Rate,
    Pointer
};

/// @ingroup ai-fabric-scenario
/// One attribute, and how it is written.
struct AttributeKey
{
    TypeId::AttributeInformation info;
    AttributeKind kind;
    std::string stem;                 ///< "delay"
    std::vector<std::string> keys;    ///< {"delay_ns", ...}, or {stem}
    std::vector<double> factors;      ///< seconds, or bit/s, per unit of each key
    double minimum;                   ///< in seconds, bit/s or as it is; -infinity is none
    double maximum;                   ///< infinity is none
    std::vector<std::string> choices; ///< ids of an enum's values; of a text what it may be: a kind
                                      ///< of JSON ("array"), or a word that is meant as it stands
    std::vector<std::string> names; ///< of an enum's values as registered, in the order of choices
    TypeId pointee;                 ///< of a pointer
};

/// @ingroup ai-fabric-scenario
/// @return whether it is what the key of a time or a rate ends in: "_us", "_gbps".
bool IsUnitSuffix(const std::string& suffix);

/// @ingroup ai-fabric-scenario
/// @return all attributes that can be set, the type's own first, then those of its parents.
std::vector<AttributeKey> AttributeKeys(TypeId type);

} // namespace ns3::aifabric

#endif // AIFABRIC_ATTRIBUTE_KEY_H
