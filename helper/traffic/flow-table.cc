// SPDX-License-Identifier: GPL-2.0-only
#include "flow-table.h"

#include "input-file.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

namespace ns3::aifabric
{

namespace
{

const std::vector<std::string> kKeys =
    {"source", "destination", "size_bytes", "start_time_s", "priority", "tag", "destination_port"};
constexpr std::size_t kRequired = 3;

std::size_t
FindKey(const std::string& key)
{
    auto found = std::find(kKeys.begin(), kKeys.end(), key);
    if (found == kKeys.end())
    {
        throw ScenarioError("", "unknown key '" + key + "'" + SuggestFrom(key, kKeys));
    }
    return found - kKeys.begin();
}

/// @throws ScenarioError unless all of text is a T within these bounds.
template <class T>
T
Number(std::string_view text, T low, T high)
{
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= low) ||
        !(value <= high))
    {
        std::string range = std::is_floating_point_v<T> ? "a number" : "a whole number";
        throw ScenarioError("",
                            "found '" + std::string(text.substr(0, 40)) + "', expected " + range +
                                " from " + nlohmann::json(low).dump() + " to " +
                                nlohmann::json(high).dump());
    }
    return value;
}

/// Sets one field of flow from its text.
void
SetField(FlowSpec& flow, std::size_t key, std::string_view text, uint32_t hostCount)
{
    // The range of Tick, in seconds, rounded down.
    constexpr double kMaxSeconds = 9.2e6;
    if (key < 2)
    {
        (key == 0 ? flow.source : flow.destination) =
            Number<uint32_t>(text, 0, std::max(hostCount, 1U) - 1);
    }
    else if (key == 2)
    {
        flow.bytes = Number<uint64_t>(text, 0, std::numeric_limits<uint64_t>::max());
    }
    else if (key == 3)
    {
        double seconds = Number<double>(text, 0, kMaxSeconds);
        flow.start = std::llround(seconds * static_cast<double>(kSecond));
    }
    else if (key == 4)
    {
        flow.priority = Number<uint8_t>(text, 0, 7);
    }
    else if (key == 5)
    {
        flow.tag = text;
    }
    else
    {
        flow.destinationPort = Number<uint16_t>(text, 0, 65535);
    }
}

/// @return a value of an object, as SetField() takes it. @throws ScenarioError if it is of another kind.
std::string
FieldText(std::size_t key, const nlohmann::json& value)
{
    constexpr double kExactIntegers = 9007199254740992.0; // 2^53
    const bool text = kKeys[key] == "tag";
    if (text ? !value.is_string() : !value.is_number())
    {
        throw ScenarioError("",
                            "found " + value.dump().substr(0, 80) + ", expected a " +
                                (text ? "string" : "number"));
    }
    if (value.is_number_float() && kKeys[key] != "start_time_s")
    {
        // 1e6 is an integer as well.
        const double number = value.get<double>();
        return number >= 0 && number <= kExactIntegers && number == std::floor(number)
                   ? std::to_string(static_cast<uint64_t>(number))
                   : value.dump();
    }
    return text ? value.get<std::string>() : value.dump();
}

void
CheckFlow(const FlowSpec& flow, unsigned given, uint32_t hostCount)
{
    for (std::size_t key = 0; key < kRequired; ++key)
    {
        if (!(given & (1U << key)))
        {
            throw ScenarioError(kKeys[key], "missing");
        }
    }
    if (flow.source >= hostCount)
    {
        throw ScenarioError("source", "the topology has no hosts");
    }
}

/// @return the next field of a CSV line, without the white space around it.
std::string_view
NextField(std::string_view& line)
{
    std::size_t comma = line.find(',');
    std::string_view field = line.substr(0, comma);
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    std::size_t first = std::min(field.find_first_not_of(" \t\r"), field.size());
    return field.substr(first, field.find_last_not_of(" \t\r") + 1 - first);
}

} // namespace

std::vector<FlowSpec>
ReadFlowList(const std::string& text, uint32_t hostCount, const FlowSpec& defaults)
{
    nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError("flows", "found no list, expected [{\"source\": …}, …]");
    }
    std::vector<FlowSpec> flows;
    flows.reserve(list.size());
    for (const auto& item : list)
    {
        const std::string place = "flows[" + std::to_string(flows.size()) + "]";
        std::string path = place;
        try
        {
            if (!item.is_object())
            {
                throw ScenarioError("", "found " + item.dump() + ", expected an object");
            }
            FlowSpec flow = defaults;
            unsigned given = 0;
            for (const auto& [name, value] : item.items())
            {
                path = place;
                std::size_t key = FindKey(name);
                path += "." + name;
                SetField(flow, key, FieldText(key, value), hostCount);
                given |= 1U << key;
            }
            path = place;
            CheckFlow(flow, given, hostCount);
            flows.push_back(flow);
        }
        catch (const ScenarioError& e)
        {
            throw e.Under(path);
        }
    }
    return flows;
}

std::vector<FlowSpec>
ReadFlowFile(const std::string& name,
             const std::string& folder,
             uint32_t hostCount,
             const FlowSpec& defaults)
{
    std::string path;
    try
    {
        path = FindInputFile(name, folder);
    }
    catch (const ScenarioError& e)
    {
        throw e.Under("file");
    }
    std::ifstream in(path);
    std::string line;
    std::size_t number = 0;
    try
    {
        std::vector<std::size_t> columns;
        std::vector<FlowSpec> flows;
        while (std::getline(in, line))
        {
            ++number;
            std::string_view rest = line;
            if (rest.empty() || rest[0] == '#' || rest == "\r")
            {
                continue;
            }
            if (columns.empty())
            {
                while (!rest.empty())
                {
                    columns.push_back(FindKey(std::string(NextField(rest))));
                }
                continue;
            }
            FlowSpec flow = defaults;
            unsigned given = 0;
            for (std::size_t key : columns)
            {
                std::string_view field = NextField(rest);
                if (!field.empty())
                {
                    SetField(flow, key, field, hostCount);
                    given |= 1U << key;
                }
            }
            if (!rest.empty())
            {
                throw ScenarioError("", "found more fields than the first line names columns");
            }
            CheckFlow(flow, given, hostCount);
            flows.push_back(flow);
        }
        return flows;
    }
    catch (const ScenarioError& e)
    {
        throw e.Under("line " + std::to_string(number)).In(path);
    }
}

} // namespace ns3::aifabric
