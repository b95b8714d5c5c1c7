// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-watchdog-settings.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/fabric-compat.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdogSettings);

TypeId
PfcWatchdogSettings::GetTypeId()
{
    using S = PfcWatchdogSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::PfcWatchdogSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Enabled",
                          "Whether switches free queues that pauses have stopped for too long",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::enabled),
                          MakeBooleanChecker())
            .AddAttribute("DetectionTime",
                          "A queue that holds frames, and is paused, is freed after this long",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&S::detectionTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RestorationTime",
                          "It is as before once no pause frame has come for this long",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&S::restorationTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PollInterval",
                          "Time between two looks at queues that are paused",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&S::pollInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Action",
                          "What becomes of the frames of such a queue",
                          EnumValue(S::kDrop),
                          compat::EnumAccessor<S::Action>(&S::action, 0),
                          MakeEnumChecker(S::kDrop, "drop", S::kForward, "forward"));
    return tid;
}

} // namespace ns3::aifabric
