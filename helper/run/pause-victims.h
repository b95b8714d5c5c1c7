// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PAUSE_VICTIMS_H
#define AIFABRIC_PAUSE_VICTIMS_H

namespace ns3::aifabric
{

class Fabric;
struct RunResult;

/**
 * @ingroup ai-fabric-run
 * Fills in result.pauses.victims: flows that were under way while a port on their path was paused
 * whose pauses began elsewhere. Of several such ports it is the longest paused one.
 *
 * Where the load balancer decides by the headers of a frame its path is known; otherwise all shortest
 * ones are the flow's.
 */
void FindPauseVictims(const Fabric& fabric, RunResult& result);

/// @ingroup ai-fabric-run
/// Puts into result.metrics how many ports were paused, on account of how many, and what it did to
/// others: `pfc_paused_port_count`, `pfc_root_count`, `pfc_deadlock_count`, `pfc_victim_flow_count`,
/// and where there are victims that are done `pfc_victim_slowdown_mean`.
void AddPauseMetrics(RunResult& result);

} // namespace ns3::aifabric

#endif // AIFABRIC_PAUSE_VICTIMS_H
