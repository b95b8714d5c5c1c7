// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_START_UP_ADVICE_H
#define AIFABRIC_START_UP_ADVICE_H

#include <string>
#include <vector>

namespace ns3::aifabric
{

class CongestionControl;
class Fabric;
struct FlowView;
struct ScenarioConfig;

/**
 * @ingroup ai-fabric-run
 * What in the settings of a scenario contradicts each other, though each of them is valid: with
 * numbers, a line each.
 *
 * Looked at are pauses that come before marks, marks and timeouts that a congestion control or a
 * loss recovery waits for in vain, windows below one bandwidth-delay product, frames that are too long,
 * and what an algorithm says of itself (CongestionControl::Advise).
 *
 * @param fabric the network of that scenario.
 */
std::vector<std::string> StartUpAdvice(const ScenarioConfig& config, const Fabric& fabric);

/**
 * @ingroup ai-fabric-run
 * @param control as flows use it.
 * @param flow a typical one at its start: its rates and its base round trip.
 * @return what StartUpAdvice says of a congestion control by itself.
 */
std::vector<std::string> ControlAdvice(const CongestionControl& control, const FlowView& flow);

/**
 * @ingroup ai-fabric-run
 * @return a notice where a run was never congested: nothing was marked, paused, dropped or queued for
 * longer than forwarding takes; empty otherwise. To be asked when a run is over.
 */
std::string CongestionNotice(const Fabric& fabric);

} // namespace ns3::aifabric

#endif // AIFABRIC_START_UP_ADVICE_H
