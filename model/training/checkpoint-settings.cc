// SPDX-License-Identifier: GPL-2.0-only
#include "checkpoint-settings.h"

#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CheckpointSettings);

TypeId
CheckpointSettings::GetTypeId()
{
    using S = CheckpointSettings;
    static TypeId tid = TypeId("ns3::aifabric::CheckpointSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("IntervalIterations",
                                          "Iterations between checkpoints; 0: none are taken.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&S::intervalIterations),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("BytesPerGpu",
                                          "State of a GPU.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&S::bytesPerGpu),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("BlockingTime",
                                          "How long a checkpoint holds the job up.",
                                          TimeValue(Seconds(0)),
                                          MakeTimeAccessor(&S::blockingTime),
                                          MakeTimeChecker(Seconds(0)));
    return tid;
}

void
CheckpointSettings::Check() const
{
    if (intervalIterations != 0)
    {
        throw ScenarioError("interval_iterations",
                            "found " + std::to_string(intervalIterations) +
                                ", only 0 is simulated: no checkpoints");
    }
}

} // namespace ns3::aifabric
