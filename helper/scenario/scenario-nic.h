// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_NIC_H
#define AIFABRIC_SCENARIO_NIC_H

#include "json-value.h"

#include "ns3/topology-builder.h"

namespace ns3::aifabric
{

class NicSettings;

/**
 * @ingroup ai-fabric-scenario
 * A NIC's port and its link have one rate, which `node.nic` and `topology` may both give, and so it
 * is with the number of ports. Where the scenario does not say it of the topology the NIC's counts,
 * unless that is a default and the topology has a rate of its own.
 * @param builder gets the rate of the links of hosts and the number of ports.
 * @param nic of the template, with what the scenario changes.
 * @param json the scenario.
 */
void ApplyNic(TopologyBuilder& builder, const NicSettings& nic, const JsonValue& json);

/**
 * @ingroup ai-fabric-scenario
 * Gives nic the rate and the number of ports that the graph has.
 * @return whether all hosts have one rate; otherwise nic has that of one of them.
 * @throws ScenarioError where the scenario says otherwise of its NICs.
 */
bool TakeNicFrom(const FabricGraph& graph, NicSettings& nic, const JsonValue& json);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_NIC_H
