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
     * @param collectives how collectives are done, unless `algorithm` says so.
     * @param gpus that take part, by their numbers in the cluster.
     * @param gpusPerServer GPUs of each server.
     * @return the plan of one iteration, sealed; rank r is gpus[r], its one tag is "collective".
     * @throws ScenarioError ("type", "algorithm") for an unknown operation, or an algorithm that does
     * not do it.
     */
    Plan MakePlan(const CollectiveSettings& collectives,
                  const std::vector<uint32_t>& gpus,
                  uint32_t gpusPerServer) const;

    std::string type;      ///< attribute Type
    std::string algorithm; ///< attribute Algorithm; empty: as `collectives` says
    uint64_t sizeBytes;    ///< attribute SizeBytes
    uint32_t elementBytes; ///< attribute ElementBytes
    std::string group;     ///< attribute Group: "all", "4-7", "[0, 8]"
    uint32_t iterations;   ///< attribute Iterations
    Time startTime;        ///< attribute StartTime
};

} // namespace ns3::aifabric

#endif // AIFABRIC_COLLECTIVE_BENCHMARK_H
