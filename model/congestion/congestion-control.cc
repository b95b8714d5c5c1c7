// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "credit-policy.h"

#include "ns3/abort.h"
#include "ns3/scenario-error.h"

#include <string>

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

double
CongestionControl::LeastRate(DataRate given, double lineRate)
{
    const auto least = static_cast<double>(given.GetBitRate());
    if (least >= lineRate)
    {
        throw ScenarioError("min_rate",
                            "found " + std::to_string(given.GetBitRate() / 1000000) +
                                " Mb/s, expected less than the port's line rate");
    }
    return least > 0 ? least : lineRate / 1000;
}

std::unique_ptr<CreditPolicy>
CongestionControl::MakeCreditPolicy(CreditPort& /* port */) const
{
    return nullptr;
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
