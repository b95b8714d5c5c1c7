// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-file.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <set>

namespace ns3::aifabric
{

namespace
{

/// A scenario with what one variant changes.
struct Variant
{
    std::string name;
    JsonValue json;
    std::vector<JsonValue> sets;
};

/// @return what is varied, each with its entries: of a list of lists every one of these, of a list
/// itself.
std::vector<JsonValue>
ReadAxes(const JsonValue& list)
{
    if (list.ExpectArray().Size() == 0)
    {
        list.Fail("found an empty list, expected variants or no such key");
    }
    std::vector<JsonValue> axes;
    for (std::size_t i = 0; list.At(0).IsArray() && i < list.Size(); ++i)
    {
        if (list.At(i).ExpectArray().Size() == 0)
        {
            list.At(i).Fail("found an empty list, expected variants");
        }
        axes.push_back(list.At(i));
    }
    return axes.empty() ? std::vector{list} : axes;
}

/// @return a variant with what one entry of an axis changes besides.
Variant
Vary(const Variant& variant, const JsonValue& entry)
{
    entry.ExpectObject().ExpectKeys({"name", "set", "description"});
    const std::string name = entry["name"].AsString();
    // It is a folder of results, and the first half of a metric's name.
    if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos)
    {
        entry["name"].Fail("found " + entry["name"].Describe() +
                           ", expected a name without '/' and a leading '.'");
    }
    Variant varied = variant;
    varied.name += (variant.name.empty() ? "" : "_") + name;
    const JsonValue set = entry["set"];
    if (set.IsNull())
    {
        return varied;
    }
    varied.sets.push_back(set);
    for (const std::string& key : set.ExpectObject().Keys())
    {
        try
        {
            varied.json = varied.json.With(key, set[key]);
        }
        catch (const ScenarioError& error)
        {
            throw error.At(set[key].GetPath());
        }
    }
    return varied;
}

/// @return every entry of the first axis with every one of the second, and so on.
std::vector<Variant>
ReadVariants(const JsonValue& json)
{
    std::vector<Variant> variants{{"", json, {}}};
    if (json["variants"].IsNull())
    {
        return variants;
    }
    for (const JsonValue& axis : ReadAxes(json["variants"]))
    {
        std::vector<Variant> product;
        std::set<std::string> names;
        for (const Variant& variant : variants)
        {
            for (std::size_t i = 0; i < axis.Size(); ++i)
            {
                product.push_back(Vary(variant, axis.At(i)));
                const std::string& whole = product.back().name;
                if (!names.insert(whole).second)
                {
                    const JsonValue name = axis.At(i)["name"];
                    name.Fail("found " + name.Describe() + " a second time" +
                              (whole == name.AsString() ? "" : ", in '" + whole + "'"));
                }
            }
        }
        variants = std::move(product);
    }
    return variants;
}

std::vector<JsonValue>
ReadSeeds(const JsonValue& json)
{
    const JsonValue list = json["seeds"];
    std::vector<JsonValue> seeds;
    list.ExpectArray();
    for (std::size_t i = 0; i < list.Size(); ++i)
    {
        auto same = [&](const JsonValue& seed) { return seed.ToText() == list.At(i).ToText(); };
        if (std::any_of(seeds.begin(), seeds.end(), same))
        {
            list.At(i).Fail("found " + list.At(i).Describe() + " a second time");
        }
        seeds.push_back(list.At(i));
    }
    if (seeds.empty())
    {
        list.Fail("found an empty list, expected seeds or no such key");
    }
    return seeds;
}

/// @return the runs of a variant, one for each seed.
std::vector<RunOrigin>
Origins(const Variant& variant, const JsonValue& json, std::optional<uint64_t> seed)
{
    if (seed || !json.Has("seeds"))
    {
        return {{seed ? variant.json.With("random_seed", JsonValue::Of(*seed)) : variant.json,
                 variant.sets,
                 variant.name,
                 seed ? "--seed" : ""}};
    }
    std::vector<RunOrigin> origins;
    for (const JsonValue& each : ReadSeeds(json))
    {
        origins.push_back(
            {variant.json.With("random_seed", each), variant.sets, variant.name, each.GetPath()});
    }
    return origins;
}

void
CheckNames(const ScenarioFile& file, const JsonValue& checks, const std::vector<Variant>& variants)
{
    if (variants.front().name.empty())
    {
        return;
    }
    for (std::size_t i = 0; i < file.checks.size(); ++i)
    {
        for (const char* key : {"metric", "ratio_to"})
        {
            const JsonValue name = checks.At(i)[key];
            auto isOf = [&](const Variant& variant) {
                return name.AsString().rfind(variant.name + "/", 0) == 0;
            };
            if (!name.IsNull() && std::none_of(variants.begin(), variants.end(), isOf))
            {
                name.Fail("found " + name.Describe() +
                          ", expected VARIANT/METRIC with the name of a variant");
            }
        }
    }
}

} // namespace

ScenarioFile
ReadScenarioFile(JsonValue json,
                 const std::vector<ScenarioOverride>& overrides,
                 std::optional<uint64_t> seed)
{
    json.ExpectObject();
    for (const auto& [key, value] : overrides)
    {
        json = json.With(key, value);
    }
    ScenarioFile file;
    const std::vector<Variant> variants = ReadVariants(json);
    file.joint = json.Has("variants") || (json.Has("seeds") && !seed);
    const JsonValue checks = json["checks"];
    for (std::size_t i = 0; !checks.IsNull() && i < checks.ExpectArray().Size(); ++i)
    {
        file.checks.emplace_back(checks.At(i));
    }
    CheckNames(file, checks, variants);
    std::map<std::string, std::shared_ptr<const FabricGraph>> graphs;
    for (const Variant& variant : variants)
    {
        for (const RunOrigin& origin : Origins(variant, json, seed))
        {
            try
            {
                file.runs.push_back(ReadScenarioConfig(origin.json, &graphs));
            }
            catch (const ScenarioError& error)
            {
                throw origin.Locate(error);
            }
            file.runs.back().variant = variant.name;
            file.runs.back().origin = origin;
        }
    }
    file.name = file.runs.front().name;
    return file;
}

} // namespace ns3::aifabric
