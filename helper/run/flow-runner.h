// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_RUNNER_H
#define AIFABRIC_FLOW_RUNNER_H

#include "ns3/completion-queue.h"
#include "ns3/event-id.h"
#include "ns3/flow-spec.h"
#include "ns3/flow-transport.h"
#include "ns3/path-model.h"
#include "ns3/run-result.h"

#include <functional>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Runs background traffic: each flow is one WRITE (several, if it is longer than a message may be)
 * on a queue pair of its own, which exists from its start to its completion.
 */
class FlowRunner
{
  public:
    /**
     * @param fabric outlives this.
     * @param transports by FlowSpec::entry.
     * @param flows in order of their starts.
     * @throws ScenarioError "flows[i]" for hosts without a path, and as ForLineRate.
     */
    FlowRunner(Fabric& fabric, std::vector<FlowTransport> transports, std::vector<FlowSpec> flows);
    ~FlowRunner();

    /// Schedules the first start. @param done called when the last flow has ended.
    void Start(std::function<void()> done);

    /// @return flows that have ended, well or not.
    std::size_t CountEnded() const
    {
        return m_ended;
    }

    std::size_t CountFlows() const
    {
        return m_flows.size();
    }

    /// @return what became of the flows, in their order; call once, when the run has ended.
    std::vector<FlowResult> TakeResults();

  private:
    void StartDue();
    void Post(std::size_t flow);
    void OnCompletion(const WorkCompletion& completion);
    void Note(std::size_t flow);

    Fabric& m_fabric;
    PathModel m_paths;
    std::vector<FlowTransport> m_transports;
    std::vector<FlowSpec> m_flows;
    std::vector<FlowResult> m_results;
    std::vector<QueuePairs> m_active; ///< of flows under way
    CompletionQueue m_completions;
    std::function<void()> m_done;
    EventId m_event;
    std::size_t m_next{0};
    std::size_t m_ended{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_RUNNER_H
