// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_TOPOLOGY_H
#define AIFABRIC_SCENARIO_TOPOLOGY_H

#include "json-value.h"

#include "ns3/topology-builder.h"

namespace ns3::aifabric
{

/**
 * Makes the builder that the block `topology` describes: `type`, its parameters (in `parameters` or
 * beside `type`), and per layer `links` and `switches`.
 * @throws ScenarioError with file and path.
 */
Ptr<TopologyBuilder> ReadTopology(const JsonValue& json);

/// @return the graph; errors of the builder get file and path of json.
FabricGraph BuildTopology(const TopologyBuilder& builder, const JsonValue& json);

/// @return the block `topology` with all parameters and layers.
JsonValue ResolveTopology(const TopologyBuilder& builder);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_TOPOLOGY_H
