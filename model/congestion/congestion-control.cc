// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CongestionControl").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

} // namespace ns3::aifabric
