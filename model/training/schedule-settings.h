// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCHEDULE_SETTINGS_H
#define AIFABRIC_SCHEDULE_SETTINGS_H

#include "pipeline-schedule.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "schedule" of a job: in which order things happen within an iteration.
 */
class ScheduleSettings : public Object
{
  public:
    static TypeId GetTypeId();
    ScheduleSettings();

    /// @throws ScenarioError for what is not simulated.
    void Check() const;

    Ptr<PipelineSchedule> pipeline;      ///< attribute Pipeline
    std::string activationRecomputation; ///< attribute ActivationRecomputation
    bool overlapDataParallel;            ///< attribute OverlapDataParallel
    uint64_t gradientBucketBytes;        ///< attribute GradientBucketBytes
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCHEDULE_SETTINGS_H
