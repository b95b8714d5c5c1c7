// SPDX-License-Identifier: GPL-2.0-only
#include "flow-table.h"
#include "traffic-pattern.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"

namespace ns3::aifabric
{

namespace
{

/**
 * Flows given one by one, in the scenario or in a file. Their starts count from the entry's start
 * time; priority and tag are the entry's where a flow has none of its own.
 */
class Flows : public TrafficPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Flows")
                .SetParent<TrafficPattern>()
                .SetGroupName("AiFabric")
                .AddConstructor<Flows>()
                .AddAttribute("Flows",
                              "The text of a JSON list of objects with source, destination, "
                              "size_bytes and, optional, start_time_s, priority, tag, "
                              "destination_port.",
                              StringValue(""),
                              MakeStringAccessor(&Flows::m_flows),
                              MakeTextChecker("array"))
                .AddAttribute("File",
                              "Instead: a CSV file with these keys in its first line, relative to "
                              "the scenario.",
                              StringValue(""),
                              MakeStringAccessor(&Flows::m_file),
                              MakeStringChecker());
        return tid;
    }

  private:
    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override
    {
        if (m_flows.empty() == m_file.empty())
        {
            throw ScenarioError("flows", "expected either flows or a file");
        }
        const auto hostCount = static_cast<uint32_t>(context.nicRates.size());
        flows = m_file.empty() ? ReadFlowList(m_flows, hostCount, MakeFlow(context))
                               : ReadFlowFile(m_file, context.folder, hostCount, MakeFlow(context));
        CheckCount(static_cast<double>(flows.size()));
    }

    std::string m_flows;
    std::string m_file;
};

NS_OBJECT_ENSURE_REGISTERED(Flows);

} // namespace

} // namespace ns3::aifabric
