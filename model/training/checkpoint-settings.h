// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CHECKPOINT_SETTINGS_H
#define AIFABRIC_CHECKPOINT_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "checkpoint" of a job.
 */
class CheckpointSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError when checkpoints are wanted: they are not simulated.
    void Check() const;

    uint32_t intervalIterations; ///< attribute IntervalIterations
    uint64_t bytesPerGpu;        ///< attribute BytesPerGpu
    Time blockingTime;           ///< attribute BlockingTime
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CHECKPOINT_SETTINGS_H
