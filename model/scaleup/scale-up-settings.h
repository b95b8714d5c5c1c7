// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCALE_UP_SETTINGS_H
#define AIFABRIC_SCALE_UP_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-scaleup Scale-up network
 * @ingroup ai-fabric
 *
 * What is inside a server: NVLink, NVSwitch and the PCIe path of its NICs.
 */

/**
 * @ingroup ai-fabric-scaleup
 * The network between the GPUs of a server or rack: the block "node.scale_up" of a scenario. The
 * defaults are an HGX H100: 18 links of 25 GB/s per direction, of which NCCL's planner counts on
 * 20.6 GB/s each (nccl src/graph/topo.h), 370.8 GB/s per GPU.
 *
 * Values that cannot be, and kinds that are not modelled, are refused when they are set, with a
 * ScenarioError below the key.
 */
class ScaleUpSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return bit/s of payload that a GPU sends, and at the same time receives, at most.
    double GetGpuBandwidth() const;

    /// @return latency of one link, see HopLatency.
    Time GetHopLatency() const
    {
        return m_hopLatency;
    }

    /**
     * @param bytes of a message.
     * @return size of the cells that it is cut into, except for the last, which is what remains.
     */
    uint32_t GetCellBytes(uint64_t bytes) const;

    /// @return size of the longest cell.
    uint32_t GetMaxCellBytes() const
    {
        return m_maxCellBytes;
    }

    /**
     * @return buffer at the receiving end of each link, in bytes: what the user gave, or twice what
     * is under way in a round trip at full rate, and two cells.
     */
    uint64_t GetCreditBufferBytes() const;

    /// @throws ScenarioError if the values contradict each other.
    void Validate() const;

  private:
    void SetType(std::string type);
    std::string GetType() const;
    void SetInNetworkReduction(bool enabled);
    bool GetInNetworkReduction() const;
    void SetCreditBuffer(std::string text);
    std::string GetCreditBuffer() const;

    uint32_t m_switchCount;
    uint32_t m_linksPerGpu;
    DataRate m_linkBandwidth;
    double m_efficiency;
    Time m_hopLatency;
    uint32_t m_minCellBytes;
    uint32_t m_maxCellBytes;
    uint32_t m_cellsPerMessage;
    std::optional<uint64_t> m_creditBuffer;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCALE_UP_SETTINGS_H
