// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_COLLECTIVE_BENCHMARK_H
#define AIFABRIC_COLLECTIVE_BENCHMARK_H

#include "ns3/collective-settings.h"
#include "ns3/nstime.h"
#include "ns3/plan.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * A job that does one collective per iteration and nothing else, as nccl-tests do: its
 * `iteration_time_s` is the time of the collective and `busbw_gbytes_per_s` what they print.
 */
class CollectiveBenchmark : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * @param collectives how collectives are done.
     * @param serverCount servers of the cluster.
     * @param gpusPerServer GPUs of each.
     * @return the plan of one iteration, sealed; rank r is the r-th GPU from the first server on,
     * its one tag is "collective".
     * @throws ScenarioError for an unknown operation, or GPUs that are not there.
     */
    Plan MakePlan(const CollectiveSettings& collectives,
                  uint32_t serverCount,
                  uint32_t gpusPerServer) const;

    std::string name;      ///< attribute Name
    Time startTime;        ///< attribute StartTime
    uint32_t iterations;   ///< attribute Iterations
    std::string operation; ///< attribute Operation
    uint64_t sizeBytes;    ///< attribute SizeBytes
    uint32_t elementBytes; ///< attribute ElementBytes
    uint32_t gpuCount;     ///< attribute GpuCount; 0: all from the first server on
    uint32_t firstServer;  ///< attribute FirstServer
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_BENCHMARK_H
