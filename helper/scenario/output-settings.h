// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_OUTPUT_SETTINGS_H
#define AIFABRIC_OUTPUT_SETTINGS_H

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

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

    /// A port of a node of the graph.
    using Port = std::pair<GraphNodeIdx, PortIdx>;

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

    std::vector<std::string> m_reports;
    bool m_capturesAll{false};
    std::vector<std::string> m_captured;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_OUTPUT_SETTINGS_H
