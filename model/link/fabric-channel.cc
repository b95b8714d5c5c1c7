// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-channel.h"

#include "ns3/abort.h"
#include "ns3/net-device.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::FabricChannel")
                            .SetParent<Channel>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FabricChannel>()
                            .AddAttribute("Delay",
                                          "From the end of a transmission to its arrival.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&FabricChannel::m_delay),
                                          MakeTimeChecker());
    return tid;
}

void
FabricChannel::Attach(Ptr<NetDevice> device)
{
    NS_ABORT_MSG_IF(m_count == m_devices.size(), "a link has two ends");
    m_devices[m_count++] = device;
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_count;
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace ns3::aifabric
