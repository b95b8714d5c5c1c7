// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-settings.h"

#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

using Json = nlohmann::ordered_json;

enum class Kind
{
    Microseconds,
    Rate,
    Number,
    Whole,
    Flag
};

/// A key of the config file and the attribute that it is here.
struct Parameter
{
    const char* key;
    const char* attribute;
    Kind kind;
};

struct Mode
{
    uint64_t number;
    const char* id;
    std::vector<Parameter> parameters;
};

const std::vector<Mode> kModes{{1,
                                "dcqcn",
                                {{"ALPHA_RESUME_INTERVAL", "AlphaInterval", Kind::Microseconds},
                                 {"RATE_DECREASE_INTERVAL", "CutInterval", Kind::Microseconds},
                                 {"RP_TIMER", "IncreaseInterval", Kind::Microseconds},
                                 {"EWMA_GAIN", "Gain", Kind::Number},
                                 {"FAST_RECOVERY_TIMES", "FastRecoverySteps", Kind::Whole},
                                 {"CLAMP_TARGET_RATE", "ClampTarget", Kind::Flag},
                                 {"RATE_AI", "AdditiveIncrease", Kind::Rate},
                                 {"RATE_HAI", "HyperIncrease", Kind::Rate},
                                 {"MIN_RATE", "MinRate", Kind::Rate},
                                 {"HAS_WIN", "Window", Kind::Flag}}},
                               {3,
                                "hpcc",
                                {{"U_TARGET", "TargetUtilization", Kind::Number},
                                 {"MI_THRESH", "MaxStage", Kind::Whole},
                                 {"RATE_AI", "AdditiveIncrease", Kind::Rate},
                                 {"MIN_RATE", "MinRate", Kind::Rate},
                                 {"FAST_REACT", "FastReaction", Kind::Flag},
                                 {"MULTI_RATE", "MultiRate", Kind::Flag},
                                 {"SAMPLE_FEEDBACK", "SampleFeedback", Kind::Flag}}},
                               {7,
                                "timely",
                                {{"RATE_AI", "AdditiveIncrease", Kind::Rate},
                                 {"MIN_RATE", "MinRate", Kind::Rate},
                                 {"HAS_WIN", "Window", Kind::Flag}}},
                               {8,
                                "dctcp",
                                {{"EWMA_GAIN", "Gain", Kind::Number},
                                 {"DCTCP_RATE_AI", "AdditiveIncrease", Kind::Rate},
                                 {"MIN_RATE", "MinRate", Kind::Rate}}},
                               {10,
                                "hpcc_pint",
                                {{"U_TARGET", "TargetUtilization", Kind::Number},
                                 {"MI_THRESH", "MaxStage", Kind::Whole},
                                 {"RATE_AI", "AdditiveIncrease", Kind::Rate},
                                 {"MIN_RATE", "MinRate", Kind::Rate},
                                 {"FAST_REACT", "FastReaction", Kind::Flag},
                                 {"PINT_LOG_BASE", "LogBase", Kind::Number},
                                 {"PINT_PROB", "Probability", Kind::Number}}},
                               {12, "none", {}}};

void
Set(Json& json, const HpccConfig& config, const Parameter& p)
{
    std::string stem = ToSnakeCase(p.attribute);
    switch (p.kind)
    {
    case Kind::Microseconds:
        json[stem + "_us"] = config.Number(p.key, 0, 0, 1e9);
        break;
    case Kind::Rate:
        json[stem + "_mbps"] = config.Rate(p.key, 0) / 1e6;
        break;
    case Kind::Number:
        json[stem] = config.Number(p.key, 0, 0, 1e9);
        break;
    case Kind::Whole:
        json[stem] = config.Whole(p.key, 0, 0, 1'000'000);
        break;
    case Kind::Flag:
        json[stem] = config.Flag(p.key, false);
        break;
    }
}

} // namespace

std::string
HpccCongestionControl(const HpccConfig& config, std::vector<std::string>& warnings)
{
    const uint64_t number = config.Whole("CC_MODE", 1, 0, 1'000'000);
    auto mode = std::find_if(
        kModes.begin(), kModes.end(), [&](const Mode& m) { return m.number == number; });
    if (mode == kModes.end())
    {
        config.Fail("CC_MODE",
                    "found CC_MODE " + std::to_string(number) +
                        ", expected 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP), 10 (HPCC-PINT) "
                        "or 12 (none)");
    }
    Json json{{"type", mode->id}};
    if (number == 1)
    {
        json["variant"] = "connectx";
        json["notification"] = "in_ack";
    }
    const auto types = Plugins(CongestionControl::GetTypeId());
    auto type =
        std::find_if(types.begin(), types.end(), [&](TypeId t) { return PluginId(t) == mode->id; });
    std::string absent;
    for (const Parameter& p : mode->parameters)
    {
        if (!config.Has(p.key))
        {
            continue;
        }
        TypeId::AttributeInformation unused;
        if (type != types.end() && type->LookupAttributeByName(p.attribute, &unused))
        {
            Set(json, config, p);
        }
        else
        {
            config.Use(p.key);
            absent += (absent.empty() ? "" : ", ") + std::string(p.key);
        }
    }
    if (type == types.end())
    {
        warnings.push_back("congestion control '" + std::string(mode->id) +
                           "' is not in this build: a run refuses it");
    }
    if (!absent.empty())
    {
        warnings.push_back("'" + std::string(mode->id) + "' has no parameters for " + absent);
    }
    return json.dump();
}

} // namespace ns3::aifabric
