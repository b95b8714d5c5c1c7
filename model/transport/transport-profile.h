// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRANSPORT_PROFILE_H
#define AIFABRIC_TRANSPORT_PROFILE_H

#include "header-profile.h"
#include "loss-recovery.h"
#include "queue-pair-attributes.h"

#include "ns3/congestion-control.h"
#include "ns3/fabric-time.h"

#include <cstdint>

namespace ns3::aifabric
{

class PathSelection;
class TransportSettings;

/**
 * @ingroup ai-fabric-transport
 * What many queue pairs have in common, resolved once: the settings of the transport at ports of
 * one speed. Constant while they exist.
 */
struct TransportProfile
{
    /**
     * @param settings of the transport; its texts are not looked at.
     * @param headers sizes of frames.
     * @param mtu payload of a full frame, bytes, above 0.
     * @param control congestion control; null is none.
     * @param lineRate of the port, bit/s.
     * @param recovery of losses; null is to go back N.
     * @throws ScenarioError as CongestionControl::ForLineRate.
     */
    TransportProfile(const TransportSettings& settings,
                     const HeaderProfile& headers,
                     uint32_t mtu,
                     Ptr<const CongestionControl> control,
                     double lineRate,
                     Ptr<const LossRecovery> recovery = nullptr);

    /// Sets the timeout. @param timeout kNever, or nothing above 0, for none.
    void SetTimeout(Tick timeout);

    /// @return the priority of data on that way.
    uint8_t PriorityOf(const AddressVector& path) const
    {
        return path.priority < 0 ? dataPriority : static_cast<uint8_t>(path.priority);
    }

    /// Lets queue pairs choose the ways of their frames. @param paths outlives all of them; null: not.
    void SelectPaths(const PathSelection* paths);

    HeaderProfile headers; ///< telemetry included
    uint32_t mtu;
    uint32_t ackInterval;
    Tick configuredTimeout;     ///< kNever: no timeouts
    Tick retransmissionTimeout; ///< the shortest that the recovery makes of it
    double lineRate;
    Ptr<const CongestionControl> control; ///< for that line rate; null is none
    CongestionNotification notification;
    PathTelemetry telemetry;
    Ptr<const LossRecovery> recovery; ///< null is to go back N
    uint32_t reorderFrames;           ///< kept by the receiver beyond the expected one
    bool naksGaps;
    bool addressesEveryFrame; ///< of a WRITE
    bool usesAcks;            ///< the congestion control does
    bool hearsAcks;           ///< that, or who selects paths
    const PathSelection* paths{nullptr};
    uint8_t retryCount;
    uint8_t rnrRetryCount;
    uint8_t minRnrTimer;
    uint8_t maxReadAtomic;     ///< READs and atomics under way
    uint8_t maxDestReadAtomic; ///< and from the peer
    uint8_t dataPriority;
    uint8_t ackPriority;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRANSPORT_PROFILE_H
