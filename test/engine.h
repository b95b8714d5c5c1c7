// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ENGINE_H
#define AIFABRIC_ENGINE_H

#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <string>

namespace ns3::aifabric
{

inline const std::string kDefaultEngine = "ns3::DefaultSimulatorImpl";
inline const std::string kSequentialEngine = "ns3::aifabric::SequentialSimulatorImpl";
inline const std::string kMapScheduler = "ns3::MapScheduler";
inline const std::string kRadixScheduler = "ns3::aifabric::RadixScheduler";

/// Runs what follows on that simulator and that event list, and gives the process its own back.
class Engine
{
  public:
    Engine(const std::string& simulator, const std::string& scheduler)
    {
        Simulator::Destroy();
        GlobalValue::GetValueByName("SimulatorImplementationType", m_simulator);
        GlobalValue::GetValueByName("SchedulerType", m_scheduler);
        GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
        GlobalValue::Bind("SchedulerType", StringValue(scheduler));
    }

    ~Engine()
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", m_simulator);
        GlobalValue::Bind("SchedulerType", m_scheduler);
    }

    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

  private:
    StringValue m_simulator;
    StringValue m_scheduler;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ENGINE_H
