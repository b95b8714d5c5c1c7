// SPDX-License-Identifier: GPL-2.0-only
#include "number-table.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

std::string
Readable(double most)
{
    return most == 4294967295.0 ? "2^32 - 1" : nlohmann::json(most).dump();
}

void
CheckValue(const nlohmann::json& value, const NumberKey& key, const std::string& path)
{
    const bool isNumber = key.isWhole ? value.is_number_unsigned() : value.is_number();
    if (!isNumber || value.get<double>() < 0 || value.get<double>() > key.most)
    {
        throw ScenarioError(path,
                            "found " + value.dump() + ", expected " +
                                (key.isWhole ? "an integer" : "a number") + " from 0 to " +
                                Readable(key.most));
    }
}

} // namespace

std::optional<double>
NumberTable::Entry::Get(const std::string& key) const
{
    const auto found = find(key);
    return found == end() ? std::nullopt : std::optional(found->second);
}

NumberTable::NumberTable(const std::string& json,
                         const std::string& name,
                         const std::vector<NumberKey>& keys)
{
    const auto list = nlohmann::json::parse(json, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError(name, "found " + json + ", expected a list of objects");
    }
    std::vector<std::string> names;
    for (const NumberKey& key : keys)
    {
        names.emplace_back(key.name);
    }
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const std::string path = name + "[" + std::to_string(i) + "]";
        if (!list[i].is_object())
        {
            throw ScenarioError(path, "found " + list[i].dump() + ", expected an object");
        }
        Entry entry;
        for (const auto& [key, value] : list[i].items())
        {
            const auto known = std::find(names.begin(), names.end(), key);
            if (known == names.end())
            {
                throw ScenarioError(path, "unknown key '" + key + "'" + SuggestFrom(key, names));
            }
            CheckValue(value, keys[known - names.begin()], path + "." + key);
            entry[key] = value.get<double>();
        }
        for (const NumberKey& key : keys)
        {
            if (key.isRequired && entry.count(key.name) == 0)
            {
                throw ScenarioError(path, "expected a key '" + std::string(key.name) + "'");
            }
        }
        m_entries.push_back(std::move(entry));
    }
    m_text = list.dump();
}

} // namespace ns3::aifabric
