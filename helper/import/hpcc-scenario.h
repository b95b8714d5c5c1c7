// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_SCENARIO_H
#define AIFABRIC_HPCC_SCENARIO_H

#include "hpcc-topology.h"
#include "scenario-importer.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Files of a simulator of HPCC's family: what all of them have in common. Null where there is none.
 */
struct HpccFiles
{
    const ImportFile* topology{nullptr}; ///< required
    const ImportFile* flows{nullptr};
    const ImportFile* config{nullptr};
    const ImportFile* trace{nullptr};

    /**
     * Writes the scenario.
     * @param network what the topology file says.
     * @param defaults lines of a config file, taken where there is none.
     * @param others further blocks: JSON text `,\n  "KEY": …`, may be empty.
     * @throws ScenarioError with file and line.
     */
    ImportResult MakeScenario(const HpccTopology& network,
                              const std::string& defaults,
                              const std::string& others) const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_SCENARIO_H
