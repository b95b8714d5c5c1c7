// SPDX-License-Identifier: GPL-2.0-only
#include "transport-profile.h"

#include "transport-settings.h"

#include "ns3/abort.h"

namespace ns3::aifabric
{

TransportProfile::TransportProfile(const TransportSettings& settings,
                                   const HeaderProfile& headers,
                                   uint32_t mtu,
                                   Ptr<const CongestionControl> control,
                                   double lineRate)
    : headers(headers),
      mtu(mtu),
      ackInterval(settings.ackInterval),
      retransmissionTimeout(ToTick(settings.retransmissionTimeout)),
      lineRate(lineRate),
      control(control ? control->ForLineRate(lineRate) : nullptr),
      usesAcks(control && control->UsesAcks()),
      retryCount(settings.retryCount),
      rnrRetryCount(settings.rnrRetryCount),
      minRnrTimer(settings.minRnrTimer),
      dataPriority(settings.dataPriority),
      ackPriority(settings.ackPriority)
{
    NS_ABORT_MSG_IF(mtu == 0, "a transport with an MTU of 0");
    if (retransmissionTimeout <= 0)
    {
        retransmissionTimeout = kNever;
    }
    if (control)
    {
        notification = this->control->GetNotification();
    }
}

} // namespace ns3::aifabric
