// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_MEASUREMENTS_H
#define AIFABRIC_RUN_MEASUREMENTS_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aifabric
{

class Fabric;
class FlowRunner;
class OutputSettings;
struct RunResult;

/**
 * @ingroup ai-fabric-run
 * What `outputs.measurements` asks for: queues, links and goodput over spans of time.
 *
 * Counters are read where a span starts and where it ends, queues every sampling interval within it.
 */
class RunMeasurements
{
  public:
    /// Samples of queues that are kept of all measurements together.
    static constexpr std::size_t kMostSamples = 10'000'000;

    /**
     * @param fabric outlives this, and so does flows.
     * @throws ScenarioError "outputs.measurements[i]" for ports, flows and tags that there are not.
     */
    RunMeasurements(const Fabric& fabric, const OutputSettings& outputs, const FlowRunner& flows);
    ~RunMeasurements();

    /// Schedules what there is to be looked at.
    void Start();

    /// Ends what lasts until the end of the run, which is now.
    void Finish();

    /// @return events that it took.
    uint64_t CountLooks() const
    {
        return m_looks;
    }

    /// Adds metrics, and a warning for each measurement that the run did not outlast.
    void Report(RunResult& result) const;

  private:
    struct Span;

    void Open(Span& span);
    void Close(Span& span);
    void Sample(Span& span);

    const FlowRunner& m_flows;
    Tick m_interval;
    std::vector<std::unique_ptr<Span>> m_spans;
    std::size_t m_samples{0};
    uint64_t m_looks{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_MEASUREMENTS_H
