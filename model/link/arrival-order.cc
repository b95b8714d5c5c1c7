// SPDX-License-Identifier: GPL-2.0-only
#include "arrival-order.h"

#include "egress-port.h"

#include "ns3/abort.h"

namespace ns3::aifabric
{

EgressPort&
ArrivalOrder::First(Tick now) const
{
    for (PortIdx port = 0; port < m_links.size(); ++port)
    {
        if (m_due[kLanes + port] == static_cast<uint32_t>(now) && m_links[port] &&
            m_links[port]->HasArrivalAt(now))
        {
            return *m_links[port];
        }
    }
    NS_ABORT_MSG("no frame arrives at " << now);
}

} // namespace ns3::aifabric
