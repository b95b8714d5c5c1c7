// SPDX-License-Identifier: GPL-2.0-only
// The program behind ./aifabric.
#include "ns3/ai-fabric-module.h"

int
main(int argc, char** argv)
{
    return ns3::aifabric::FabricCommand({argv + 1, argv + argc});
}
