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
#include <map>

namespace ns3::aifabric
{

namespace
{

constexpr double kPicosecond = 1e-12;

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

/// "'auto' or a number".
std::string
TextKinds(const AttributeKey& key)
{
    static const std::map<std::string, std::string> kNouns{{"string", "a string"},
                                                           {"number", "a number"},
                                                           {"boolean", "true or false"},
                                                           {"array", "an array"},
                                                           {"object", "an object"}};
    std::string list;
    for (const std::string& kind : key.choices)
    {
        auto noun = kNouns.find(kind);
        list += list.empty() ? "" : kind == key.choices.back() ? " or " : ", ";
        list += noun == kNouns.end() ? "'" + kind + "'" : noun->second;
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
    if (key.kind == AttributeKind::Text)
    {
        return ", expected " + TextKinds(key);
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
    const std::string& given = json.AsString();
    for (std::size_t i = 0; i < key.names.size(); ++i)
    {
        if (given == key.names[i] || given == key.choices[i])
        {
            return key.names[i];
        }
    }
    json.Fail("found " + json.Describe() + SuggestFrom(given, key.choices));
}

/// @return a string as it is, anything else as JSON text; only of a kind that the attribute takes.
std::string
ReadText(const JsonValue& json, const AttributeKey& key)
{
    auto takes = [&](const std::string& kind) {
        return std::find(key.choices.begin(), key.choices.end(), kind) != key.choices.end();
    };
    const bool fits = json.IsString()   ? takes("string") || takes(json.AsString())
                      : json.IsNumber() ? takes("number")
                      : json.IsArray()  ? takes("array")
                      : json.IsBool()   ? takes("boolean")
                                        : json.IsObject() && takes("object");
    if (!fits)
    {
        json.Fail("found " + json.Describe() + ", expected " + TextKinds(key));
    }
    return json.IsString() ? json.AsString() : json.ToText();
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
        return Create<StringValue>(ReadText(json, key));
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
ResolveTime(const Time& time, const AttributeKey& key, std::string& suffix)
{
    for (std::size_t i = key.keys.size(); i-- > 0;)
    {
        auto ticks = static_cast<Tick>(std::llround(key.factors[i] / kPicosecond));
        suffix = key.keys[i].substr(key.stem.size());
        if (ToTick(time) % ticks == 0 && !time.IsZero())
        {
            return JsonValue::Of(int64_t{ToTick(time) / ticks});
        }
    }
    return JsonValue::Of(static_cast<double>(ToTick(time)) / kNanosecond);
}

/// Text that came from JSON goes back as JSON, so that reading it again gives the same text.
JsonValue
ResolveText(const std::string& text, const AttributeKey& key)
{
    try
    {
        JsonValue json = JsonValue::Parse(text);
        return key.choices == std::vector<std::string>{"string"} || json.IsString() ||
                       json.ToText() != text
                   ? JsonValue::Of(text)
                   : json;
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
        return ResolveText(Read<StringValue>(object, key).Get(), key);
    case AttributeKind::Duration:
        return ResolveTime(Read<TimeValue>(object, key).Get(), key, suffix);
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
    const std::string name = value->SerializeToString(key.info.checker);
    auto found = std::find(key.names.begin(), key.names.end(), name);
    return JsonValue::Of(key.choices.at(found - key.names.begin()));
}

} // namespace

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
