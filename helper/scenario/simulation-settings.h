// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SIMULATION_SETTINGS_H
#define AIFABRIC_SIMULATION_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * How a scenario is run: its block `simulation`.
 */
class SimulationSettings : public Object
{
  public:
    static TypeId GetTypeId();

    Time stopTime; ///< 0: when nothing is left to do

    /**
     * @return the type of the scheduler: the one asked for, else the fabric's own where it is built,
     *         else ns-3's map.
     * @throws ScenarioError "scheduler" that names those that exist.
     */
    TypeId GetScheduler() const;

    /// @return ids of all schedulers, "map", "radix".
    static std::vector<std::string> SchedulerIds();

  private:
    std::string m_scheduler; ///< "map"; empty is the default
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SIMULATION_SETTINGS_H
