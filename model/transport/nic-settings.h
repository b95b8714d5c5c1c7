// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_NIC_SETTINGS_H
#define AIFABRIC_NIC_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * A network interface card: the block `node.nic` of a scenario.
 */
class NicSettings : public Object
{
  public:
    static TypeId GetTypeId();

    DataRate bandwidth;     ///< of each port
    uint32_t ports;         ///< how many face the network
    Time processingLatency; ///< see RdmaNic
    DataRate receiveRate;   ///< see ReceiveBuffer; 0: no such buffer
    uint32_t receiveBufferBytes;
    uint32_t receiveXoffBytes;
    uint32_t receiveXonBytes;
    std::string receiveRateHosts; ///< hosts that the rate is for, as traffic names them
};

} // namespace ns3::aifabric

#endif // AIFABRIC_NIC_SETTINGS_H
