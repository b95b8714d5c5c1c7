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
                                   double lineRate,
                                   Ptr<const LossRecovery> recovery)
    : headers(headers),
      mtu(mtu),
      ackInterval(settings.ackInterval),
      lineRate(lineRate),
      control(control ? control->ForLineRate(lineRate) : nullptr),
      recovery(recovery),
      reorderFrames(recovery ? recovery->GetReorderFrames() : 0),
      naksGaps(recovery && recovery->NaksGaps()),
      addressesEveryFrame(recovery && recovery->AddressesEveryFrame()),
      usesAcks(control && control->UsesAcks()),
      hearsAcks(usesAcks),
      retryCount(settings.retryCount),
      rnrRetryCount(settings.rnrRetryCount),
      minRnrTimer(settings.minRnrTimer),
      maxReadAtomic(settings.maxReadAtomic),
      maxDestReadAtomic(settings.maxReadAtomic),
      dataPriority(settings.dataPriority),
      ackPriority(settings.ackPriority)
{
    NS_ABORT_MSG_IF(mtu == 0, "a transport with an MTU of 0");
    SetTimeout(ToTick(settings.retransmissionTimeout));
    if (control)
    {
        notification = this->control->GetNotification();
        telemetry = this->control->GetTelemetry();
        this->headers.dataBytes += telemetry.bytes;
        this->headers.ackBytes += telemetry.bytes;
    }
}

void
TransportProfile::SetTimeout(Tick timeout)
{
    configuredTimeout = timeout > 0 ? timeout : kNever;
    retransmissionTimeout =
        recovery ? recovery->GetShortTimeout(configuredTimeout) : configuredTimeout;
}

void
TransportProfile::SelectPaths(const PathSelection* selection)
{
    paths = selection;
    hearsAcks = usesAcks || paths;
}

} // namespace ns3::aifabric
