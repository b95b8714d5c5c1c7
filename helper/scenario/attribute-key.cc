// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-key.h"

#include "ns3/fabric-registry.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace ns3::aifabric
{

namespace
{

struct Unit
{
    const char* suffix;
    double factor;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Unit kTimeUnits[] = {{"_ns", 1e-9}, {"_us", 1e-6}, {"_ms", 1e-3}, {"_s", 1}};
constexpr Unit kRateUnits[] = {{"_gbps", 1e9}, {"_mbps", 1e6}};
constexpr double kPicosecond = 1e-12;

bool
KindOf(const AttributeChecker& checker, AttributeKind& kind)
{
    // "ns3::UintegerValue", "BooleanValue", "ns3::EnumValue<ns3::X::Mode>": it differs by release.
    static const std::pair<const char*, AttributeKind> kKinds[] = {
        {"BooleanValue", AttributeKind::Bool},
        {"UintegerValue", AttributeKind::Unsigned},
        {"IntegerValue", AttributeKind::Integer},
        {"DoubleValue", AttributeKind::Number},
        {"EnumValue", AttributeKind::Enum},
        {"StringValue", AttributeKind::Text},
        {"TimeValue", AttributeKind::Duration},
        {"DataRateValue", AttributeKind::Rate},
        {"PointerValue", AttributeKind::Pointer},
    };
    std::string name = checker.GetValueTypeName();
    name = name.substr(0, name.find('<'));
    name = name.substr(name.rfind(':') + 1);
    for (const auto& [known, k] : kKinds)
    {
        if (name == known)
        {
            kind = k;
            return true;
        }
    }
    return false;
}

/// Reads "uint32_t 1:10" or "Time +0ps:+1e+12ps".
void
ReadRange(AttributeKey& key)
{
    key.minimum = -kInfinity;
    key.maximum = kInfinity;
    std::string text = key.info.checker->GetUnderlyingTypeInformation();
    std::size_t space = text.rfind(' ');
    std::size_t colon = text.rfind(':');
    if (key.kind == AttributeKind::Rate)
    {
        key.minimum = 0;
    }
    if (colon == std::string::npos || space == std::string::npos || space > colon)
    {
        return;
    }
    double low = std::strtod(text.c_str() + space + 1, nullptr);
    double high = std::strtod(text.c_str() + colon + 1, nullptr);
    if (key.kind == AttributeKind::Duration)
    {
        // No duration is negative. Time::Min() is printed without its sign.
        key.minimum = low >= high ? 0 : std::max(low, 0.) * kPicosecond;
        key.maximum = high > 9.2e18 ? kInfinity : high * kPicosecond;
        return;
    }
    constexpr double kNoLimit = 9.2e18; // of int64_t, and above it uint64_t and double
    key.minimum = low < -kNoLimit ? -kInfinity : low;
    key.maximum = high > kNoLimit ? kInfinity : high;
}

/// "Paper" is written "paper"; "1f1b" and "PIX" as they are.
std::string
ChoiceId(const std::string& name)
{
    auto any = [&](int (*is)(int)) {
        return std::any_of(name.begin(), name.end(), [&](unsigned char c) { return is(c); });
    };
    return any(std::isupper) && any(std::islower) ? ToSnakeCase(name) : name;
}

/// @return the parts of "paper|connectx" (an enum) or "auto|number" (a text).
std::vector<std::string>
Alternatives(const AttributeChecker& checker)
{
    std::vector<std::string> parts;
    std::istringstream in(checker.GetUnderlyingTypeInformation());
    for (std::string part; std::getline(in, part, '|');)
    {
        parts.push_back(part);
    }
    return parts;
}

AttributeKey
Describe(const TypeId::AttributeInformation& info, AttributeKind kind)
{
    AttributeKey key{info, kind, ToSnakeCase(info.name), {}, {}, 0, 0, {}, {}, {}};
    auto withUnits = [&](auto& units) {
        for (const Unit& unit : units)
        {
            key.keys.push_back(key.stem + unit.suffix);
            key.factors.push_back(unit.factor);
        }
    };
    if (kind == AttributeKind::Duration)
    {
        withUnits(kTimeUnits);
    }
    else if (kind == AttributeKind::Rate)
    {
        withUnits(kRateUnits);
    }
    else
    {
        key.keys = {key.stem};
        key.factors = {1};
    }
    ReadRange(key);
    if (kind == AttributeKind::Enum)
    {
        key.names = Alternatives(*info.checker);
        for (const std::string& name : key.names)
        {
            key.choices.push_back(ChoiceId(name));
        }
    }
    else if (kind == AttributeKind::Text)
    {
        // ns-3's own checker says nothing, or the name of the type in C++.
        key.choices = Alternatives(*info.checker);
        if (key.choices.empty() || key.choices.front().find(':') != std::string::npos)
        {
            key.choices = {"string"};
        }
    }
    if (auto pointer = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
    {
        key.pointee = pointer->GetPointeeTypeId();
    }
    return key;
}

} // namespace

bool
IsUnitSuffix(const std::string& suffix)
{
    auto is = [&](const Unit& unit) { return suffix == unit.suffix; };
    return std::any_of(std::begin(kTimeUnits), std::end(kTimeUnits), is) ||
           std::any_of(std::begin(kRateUnits), std::end(kRateUnits), is);
}

std::vector<AttributeKey>
AttributeKeys(TypeId type)
{
    UsePicoseconds();
    std::vector<AttributeKey> keys;
    for (TypeId at = type;; at = at.GetParent())
    {
        for (std::size_t i = 0; i < at.GetAttributeN(); ++i)
        {
            TypeId::AttributeInformation info = at.GetAttribute(i);
            AttributeKind kind;
            bool settable = (info.flags & TypeId::ATTR_SET) && info.accessor->HasSetter() &&
                            info.supportLevel == TypeId::SUPPORTED;
            if (settable && KindOf(*info.checker, kind))
            {
                keys.push_back(Describe(info, kind));
            }
        }
        if (at == at.GetParent() || !at.HasParent())
        {
            return keys;
        }
    }
}

} // namespace ns3::aifabric
