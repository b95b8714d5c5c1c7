// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_OUTPUT_SETTINGS_H
#define AIFABRIC_OUTPUT_SETTINGS_H

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

class MeasurementSettings;

/**
 * @ingroup ai-fabric-scenario
 * What a run writes: the block `outputs` of a scenario.
 */
class OutputSettings : public Object
{
  public:
    static TypeId GetTypeId();

    std::string directory; ///< empty: no files
    Time samplingInterval; ///< of what is sampled, above 0

    const std::vector<std::string>& GetReports() const
    {
        return m_reports;
    }

    /// @return what is measured over spans of time, names of no two alike.
    const std::vector<Ptr<MeasurementSettings>>& GetMeasurements() const
    {
        return m_measurements;
    }

    /// @return limits between sizes of flows, in bytes, ascending; none where they are not given.
    const std::vector<uint64_t>& GetSizeLimits() const
    {
        return m_sizeLimits;
    }

    /// A port of a node of the graph.
    using Port = std::pair<GraphNodeIdx, PortIdx>;

    /// @return all ports of links, by their names.
    static std::map<std::string, Port> AllPorts(const FabricGraph& graph);

    /// @throws ScenarioError "[i]" where a name of the list is none of the ports.
    static void
    ExpectPorts(const std::vector<std::string>& names, const std::map<std::string, Port>& ports);

    /// @return the ports of a graph whose frames are to be captured, by their names.
    /// @throws ScenarioError where `pcap` has a name that no port has.
    std::map<std::string, Port> FindCapturedPorts(const FabricGraph& graph) const;

    /// @return the names that `reports` may hold.
    static const std::vector<std::string>& ReportNames();

  private:
    void SetReports(std::string json);
    std::string GetReportsText() const;

    void SetPcap(std::string json);
    std::string GetPcapText() const;

    void SetMeasurements(std::string json);
    std::string GetMeasurementsText() const;

    void SetSizeLimits(std::string json);
    std::string GetSizeLimitsText() const;

    std::vector<std::string> m_reports;
    std::vector<Ptr<MeasurementSettings>> m_measurements;
    std::vector<uint64_t> m_sizeLimits;
    bool m_capturesAll{false};
    std::vector<std::string> m_captured;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_OUTPUT_SETTINGS_H
