// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_FABRIC_H
#define AIFABRIC_SCENARIO_FABRIC_H

#include "job-transport.h"

#include "ns3/fabric-settings.h"
#include "ns3/flow-transport.h"

namespace ns3::aifabric
{

class BlockSet;
struct ScenarioConfig;

/// @return what a scenario says of its network.
FabricSettings ReadFabricSettings(const ScenarioConfig& config);

/// @return GPUs of all servers, or those that the graph itself has.
uint64_t CountGpus(const ScenarioConfig& config);

/// @return what one of its `transport` objects says.
FlowTransport ReadFlowTransport(const BlockSet& transport);

/**
 * Makes the servers' scale-up domains.
 * @param config a scenario with GPUs.
 * @throws ScenarioError if there are no servers, or their NICs do not fit their GPUs.
 */
GpuCluster MakeGpuCluster(const ScenarioConfig& config, const Fabric& fabric);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_FABRIC_H
