// SPDX-License-Identifier: GPL-2.0-only
#include "priority-list.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

namespace ns3::aifabric
{

uint8_t
ReadPriorities(const std::string& json, const std::string& path)
{
    const auto list = nlohmann::json::parse(json, nullptr, false);
    uint8_t mask = 0;
    bool valid = list.is_array();
    for (std::size_t i = 0; valid && i < list.size(); ++i)
    {
        valid = list[i].is_number_unsigned() && list[i].get<uint64_t>() < 8;
        mask |= valid ? 1U << list[i].get<uint32_t>() : 0;
    }
    if (!valid)
    {
        throw ScenarioError(path,
                            "found " + list.dump() + ", expected a list of priorities from 0 to 7");
    }
    return mask;
}

std::string
WritePriorities(uint8_t mask)
{
    auto list = nlohmann::json::array();
    for (int priority = 0; priority < 8; ++priority)
    {
        if (mask >> priority & 1)
        {
            list.push_back(priority);
        }
    }
    return list.dump();
}

} // namespace ns3::aifabric
