// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FOREIGN_FILES_H
#define AIFABRIC_FOREIGN_FILES_H

#include "scenario-importer.h"

#include "ns3/scenario-error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @return the outcome of read(), which reads that file; its errors name the file.
template <class Read>
auto
InFile(const ImportFile& file, Read read)
{
    try
    {
        return read();
    }
    catch (const ScenarioError& e)
    {
        throw e.In(file.name);
    }
}

/**
 * @ingroup ai-fabric
 * Gives each file its role.
 * @param roles what they are called: "flow" is "a flow file".
 * @param roleOf index in roles of a file; throws for one that has none.
 * @return the file of each role; null where there is none.
 * @throws ScenarioError for two files of one role.
 */
template <class RoleOf>
std::vector<const ImportFile*>
SortByRole(const std::vector<ImportFile>& files,
           const std::vector<std::string>& roles,
           RoleOf roleOf)
{
    std::vector<const ImportFile*> byRole(roles.size());
    for (const ImportFile& file : files)
    {
        const std::size_t role = InFile(file, [&]() -> std::size_t { return roleOf(file); });
        if (byRole[role])
        {
            throw ScenarioError("",
                                "is a " + roles[role] + " file, as is " + byRole[role]->name +
                                    "; expected one of them")
                .In(file.name);
        }
        byRole[role] = &file;
    }
    return byRole;
}

/// Adds sentences with the file's name in front.
void Tell(std::vector<std::string>& to,
          const ImportFile& file,
          const std::vector<std::string>& sentences);

/// @return what a scenario made of that file is called, as JSON: "mix/fat.txt" is "fat".
std::string ScenarioName(const std::string& path);

/// @return "1 switch", "2 switches".
std::string Count(uint64_t count, const std::string& noun);

} // namespace ns3::aifabric

#endif // AIFABRIC_FOREIGN_FILES_H
