// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_SCHEMA_H
#define AIFABRIC_SCENARIO_SCHEMA_H

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * What a scenario file may hold, for editors and other programs.
 *
 * It is made of the TypeId table, by way of the table of blocks: every attribute with its help,
 * default and range, every plug-in of this build. The reader of scenarios checks more: that a quantity
 * is given in one unit only, what is inside of texts and lists, and what has to fit together.
 * @return a JSON Schema (draft 2020-12), indented.
 */
std::string ScenarioSchema();

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_SCHEMA_H
