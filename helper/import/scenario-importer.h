// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_IMPORTER_H
#define AIFABRIC_SCENARIO_IMPORTER_H

#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric
/// A file given to an importer.
struct ImportFile
{
    std::string name; ///< as the user wrote it, for messages
    std::string text; ///< all of it
};

/// @ingroup ai-fabric
/// What an importer made of the files it was given.
struct ImportResult
{
    std::string scenario;              ///< JSON text of the scenario
    std::vector<std::string> notices;  ///< sentences: what was found, and what was left out
    std::vector<std::string> warnings; ///< sentences: what could not be represented
};

/**
 * @ingroup ai-fabric
 * Family of the readers of files that other simulators use: foreign files in, a scenario out.
 *
 * A reader is one file import-*.cc. Its TypeId is called ns3::aifabric::importer::X, since X may be
 * a congestion control too; its id is the FORMAT of `aifabric import`.
 */
class ScenarioImporter : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Files are known by their content; their order does not matter.
     * @throws ScenarioError with file and line.
     */
    virtual ImportResult Import(const std::vector<ImportFile>& files) const = 0;
};

/**
 * @ingroup ai-fabric
 * Reads files for an importer.
 * @throws ScenarioError for one that cannot be read, or that is larger than 4 GiB.
 */
std::vector<ImportFile> ReadImportFiles(const std::vector<std::string>& paths);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_IMPORTER_H
