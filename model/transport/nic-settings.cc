// SPDX-License-Identifier: GPL-2.0-only
#include "nic-settings.h"

#include "ns3/string.h"
#include "ns3/text-checker.h"
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
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReceiveRate",
                          "Rate at which frames are taken that have arrived at a port, without "
                          "preamble and gap; 0 takes them at once",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&NicSettings::receiveRate),
                          MakeDataRateChecker())
            .AddAttribute("ReceiveRateHosts",
                          "Hosts that ReceiveRate is for: 3, \"0-15\", [3, 7] or \"all\"",
                          StringValue("all"),
                          MakeStringAccessor(&NicSettings::receiveRateHosts),
                          MakeTextChecker("string|array|number"))
            .AddAttribute("ReceiveBufferBytes",
                          "Room for frames that wait to be taken, for each priority of a port; "
                          "what does not fit is dropped",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&NicSettings::receiveBufferBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReceiveXoffBytes",
                          "A lossless priority of which more waits pauses its sender",
                          UintegerValue(1 << 19),
                          MakeUintegerAccessor(&NicSettings::receiveXoffBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveXonBytes",
                          "The pause ends when no more than this waits",
                          UintegerValue(1 << 18),
                          MakeUintegerAccessor(&NicSettings::receiveXonBytes),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

} // namespace ns3::aifabric
