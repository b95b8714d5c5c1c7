// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PCIE_SETTINGS_H
#define AIFABRIC_PCIE_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scaleup
 * The PCIe path between a NIC and the memory of its GPU: the block "node.pcie" of a scenario. There
 * are no frames on it: it limits the rate at which the NIC reads what it sends and writes what it
 * receives.
 *
 * PCI Express Base Specification: symbol encoding, TLP framing, credit units. Rates of other paths
 * than through one PCIe switch are planning values and measurements around NCCL (src/graph/topo.h;
 * NVIDIA/nccl issue 412).
 */
class PcieSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return bit/s after symbol encoding: what TLPs and DLLPs share.
    double GetRawRate() const;
    /// @return bit/s of payload in TLPs of the maximum payload size, back to back.
    double GetTlpPayloadRate() const;
    /// @return bit/s of payload that the NIC writes to the GPU's memory (posted writes).
    double GetWriteRate() const;
    /// @return bit/s of payload that the NIC reads from the GPU's memory.
    double GetReadRate() const;

  private:
    void SetPath(std::string path);
    std::string GetPath() const;
    void SetMaxPayload(uint32_t bytes);
    uint32_t GetMaxPayload() const;
    void SetMaxReadRequest(uint32_t bytes);
    uint32_t GetMaxReadRequest() const;
    void SetLanes(uint32_t lanes);
    uint32_t GetLanes() const;
    double GetPathRate() const;

    uint32_t m_generation;
    uint32_t m_lanes;
    uint32_t m_maxPayloadBytes;
    uint32_t m_maxReadRequestBytes;
    uint32_t m_postedDataCredits;
    uint32_t m_readTags;
    Time m_roundTrip;
    double m_dllpOverhead;
    double m_hostBridgeRatio;
    DataRate m_interSocketBandwidth;
    std::string m_path;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PCIE_SETTINGS_H
