// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_IMPORT_CASE_H
#define AIFABRIC_IMPORT_CASE_H

#include "error-of.h"

#include "ns3/fabric-graph.h"
#include "ns3/fabric-registry.h"
#include "ns3/json-value.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-importer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// Imports files of one format.
class ImportCase
{
  public:
    using Json = nlohmann::json;

    explicit ImportCase(std::string format)
        : m_format(std::move(format))
    {
    }

    ImportResult Import(const std::vector<ImportFile>& files) const
    {
        return MakePlugin<ScenarioImporter>(m_format)->Import(files);
    }

    /// Files called f0, f1, … of these texts. @return the scenario.
    Json ImportJson(const std::vector<std::string>& texts) const
    {
        return Json::parse(Import(Files(texts)).scenario);
    }

    /// @return the scenario, checked and built.
    ScenarioConfig Load(const std::vector<ImportFile>& files) const
    {
        return ReadScenarioConfig(JsonValue::Parse(Import(files).scenario));
    }

    ScenarioConfig Load(const std::vector<std::string>& texts) const
    {
        return Load(Files(texts));
    }

    /// @return what is wrong with these files; empty if nothing is.
    std::string Refusal(const std::vector<std::string>& texts) const
    {
        return ErrorOf([&] { Import(Files(texts)); });
    }

    static std::vector<ImportFile> Files(const std::vector<std::string>& texts)
    {
        std::vector<ImportFile> files;
        for (const std::string& text : texts)
        {
            files.push_back({"f" + std::to_string(files.size()), text});
        }
        return files;
    }

    /// @return whether one of the sentences has that part.
    static bool Contains(const std::vector<std::string>& sentences, const std::string& part)
    {
        return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& s) {
            return s.find(part) != std::string::npos;
        });
    }

  private:
    std::string m_format;
};

/// @return links of a graph by Gb/s.
inline std::map<double, std::size_t>
LinksByRate(const FabricGraph& graph)
{
    std::map<double, std::size_t> rates;
    for (const GraphLink& link : graph.Links())
    {
        ++rates[link.spec.bandwidth / 1e9];
    }
    return rates;
}

/// Published input files of other simulators, which lie outside this repository.
class ForeignInputs : public testing::Test
{
  protected:
    void SetUp() override
    {
        const char* folder = std::getenv("AIFABRIC_FOREIGN_INPUTS");
        if (!folder)
        {
            GTEST_SKIP() << "AIFABRIC_FOREIGN_INPUTS is not set";
        }
        m_folder = std::string(folder) + "/";
    }

    std::vector<ImportFile> Read(std::vector<std::string> names) const
    {
        for (std::string& name : names)
        {
            name.insert(0, m_folder);
        }
        return ReadImportFiles(names);
    }

    std::string m_folder;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_IMPORT_CASE_H
