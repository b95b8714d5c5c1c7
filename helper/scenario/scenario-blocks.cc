// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-blocks.h"

#include "attribute-reader.h"

#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

constexpr const char* kSettings = "settings";

bool
IsSettings(const BlockType& block)
{
    return block.key == std::string(kSettings);
}

/// Blocks that state nothing (no entry, or zeros only) ask for nothing that would be missing.
bool
IsHollow(const JsonValue& json)
{
    if (json.IsObject())
    {
        auto keys = json.Keys();
        return std::all_of(
            keys.begin(), keys.end(), [&](const auto& key) { return IsHollow(json[key]); });
    }
    return (json.IsArray() && json.Size() == 0) || (json.IsNumber() && json.AsNumber() == 0) ||
           (json.IsBool() && !json.AsBool());
}

struct Section
{
    std::vector<const BlockType*> blocks; ///< that this build has, settings not among them
    const BlockType* settings{nullptr};
    std::vector<const BlockType*> absent; ///< that this build lacks
};

Section
SectionOf(const std::string& name)
{
    Section section;
    TypeId type;
    for (const BlockType& block : BlockTypes())
    {
        if (block.section != name)
        {
            continue;
        }
        if (!block.Find(&type))
        {
            section.absent.push_back(&block);
        }
        else if (IsSettings(block))
        {
            section.settings = &block;
        }
        else
        {
            section.blocks.push_back(&block);
        }
    }
    return section;
}

void
FailUnlessHollow(const JsonValue& json, const std::string& reason)
{
    if (!IsHollow(json))
    {
        json.Fail("not supported: " + reason);
    }
}

/// A family without plug-ins does what its default says.
void
FailUnlessDefault(const JsonValue& json, const BlockType& block)
{
    const std::string id = block.defaultId;
    const JsonValue given = json.Has("type") ? json["type"] : json;
    if (id.empty())
    {
        FailUnlessHollow(json, "this build has no such block");
    }
    else if (given.AsString() != id)
    {
        given.Fail("unknown " + std::string(block.key) + " '" + given.AsString() + "', expected '" +
                   id + "', the only one in this build");
    }
    if (json.IsObject() && !id.empty())
    {
        json.ExpectKeys({"type"});
    }
}

/// @return the refused keys that json has, which ask for nothing; fails where they do.
std::vector<std::string>
Refuse(const std::string& section, const JsonValue& json)
{
    std::vector<std::string> hollow;
    for (const RefusedKey& refused : RefusedKeys())
    {
        if (refused.section != section || !json.Has(refused.key))
        {
            continue;
        }
        FailUnlessHollow(json[refused.key], refused.reason);
        hollow.push_back(refused.key);
    }
    return hollow;
}

/// A plug-in is what the last layer with the key says, a class is changed by each of them in turn.
Ptr<Object>
ReadBlock(const BlockType& block, const std::vector<JsonValue>& layers)
{
    TypeId type;
    block.Find(&type);
    std::vector<JsonValue> values;
    for (const JsonValue& layer : layers)
    {
        if (layer.Has(block.key))
        {
            values.push_back(layer[block.key]);
            if (values.back().IsNull())
            {
                values.back().Fail("found null, expected an object");
            }
        }
    }
    std::vector<std::string> ids = PluginIds(type);
    bool family = !ids.empty() || !type.HasConstructor();
    bool hasDefault = !family || std::find(ids.begin(), ids.end(), block.defaultId) != ids.end();
    if (values.empty() && !(block.standard && hasDefault))
    {
        return nullptr;
    }
    if (family)
    {
        return MakeConfigured(
            type, values.empty() ? JsonValue() : values.back(), hasDefault ? block.defaultId : "");
    }
    Ptr<Object> object = MakeConfigured(type, JsonValue());
    for (const JsonValue& value : values)
    {
        ApplyAttributes(*object, value);
    }
    return object;
}

} // namespace

bool
BlockType::Find(TypeId* found) const
{
    return TypeId::LookupByNameFailSafe(std::string("ns3::aifabric::") + type, found);
}

const std::vector<BlockType>&
BlockTypes()
{
    static const std::vector<BlockType> kTable{
        {"node", "gpu", "GpuSettings", "", false},
        {"node", "scale_up", "ScaleUpSettings", "", false},
        {"node", "pcie", "PcieSettings", "", false},
        {"node", "nic", "NicSettings", "", true},
        {"network", kSettings, "NetworkSettings", "", true},
        {"network", "ecn", "EcnSettings", "", true},
        {"network", "pfc", "PfcSettings", "", true},
        {"network", "trimming", "TrimmingSettings", "", true},
        {"network", "buffer", "BufferManager", "dynamic_threshold", true},
        {"network", "load_balancing", "LoadBalancer", "ecmp", true},
        {"transport", kSettings, "TransportSettings", "", true},
        {"transport", "congestion_control", "CongestionControl", "dcqcn", true},
        {"transport", "retransmission", "LossRecovery", "go_back_n", true},
        {"collectives", kSettings, "CollectiveSettings", "", true},
        {"job", kSettings, "TrainingSettings", "", true},
        {"collective_job", "collective", "CollectiveBenchmark", "", true},
        {"simulation", kSettings, "SimulationSettings", "", true},
        {"outputs", kSettings, "OutputSettings", "", true},
        {"price_list", kSettings, "PriceList", "", true},
    };
    return kTable;
}

const std::vector<RefusedKey>&
RefusedKeys()
{
    static const std::vector<RefusedKey> kTable{
        {"network", "flow_model", "there is no flow mode, every frame is simulated"},
        {"network", "goodput_efficiency", "it belongs to a flow mode, which there is not"},
        {"network", "tas", "there are no time-aware gates"},
        {"network", "cqf", "there is no cyclic queueing"},
        {"simulation", "mpi", "a scenario runs on one rank"},
        {"job", "workload_file", "convert it with `aifabric import`"},
        {"scenario",
         "faults",
         "there is no injection of faults; loss_probability and "
         "bit_error_rate of topology.links make links lossy"},
        {"scenario", "operations", "there is neither detection nor recovery of faults"},
    };
    return kTable;
}

BlockSet
ReadBlocks(const std::string& name,
           const std::vector<JsonValue>& layers,
           const std::vector<std::string>& others)
{
    BlockSet made;
    Section section = SectionOf(name);
    TypeId type;
    Ptr<Object> settings;
    if (section.settings && section.settings->Find(&type))
    {
        settings = MakeConfigured(type, JsonValue());
        made.Set(kSettings, settings);
    }
    for (const BlockType* block : section.blocks)
    {
        Ptr<Object> object = ReadBlock(*block, layers);
        if (object)
        {
            made.Set(block->key, object);
        }
    }
    for (const JsonValue& layer : layers)
    {
        std::vector<std::string> known = Refuse(name, layer);
        known.insert(known.end(), others.begin(), others.end());
        for (const BlockType* block : section.blocks)
        {
            known.push_back(block->key);
        }
        for (const BlockType* block : section.absent)
        {
            if (layer.Has(block->key))
            {
                FailUnlessDefault(layer[block->key], *block);
                known.push_back(block->key);
            }
        }
        if (settings)
        {
            ApplyAttributes(*settings, layer, known);
        }
        else
        {
            layer.ExpectKeys(known);
        }
    }
    return made;
}

JsonValue
ResolveBlocks(const std::string& section, const BlockSet& blocks)
{
    JsonValue json = JsonValue::Object();
    if (Ptr<Object> settings = blocks.Get(kSettings))
    {
        json = ResolveAttributes(*settings);
    }
    for (const BlockType& block : BlockTypes())
    {
        TypeId type;
        Ptr<Object> object = blocks.Get(block.key);
        if (block.section == section && object && !IsSettings(block) && block.Find(&type))
        {
            json.Set(block.key, ResolveAttributes(*object, PluginIds(type).empty() ? "" : "type"));
        }
    }
    return json;
}

} // namespace ns3::aifabric
