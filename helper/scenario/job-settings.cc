// SPDX-License-Identifier: GPL-2.0-only
#include "job-settings.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(JobSettings);

TypeId
JobSettings::GetTypeId()
{
    using S = JobSettings;
    static TypeId tid = TypeId("ns3::aifabric::JobSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("StartTime",
                                          "When the first iteration begins",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&S::startTime),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("Iterations",
                                          "How many iterations the job runs",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&S::iterations),
                                          MakeUintegerChecker<uint32_t>(1, 1000000));
    return tid;
}

} // namespace ns3::aifabric
