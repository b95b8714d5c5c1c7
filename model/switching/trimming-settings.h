// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRIMMING_SETTINGS_H
#define AIFABRIC_TRIMMING_SETTINGS_H

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Packet trimming by switches: data frames that find no room lose their payload, and their headers
 * go on, ahead of others (Cheng et al., NSDI'14; Handley et al., SIGCOMM'17; Ultra Ethernet).
 */
class TrimmingSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return priorities whose data frames are trimmed, one bit each; 0 where trimming is off.
    uint8_t GetTrimmedMask() const
    {
        return m_enabled ? m_mask : 0;
    }

    /// @return 802.1Q priority of what is left.
    uint8_t GetPriority() const
    {
        return static_cast<uint8_t>(m_priority);
    }

    /// @return length of what is left, unless its headers are longer.
    uint32_t GetSizeBytes() const
    {
        return m_sizeBytes;
    }

    /// @return length that a queue may have before frames are trimmed though there is room; 0: any.
    uint32_t GetQueueBytes() const
    {
        return m_queueBytes;
    }

  private:
    void SetPriorities(std::string json);
    std::string GetPriorities() const;

    bool m_enabled;
    uint8_t m_mask{0};
    uint32_t m_priority;
    uint32_t m_sizeBytes;
    uint32_t m_queueBytes;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRIMMING_SETTINGS_H
