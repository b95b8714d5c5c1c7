// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PACKET_TRIMMER_H
#define AIFABRIC_PACKET_TRIMMER_H

#include "trimming-settings.h"

#include "ns3/frame.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Cuts the payload off data frames, for a switch, and counts them.
 */
class PacketTrimmer
{
  public:
    /**
     * @param settings which frames, and what becomes of them.
     * @param alignmentBytes to a multiple of which payload is padded, a power of two.
     * @param ports of the switch.
     */
    PacketTrimmer(const TrimmingSettings& settings, uint32_t alignmentBytes, uint32_t ports)
        : m_mask(settings.GetTrimmedMask()),
          m_priority(settings.GetPriority()),
          m_sizeBytes(settings.GetSizeBytes()),
          m_queueBytes(settings.GetQueueBytes()),
          m_alignmentBytes(alignmentBytes),
          m_trimmed(ports)
    {
    }

    /// @return whether a frame that finds no room loses its payload, but goes on.
    bool Trims(const Frame& f) const
    {
        return m_mask >> f.priority & 1 && CarriesPayload(f.op) && !(f.flags & kTrimmed);
    }

    /// @return whether a frame loses its payload in any case. @param queued bytes that it would wait
    /// behind.
    bool TrimsAt(const Frame& f, uint32_t queued) const
    {
        return m_queueBytes > 0 && queued + f.bytes > m_queueBytes && Trims(f);
    }

    /// Does it. @param out the port that it is to leave by.
    void Trim(Frame& f, PortIdx out)
    {
        const uint32_t padded = (f.payload + m_alignmentBytes - 1) & ~(m_alignmentBytes - 1);
        f.bytes = std::min(f.bytes, std::max(f.bytes - padded, m_sizeBytes));
        f.payload = 0;
        f.priority = m_priority;
        f.flags |= kTrimmed;
        ++m_trimmed[out];
    }

    /// @return frames trimmed on their way to that port.
    uint64_t GetTrimmed(PortIdx out) const
    {
        return m_trimmed[out];
    }

  private:
    uint8_t m_mask;
    uint8_t m_priority;
    uint32_t m_sizeBytes;
    uint32_t m_queueBytes;
    uint32_t m_alignmentBytes;
    std::vector<uint64_t> m_trimmed; ///< by port
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PACKET_TRIMMER_H
