// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PLAN_RUNNER_H
#define AIFABRIC_PLAN_RUNNER_H

#include "ns3/event-id.h"
#include "ns3/fabric-time.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class Plan;
class PlanTransport;

/**
 * @ingroup ai-fabric-collective
 * Runs a plan: starts each step when all that it waits for has ended.
 *
 * A message is handed to the transport after max(0, alpha - zero-byte latency of its path): a step
 * of 0 bytes lasts exactly alpha, and no latency counts twice.
 *
 * Costs one ns-3 event per instant at which computations end or messages start, not one per step.
 */
class PlanRunner
{
  public:
    /// When an operation ran: from the first of its steps that could start to the end of its last.
    struct OperationTiming
    {
        Tick start;
        Tick end;
    };

    /// Both outlive the runner; plan is sealed.
    PlanRunner(const Plan& plan, PlanTransport& transport);
    ~PlanRunner();
    PlanRunner(const PlanRunner&) = delete;
    PlanRunner& operator=(const PlanRunner&) = delete;

    /**
     * Runs the plan once, from Simulator::Now() on.
     * @param done called when the last step has ended, or when one has failed; may call Run again
     * unless one has failed, because then others may still be under way.
     */
    void Run(std::function<void()> done);

    /// The message of that step has arrived: called by the transport.
    void Complete(uint32_t step);

    /// The message of that step never arrives: called by the transport. Nothing is started any more.
    void Fail(uint32_t step, const std::string& why);

    /**
     * From now on computations of that rank take factor times as long (a straggler); what already
     * computes ends as it would have.
     */
    void SetComputeFactor(uint32_t rank, double factor);

    bool IsRunning() const
    {
        return m_running;
    }

    /// @return which step failed and why; empty when none did.
    const std::string& Failure() const
    {
        return m_failure;
    }

    /// @return steps that ended in this or the last run.
    uint32_t FinishedSteps() const
    {
        return m_finished;
    }

    /// @return by operation, of the last run.
    const std::vector<OperationTiming>& Timings() const
    {
        return m_timings;
    }

    /// @return by rank: how long it computed in the last run.
    const std::vector<Tick>& ComputeTimes() const
    {
        return m_computeTimes;
    }

    const Plan& GetPlan() const
    {
        return m_plan;
    }

  private:
    /// A computation that ends, or a message that is handed over, at a time.
    struct Due
    {
        Tick at;
        uint64_t order;
        uint32_t step;

        bool operator<(const Due& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    void Start(uint32_t step);
    void Finish(uint32_t step);
    void Stop();
    void Fire();
    void Arm();

    const Plan& m_plan;
    PlanTransport& m_transport;
    std::function<void()> m_done;
    std::vector<uint32_t> m_waits;
    std::vector<Tick> m_zeroByteLatencies;
    std::vector<double> m_computeFactors;
    std::vector<Tick> m_computeTimes;
    std::vector<OperationTiming> m_timings;
    std::priority_queue<Due> m_due;
    std::string m_failure;
    EventId m_event;
    Tick m_armed{kNever};
    Tick m_now{0};
    uint64_t m_order{0};
    uint32_t m_finished{0};
    bool m_running{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PLAN_RUNNER_H
