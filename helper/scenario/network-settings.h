// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_NETWORK_SETTINGS_H
#define AIFABRIC_NETWORK_SETTINGS_H

#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * What holds for a whole network: the keys of the block `network` that have no block of their own.
 */
class NetworkSettings : public Object
{
  public:
    enum Mode
    {
        kPacket ///< every frame is simulated
    };

    /// Which headers a data frame carries, hence how long it is.
    enum Headers
    {
        kRoceV2, ///< Ethernet, IPv4, UDP, BTH, ICRC
        kHpcc    ///< the overhead that HPCC's simulator counts
    };

    static TypeId GetTypeId();

    Mode mode;
    Headers headerProfile;
    uint32_t mtuPayloadBytes; ///< most payload of a frame

    /// @return by 802.1Q priority: bytes that it may send per round; 0 where it has strict priority.
    const std::array<uint32_t, 8>& GetQuanta() const
    {
        return m_quanta;
    }

  private:
    void SetQueues(std::string json);
    std::string GetQueues() const;

    std::array<uint32_t, 8> m_quanta{};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_NETWORK_SETTINGS_H
