// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUNNING_JOB_H
#define AIFABRIC_RUNNING_JOB_H

#include "job-transport.h"

#include "ns3/flow-transport.h"
#include "ns3/job-run.h"
#include "ns3/training-job.h"

#include <memory>
#include <string>

namespace ns3::aifabric
{

class BlockSet;
class Fabric;
struct JobConfig;
struct ScenarioConfig;

/**
 * @ingroup ai-fabric-run
 * One job, from its settings to its run.
 */
struct RunningJob
{
    std::string name;
    FlowTransport transport;
    std::unique_ptr<TrainingJob> training; ///< null for a single collective
    std::unique_ptr<JobTransport> messages;
    std::unique_ptr<JobRun> run;
};

/// @return a transport that suits all hosts. @throws ScenarioError below "transport".
FlowTransport MakeTransport(const Fabric& fabric, const BlockSet& blocks);

/**
 * Makes a job ready to start.
 * @param scenario with the GPUs.
 * @param config of the job.
 * @param fabric,cluster on which it runs; they outlive it.
 * @throws ScenarioError with a path within the job.
 */
std::unique_ptr<RunningJob> MakeRunningJob(const ScenarioConfig& scenario,
                                           const JobConfig& config,
                                           Fabric& fabric,
                                           GpuCluster& cluster);

} // namespace ns3::aifabric

#endif // AIFABRIC_RUNNING_JOB_H
