// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COMMAND_OPTIONS_H
#define AIFABRIC_COMMAND_OPTIONS_H

#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-run
 * Arguments of one command, taken apart. Options stand anywhere, as `--name`, `--name VALUE` or
 * `--name=VALUE`; where one is given twice the last holds.
 */
class CommandOptions
{
  public:
    using Arguments = std::vector<std::string>;

    /**
     * @param valued options that are followed by a value. @param flags options that are not.
     * @throws ScenarioError for any other option, and where a value is missing.
     */
    CommandOptions(const Arguments& arguments, const Arguments& valued, const Arguments& flags);

    /// @return the arguments that are no options.
    const Arguments& Plain() const;

    bool Has(const std::string& name) const;

    /// @return the last value of an option; empty where it is absent.
    std::string Get(const std::string& name) const;

    /// @return all values of an option, in order.
    Arguments GetAll(const std::string& name) const;

    /// @return the only argument that is no option. @throws ScenarioError that says what it is.
    const std::string& Only(const std::string& what) const;

    /// Expects no argument but options. @throws ScenarioError.
    void None() const;

  private:
    Arguments m_plain;
    std::map<std::string, Arguments> m_values;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COMMAND_OPTIONS_H
