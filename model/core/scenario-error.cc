// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-error.h"

#include <algorithm>
#include <numeric>

namespace ns3::aifabric
{

namespace
{

std::string
Sentence(const std::string& file, const std::string& path, const std::string& message)
{
    std::string where = file;
    where += where.empty() || path.empty() ? "" : ": ";
    where += path;
    return where.empty() ? message : where + ": " + message;
}

/// Levenshtein distance.
std::size_t
Distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            std::size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
        }
    }
    return row[b.size()];
}

} // namespace

ScenarioError::ScenarioError(const std::string& path, const std::string& message)
    : ScenarioError("", path, message)
{
}

ScenarioError::ScenarioError(const std::string& file,
                             const std::string& path,
                             const std::string& message)
    : std::runtime_error(Sentence(file, path, message)),
      m_file(file),
      m_path(path),
      m_message(message)
{
}

ScenarioError
ScenarioError::Under(const std::string& prefix) const
{
    if (!m_file.empty())
    {
        return *this;
    }
    bool joint = prefix.empty() || m_path.empty() || m_path[0] == '[';
    return {m_file, prefix + (joint ? "" : ".") + m_path, m_message};
}

ScenarioError
ScenarioError::In(const std::string& file) const
{
    return m_file.empty() ? ScenarioError(file, m_path, m_message) : *this;
}

ScenarioError
ScenarioError::At(const std::string& path) const
{
    return {m_file, path, m_message};
}

ScenarioError
ScenarioError::Noting(const std::string& more) const
{
    return {m_file, m_path, m_message + more};
}

std::string
SuggestFrom(const std::string& given, const std::vector<std::string>& valid)
{
    auto nearest = std::min_element(valid.begin(), valid.end(), [&](auto& a, auto& b) {
        return Distance(given, a) < Distance(given, b);
    });
    if (nearest != valid.end() &&
        Distance(given, *nearest) <= std::max<std::size_t>(2, given.size() / 3))
    {
        return ", did you mean '" + *nearest + "'?";
    }
    std::string list = ", expected one of ";
    for (const auto& v : valid)
    {
        list += (&v == valid.data() ? "" : ", ") + v;
    }
    return valid.empty() ? ", none exists" : list;
}

} // namespace ns3::aifabric
