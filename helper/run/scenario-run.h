// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_RUN_H
#define AIFABRIC_SCENARIO_RUN_H

#include "ns3/run-result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class Fabric;
class JobRun;
struct BufferDependency;
struct ScenarioConfig;

/// @ingroup ai-fabric-run
/// How far a run is, told from time to time of the wall clock.
struct RunStatus
{
    double simulatedS{0};
    double done{0}; ///< share of the work, 0 to 1
    uint64_t events{0};
};

/**
 * @ingroup ai-fabric
 * One run of a scenario: builds the cluster and its load, runs it, collects what came out.
 *
 * There can be one at a time, since there is one simulator. Its destructor calls Simulator::Destroy.
 */
class ScenarioRun
{
  public:
    /**
     * Builds everything.
     * @param config outlives this.
     * @throws ScenarioError for what only shows when it is put together.
     */
    explicit ScenarioRun(const ScenarioConfig& config);
    ~ScenarioRun();
    ScenarioRun(const ScenarioRun&) = delete;
    ScenarioRun& operator=(const ScenarioRun&) = delete;

    /**
     * Runs until the stop time, or until nothing is left to do.
     * @param progress called some ten times a second; may be empty.
     */
    void Run(const std::function<void(const RunStatus&)>& progress = {});

    /// @return what came out; once, after Run.
    RunResult TakeResult();

    /// @return why the run is no success; empty if all work was done, or the stop time came first.
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    const Fabric& GetFabric() const;
    /// @return flows of background traffic.
    std::size_t CountFlows() const;
    /// @return what was noticed while building, and what contradicts itself in the settings.
    const std::vector<std::string>& GetWarnings() const;
    /// @return whether pauses can end in a deadlock; nothing is found where nobody pauses.
    const BufferDependency& GetBufferDependency() const;

  private:
    struct State;

    void BuildCluster();
    void BuildJobs();
    void BuildTraffic();
    void LookAhead();
    void PieceOfWorkDone();
    double GetDone() const;
    void CheckOutcome(bool stopped);
    void AddJobMetrics(RunResult& result) const;
    void AddPauses(RunResult& result) const;

    const ScenarioConfig& m_config;
    std::unique_ptr<State> m_state;
    std::string m_failure;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_RUN_H
