// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::LoadBalancer").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

} // namespace ns3::aifabric
