// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_NUMBER_TABLE_H
#define AIFABRIC_NUMBER_TABLE_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// What may stand under a key of an entry of a NumberTable.
struct NumberKey
{
    const char* name;
    double most; ///< numbers go from 0 to this
    bool isWhole{false};
    bool isRequired{false};
};

/**
 * @ingroup ai-fabric
 * An attribute that is a JSON list of objects whose values are numbers.
 */
class NumberTable
{
  public:
    /// The keys that an entry has, and their numbers.
    class Entry : public std::map<std::string, double>
    {
      public:
        /// @return the number under that key, or nothing where the entry does not have it.
        std::optional<double> Get(const std::string& key) const;
    };

    NumberTable() = default;

    /**
     * @param json the list.
     * @param name of the attribute as scenarios have it, for errors.
     * @param keys that entries may have.
     * @throws ScenarioError
     */
    NumberTable(const std::string& json,
                const std::string& name,
                const std::vector<NumberKey>& keys);

    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    /// @return the list as JSON.
    const std::string& GetText() const
    {
        return m_text;
    }

  private:
    std::vector<Entry> m_entries;
    std::string m_text{"[]"};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_NUMBER_TABLE_H
