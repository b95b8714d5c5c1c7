// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_CONFIG_H
#define AIFABRIC_HPCC_CONFIG_H

#include "line-reader.h"
#include "scenario-importer.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A config file of HPCC's simulator and its kin: lines `KEY value…`. It remembers which keys were
 * asked for.
 */
class HpccConfig
{
  public:
    HpccConfig() = default;

    /**
     * Keeps views of the file's text.
     * @throws ScenarioError with a line, for a key without value or given twice.
     */
    explicit HpccConfig(const ImportFile& file);

    bool Has(const std::string& key) const
    {
        return m_entries.count(key) > 0;
    }

    /// Each of these returns fallback where there is no such key.
    /// @throws ScenarioError with a line unless the value is of that kind.
    double Number(const std::string& key, double fallback, double low, double high) const;
    uint64_t Whole(const std::string& key, uint64_t fallback, uint64_t low, uint64_t high) const;
    bool Flag(const std::string& key, bool fallback) const;
    double Rate(const std::string& key, double fallback) const;

    /// @return number by rate of "KEY n rate1 number1 …"; empty where there is no such key.
    std::vector<std::pair<double, double>> ByRate(const std::string& key, double high) const;

    /// @return the numbers behind key, that many of them; empty where there is no such key.
    std::vector<double> Numbers(const std::string& key, std::size_t count) const;

    /// @throws ScenarioError at the line of key, or at none where there is no such key.
    [[noreturn]] void Fail(const std::string& key, const std::string& message) const;

    /// Takes note that a key was looked at, or need not be.
    void Use(const std::string& key) const
    {
        m_used.insert(key);
    }

    /// @return keys that the simulators know and nobody asked for, sorted.
    std::vector<std::string> Unused() const;

    /// @return a sentence for each key that none of the simulators knows.
    std::vector<std::string> Unknown() const;

    /// @return whether a simulator of the family knows that key.
    static bool Knows(const std::string& key);

  private:
    using Words = std::vector<Word>;

    /// @return the words of key, key first; null where there is no such key.
    const Words* Find(const std::string& key, std::size_t values) const;

    std::map<std::string, Words> m_entries;
    mutable std::set<std::string> m_used;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_CONFIG_H
