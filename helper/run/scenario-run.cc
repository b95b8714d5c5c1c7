// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-run.h"

#include "bill-of-materials.h"
#include "flow-ports.h"
#include "flow-runner.h"
#include "pause-monitor.h"
#include "pause-summary.h"
#include "pause-victims.h"
#include "run-links.h"
#include "run-measurements.h"
#include "running-job.h"
#include "scenario-fabric.h"
#include "start-up-advice.h"

#include "ns3/buffer-dependency.h"
#include "ns3/fabric.h"
#include "ns3/frame-pool.h"
#include "ns3/gpu-settings.h"
#include "ns3/job-metrics.h"
#include "ns3/job-run.h"
#include "ns3/names.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-error.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulation-settings.h"
#include "ns3/simulator.h"
#include "ns3/traffic-pattern.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sys/resource.h>

namespace ns3::aifabric
{

namespace
{

/// Once all work is done, this long at a time, until the last frame has arrived somewhere.
constexpr Tick kDrainStep = 10 * kMicrosecond;
constexpr Tick kLongestSlice = 1000 * kSecond;
constexpr double kReportInterval = 0.1;

double
CpuSeconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

double
WallSeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void
ChooseSimulator(const ScenarioConfig& config)
{
    UsePicoseconds();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(config.randomSeed);
    // One that came into being before is of another kind.
    Simulator::Destroy();
    UseSequentialSimulator(config.simulation->GetScheduler());
}

} // namespace

struct ScenarioRun::State
{
    std::unique_ptr<Fabric> fabric;
    GpuCluster cluster;
    std::vector<std::unique_ptr<RunningJob>> jobs;
    std::unique_ptr<FlowRunner> flows;
    std::unique_ptr<RunLinks> links;
    std::unique_ptr<RunMeasurements> measurements;
    BufferDependency dependency;
    std::unique_ptr<PauseMonitor> pauses; ///< null where nobody pauses
    std::vector<std::string> warnings;
    RunResult result;
    uint32_t piecesLeft{0};
    Tick end{0}; ///< when the last piece of work was done
    uint64_t events{0};
    double setupCpu{0};
    double runCpu{0};
    double runWall{0};
};

ScenarioRun::ScenarioRun(const ScenarioConfig& config)
    : m_config(config),
      m_state(std::make_unique<State>())
{
    const double start = CpuSeconds();
    ChooseSimulator(config);
    try
    {
        BuildCluster();
        BuildJobs();
        BuildTraffic();
        LookAhead();
    }
    catch (const ScenarioError& error)
    {
        Simulator::Destroy();
        Names::Clear();
        throw config.origin.Locate(error.In(config.file));
    }
    catch (...)
    {
        Simulator::Destroy();
        Names::Clear();
        throw;
    }
    m_state->setupCpu = CpuSeconds() - start;
}

ScenarioRun::~ScenarioRun()
{
    Simulator::Destroy();
    Names::Clear();
}

const Fabric&
ScenarioRun::GetFabric() const
{
    return *m_state->fabric;
}

std::size_t
ScenarioRun::CountFlows() const
{
    return m_state->flows->CountFlows();
}

const std::vector<std::string>&
ScenarioRun::GetWarnings() const
{
    return m_state->warnings;
}

const BufferDependency&
ScenarioRun::GetBufferDependency() const
{
    return m_state->dependency;
}

void
ScenarioRun::BuildCluster()
{
    m_state->fabric = std::make_unique<Fabric>(m_config.graph, ReadFabricSettings(m_config));
    MakeTransport(*m_state->fabric, m_config.transport);
    if (!m_config.jobs.empty())
    {
        m_state->cluster = MakeGpuCluster(m_config, *m_state->fabric);
    }
    m_state->links = std::make_unique<RunLinks>(*m_state->fabric, m_state->cluster);
    AddNetworkMetrics(*m_config.graph, PeekPointer(m_config.prices), m_state->result.metrics);
}

void
ScenarioRun::BuildJobs()
{
    if (auto gpu = m_config.node.Get<GpuSettings>("gpu"); gpu && !m_config.jobs.empty())
    {
        try
        {
            gpu->Check();
        }
        catch (const ScenarioError& error)
        {
            throw error.Under("node.gpu");
        }
    }
    for (const JobConfig& config : m_config.jobs)
    {
        try
        {
            auto job = MakeRunningJob(m_config, config, *m_state->fabric, m_state->cluster);
            ++m_state->piecesLeft;
            job->run->Start([this] { PieceOfWorkDone(); });
            m_state->jobs.push_back(std::move(job));
        }
        catch (const ScenarioError& error)
        {
            throw error.Under(config.path);
        }
    }
}

void
ScenarioRun::BuildTraffic()
{
    TrafficContext context;
    context.folder = m_config.folder;
    for (NodeIdx host = 0; host < m_config.graph->HostCount(); ++host)
    {
        context.nicRates.push_back(m_state->fabric->GetHostPort(host).GetBandwidth());
    }
    std::vector<FlowTransport> transports;
    std::vector<FlowSpec> flows;
    for (const TrafficConfig& config : m_config.traffic)
    {
        try
        {
            context.stream = (1LL << 52) + (static_cast<int64_t>(context.entry) << 32);
            auto added = DynamicCast<TrafficPattern>(config.pattern)->Generate(context);
            flows.insert(flows.end(), added.begin(), added.end());
            transports.push_back(MakeTransport(*m_state->fabric, config.transport));
            const uint32_t pairs = transports.back().GetSettings().queuePairsPerConnection;
            if (pairs > 1 && m_config.jobs.empty())
            {
                throw ScenarioError("transport.queue_pairs_per_connection",
                                    "found " + std::to_string(pairs) +
                                        ", expected 1: it is for the connections of jobs, and a "
                                        "flow of traffic has one queue pair");
            }
            ++context.entry;
        }
        catch (const ScenarioError& error)
        {
            throw error.Under(config.path);
        }
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return a.start < b.start;
    });
    m_state->flows = std::make_unique<FlowRunner>(
        *m_state->fabric, transports, std::move(flows), ToTick(m_config.simulation->stopTime));
    ++m_state->piecesLeft;
    m_state->flows->Start([this] { PieceOfWorkDone(); });
    m_state->measurements =
        std::make_unique<RunMeasurements>(*m_state->fabric, *m_config.outputs, *m_state->flows);
    m_state->measurements->Start();
}

/// Notes what can be told before anything runs.
void
ScenarioRun::LookAhead()
{
    const Fabric& fabric = *m_state->fabric;
    m_state->warnings = fabric.GetWarnings();
    const FabricSettings& settings = fabric.GetSettings();
    if (settings.pfc && settings.pfc->GetLosslessMask())
    {
        m_state->dependency = FindBufferDependency(fabric.GetGraph(), fabric.GetRoutes());
        if (!m_state->dependency.isKnown || !m_state->dependency.cycle.empty())
        {
            m_state->warnings.push_back(m_state->dependency.ToText(fabric.GetGraph()));
        }
        m_state->pauses = std::make_unique<PauseMonitor>(
            fabric, !m_state->dependency.isKnown || !m_state->dependency.cycle.empty());
    }
    const auto advice = StartUpAdvice(m_config, fabric);
    m_state->warnings.insert(m_state->warnings.end(), advice.begin(), advice.end());
}

void
ScenarioRun::PieceOfWorkDone()
{
    if (--m_state->piecesLeft == 0)
    {
        m_state->end = ToTick(Simulator::Now());
        m_state->measurements->Finish();
        Simulator::Stop();
    }
}

double
ScenarioRun::GetDone() const
{
    double done = 0;
    double parts = 0;
    if (m_state->flows->CountFlows() > 0)
    {
        done += m_state->flows->GetDone();
        ++parts;
    }
    for (const auto& job : m_state->jobs)
    {
        done += job->run->Progress();
        ++parts;
    }
    done = parts > 0 ? done / parts : 1;
    // Work that a stop time cuts off is over by then too.
    const Tick stop = ToTick(m_config.simulation->stopTime);
    return stop > 0 ? std::max(done, Simulator::Now().GetSeconds() / FromTick(stop).GetSeconds())
                    : done;
}

void
ScenarioRun::Run(const std::function<void(const RunStatus&)>& progress)
{
    const auto& reports = m_config.outputs->GetReports();
    auto wants = [&](const char* report) {
        return std::find(reports.begin(), reports.end(), report) != reports.end();
    };
    const bool queues = wants("queue_depth");
    const bool pauses = wants("pfc_pause");
    const bool progresses = wants("flow_progress");
    const Tick interval =
        queues || pauses || progresses ? ToTick(m_config.outputs->samplingInterval) : 0;
    const Tick stop = ToTick(m_config.simulation->stopTime);
    const double wall = WallSeconds();
    const double cpu = CpuSeconds();
    double reported = wall;
    uint64_t slices = 0;
    Tick slice = kDrainStep;
    bool stopped = false;
    bool idle = false;
    for (;;)
    {
        const Tick now = ToTick(Simulator::Now());
        const bool drains = m_state->piecesLeft == 0;
        if (drains && (FramePool::Out() == 0 || idle))
        {
            break;
        }
        if (idle || (stop > 0 && now >= stop))
        {
            stopped = stop > 0 && now >= stop;
            break;
        }
        // The event at which a sample is taken is made at the sample before: which of the things
        // at that instant come first does not depend on the wall clock.
        Tick next = drains ? kDrainStep : interval > 0 ? interval : slice;
        if (stop > 0)
        {
            next = std::min(next, stop - now);
        }
        const double before = WallSeconds();
        EventId end = Simulator::Schedule(FromTick(next), [&slices, &idle] {
            ++slices;
            // Only now, while it runs, does the simulator tell whether events are left.
            idle = Simulator::IsFinished();
            Simulator::Stop();
        });
        Simulator::Run();
        Simulator::Remove(end);
        if (interval > 0)
        {
            m_state->links->Sample(ToTick(Simulator::Now()), queues, pauses, m_state->result);
            progresses ? m_state->flows->Sample(ToTick(Simulator::Now()), m_state->result) : void();
        }
        const double after = WallSeconds();
        const double took = after - before;
        // Slices follow the wall clock; nothing in the simulation depends on where they end.
        slice = took < kReportInterval / 2 ? 2 * slice : took > kReportInterval ? slice / 2 : slice;
        slice = std::clamp(slice, kDrainStep, kLongestSlice);
        if (progress && (interval == 0 || after - reported > kReportInterval))
        {
            reported = after;
            progress({Simulator::Now().GetSeconds(), GetDone(), Simulator::GetEventCount()});
        }
    }
    m_state->runCpu = CpuSeconds() - cpu;
    m_state->runWall = WallSeconds() - wall;
    m_state->events = Simulator::GetEventCount() - slices - m_state->measurements->CountLooks() -
                      (m_state->pauses ? m_state->pauses->CountLooks() : 0);
    if (m_state->piecesLeft > 0)
    {
        m_state->end = ToTick(Simulator::Now());
        m_state->measurements->Finish();
    }
    CheckOutcome(stopped);
}

void
ScenarioRun::CheckOutcome(bool stopped)
{
    for (const auto& job : m_state->jobs)
    {
        if (!job->run->Failure().empty())
        {
            m_failure = "job " + job->name + ": " + job->run->Failure();
            return;
        }
    }
    if (stopped)
    {
        return;
    }
    if (m_state->piecesLeft > 0)
    {
        m_failure = "nothing moves any more, but work is left: a deadlock, or an unreachable host";
        return;
    }
    const auto leftovers = m_state->fabric->FindLeftovers();
    if (!leftovers.empty())
    {
        m_failure = "at the end something is left in " + leftovers.front();
    }
}

RunResult
ScenarioRun::TakeResult()
{
    RunResult result = std::move(m_state->result);
    result.name = m_config.name;
    result.variant = m_config.variant;
    result.seed = m_config.randomSeed;
    const auto& warnings = m_state->warnings;
    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
    const std::string notice = CongestionNotice(*m_state->fabric);
    if (!notice.empty())
    {
        result.warnings.push_back(notice);
    }
    for (const auto& job : m_state->jobs)
    {
        auto flows = job->messages->TakeResults();
        result.flows.insert(result.flows.end(), flows.begin(), flows.end());
    }
    for (FlowSample& sample : result.flowSamples)
    {
        sample.flow += static_cast<uint32_t>(result.flows.size());
    }
    result.sizeLimits = m_config.outputs->GetSizeLimits();
    m_state->measurements->Report(result);
    auto flows = m_state->flows->TakeResults();
    result.flows.insert(result.flows.end(), flows.begin(), flows.end());
    m_state->links->Report(ToTick(Simulator::Now()), m_state->end, result);
    if (std::all_of(m_state->jobs.begin(), m_state->jobs.end(), [](const auto& job) {
            return job->transport.GetSettings().queuePairsPerConnection == 1;
        }))
    {
        CountCollisions(*m_state->fabric, result);
    }
    AddJobMetrics(result);
    AddPauses(result);
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    result.engine.events = m_state->events;
    result.engine.wallS = m_state->runWall;
    result.engine.cpuS = m_state->runCpu;
    result.engine.setupCpuS = m_state->setupCpu;
    result.engine.peakRssBytes = usage.ru_maxrss * 1024ULL;
    result.engine.simulatedS = m_state->end / 1e12;
    return result;
}

void
ScenarioRun::AddPauses(RunResult& result) const
{
    if (m_state->pauses)
    {
        result.pauses = m_state->pauses->Report(ToTick(Simulator::Now()));
        FindPauseVictims(*m_state->fabric, result);
        for (const PauseDeadlock& deadlock : result.pauses.deadlocks)
        {
            result.warnings.push_back(DeadlockText(deadlock));
        }
    }
    AddPauseMetrics(result);
}

void
ScenarioRun::AddJobMetrics(RunResult& result) const
{
    for (const auto& job : m_state->jobs)
    {
        const std::string prefix = m_state->jobs.size() > 1 ? "jobs." + job->name + "." : "";
        for (const auto& [name, value] :
             job->training ? JobMetrics(*job->training, *job->run) : JobMetrics(*job->run))
        {
            result.metrics[prefix + name] = value;
        }
    }
    // Traffic between rails has to cross a spine; so may that of one rail between segments.
    if (m_config.topology->GetInstanceTypeId().GetName() == "ns3::aifabric::RailOptimized")
    {
        UintegerValue rails;
        m_config.topology->GetAttribute("RailCount", rails);
        auto railOf = [&](NodeIdx host) {
            return m_config.graph->Nodes()[m_config.graph->NodeOf(host)].unit % rails.Get();
        };
        uint64_t bytes = 0;
        for (const FlowResult& flow : result.flows)
        {
            bytes += railOf(flow.sourceNumber) == railOf(flow.destinationNumber)
                         ? 0
                         : flow.deliveredBytes;
        }
        result.metrics["spine_cross_rail_bytes"] = static_cast<double>(bytes);
    }
}

} // namespace ns3::aifabric
