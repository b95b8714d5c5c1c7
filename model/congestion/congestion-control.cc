// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/abort.h"

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

Ptr<const CongestionControl>
CongestionControl::ForLineRate(double lineRate) const
{
    NS_ABORT_MSG_IF(!(lineRate > 0), "congestion control for a port of " << lineRate << " bit/s");
    Ptr<const CongestionControl>& made = m_forLineRate[lineRate];
    if (!made)
    {
        made = Configure(lineRate);
    }
    return made ? made : Ptr<const CongestionControl>(this);
}

} // namespace ns3::aifabric
