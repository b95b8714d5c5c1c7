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
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-run
 * Runs background traffic: each flow is one WRITE (several, if it is longer than a message may be)
 * on a queue pair of its own, which exists from its start to its completion. Of a flow of more than
 * kMostPosted messages the others are posted as those before them complete, which is in time: more
 * frames than so many messages have cannot be under way.
 */
class FlowRunner
{
  public:
    /// Messages of a flow that are posted at a time.
    static constexpr uint64_t kMostPosted = 256;

    /**
     * @param fabric outlives this.
     * @param transports by FlowSpec::entry.
     * @param flows in order of their starts.
     * @param stop when the run is cut off, 0 if never: then no flow may be longer than there is
     *        simulated time.
     * @throws ScenarioError "traffic[i]" for hosts without a path and for flows that long, and as
     *         ForLineRate.
     */
    FlowRunner(Fabric& fabric,
               std::vector<FlowTransport> transports,
               std::vector<FlowSpec> flows,
               Tick stop = 0);
    ~FlowRunner();

    /// Schedules the first start. @param done called when the last flow has ended.
    void Start(std::function<void()> done);

    /// @return share of the payload that has arrived, or will not any more; 1 without flows.
    double GetDone() const;

    std::size_t CountFlows() const
    {
        return m_flows.size();
    }

    /// @return payload of a flow that has arrived so far. @param flow in their order.
    uint64_t GetDeliveredBytes(std::size_t flow) const;

    /// @return the flows of each tag, as their places in their order.
    std::map<std::string, std::vector<std::size_t>> FlowsByTag() const;

    /// Samples that are kept.
    static constexpr std::size_t kMostSamples = 10'000'000;

    /**
     * Notes how far the flows under way are.
     * @param result gets the samples, flows in their order, and a warning where there are too many.
     */
    void Sample(Tick now, RunResult& result);

    /// @return what became of the flows, in their order; call once, when the run has ended.
    std::vector<FlowResult> TakeResults();

  private:
    /// A flow under way; no queue pairs before and after.
    struct Active : QueuePairs
    {
        uint64_t unposted{0}; ///< payload of messages that have not been posted
    };

    void StartDue();
    void Begin(std::size_t flow);
    void Post(std::size_t flow);
    void OnCompletion(const WorkCompletion& completion);
    void Note(std::size_t flow);

    Fabric& m_fabric;
    PathModel m_paths;
    std::vector<FlowTransport> m_transports;
    std::vector<FlowSpec> m_flows;
    std::vector<FlowResult> m_results;
    std::vector<Active> m_active;
    std::set<std::size_t> m_underWay; ///< flows
    CompletionQueue m_completions;
    std::function<void()> m_done;
    EventId m_event;
    std::size_t m_next{0};
    std::size_t m_ended{0};
    bool m_samplesEnd{false};
    double m_allWork{0};
    double m_endedWork{0}; ///< of flows that have ended, well or not
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_RUNNER_H
