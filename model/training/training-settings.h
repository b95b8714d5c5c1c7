// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRAINING_SETTINGS_H
#define AIFABRIC_TRAINING_SETTINGS_H

#include "batch-settings.h"
#include "checkpoint-settings.h"
#include "parallelism-settings.h"
#include "placement-settings.h"
#include "precision-settings.h"
#include "schedule-settings.h"
#include "transformer-model.h"

#include "ns3/nstime.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * An entry of "jobs": its blocks are objects of their own, made with their defaults, that Pointer
 * attributes lead to ("model" to Model).
 */
class TrainingSettings : public Object
{
  public:
    static TypeId GetTypeId();
    TrainingSettings();

    std::string name;    ///< attribute Name
    Time startTime;      ///< attribute StartTime
    uint32_t iterations; ///< attribute Iterations

    Ptr<TransformerModel> model;          ///< attribute Model
    Ptr<PrecisionSettings> precision;     ///< attribute Precision
    Ptr<ParallelismSettings> parallelism; ///< attribute Parallelism
    Ptr<BatchSettings> batch;             ///< attribute Batch
    Ptr<ScheduleSettings> schedule;       ///< attribute Schedule
    Ptr<PlacementSettings> placement;     ///< attribute Placement
    Ptr<CheckpointSettings> checkpoint;   ///< attribute Checkpoint
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRAINING_SETTINGS_H
