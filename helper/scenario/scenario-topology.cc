// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-topology.h"

#include "attribute-reader.h"
#include "layer-settings.h"

#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// Some topologies have a parameter of that name, and hence no layers below it.
bool
IsParameter(const TopologyBuilder& builder, const std::string& key)
{
    auto keys = AttributeKeys(builder.GetInstanceTypeId());
    return std::any_of(keys.begin(), keys.end(), [&](const auto& k) { return k.stem == key; });
}

/**
 * Reads what a scenario says of layers, on top of what they are like already.
 * @param json {layer: {key: value}}
 */
template <class Settings, class Get, class Set>
void
ReadLayers(const JsonValue& json, const std::vector<std::string>& layers, Get get, Set set)
{
    json.ExpectKeys(layers);
    for (const std::string& layer : json.Keys())
    {
        auto settings = CreateObject<Settings>();
        settings->SetSpec(get(layer));
        ApplyAttributes(*settings, json[layer]);
        set(layer, settings->GetSpec());
    }
}

template <class Settings, class Get>
JsonValue
ResolveLayers(const std::vector<std::string>& layers, Get get)
{
    JsonValue json = JsonValue::Object();
    for (const std::string& layer : layers)
    {
        auto settings = CreateObject<Settings>();
        settings->SetSpec(get(layer));
        json.Set(layer, ResolveAttributes(*settings));
    }
    return json;
}

/**
 * What stands for another key cannot stand beside it: one length has not two delays.
 * @param key one key of a layer. @param other what another of its keys may begin with.
 */
void
RefuseBoth(const JsonValue& layers, const std::string& key, const std::string& other)
{
    for (const std::string& layer : layers.Keys())
    {
        for (const std::string& given : layers[layer].Keys())
        {
            if (layers[layer].Has(key) && given.rfind(other, 0) == 0)
            {
                layers[layer][given].Fail("given beside " + key + ", expected one of the two");
            }
        }
    }
}

/// Calls what throws errors with paths inside json.
template <class Call>
void
Locate(const JsonValue& json, const Call& call)
{
    try
    {
        call();
    }
    catch (const ScenarioError& error)
    {
        json.Fail(error);
    }
}

} // namespace

Ptr<TopologyBuilder>
ReadTopology(const JsonValue& json)
{
    if (json.IsNull())
    {
        json.Fail("missing, expected an object like {\"type\": \"star\", \"host_count\": 16}");
    }
    JsonValue id = json.Has("type") ? json["type"] : json;
    if (json.Has("type"))
    {
        id.AsString();
    }
    auto builder = DynamicCast<TopologyBuilder>(MakeConfigured(TopologyBuilder::GetTypeId(), id));
    if (json.IsString())
    {
        return builder;
    }
    std::vector<std::string> others{"type", "parameters"};
    bool hasLinks = IsParameter(*builder, "links");
    if (!hasLinks)
    {
        others.emplace_back("links");
    }
    others.emplace_back("switches");
    ApplyAttributes(*builder, json, others);
    if (json.Has("parameters"))
    {
        JsonValue parameters = json["parameters"];
        for (const std::string& key : parameters.ExpectObject().Keys())
        {
            if (json.Has(key))
            {
                parameters[key].Fail("given in " + json.GetPath() + " too, expected one of them");
            }
        }
        ApplyAttributes(*builder, parameters);
    }
    if (!hasLinks && json.Has("links"))
    {
        RefuseBoth(json["links"], "length_km", "propagation_delay_");
        ReadLayers<LinkLayerSettings>(
            json["links"],
            builder->LinkLayers(),
            [&](const std::string& layer) { return builder->GetLink(layer); },
            [&](const std::string& layer, const LinkSpec& spec) {
                Locate(json, [&] { builder->SetLink(layer, spec); });
            });
    }
    if (json.Has("switches"))
    {
        RefuseBoth(json["switches"], "preset", "buffer_bytes");
        ReadLayers<SwitchLayerSettings>(
            json["switches"],
            builder->SwitchLayers(),
            [&](const std::string& layer) { return builder->GetSwitch(layer); },
            [&](const std::string& layer, const SwitchSpec& spec) {
                Locate(json, [&] { builder->SetSwitch(layer, spec); });
            });
    }
    return builder;
}

FabricGraph
BuildTopology(const TopologyBuilder& builder, const JsonValue& json)
{
    FabricGraph graph;
    Locate(json, [&] { graph = builder.Build(); });
    return graph;
}

JsonValue
ResolveTopology(const TopologyBuilder& builder)
{
    JsonValue json = JsonValue::Object();
    json.Set("type", JsonValue::Of(PluginId(builder.GetInstanceTypeId())));
    json.Set("parameters", ResolveAttributes(builder));
    if (!IsParameter(builder, "links"))
    {
        json.Set("links",
                 ResolveLayers<LinkLayerSettings>(builder.LinkLayers(), [&](const auto& layer) {
                     return builder.GetLink(layer);
                 }));
    }
    json.Set("switches",
             ResolveLayers<SwitchLayerSettings>(builder.SwitchLayers(), [&](const auto& layer) {
                 return builder.GetSwitch(layer);
             }));
    return json;
}

} // namespace ns3::aifabric
