// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PFC_SETTINGS_H
#define AIFABRIC_PFC_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Priority flow control (IEEE 802.1Qbb) of all switches of a fabric.
 */
class PfcSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return priorities that pause their sender, one bit each; 0 where PFC is off.
    uint8_t GetLosslessMask() const
    {
        return m_enabled ? m_mask : 0;
    }

    /// @return what the user gave, or nothing where it is to be computed.
    std::optional<uint64_t> GetHeadroomBytes() const
    {
        return m_headroom;
    }

    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return length asked for in pause frames: quanta, or kStickyPause.
    uint32_t GetQuanta() const;

    /// @return how long the far end may go on sending once it has the pause frame.
    Time GetResponseTime() const
    {
        return m_responseTime;
    }

  private:
    void SetPriorities(std::string json);
    std::string GetPriorities() const;
    void SetHeadroom(std::string json);
    std::string GetHeadroom() const;

    bool m_enabled;
    uint8_t m_mask{0};
    std::optional<uint64_t> m_headroom;
    double m_alpha;
    uint32_t m_quanta;
    bool m_sticky;
    Time m_responseTime;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PFC_SETTINGS_H
