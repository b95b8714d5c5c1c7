// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-files.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace ns3::aifabric
{

void
Tell(std::vector<std::string>& to,
     const ImportFile& file,
     const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
    {
        to.push_back(file.name + ": " + sentence);
    }
}

std::string
ScenarioName(const std::string& path)
{
    return nlohmann::json(std::filesystem::path(path).stem().string())
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string
Count(uint64_t count, const std::string& noun)
{
    const std::string plural = noun + (noun.back() == 'h' ? "es" : "s");
    return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

} // namespace ns3::aifabric
