// SPDX-License-Identifier: GPL-2.0-only
#include "network-settings.h"

#include "ns3/enum.h"
#include "ns3/fabric-compat.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NetworkSettings);

TypeId
NetworkSettings::GetTypeId()
{
    using S = NetworkSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::NetworkSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Mode",
                          "How the network is simulated",
                          EnumValue(S::kPacket),
                          compat::EnumAccessor<S::Mode>(&S::mode, 0),
                          MakeEnumChecker(S::kPacket, "packet"))
            .AddAttribute("HeaderProfile",
                          "Which headers data frames carry: RoCEv2's, or those that HPCC's "
                          "simulator counts",
                          EnumValue(S::kRoceV2),
                          compat::EnumAccessor<S::Headers>(&S::headerProfile, 0),
                          MakeEnumChecker(S::kRoceV2, "rocev2", S::kHpcc, "hpcc"))
            .AddAttribute("MtuPayloadBytes",
                          "Most payload of a frame",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::mtuPayloadBytes),
                          MakeUintegerChecker<uint32_t>(64, 65000));
    return tid;
}

} // namespace ns3::aifabric
