// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-schema.h"

#include "attribute-reader.h"
#include "layer-settings.h"
#include "measurement-settings.h"
#include "node-template.h"
#include "output-settings.h"
#include "price-list.h"
#include "scenario-blocks.h"
#include "simulation-settings.h"

#include "ns3/fabric-registry.h"
#include "ns3/topology-builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr uint64_t kLargestSeed = 4294967295;

/// 999999999.9999999 is 1000000000, and an integer is written as one.
Json
Rounded(double value)
{
    constexpr double kExactIntegers = 9007199254740992.0; // 2^53
    const double whole = std::round(value);
    if (std::abs(value - whole) <= 1e-12 * std::abs(value) && std::abs(whole) < kExactIntegers)
    {
        return static_cast<int64_t>(whole);
    }
    return value;
}

Json
Text(const std::string& description)
{
    return {{"type", "string"}, {"description", description}};
}

Json
Reference(const std::string& definition)
{
    return {{"$ref", "#/$defs/" + definition}};
}

Json
ArrayOf(const Json& items, const std::string& description)
{
    return {{"type", "array"}, {"description", description}, {"items", items}};
}

/// An object without properties so far.
Json
Closed(const std::string& description)
{
    return {{"type", "object"},
            {"description", description},
            {"properties", Json::object()},
            {"additionalProperties", false}};
}

Json
NameSchema(const std::string& description)
{
    Json name = Text(description);
    name["pattern"] = "^[A-Za-z0-9_+-][A-Za-z0-9._+-]*$";
    name["maxLength"] = 100;
    return name;
}

Json
SeedSchema(const std::string& description)
{
    return {{"type", "integer"},
            {"description", description},
            {"minimum", 1},
            {"maximum", kLargestSeed}};
}

Json ObjectSchema(const Object& defaults, const std::string& description);
Json FamilySchema(TypeId family, const std::string& defaultId, const std::string& description);

Json
DefaultsOf(const Object& object)
{
    return Json::parse(ResolveAttributes(object).ToText());
}

Ptr<Object>
Make(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<Object>();
}

/// What a text may be: kinds of JSON, and words that are meant as they stand.
Json
TextSchema(const AttributeKey& key)
{
    Json types = Json::array();
    Json words = Json::array();
    for (const std::string& choice : key.choices)
    {
        const bool kind = choice == "string" || choice == "number" || choice == "boolean" ||
                          choice == "array" || choice == "object";
        (kind ? types : words).push_back(choice);
    }
    const Json type{{"type", types.size() == 1 ? types[0] : types}};
    Json schema = words.empty() ? type : Json{{"anyOf", {{{"enum", words}}, type}}};
    schema["description"] = key.info.help;
    return schema;
}

/// @param factor seconds, or bit/s, per unit of the key.
Json
AttributeSchema(const AttributeKey& key, double factor)
{
    if (key.kind == AttributeKind::Pointer)
    {
        const bool family = !PluginIds(key.pointee).empty();
        return family ? FamilySchema(key.pointee, "", key.info.help)
                      : ObjectSchema(*Make(key.pointee), key.info.help);
    }
    static const Json kTypes[] = {
        "boolean", "integer", "integer", "number", "string", "string", "number", "number"};
    if (key.kind == AttributeKind::Text)
    {
        return TextSchema(key);
    }
    Json schema{{"type", kTypes[static_cast<int>(key.kind)]}, {"description", key.info.help}};
    if (key.kind == AttributeKind::Enum)
    {
        schema["enum"] = key.choices;
        return schema;
    }
    const bool ranged = key.kind != AttributeKind::Bool;
    if (ranged && std::isfinite(key.minimum))
    {
        schema["minimum"] = Rounded(key.minimum / factor);
    }
    if (ranged && std::isfinite(key.maximum))
    {
        schema["maximum"] = Rounded(key.maximum / factor);
    }
    return schema;
}

/// @return names and schemas of all keys of an object's attributes.
Json
Properties(const Object& defaults)
{
    const Json values = DefaultsOf(defaults);
    Json properties = Json::object();
    for (const AttributeKey& key : AttributeKeys(defaults.GetInstanceTypeId()))
    {
        for (std::size_t i = 0; i < key.keys.size(); ++i)
        {
            Json& schema = properties[key.keys[i]] = AttributeSchema(key, key.factors[i]);
            if (values.contains(key.keys[i]) && key.kind != AttributeKind::Pointer)
            {
                schema["default"] = values[key.keys[i]];
            }
        }
    }
    return properties;
}

Json
ObjectSchema(const Object& defaults, const std::string& description)
{
    Json schema = Closed(description);
    schema["properties"] = Properties(defaults);
    return schema;
}

/// One plug-in: an object that names it, unless it is the default.
Json
PluginSchema(TypeId type, const std::string& typeKey, const std::string& defaultId)
{
    const std::string id = PluginId(type);
    Json schema = Closed(id);
    schema["properties"][typeKey] = {{"const", id}};
    schema["properties"].update(Properties(*Make(type)));
    if (id != defaultId)
    {
        schema["required"] = {typeKey};
    }
    return schema;
}

Json
FamilySchema(TypeId family, const std::string& defaultId, const std::string& description)
{
    Json choices = Json::array({{{"type", "string"}, {"enum", PluginIds(family)}}});
    for (TypeId type : Plugins(family))
    {
        choices.push_back(PluginSchema(type, "type", defaultId));
    }
    Json schema{{"description", description}, {"oneOf", choices}};
    if (!defaultId.empty())
    {
        schema["default"] = defaultId;
    }
    return schema;
}

/// What stands under a key for which this build has no type, or that it does not simulate.
Json
HollowSchema(const std::string& reason)
{
    return {{"description", "Not supported, and may ask for nothing: " + reason},
            {"enum", {Json::array(), Json::object(), 0, false}}};
}

Json
BlockSchema(const BlockType& block)
{
    TypeId type;
    const std::string id = block.defaultId;
    if (!block.Find(&type))
    {
        return id.empty() ? HollowSchema("this build has no such block")
                          : Json{{"type", "string"}, {"enum", {id}}, {"default", id}};
    }
    if (type.HasConstructor())
    {
        return ObjectSchema(*Make(type), std::string(block.section) + "." + block.key);
    }
    const std::vector<std::string> ids = PluginIds(type);
    const bool hasDefault = std::find(ids.begin(), ids.end(), id) != ids.end();
    return FamilySchema(type, hasDefault ? id : "", PluginId(type));
}

Json
SectionSchema(const std::string& name, const std::string& description)
{
    Json schema = Closed(description);
    Json& properties = schema["properties"];
    TypeId type;
    for (const BlockType& block : BlockTypes())
    {
        if (block.section != name)
        {
            continue;
        }
        if (block.key != std::string("settings"))
        {
            properties[block.key] = BlockSchema(block);
        }
        else if (block.Find(&type))
        {
            properties.update(Properties(*Make(type)));
        }
    }
    for (const RefusedKey& refused : RefusedKeys())
    {
        if (refused.section == name)
        {
            properties[refused.key] = HollowSchema(refused.reason);
        }
    }
    return schema;
}

template <class Settings, class Get>
Json
LayersSchema(const std::vector<std::string>& layers, const std::string& description, Get get)
{
    Json schema = Closed(description);
    for (const std::string& layer : layers)
    {
        auto settings = CreateObject<Settings>();
        settings->SetSpec(get(layer));
        schema["properties"][layer] = ObjectSchema(*settings, layer);
    }
    return schema;
}

Json
TopologySchema()
{
    const TypeId family = TopologyBuilder::GetTypeId();
    Json choices = Json::array({{{"type", "string"}, {"enum", PluginIds(family)}}});
    for (TypeId type : Plugins(family))
    {
        const auto builder = DynamicCast<TopologyBuilder>(Make(type));
        Json schema = PluginSchema(type, "type", "");
        Json& properties = schema["properties"];
        properties["parameters"] = ObjectSchema(*builder, "The parameters, if not beside 'type'");
        if (!properties.contains("links"))
        {
            properties["links"] = LayersSchema<LinkLayerSettings>(
                builder->LinkLayers(), "Links by layer", [&](const std::string& layer) {
                    return builder->GetLink(layer);
                });
        }
        properties["switches"] = LayersSchema<SwitchLayerSettings>(
            builder->SwitchLayers(), "Switches by layer", [&](const std::string& layer) {
                return builder->GetSwitch(layer);
            });
        choices.push_back(schema);
    }
    return {{"description", "The network"}, {"oneOf", choices}};
}

Json
NodeSchema()
{
    Json name{{"type", "string"}, {"enum", NodeTemplateNames()}};
    Json object = SectionSchema("node", "What differs from a template");
    object["properties"]["template"] = name;
    return {{"description", "Servers and their NICs: a template, and what differs from it"},
            {"oneOf", {name, object}}};
}

Json
TransportSchema()
{
    Json schema = SectionSchema("transport", "RDMA between NICs");
    schema["properties"]["type"] = {{"const", "rocev2"}};
    return schema;
}

Json
JobSchema()
{
    Json choices = Json::array({SectionSchema("job", "A training job"),
                                SectionSchema("collective_job", "A single collective")});
    choices[1]["required"] = {"collective"};
    for (Json& schema : choices)
    {
        schema["properties"]["name"] = NameSchema("Its own among the jobs");
        schema["properties"]["transport"] = Reference("transport");
        schema["properties"]["collectives"] = Reference("collectives");
    }
    return {{"oneOf", choices}};
}

Json
TrafficSchema()
{
    TypeId family;
    Json choices = Json::array();
    const bool known = TypeId::LookupByNameFailSafe("ns3::aifabric::TrafficPattern", &family);
    for (TypeId type : known ? Plugins(family) : std::vector<TypeId>())
    {
        Json schema = PluginSchema(type, "pattern", "");
        schema["properties"]["name"] = NameSchema("Its own among the entries of traffic");
        schema["properties"]["transport"] = Reference("transport");
        choices.push_back(schema);
    }
    return {{"oneOf", choices}};
}

Json
CheckSchema()
{
    Json schema = Closed("A metric, or its ratio to another, against a value or bounds");
    Json& properties = schema["properties"];
    properties["metric"] = Text("Name in summary.json; VARIANT/METRIC where there are variants");
    properties["ratio_to"] = Text("Metric that it is divided by");
    for (const char* key : {"expected", "minimum", "maximum"})
    {
        properties[key] = {{"type", "number"}};
    }
    for (const char* key : {"relative_tolerance", "absolute_tolerance"})
    {
        properties[key] = {{"type", "number"}, {"minimum", 0}};
    }
    properties["description"] = Text("For readers");
    schema["required"] = {"metric"};
    return schema;
}

Json
VariantSchema()
{
    Json schema = Closed("What one of several runs changes");
    schema["properties"]["name"] = Text("Folder of its results");
    schema["properties"]["name"]["pattern"] = "^[^./][^/]*$";
    schema["properties"]["set"] = {{"type", "object"}, {"description", "Values by KEY.PATH"}};
    schema["properties"]["description"] = Text("For readers");
    schema["required"] = {"name"};
    return schema;
}

} // namespace

std::string
ScenarioSchema()
{
    Json properties;
    properties["$schema"] = Text("Where this schema is");
    properties["schema_version"] = {{"const", "1.0"}};
    properties["name"] = Text("What the scenario is called; its file where absent");
    properties["name"]["minLength"] = 1;
    properties["name"]["maxLength"] = 100;
    properties["description"] = Text("For readers");
    properties["source"] = Text("Paper and figure that it reproduces");
    properties["random_seed"] = SeedSchema("Two runs with the same seed are equal");
    properties["random_seed"]["default"] = 1;
    properties["topology"] = TopologySchema();
    properties["node"] = NodeSchema();
    properties["network"] = SectionSchema("network", "What holds for all links and switches");
    properties["transport"] = Reference("transport");
    properties["collectives"] = Reference("collectives");
    properties["jobs"] = ArrayOf(JobSchema(), "Training jobs");
    properties["traffic"] = ArrayOf(TrafficSchema(), "Flows beside those of jobs");
    properties["simulation"] = SectionSchema("simulation", "How it is run");
    Json variants = ArrayOf(VariantSchema(), "Runs that differ");
    variants["minItems"] = 1;
    Json axes = ArrayOf(variants, "Each of the first list with each of the second, and so on");
    axes["minItems"] = 1;
    properties["variants"] = {{"oneOf", {variants, axes}}};
    properties["seeds"] = ArrayOf(SeedSchema("One run"), "One run of each variant for each");
    properties["seeds"]["minItems"] = 1;
    properties["checks"] = ArrayOf(CheckSchema(), "What the results have to be");
    properties["outputs"] = SectionSchema("outputs", "What is written");
    properties["outputs"]["properties"]["measurements"]["items"] =
        ObjectSchema(*CreateObject<MeasurementSettings>(), "A span of time");
    properties["price_list"] = SectionSchema("price_list", "What the parts of a network cost");
    auto priced = [&](const char* list, const Object& item) {
        properties["price_list"]["properties"][list]["items"] =
            ObjectSchema(item, "What can be had");
    };
    priced("switches", *CreateObject<PricedSwitch>());
    priced("cables", *CreateObject<PricedCable>());
    priced("nics", *CreateObject<PricedNic>());
    properties.update(SectionSchema("scenario", "")["properties"]);
    const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"title", "Scenario of ai-fabric"},
                      {"type", "object"},
                      {"properties", properties},
                      {"required", {"topology"}},
                      {"additionalProperties", false},
                      {"$defs",
                       {{"transport", TransportSchema()},
                        {"collectives", SectionSchema("collectives", "How they are done")}}}};
    return schema.dump(2);
}

} // namespace ns3::aifabric
