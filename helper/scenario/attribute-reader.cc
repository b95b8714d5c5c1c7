// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-reader.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric-time.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
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

std::vector<std::string>
EnumNames(const AttributeChecker& checker)
{
    std::vector<std::string> names;
    std::istringstream in(checker.GetUnderlyingTypeInformation());
    for (std::string name; std::getline(in, name, '|');)
    {
        names.push_back(name);
    }
    return names;
}

AttributeKey
Describe(const TypeId::AttributeInformation& info, AttributeKind kind)
{
    AttributeKey key{info, kind, ToSnakeCase(info.name), {}, {}, 0, 0, {}, {}};
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
        for (const std::string& name : EnumNames(*info.checker))
        {
            key.choices.push_back(ChoiceId(name));
        }
    }
    if (auto pointer = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
    {
        key.pointee = pointer->GetPointeeTypeId();
    }
    return key;
}

std::string
Shortest(double value)
{
    return JsonValue::Of(value).ToText();
}

std::string
Listed(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

/// "expected a number from 1 to 10".
std::string
Expected(const AttributeKey& key, double factor)
{
    static const char* const kNouns[] = {"true or false",
                                         "an integer",
                                         "an integer",
                                         "a number",
                                         "one of",
                                         "a string",
                                         "a time",
                                         "a rate",
                                         "an object"};
    std::string text = std::string(", expected ") + kNouns[static_cast<int>(key.kind)];
    if (key.kind == AttributeKind::Enum)
    {
        return text + " " + Listed(key.choices);
    }
    std::string low = Shortest(key.minimum / factor);
    std::string high = Shortest(key.maximum / factor);
    if (std::isfinite(key.minimum) && std::isfinite(key.maximum))
    {
        return text + " from " + low + " to " + high;
    }
    if (std::isfinite(key.minimum))
    {
        return text + " of at least " + low;
    }
    return std::isfinite(key.maximum) ? text + " of at most " + high : text;
}

Time
ReadTime(const JsonValue& json, const AttributeKey& key, double factor)
{
    double picoseconds = json.AsNumber() * (factor / kPicosecond);
    if (picoseconds < 0 || picoseconds > 9.2e18)
    {
        json.Fail("found " + json.Describe() + Expected(key, factor) +
                  (picoseconds < 0 ? "" : ", below 106 days"));
    }
    return FromTick(std::llround(picoseconds));
}

DataRate
ReadRate(const JsonValue& json, const AttributeKey& key, double factor)
{
    double rate = std::round(json.AsNumber() * factor);
    const auto* initial = dynamic_cast<const DataRateValue*>(PeekPointer(key.info.initialValue));
    bool zeroMeansSomething = initial && initial->Get().GetBitRate() == 0;
    if (rate < 0 || rate > 1e18 || (rate == 0 && !zeroMeansSomething))
    {
        json.Fail("found " + json.Describe() + ", expected a rate " +
                  (zeroMeansSomething ? "from 0" : "above 0") + " to " + Shortest(1e18 / factor));
    }
    return DataRate(static_cast<uint64_t>(rate));
}

std::string
ReadChoice(const JsonValue& json, const AttributeKey& key)
{
    std::string given = json.AsString();
    for (const std::string& name : EnumNames(*key.info.checker))
    {
        if (given == name || given == ChoiceId(name))
        {
            return name;
        }
    }
    json.Fail("found " + json.Describe() + SuggestFrom(given, key.choices));
}

Ptr<AttributeValue>
ReadValue(const JsonValue& json, const AttributeKey& key, double factor)
{
    switch (key.kind)
    {
    case AttributeKind::Bool:
        return Create<BooleanValue>(json.AsBool());
    case AttributeKind::Integer:
        return Create<IntegerValue>(json.AsInteger());
    case AttributeKind::Unsigned:
        return Create<UintegerValue>(json.AsUnsigned());
    case AttributeKind::Number:
        return Create<DoubleValue>(json.AsNumber());
    case AttributeKind::Text:
        return Create<StringValue>(json.IsString() ? json.AsString() : json.ToText());
    case AttributeKind::Duration:
        return Create<TimeValue>(ReadTime(json, key, factor));
    case AttributeKind::Rate:
        return Create<DataRateValue>(ReadRate(json, key, factor));
    case AttributeKind::Pointer:
        return Create<PointerValue>(MakeConfigured(key.pointee, json));
    case AttributeKind::Enum:
        break;
    }
    Ptr<AttributeValue> value = key.info.checker->Create();
    value->DeserializeFromString(ReadChoice(json, key), key.info.checker);
    return value;
}

void
Apply(Object& object, const JsonValue& parent, const std::string& given, const AttributeKey& key)
{
    const JsonValue json = parent[given];
    auto name = std::find(key.keys.begin(), key.keys.end(), given);
    const double factor = key.factors[name - key.keys.begin()];
    if (json.IsNull())
    {
        json.Fail("found null" + Expected(key, factor));
    }
    Ptr<AttributeValue> value = ReadValue(json, key, factor);
    bool fits = key.info.checker->Check(*value);
    try
    {
        fits = fits && object.SetAttributeFailSafe(key.info.name, *value);
    }
    catch (const ScenarioError& e)
    {
        // A setter names its own key, a place inside its value ("[2]"), or nothing.
        bool inside = e.GetPath().empty() || e.GetPath().front() == '[';
        (inside ? json : parent).Fail(e);
    }
    if (!fits)
    {
        json.Fail("found " + json.Describe() + Expected(key, factor));
    }
}

[[noreturn]] void
FailUnknown(const JsonValue& json,
            const std::string& given,
            const std::vector<AttributeKey>& attributes,
            const std::vector<std::string>& others)
{
    std::vector<std::string> all = others;
    std::vector<std::string> shown = others;
    for (const AttributeKey& key : attributes)
    {
        if (given == key.stem || (given.rfind(key.stem + "_", 0) == 0 && key.keys.size() > 1))
        {
            std::string units;
            for (const auto& k : key.keys)
            {
                units += (units.empty() ? "" : (k == key.keys.back() ? " or " : ", ")) + k;
            }
            json[given].Fail("unknown key, expected " + units);
        }
        all.insert(all.end(), key.keys.begin(), key.keys.end());
        shown.push_back(key.keys.front());
    }
    std::string nearest = SuggestFrom(given, all);
    json[given].Fail("unknown key" +
                     (nearest.rfind(", did", 0) == 0 ? nearest : SuggestFrom(given, shown)));
}

JsonValue
ResolveTime(const Time& time, std::string& suffix)
{
    for (auto unit = std::rbegin(kTimeUnits); unit != std::rend(kTimeUnits); ++unit)
    {
        auto ticks = static_cast<Tick>(std::llround(unit->factor / kPicosecond));
        suffix = unit->suffix;
        if (ToTick(time) % ticks == 0 && !time.IsZero())
        {
            return JsonValue::Of(int64_t{ToTick(time) / ticks});
        }
    }
    return JsonValue::Of(static_cast<double>(ToTick(time)) / kNanosecond);
}

/// Text that came from JSON goes back as JSON, so that reading it again gives the same text.
JsonValue
ResolveText(const std::string& text)
{
    try
    {
        JsonValue json = JsonValue::Parse(text);
        return json.IsString() || json.ToText() != text ? JsonValue::Of(text) : json;
    }
    catch (const ScenarioError&)
    {
        return JsonValue::Of(text);
    }
}

template <class V>
V
Read(const Object& object, const AttributeKey& key)
{
    V value;
    object.GetAttribute(key.info.name, value);
    return value;
}

JsonValue
Resolve(const Object& object, const AttributeKey& key, std::string& suffix)
{
    switch (key.kind)
    {
    case AttributeKind::Bool:
        return JsonValue::Of(Read<BooleanValue>(object, key).Get());
    case AttributeKind::Integer:
        return JsonValue::Of(int64_t{Read<IntegerValue>(object, key).Get()});
    case AttributeKind::Unsigned:
        return JsonValue::Of(uint64_t{Read<UintegerValue>(object, key).Get()});
    case AttributeKind::Number:
        return JsonValue::Of(Read<DoubleValue>(object, key).Get());
    case AttributeKind::Text:
        return ResolveText(Read<StringValue>(object, key).Get());
    case AttributeKind::Duration:
        return ResolveTime(Read<TimeValue>(object, key).Get(), suffix);
    case AttributeKind::Rate:
        suffix = "_gbps";
        return JsonValue::Of(
            static_cast<double>(Read<DataRateValue>(object, key).Get().GetBitRate()) / 1e9);
    case AttributeKind::Pointer: {
        Ptr<Object> inner = Read<PointerValue>(object, key).GetObject();
        bool family = !Plugins(key.pointee).empty();
        return inner ? ResolveAttributes(*inner, family ? "type" : "") : JsonValue();
    }
    case AttributeKind::Enum:
        break;
    }
    Ptr<AttributeValue> value = key.info.checker->Create();
    object.GetAttribute(key.info.name, *value);
    return JsonValue::Of(ChoiceId(value->SerializeToString(key.info.checker)));
}

} // namespace

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

void
ApplyAttributes(Object& object, const JsonValue& json, const std::vector<std::string>& others)
{
    std::vector<AttributeKey> attributes = AttributeKeys(object.GetInstanceTypeId());
    std::vector<std::string> units(attributes.size());
    for (const std::string& given : json.ExpectObject().Keys())
    {
        if (std::find(others.begin(), others.end(), given) != others.end())
        {
            continue;
        }
        bool found = false;
        for (std::size_t i = 0; i < attributes.size() && !found; ++i)
        {
            const AttributeKey& key = attributes[i];
            found = std::find(key.keys.begin(), key.keys.end(), given) != key.keys.end();
            if (!found)
            {
                continue;
            }
            if (!units[i].empty())
            {
                json[given].Fail("given as '" + units[i] + "' too, expected one of the two");
            }
            units[i] = given;
            Apply(object, json, given, key);
        }
        if (!found)
        {
            FailUnknown(json, given, attributes, others);
        }
    }
}

Ptr<Object>
MakeConfigured(TypeId family,
               const JsonValue& json,
               const std::string& defaultId,
               const std::string& typeKey,
               std::vector<std::string> others)
{
    TypeId type = family;
    std::vector<std::string> ids = PluginIds(family);
    if (!ids.empty())
    {
        JsonValue id = json.IsString() ? json : json[typeKey];
        others.push_back(typeKey);
        if (id.IsNull() && (defaultId.empty() || !(json.IsNull() || json.IsObject())))
        {
            json.Fail("found " + json.Describe() + ", expected '" + typeKey + "': one of " +
                      Listed(ids));
        }
        try
        {
            type = FindPlugin(family, id.IsNull() ? defaultId : id.AsString());
        }
        catch (const ScenarioError& e)
        {
            if (e.GetPath().empty() && !id.IsNull())
            {
                id.Fail(e);
            }
            throw;
        }
    }
    if (!type.HasConstructor())
    {
        json.Fail("no " + PluginId(family) + " exists in this build");
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    Ptr<Object> object = factory.Create<Object>();
    if (json.IsObject())
    {
        ApplyAttributes(*object, json, others);
    }
    else if (!json.IsNull() && ids.empty())
    {
        json.ExpectObject();
    }
    return object;
}

JsonValue
ResolveAttributes(const Object& object, const std::string& typeKey)
{
    JsonValue json = JsonValue::Object();
    if (!typeKey.empty())
    {
        json.Set(typeKey, JsonValue::Of(PluginId(object.GetInstanceTypeId())));
    }
    for (const AttributeKey& key : AttributeKeys(object.GetInstanceTypeId()))
    {
        if (!(key.info.flags & TypeId::ATTR_GET) || !key.info.accessor->HasGetter())
        {
            continue;
        }
        std::string suffix;
        JsonValue value = Resolve(object, key, suffix);
        if (!value.IsNull())
        {
            json.Set(key.stem + suffix, value);
        }
    }
    return json;
}

} // namespace ns3::aifabric
