// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_MEASUREMENT_SETTINGS_H
#define AIFABRIC_MEASUREMENT_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * A span of simulated time, and what is measured over it: an entry of `outputs.measurements`.
 *
 * Its setters throw ScenarioError below the key that they are about.
 */
class MeasurementSettings : public Object
{
  public:
    static TypeId GetTypeId();

    std::string name; ///< before its metrics, with a dot; none where empty
    Time start;
    Time end;                        ///< after start; 0: the end of the run
    std::vector<std::string> queues; ///< ports, as in links.csv
    std::vector<std::string> links;  ///< ports, likewise
    std::vector<uint64_t> flows;     ///< counted from 0 in the order of their starts
    std::vector<std::string> tags;

    /// @throws ScenarioError where it ends before it starts.
    void Check() const;

  private:
    template <std::vector<std::string> MeasurementSettings::*List>
    void SetNames(std::string json);
    template <std::vector<std::string> MeasurementSettings::*List>
    std::string GetNames() const;
    void SetFlows(std::string json);
    std::string GetFlows() const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_MEASUREMENT_SETTINGS_H
