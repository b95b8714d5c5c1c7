// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_COMMAND_H
#define AIFABRIC_FABRIC_COMMAND_H

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-run
 * What `aifabric` does: run, validate, import, list, schema.
 * @param arguments of the command line, without the program's name.
 * @return exit status: 0 all well and every check holds, 1 the run failed, 2 the input is wrong, 3 a
 * check fell short. Wrong input is told in one line on stderr.
 */
int FabricCommand(const std::vector<std::string>& arguments);

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_COMMAND_H
