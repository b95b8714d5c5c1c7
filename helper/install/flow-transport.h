// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_TRANSPORT_H
#define AIFABRIC_FLOW_TRANSPORT_H

#include "ns3/congestion-control.h"
#include "ns3/frame.h"
#include "ns3/loss-recovery.h"
#include "ns3/transport-settings.h"

#include <map>
#include <memory>

namespace ns3::aifabric
{

class CompletionQueue;
class Fabric;
class PathModel;
class QueuePair;
struct FlowResult;
struct TransportProfile;

/// @ingroup ai-fabric-install
/// Two queue pairs connected with each other.
struct QueuePairs
{
    QueuePair* sender{nullptr};
    QueuePair* receiver{nullptr};
};

/// @ingroup ai-fabric-install
/// What queue pairs have counted of a flow.
struct FlowCounters
{
    uint64_t retransmittedBytes{0};
    uint64_t markedFrames{0};
    uint64_t cnps{0};
    uint64_t deliveredBytes{0};
    uint32_t reorderDepth{0}; ///< a maximum, not a count

    void Add(const QueuePairs& pair);
    /// Writes what came after before into result.
    void Since(const FlowCounters& before, FlowResult& result) const;
};

/// Destination port of RoCEv2 (IANA).
inline constexpr uint16_t kRocePort = 4791;

/// @ingroup ai-fabric-install
/// How flows are carried: settings, congestion control (null is none) and recovery of losses (null is
/// to go back N).
class FlowTransport
{
  public:
    FlowTransport(Ptr<const TransportSettings> settings,
                  Ptr<const CongestionControl> control,
                  Ptr<const LossRecovery> recovery = nullptr);

    /// @return what queue pairs at that host share; made when it is first asked for.
    std::shared_ptr<const TransportProfile> GetProfile(const Fabric& fabric, NodeIdx host);

    /**
     * Makes a connected pair of queue pairs.
     * @param paths of that fabric.
     * @param sent completions of both ends' sends. @param received completions of their receives.
     * @param priority of the data; -1 is that of the settings.
     */
    QueuePairs Connect(Fabric& fabric,
                       const PathModel& paths,
                       NodeIdx from,
                       NodeIdx to,
                       CompletionQueue& sent,
                       CompletionQueue& received,
                       int priority = -1);

    const TransportSettings& GetSettings() const
    {
        return *m_settings;
    }

  private:
    Ptr<const TransportSettings> m_settings;
    Ptr<const CongestionControl> m_control;
    Ptr<const LossRecovery> m_recovery;
    std::map<double, std::shared_ptr<const TransportProfile>> m_profiles; ///< by rate of the port
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_TRANSPORT_H
