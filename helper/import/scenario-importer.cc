// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-importer.h"

#include "ns3/scenario-error.h"

#include <filesystem>
#include <fstream>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ScenarioImporter);

TypeId
ScenarioImporter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ScenarioImporter").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

std::vector<ImportFile>
ReadImportFiles(const std::vector<std::string>& paths)
{
    constexpr std::uintmax_t kMaxBytes = 1ULL << 32;
    std::vector<ImportFile> files;
    for (const auto& path : paths)
    {
        std::error_code error;
        std::uintmax_t size = std::filesystem::file_size(path, error);
        std::ifstream in(path, std::ios::binary);
        if (error || !in)
        {
            throw ScenarioError("", "cannot be read, expected a file").In(path);
        }
        if (size > kMaxBytes)
        {
            throw ScenarioError("", "is larger than 4 GiB").In(path);
        }
        ImportFile file{path, std::string(size, '\0')};
        in.read(file.text.data(), static_cast<std::streamsize>(size));
        file.text.resize(in.gcount());
        files.push_back(std::move(file));
    }
    return files;
}

} // namespace ns3::aifabric
