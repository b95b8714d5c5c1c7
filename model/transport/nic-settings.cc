// SPDX-License-Identifier: GPL-2.0-only
#include "nic-settings.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NicSettings);

TypeId
NicSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::NicSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<NicSettings>()
            .AddAttribute("Bandwidth",
                          "Rate of each port, and of its link where the topology does not say it",
                          DataRateValue(DataRate(400000000000ULL)),
                          MakeDataRateAccessor(&NicSettings::bandwidth),
                          MakeDataRateChecker())
            .AddAttribute("Ports",
                          "Ports that face the network, where the topology does not say it",
                          UintegerValue(1),
                          MakeUintegerAccessor(&NicSettings::ports),
                          MakeUintegerChecker<uint32_t>(1, 16))
            .AddAttribute("ProcessingLatency",
                          "Before the first frame of a message leaves, and again before its "
                          "acknowledgement does",
                          TimeValue(NanoSeconds(600)),
                          MakeTimeAccessor(&NicSettings::processingLatency),
                          MakeTimeChecker(Time(0)));
    return tid;
}

} // namespace ns3::aifabric
