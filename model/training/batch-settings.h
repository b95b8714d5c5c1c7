// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BATCH_SETTINGS_H
#define AIFABRIC_BATCH_SETTINGS_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "batch" of a job, in sequences.
 */
class BatchSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * @param data degree of data parallelism.
     * @return micro-batches of each replica per iteration.
     * @throws ScenarioError when the global batch does not divide.
     */
    uint32_t MicroBatches(uint32_t data) const;

    uint32_t globalBatchSize; ///< attribute GlobalBatchSize
    uint32_t microBatchSize;  ///< attribute MicroBatchSize
};

} // namespace ns3::aifabric

#endif // AIFABRIC_BATCH_SETTINGS_H
