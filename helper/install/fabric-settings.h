// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_SETTINGS_H
#define AIFABRIC_FABRIC_SETTINGS_H

#include "ns3/buffer-manager.h"
#include "ns3/ecn-settings.h"
#include "ns3/header-profile.h"
#include "ns3/load-balancer.h"
#include "ns3/pfc-settings.h"
#include "ns3/receive-buffer.h"
#include "ns3/trimming-settings.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-install
/// What a fabric is built with, besides its graph. Objects are models: each switch gets a copy.
struct FabricSettings
{
    FabricSettings();

    HeaderProfile headers{kRoceV2Headers};
    uint32_t mtuPayloadBytes{4096};        ///< payload of a full RDMA frame
    uint32_t mtuOrdinaryBytes{1500};       ///< largest packet of ns-3's own stack
    Ptr<const EcnSettings> ecn;            ///< null: no marks
    Ptr<const PfcSettings> pfc;            ///< null: no pauses
    Ptr<const TrimmingSettings> trimming;  ///< null: frames without room are dropped whole
    Ptr<const BufferManager> buffer;       ///< policy of the switches' buffers
    Ptr<const LoadBalancer> balancer;      ///< among equal next hops
    std::array<uint32_t, 8> dwrrWeights{}; ///< bytes per round by priority; 0: strict priority
    Tick nicLatency{0};
    double nicBusBps{0}; ///< payload rate of the bus behind a NIC's port; 0 is unlimited
    /// How hosts take what arrives; its lossless priorities are those of pfc.
    ReceiveBufferSettings receive;
    std::vector<NodeIdx> slowReceivers; ///< hosts that the above is for; empty: all
    bool devices{true}; ///< whether ports get their face to ns-3: nodes with devices
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_SETTINGS_H
