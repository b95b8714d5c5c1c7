// SPDX-License-Identifier: GPL-2.0-only
#include "job-run.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3::aifabric
{

JobRun::JobRun(Plan plan, PlanTransport& transport, Tick start, uint32_t iterations)
    : m_plan(std::move(plan)),
      m_runner(m_plan, transport),
      m_start(start),
      m_iterations(iterations)
{
}

JobRun::~JobRun()
{
    m_event.Cancel();
}

void
JobRun::Start(std::function<void()> done)
{
    m_done = std::move(done);
    Tick wait = std::max<Tick>(0, m_start - Simulator::Now().GetTimeStep());
    m_event = Simulator::Schedule(FromTick(wait), &JobRun::Iterate, this);
}

void
JobRun::Iterate()
{
    if (m_records.size() == m_iterations)
    {
        if (m_done)
        {
            m_done();
        }
        return;
    }
    m_iterationStart = Simulator::Now().GetTimeStep();
    m_runner.Run([this] {
        if (!m_runner.Failure().empty())
        {
            if (m_done)
            {
                m_done();
            }
            return;
        }
        Record();
        Iterate();
    });
}

void
JobRun::Record()
{
    auto seconds = [](Tick t) { return t / 1e12; };
    const std::vector<Tick>& compute = m_runner.ComputeTimes();
    const double ranks = m_plan.RankCount();
    IterationRecord record{seconds(m_iterationStart),
                           seconds(Simulator::Now().GetTimeStep()),
                           seconds(std::accumulate(compute.begin(), compute.end(), Tick{0})) /
                               ranks,
                           std::vector<double>(m_plan.Tags().size() * kOperations)};
    for (std::size_t o = 0; o < m_plan.Operations().size(); ++o)
    {
        const PlanOperation& operation = m_plan.Operations()[o];
        const PlanRunner::OperationTiming& timing = m_runner.Timings()[o];
        record.communicationTimes[Kind(operation)] +=
            seconds(timing.end - timing.start) * operation.groupSize / ranks;
    }
    m_records.push_back(std::move(record));
}

double
JobRun::Progress() const
{
    double current = 0;
    if (m_runner.IsRunning())
    {
        current = m_runner.FinishedSteps() / std::max(1.0, double(m_plan.StepCount()));
    }
    return (m_records.size() + current) / std::max(1u, m_iterations);
}

} // namespace ns3::aifabric
