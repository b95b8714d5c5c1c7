// SPDX-License-Identifier: GPL-2.0-only
#include "input-file.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace ns3::aifabric
{

std::string
FindInputFile(const std::string& name, const std::string& folder)
{
    const fs::path traces = AIFABRIC_TRACES;
    std::error_code ignored;
    for (const fs::path& path : {fs::path(folder) / name, traces / name, traces / (name + ".txt")})
    {
        if (!name.empty() && fs::is_regular_file(path, ignored))
        {
            return path.string();
        }
    }
    throw ScenarioError("", "found no file '" + name + "'" + SuggestFrom(name, TraceNames()));
}

std::vector<std::string>
TraceNames()
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(AIFABRIC_TRACES, ignored))
    {
        if (file.path().extension() == ".txt")
        {
            names.push_back(file.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace ns3::aifabric
