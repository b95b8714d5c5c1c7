// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JOB_RUN_H
#define AIFABRIC_JOB_RUN_H

#include "ns3/plan-runner.h"
#include "ns3/plan.h"

namespace ns3::aifabric
{

class PlanTransport;

/**
 * @ingroup ai-fabric-training
 * What an iteration of a plan took. Times in s; times of ranks are means over the ranks of the plan.
 */
struct IterationRecord
{
    double start;
    double end;
    double computeTime; ///< of a rank
    /// How long a rank was within collectives, by tag and operation, see JobRun::Kind().
    std::vector<double> communicationTimes;
};

/**
 * @ingroup ai-fabric-training
 * A job that runs: one plan, some number of times, from some time on. A training job, an imported
 * trace and a single collective are all run by it.
 */
class JobRun
{
  public:
    /**
     * @param plan of one iteration, sealed.
     * @param transport what carries its messages; outlives the run.
     * @param start simulated time of the first iteration.
     * @param iterations how many.
     */
    JobRun(Plan plan, PlanTransport& transport, Tick start, uint32_t iterations);
    ~JobRun();
    JobRun(const JobRun&) = delete;
    JobRun& operator=(const JobRun&) = delete;

    /// Schedules the first iteration. @param done called when the last has ended or one has failed.
    void Start(std::function<void()> done = {});

    const Plan& GetPlan() const
    {
        return m_plan;
    }

    /// @return the runner: what faults slow down, and the transport reports to.
    PlanRunner& Runner()
    {
        return m_runner;
    }

    /// @return the iterations that have ended.
    const std::vector<IterationRecord>& Iterations() const
    {
        return m_records;
    }

    /// @return whether all iterations have ended.
    bool IsDone() const
    {
        return m_records.size() == m_iterations;
    }

    /// @return what failed; empty when nothing did.
    const std::string& Failure() const
    {
        return m_runner.Failure();
    }

    /// @return share of the steps of all iterations that have ended, 0 to 1.
    double Progress() const;

    /// @return index of an operation's kind in IterationRecord::communicationTimes.
    static std::size_t Kind(const PlanOperation& operation)
    {
        return operation.tag * kOperations + static_cast<std::size_t>(operation.operation);
    }

    static constexpr std::size_t kOperations = 7; ///< of CollectiveOperation

  private:
    void Iterate();
    void Record();

    Plan m_plan;
    PlanRunner m_runner;
    Tick m_start;
    uint32_t m_iterations;
    Tick m_iterationStart{0};
    std::vector<IterationRecord> m_records;
    std::function<void()> m_done;
    EventId m_event;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_JOB_RUN_H
