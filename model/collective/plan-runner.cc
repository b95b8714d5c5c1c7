// SPDX-License-Identifier: GPL-2.0-only
#include "plan-runner.h"

#include "plan-transport.h"
#include "plan.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

NS_LOG_COMPONENT_DEFINE("AiFabricPlanRunner");

PlanRunner::PlanRunner(const Plan& plan, PlanTransport& transport)
    : m_plan(plan),
      m_transport(transport),
      m_computeFactors(plan.RankCount(), 1.0)
{
    NS_ABORT_MSG_IF(!plan.IsSealed(), "a plan runs only when sealed");
    UsePicoseconds();
}

PlanRunner::~PlanRunner()
{
    m_event.Cancel();
}

void
PlanRunner::Run(std::function<void()> done)
{
    NS_ABORT_MSG_IF(m_running || !m_failure.empty(), "the plan still runs, or has failed");
    m_running = true;
    m_done = std::move(done);
    m_finished = 0;
    m_waits = m_plan.WaitCounts();
    m_timings.assign(m_plan.Operations().size(), {kNever, 0});
    m_computeTimes.assign(m_plan.RankCount(), 0);
    // Anew in each run: a repaired or rerouted path has another latency.
    m_zeroByteLatencies.clear();
    for (const PlanConnection& c : m_plan.Connections())
    {
        m_zeroByteLatencies.push_back(m_transport.ZeroByteLatency(c));
    }
    m_now = Simulator::Now().GetTimeStep();
    for (uint32_t s = 0; s < m_plan.StepCount(); ++s)
    {
        if (m_plan.WaitCounts()[s] == 0)
        {
            Start(s);
        }
    }
    if (m_plan.StepCount() == 0)
    {
        m_event = Simulator::ScheduleNow(&PlanRunner::Stop, this);
    }
    Arm();
}

void
PlanRunner::Start(uint32_t step)
{
    const PlanStep& s = m_plan.Steps()[step];
    if (s.operation != PlanStep::kNone)
    {
        m_timings[s.operation].start = std::min(m_timings[s.operation].start, m_now);
    }
    Tick wait = s.duration;
    if (s.IsSend())
    {
        wait = std::max<Tick>(0, s.duration - m_zeroByteLatencies[s.connection]);
    }
    else if (s.IsComputation())
    {
        wait = std::llround(s.duration * m_computeFactors[s.rank]);
        m_computeTimes[s.rank] += wait;
    }
    m_due.push({m_now + wait, m_order++, step});
}

void
PlanRunner::Finish(uint32_t step)
{
    uint32_t operation = m_plan.Steps()[step].operation;
    if (operation != PlanStep::kNone)
    {
        m_timings[operation].end = m_now;
    }
    ++m_finished;
    m_plan.ForEachSuccessor(step, [this](uint32_t next) {
        NS_ABORT_MSG_IF(m_waits[next] == 0, "a step ended twice");
        if (--m_waits[next] == 0)
        {
            Start(next);
        }
    });
    if (m_finished == m_plan.StepCount())
    {
        Stop();
    }
}

void
PlanRunner::Complete(uint32_t step)
{
    if (!m_running)
    {
        return; // a message that was under way when another failed
    }
    m_now = Simulator::Now().GetTimeStep();
    Finish(step);
    Arm();
}

void
PlanRunner::Fail(uint32_t step, const std::string& why)
{
    if (!m_running)
    {
        return;
    }
    const PlanStep& s = m_plan.Steps()[step];
    const PlanConnection& c = m_plan.Connections()[s.connection];
    m_failure = "message of " + std::to_string(s.bytes) + " B from rank " + std::to_string(c.from) +
                " to rank " + std::to_string(c.to) + ": " + why;
    NS_LOG_WARN(m_failure);
    m_due = {};
    Stop();
    Arm();
}

void
PlanRunner::SetComputeFactor(uint32_t rank, double factor)
{
    NS_ABORT_MSG_IF(rank >= m_computeFactors.size() || !(factor > 0),
                    "no compute factor " << factor << " for rank " << rank);
    m_computeFactors[rank] = factor;
}

void
PlanRunner::Stop()
{
    m_running = false;
    if (auto done = std::move(m_done))
    {
        done();
    }
}

void
PlanRunner::Fire()
{
    m_armed = kNever;
    m_now = Simulator::Now().GetTimeStep();
    while (!m_due.empty() && m_due.top().at <= m_now)
    {
        uint32_t step = m_due.top().step;
        m_due.pop();
        const PlanStep& s = m_plan.Steps()[step];
        if (s.IsSend())
        {
            m_transport.Send(*this, step, m_plan.Connections()[s.connection], s.bytes);
        }
        else
        {
            Finish(step);
        }
    }
    Arm();
}

void
PlanRunner::Arm()
{
    if (m_due.empty() || m_due.top().at >= m_armed)
    {
        return;
    }
    m_event.Cancel();
    m_armed = m_due.top().at;
    m_event = Simulator::Schedule(
        FromTick(m_armed - Simulator::Now().GetTimeStep()), &PlanRunner::Fire, this);
}

} // namespace ns3::aifabric
