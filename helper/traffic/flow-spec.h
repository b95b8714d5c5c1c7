// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FLOW_SPEC_H
#define AIFABRIC_FLOW_SPEC_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * One message that one host writes to another: what traffic patterns produce.
 */
struct FlowSpec
{
    uint32_t source{0};          ///< host
    uint32_t destination{0};     ///< host, another than source
    uint64_t bytes{0};           ///< payload; 0 is a message without payload
    Tick start{0};               ///< when it is posted
    uint32_t entry{0};           ///< index in the scenario's traffic list: whose transport it has
    uint16_t destinationPort{0}; ///< UDP port where the header profile has a free one; 0: any
    uint8_t priority{3};         ///< 802.1Q priority, 0 to 7
    std::string tag;             ///< for grouping in results
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FLOW_SPEC_H
