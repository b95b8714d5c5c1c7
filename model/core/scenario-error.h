// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_ERROR_H
#define AIFABRIC_SCENARIO_ERROR_H

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Something that a user gave cannot be used: thrown before time 0, caught once by the runner, which
 * prints what() on one line and ends with status 2.
 *
 * Lower rooms throw it with a path relative to what they were given ("parameters.k"); whoever knows
 * more puts its own part in front with Under() and In().
 */
class ScenarioError : public std::runtime_error
{
  public:
    /**
     * @param path JSON path ("jobs[0].batch") or "line 12"; may be empty.
     * @param message what was found and what was expected, without a full stop.
     */
    ScenarioError(const std::string& path, const std::string& message);

    /// @return the same error below prefix: "links[3]" under "topology" is "topology.links[3]". One
    /// whose file is known stays as it is.
    ScenarioError Under(const std::string& prefix) const;
    /// @return the same error, in that file; one whose file is known stays as it is.
    ScenarioError In(const std::string& file) const;
    /// @return the same error at another path.
    ScenarioError At(const std::string& path) const;
    /// @return the same error with more at the end of its message.
    ScenarioError Noting(const std::string& more) const;

    /// @return the file, empty where it is not known.
    const std::string& GetFile() const
    {
        return m_file;
    }

    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    ScenarioError(const std::string& file, const std::string& path, const std::string& message);

    std::string m_file;
    std::string m_path;
    std::string m_message;
};

/**
 * Ends the sentence "unknown key 'x'" with what would have been right.
 * @return ", did you mean 'y'?" when one of valid is close, else ", expected one of a, b, c".
 */
std::string SuggestFrom(const std::string& given, const std::vector<std::string>& valid);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_ERROR_H
