// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-config.h"

#include "attribute-reader.h"
#include "node-template.h"
#include "output-settings.h"
#include "scenario-nic.h"
#include "scenario-topology.h"
#include "simulation-settings.h"

#include "ns3/nic-settings.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

namespace ns3::aifabric
{

namespace
{

/// What stands in metric names, files and folders.
std::string
ReadName(const JsonValue& json, const std::string& fallback)
{
    std::string name = json.IsNull() ? fallback : json.AsString();
    bool valid = !name.empty() && name.size() <= 100 && name.front() != '.' &&
                 std::all_of(name.begin(), name.end(), [](unsigned char c) {
                     return std::isalnum(c) || std::string("._+-").find(c) != std::string::npos;
                 });
    if (!valid)
    {
        json.Fail("found " + json.Describe() +
                  ", expected a name of letters, digits and . _ + -, at most 100");
    }
    return name;
}

/// What stands above tables and in files.
std::string
ReadTitle(const JsonValue& json, const std::string& fallback)
{
    std::string title = json.IsNull() ? fallback : json.AsString();
    if (title.empty() || title.size() > 100 ||
        std::any_of(title.begin(), title.end(), [](unsigned char c) { return std::iscntrl(c); }))
    {
        json.Fail("found " + json.Describe() + ", expected a name on one line, of 1 to 100 bytes");
    }
    return title;
}

/// Calls use(entry, its name) for each object of a list; names are unique.
template <class Use>
void
ForEachNamed(const JsonValue& list, const std::string& noun, Use use)
{
    if (list.IsNull())
    {
        return;
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        JsonValue entry = list.At(i);
        std::string name = ReadName(entry.ExpectObject()["name"], noun + std::to_string(i));
        if (!names.insert(name).second)
        {
            entry["name"].Fail("the name '" + name + "' is taken by an entry before");
        }
        use(entry, name);
    }
}

/// @return a section that may be absent, as layers to read.
std::vector<JsonValue>
Layers(const std::vector<JsonValue>& sections)
{
    std::vector<JsonValue> layers;
    for (const JsonValue& section : sections)
    {
        if (!section.IsNull())
        {
            layers.push_back(section);
        }
    }
    return layers;
}

BlockSet
ReadTransport(const std::vector<JsonValue>& sections)
{
    std::vector<JsonValue> layers = Layers(sections);
    for (const JsonValue& layer : layers)
    {
        if (layer.Has("type") && layer["type"].AsString() != "rocev2")
        {
            layer["type"].Fail("found " + layer["type"].Describe() + ", expected 'rocev2'");
        }
    }
    return ReadBlocks("transport", layers, {"type"});
}

/// A template says more than a build may be able to use.
JsonValue
WithoutAbsentBlocks(const JsonValue& json)
{
    JsonValue known = JsonValue::Object();
    TypeId type;
    for (const BlockType& block : BlockTypes())
    {
        if (block.section == std::string("node") && json.Has(block.key) && block.Find(&type))
        {
            known.Set(block.key, json[block.key]);
        }
    }
    return known;
}

void
ReadNode(ScenarioConfig& config, const JsonValue& json, bool hasJobs)
{
    JsonValue name = json.IsString() ? json : json["template"];
    config.nodeTemplate =
        name.IsNull() ? (hasJobs ? "hgx_h100" : "single_nic_host") : name.AsString();
    JsonValue standard;
    try
    {
        standard = WithoutAbsentBlocks(GetNodeTemplate(config.nodeTemplate));
    }
    catch (const ScenarioError& e)
    {
        name.Fail(e);
    }
    config.node =
        ReadBlocks("node", Layers({standard, json.IsString() ? JsonValue() : json}), {"template"});
}

void
ReadJobs(ScenarioConfig& config, const JsonValue& json)
{
    ForEachNamed(json["jobs"], "job", [&](const JsonValue& entry, const std::string& name) {
        JobConfig job;
        job.name = name;
        job.path = entry.GetPath();
        job.blocks = ReadBlocks(entry.Has("collective") ? "collective_job" : "job",
                                {entry},
                                {"name", "transport", "collectives"});
        if (auto settings = job.blocks.Get("settings"))
        {
            settings->SetAttribute("Name", StringValue(name));
        }
        job.transport = ReadTransport({json["transport"], entry["transport"]});
        job.collectives =
            ReadBlocks("collectives", Layers({json["collectives"], entry["collectives"]}));
        config.jobs.push_back(job);
    });
}

void
ReadTraffic(ScenarioConfig& config, const JsonValue& json)
{
    TypeId family;
    bool known = TypeId::LookupByNameFailSafe("ns3::aifabric::TrafficPattern", &family);
    ForEachNamed(json["traffic"], "traffic", [&](const JsonValue& entry, const std::string& name) {
        if (!known)
        {
            entry.Fail("not supported: this build has no traffic patterns");
        }
        TrafficConfig traffic;
        traffic.name = name;
        traffic.path = entry.GetPath();
        traffic.pattern = MakeConfigured(family, entry, "", "pattern", {"name", "transport"});
        traffic.pattern->SetAttribute("Name", StringValue(name));
        traffic.transport = ReadTransport({json["transport"], entry["transport"]});
        if (!entry.Has("priority"))
        {
            UintegerValue priority;
            traffic.transport.Get("settings")->GetAttribute("DataPriority", priority);
            traffic.pattern->SetAttribute("Priority", priority);
        }
        config.traffic.push_back(traffic);
    });
}

template <class T>
Ptr<T>
ReadSettings(const std::string& section, const JsonValue& json)
{
    return ReadBlocks(section, Layers({json})).Get<T>("settings");
}

uint64_t
ReadSeed(const JsonValue& json)
{
    uint64_t seed = json.IsNull() ? 1 : json.AsUnsigned();
    if (seed == 0 || seed > std::numeric_limits<uint32_t>::max())
    {
        json.Fail("found " + json.Describe() + ", expected an integer from 1 to 4294967295");
    }
    return seed;
}

/// @return an object without one of its keys.
JsonValue
Without(const JsonValue& object, const std::string& key)
{
    JsonValue rest = JsonValue::Object();
    for (const std::string& each : object.Keys())
    {
        if (each != key)
        {
            rest.Set(each, object[each]);
        }
    }
    return rest;
}

JsonValue
Resolve(const ScenarioConfig& config, const JsonValue& json, bool nicsHaveOneRate)
{
    JsonValue all = JsonValue::Object();
    all.Set("schema_version", JsonValue::Of("1.0"));
    all.Set("name", JsonValue::Of(config.name));
    for (const char* text : {"description", "source"})
    {
        json.Has(text) ? all.Set(text, json[text]) : void();
    }
    all.Set("random_seed", JsonValue::Of(config.randomSeed));
    all.Set("topology", ResolveTopology(*config.topology));
    JsonValue node = ResolveBlocks("node", config.node);
    node.Set("template", JsonValue::Of(config.nodeTemplate));
    if (!nicsHaveOneRate)
    {
        node.Set("nic", Without(node["nic"], "bandwidth_gbps"));
    }
    all.Set("node", node);
    all.Set("network", ResolveBlocks("network", config.network));
    all.Set("transport", ResolveBlocks("transport", config.transport));
    all.Set("collectives", ResolveBlocks("collectives", config.collectives));
    JsonValue jobs = JsonValue::Array();
    for (const JobConfig& job : config.jobs)
    {
        JsonValue entry = ResolveBlocks(job.GetSection(), job.blocks);
        entry.Set("name", JsonValue::Of(job.name));
        entry.Set("transport", ResolveBlocks("transport", job.transport));
        entry.Set("collectives", ResolveBlocks("collectives", job.collectives));
        jobs.Append(entry);
    }
    all.Set("jobs", jobs);
    JsonValue traffic = JsonValue::Array();
    for (const TrafficConfig& item : config.traffic)
    {
        JsonValue entry = ResolveAttributes(*item.pattern, "pattern");
        entry.Set("name", JsonValue::Of(item.name));
        entry.Set("transport", ResolveBlocks("transport", item.transport));
        traffic.Append(entry);
    }
    all.Set("traffic", traffic);
    all.Set("simulation", ResolveAttributes(*config.simulation));
    all.Set("outputs", ResolveAttributes(*config.outputs));
    if (config.prices)
    {
        all.Set("price_list", ResolveAttributes(*config.prices));
    }
    if (json.Has("checks"))
    {
        all.Set("checks", json["checks"]);
    }
    return all;
}

} // namespace

const std::vector<std::string>&
ScenarioKeys()
{
    static const std::vector<std::string> kKeys{
        "$schema",  "schema_version", "name",       "description", "source",      "random_seed",
        "topology", "node",           "network",    "transport",   "collectives", "jobs",
        "traffic",  "faults",         "operations", "simulation",  "variants",    "seeds",
        "checks",   "outputs",        "price_list"};
    return kKeys;
}

ScenarioConfig
ReadScenarioConfig(const JsonValue& json,
                   std::map<std::string, std::shared_ptr<const FabricGraph>>* graphs)
{
    json.ExpectKeys(ScenarioKeys());
    // No block belongs to the top itself: this refuses what is refused there.
    ReadBlocks("scenario", {json}, ScenarioKeys());
    if (json.Has("schema_version") && json["schema_version"].AsString() != "1.0")
    {
        json["schema_version"].Fail("found " + json["schema_version"].Describe() +
                                    ", expected '1.0'");
    }
    for (const char* text : {"$schema", "description", "source"})
    {
        json.Has(text) ? void(json[text].AsString()) : void();
    }
    ScenarioConfig config;
    config.file = json.GetFile();
    std::filesystem::path file = config.file;
    config.folder = file.parent_path().string();
    std::string stem = file.stem().string();
    config.name = ReadTitle(json["name"], stem.empty() ? "scenario" : stem.substr(0, 100));
    config.randomSeed = ReadSeed(json["random_seed"]);
    config.topology = ReadTopology(json["topology"]);
    config.network = ReadBlocks("network", Layers({json["network"]}));
    config.transport = ReadTransport({json["transport"]});
    config.collectives = ReadBlocks("collectives", Layers({json["collectives"]}));
    ReadJobs(config, json);
    ReadNode(config, json["node"], !config.jobs.empty());
    ReadTraffic(config, json);
    config.simulation = ReadSettings<SimulationSettings>("simulation", json["simulation"]);
    config.outputs = ReadSettings<OutputSettings>("outputs", json["outputs"]);
    if (json.Has("price_list"))
    {
        config.prices = ReadSettings<PriceList>("price_list", json["price_list"]);
    }
    try
    {
        config.simulation->GetScheduler();
    }
    catch (const ScenarioError& e)
    {
        json["simulation"].Fail(e);
    }
    // Whoever looks for an optional key finds a null like no such key.
    json.ExpectNoNull();
    Ptr<NicSettings> nic = config.node.Get<NicSettings>("nic");
    ApplyNic(*config.topology, *nic, json);
    std::string key = ResolveTopology(*config.topology).ToText();
    std::shared_ptr<const FabricGraph> graph = graphs ? (*graphs)[key] : nullptr;
    if (!graph)
    {
        graph = std::make_shared<FabricGraph>(BuildTopology(*config.topology, json["topology"]));
    }
    if (graphs)
    {
        (*graphs)[key] = graph;
    }
    config.graph = graph;
    try
    {
        config.outputs->FindCapturedPorts(*graph);
    }
    catch (const ScenarioError& e)
    {
        json["outputs"].Fail(e);
    }
    const bool oneRate = TakeNicFrom(*graph, *nic, json);
    config.resolved = Resolve(config, json, oneRate);
    return config;
}

} // namespace ns3::aifabric
