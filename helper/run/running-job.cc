// SPDX-License-Identifier: GPL-2.0-only
#include "running-job.h"

#include "scenario-fabric.h"

#include "ns3/collective-benchmark.h"
#include "ns3/collective-settings.h"
#include "ns3/fabric.h"
#include "ns3/gpu-settings.h"
#include "ns3/host-set.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-error.h"
#include "ns3/training-settings.h"

namespace ns3::aifabric
{

namespace
{

/// Calls f, and puts key before the path of an error.
template <class F>
auto
Under(const char* key, F&& f)
{
    try
    {
        return f();
    }
    catch (const ScenarioError& error)
    {
        throw error.Under(key);
    }
}

/// What a job does, and when.
struct Work
{
    Plan plan;
    std::vector<uint32_t> gpus; ///< by rank
    Tick start;
    uint32_t iterations;
};

Work
Train(const TrainingJob& job)
{
    std::vector<uint32_t> gpus;
    for (uint32_t rank = 0; rank < job.RankCount(); ++rank)
    {
        gpus.push_back(job.Gpu(rank));
    }
    const TrainingSettings& settings = job.Settings();
    return {job.MakePlan(), std::move(gpus), ToTick(settings.startTime), settings.iterations};
}

Work
Benchmark(const CollectiveBenchmark& settings,
          const CollectiveSettings& collectives,
          TrainingJob::Cluster cluster)
{
    auto gpus = Under("group", [&] {
        return ParseHostSet(settings.group, cluster.serverCount * cluster.gpusPerServer, "GPU");
    });
    Plan plan = settings.MakePlan(collectives, gpus, cluster.gpusPerServer);
    return {std::move(plan), std::move(gpus), ToTick(settings.startTime), settings.iterations};
}

} // namespace

FlowTransport
MakeTransport(const Fabric& fabric, const BlockSet& blocks)
{
    FlowTransport transport = ReadFlowTransport(blocks);
    Under("transport", [&] {
        for (NodeIdx host = 0; host < fabric.GetGraph().HostCount(); ++host)
        {
            transport.GetProfile(fabric, host);
        }
    });
    return transport;
}

std::unique_ptr<RunningJob>
MakeRunningJob(const ScenarioConfig& scenario,
               const JobConfig& config,
               Fabric& fabric,
               GpuCluster& cluster)
{
    auto job = std::make_unique<RunningJob>(
        RunningJob{config.name, MakeTransport(fabric, config.transport), {}, {}, {}});
    auto collectives = config.collectives.Get<CollectiveSettings>("settings");
    Under("collectives", [&] { collectives->Check(); });
    const TrainingJob::Cluster there{scenario.graph->ServerCount(), cluster.gpusPerServer};
    Work work;
    if (auto benchmark = config.blocks.Get<CollectiveBenchmark>("collective"))
    {
        work = Under("collective", [&] { return Benchmark(*benchmark, *collectives, there); });
    }
    else
    {
        auto gpu = scenario.node.Get<GpuSettings>("gpu");
        job->training = std::make_unique<TrainingJob>(
            config.blocks.Get<TrainingSettings>("settings"), gpu, collectives, there);
        work = Train(*job->training);
    }
    job->messages = std::make_unique<JobTransport>(
        fabric, cluster, job->transport, config.name, std::move(work.gpus));
    job->run =
        std::make_unique<JobRun>(std::move(work.plan), *job->messages, work.start, work.iterations);
    return job;
}

} // namespace ns3::aifabric
