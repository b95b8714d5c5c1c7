// SPDX-License-Identifier: GPL-2.0-only
#include "training-settings.h"

#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrainingSettings);

TrainingSettings::TrainingSettings()
    : model(CreateObject<TransformerModel>()),
      precision(CreateObject<PrecisionSettings>()),
      parallelism(CreateObject<ParallelismSettings>()),
      batch(CreateObject<BatchSettings>()),
      schedule(CreateObject<ScheduleSettings>()),
      placement(CreateObject<PlacementSettings>()),
      checkpoint(CreateObject<CheckpointSettings>())
{
}

TypeId
TrainingSettings::GetTypeId()
{
    using S = TrainingSettings;
    // Not at construction: that would replace the blocks by null.
    constexpr uint32_t kFlags = TypeId::ATTR_GET | TypeId::ATTR_SET;
    static TypeId tid = TypeId("ns3::aifabric::TrainingSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("Name",
                                          "Name of the job in results.",
                                          StringValue("job"),
                                          MakeStringAccessor(&S::name),
                                          MakeStringChecker())
                            .AddAttribute("StartTime",
                                          "When its first iteration begins.",
                                          TimeValue(Seconds(0)),
                                          MakeTimeAccessor(&S::startTime),
                                          MakeTimeChecker(Seconds(0)))
                            .AddAttribute("Iterations",
                                          "How many it runs.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::iterations),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Model",
                                          "The model.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::model),
                                          MakePointerChecker<TransformerModel>())
                            .AddAttribute("Precision",
                                          "Bytes per element.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::precision),
                                          MakePointerChecker<PrecisionSettings>())
                            .AddAttribute("Parallelism",
                                          "How it is divided.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::parallelism),
                                          MakePointerChecker<ParallelismSettings>())
                            .AddAttribute("Batch",
                                          "Sequences per iteration.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::batch),
                                          MakePointerChecker<BatchSettings>())
                            .AddAttribute("Schedule",
                                          "Order within an iteration.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::schedule),
                                          MakePointerChecker<ScheduleSettings>())
                            .AddAttribute("Placement",
                                          "Which GPUs.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::placement),
                                          MakePointerChecker<PlacementSettings>())
                            .AddAttribute("Checkpoint",
                                          "When its state is saved.",
                                          kFlags,
                                          PointerValue(),
                                          MakePointerAccessor(&S::checkpoint),
                                          MakePointerChecker<CheckpointSettings>());
    return tid;
}

} // namespace ns3::aifabric
