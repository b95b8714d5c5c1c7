// SPDX-License-Identifier: GPL-2.0-only
#include "joint-table.h"

#include "summary-writer.h"

#include "ns3/csv-writer.h"
#include "ns3/whole-file.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace ns3::aifabric
{

JointTable::JointTable(const std::string& name)
    : m_name(name)
{
}

void
JointTable::Add(const RunResult& result, const std::string& folder)
{
    m_rows.push_back(
        {result.variant, result.seed, folder, result.metrics, result.engine, result.warnings});
}

std::vector<std::string>
JointTable::Variants() const
{
    std::vector<std::string> variants;
    for (const JointRow& row : m_rows)
    {
        if (std::find(variants.begin(), variants.end(), row.variant) == variants.end())
        {
            variants.push_back(row.variant);
        }
    }
    return variants;
}

std::map<std::string, MeanInterval>
JointTable::Metrics() const
{
    std::map<std::string, std::vector<double>> values;
    for (const JointRow& row : m_rows)
    {
        std::string prefix = row.variant.empty() ? "" : row.variant + "/";
        for (const auto& [name, value] : row.metrics)
        {
            values[prefix + name].push_back(value);
        }
    }
    std::map<std::string, MeanInterval> means;
    for (const auto& [name, sample] : values)
    {
        means[name] = MeanOf(sample);
    }
    return means;
}

void
JointTable::Write(const std::vector<CheckOutcome>& checks, const std::string& folder) const
{
    std::set<std::string> names;
    for (const JointRow& row : m_rows)
    {
        for (const auto& metric : row.metrics)
        {
            names.insert(metric.first);
        }
    }
    WholeFile file((std::filesystem::path(folder) / "runs.csv").string());
    CsvWriter csv(file);
    csv.Text("variant").Text("seed").Text("folder");
    for (const std::string& name : names)
    {
        csv.Text(name);
    }
    csv.EndRow();
    for (const JointRow& row : m_rows)
    {
        csv.Text(row.variant).Number(row.seed).Text(row.folder);
        for (const std::string& name : names)
        {
            auto metric = row.metrics.find(name);
            metric == row.metrics.end() ? csv.Empty() : csv.Number(metric->second);
        }
        csv.EndRow();
    }
    file.Commit();
    WholeFile::Write((std::filesystem::path(folder) / "runs.json").string(),
                     SummaryText(*this, checks));
}

} // namespace ns3::aifabric
