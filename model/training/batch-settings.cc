// SPDX-License-Identifier: GPL-2.0-only
#include "batch-settings.h"

#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(BatchSettings);

TypeId
BatchSettings::GetTypeId()
{
    using S = BatchSettings;
    static TypeId tid = TypeId("ns3::aifabric::BatchSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("GlobalBatchSize",
                                          "Sequences per iteration, of all replicas together.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::globalBatchSize),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("MicroBatchSize",
                                          "Sequences that pass forward and backward at once.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::microBatchSize),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

uint32_t
BatchSettings::MicroBatches(uint32_t data) const
{
    uint64_t grain = uint64_t{data} * microBatchSize;
    if (globalBatchSize == 0 || globalBatchSize % grain != 0)
    {
        throw ScenarioError("global_batch_size",
                            "found " + std::to_string(globalBatchSize) +
                                ", expected a multiple of data x micro_batch_size = " +
                                std::to_string(data) + " x " + std::to_string(microBatchSize));
    }
    return globalBatchSize / grain;
}

} // namespace ns3::aifabric
