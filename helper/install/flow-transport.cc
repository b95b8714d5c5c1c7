// SPDX-License-Identifier: GPL-2.0-only
#include "flow-transport.h"

#include "fabric.h"
#include "path-model.h"

#include "ns3/load-balancer.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-result.h"
#include "ns3/scenario-error.h"
#include "ns3/transport-profile.h"

#include <algorithm>

namespace ns3::aifabric
{

void
FlowCounters::Add(const QueuePairs& pair)
{
    retransmittedBytes += pair.sender->GetCounters().retransmittedBytes;
    cnps += pair.sender->GetCounters().notificationsReceived;
    markedFrames += pair.receiver->GetCounters().markedFrames;
    deliveredBytes += pair.receiver->GetCounters().deliveredBytes;
    reorderDepth = std::max(reorderDepth, pair.receiver->GetResponder().GetReorderPeak());
}

void
FlowCounters::Since(const FlowCounters& before, FlowResult& result) const
{
    result.retransmittedBytes = retransmittedBytes - before.retransmittedBytes;
    result.markedFrames = markedFrames - before.markedFrames;
    result.cnps = cnps - before.cnps;
    result.deliveredBytes = deliveredBytes - before.deliveredBytes;
    result.reorderDepth = reorderDepth;
}

FlowTransport::FlowTransport(Ptr<const TransportSettings> settings,
                             Ptr<const CongestionControl> control,
                             Ptr<const LossRecovery> recovery)
    : m_settings(settings),
      m_control(control),
      m_recovery(recovery)
{
}

std::shared_ptr<const TransportProfile>
FlowTransport::GetProfile(const Fabric& fabric, NodeIdx host)
{
    const double rate = fabric.GetHostPort(host).GetBandwidth();
    auto& profile = m_profiles[rate];
    if (!profile)
    {
        try
        {
            auto made = std::make_shared<TransportProfile>(*m_settings,
                                                           fabric.GetSettings().headers,
                                                           fabric.GetSettings().mtuPayloadBytes,
                                                           m_control,
                                                           rate,
                                                           m_recovery);
            if (const auto& balancer = fabric.GetSettings().balancer)
            {
                made->SelectPaths(balancer->GetPathSelection());
            }
            profile = made;
        }
        catch (const ScenarioError& error)
        {
            throw error.Under("congestion_control");
        }
    }
    return profile;
}

QueuePairs
FlowTransport::Connect(Fabric& fabric,
                       const PathModel& paths,
                       NodeIdx from,
                       NodeIdx to,
                       CompletionQueue& sent,
                       CompletionQueue& received,
                       int priority)
{
    auto make = [&](NodeIdx host) {
        return &fabric.GetNic(host).CreateQueuePair(
            fabric.GetNicPort(host), GetProfile(fabric, host), sent, received);
    };
    QueuePairs pair{make(from), make(to)};
    AddressVector path;
    path.priority = priority;
    path.baseRtt = paths.BaseRtt(from, to);
    path.destination = to;
    pair.sender->Connect(path, pair.receiver->GetNumber());
    path.destination = from;
    pair.receiver->Connect(path, pair.sender->GetNumber());
    return pair;
}

} // namespace ns3::aifabric
