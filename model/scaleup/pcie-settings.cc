// SPDX-License-Identifier: GPL-2.0-only
#include "pcie-settings.h"

#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PcieSettings);

namespace
{

/// The names of nvidia-smi and NCCL: one PCIe switch, several, over NVLink to a GPU that is near
/// the NIC, through the host bridge of a CPU, from socket to socket.
const std::vector<std::string> kPaths{"PIX", "PXB", "PXN", "PHB", "SYS"};

/// Refuses what is no power of two in a range.
void
CheckPower(const char* key, uint32_t found, uint32_t lowest, uint32_t highest)
{
    if (found < lowest || found > highest || found & (found - 1))
    {
        throw ScenarioError(key,
                            "found " + std::to_string(found) + ", expected a power of two from " +
                                std::to_string(lowest) + " to " + std::to_string(highest));
    }
}

} // namespace

TypeId
PcieSettings::GetTypeId()
{
    using S = PcieSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::PcieSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Generation",
                          "PCIe generation, 3 to 6: 8, 16, 32, 64 GT/s per lane.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&S::m_generation),
                          MakeUintegerChecker<uint32_t>(3, 6))
            .AddAttribute("Lanes",
                          "Lanes of the NIC's slot.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::SetLanes, &S::GetLanes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxPayloadSizeBytes",
                          "Largest payload of a TLP.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&S::SetMaxPayload, &S::GetMaxPayload),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxReadRequestBytes",
                          "Most that one read asks for.",
                          UintegerValue(512),
                          MakeUintegerAccessor(&S::SetMaxReadRequest, &S::GetMaxReadRequest),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PostedDataCredits",
                          "Buffer of the far end for posted writes, in units of 16 B.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::m_postedDataCredits),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReadTags",
                          "Reads that may be under way at the same time.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&S::m_readTags),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RoundTripTime",
                          "From a write to the return of its credits, and from a read to its data.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&S::m_roundTrip),
                          MakeTimeChecker(Time(1)))
            .AddAttribute(
                "DllpOverheadRatio",
                "Share that acknowledgements and credit updates take: 2 to 5 %; 5 % gives "
                "the 54.8 GB/s measured on an H100 with generation 5.",
                DoubleValue(0.05),
                MakeDoubleAccessor(&S::m_dllpOverhead),
                MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("GpuNicPath",
                          "How GPU and NIC are connected: PIX, PXB, PXN, PHB or SYS.",
                          StringValue("PIX"),
                          MakeStringAccessor(&S::SetPath, &S::GetPath),
                          MakeStringChecker())
            .AddAttribute("HostBridgeRatio",
                          "Share of the rate that is left through the host bridge of a CPU (PHB, "
                          "SYS): 16 of 24 GB/s measured.",
                          DoubleValue(2.0 / 3),
                          MakeDoubleAccessor(&S::m_hostBridgeRatio),
                          MakeDoubleChecker<double>(1e-3, 1))
            .AddAttribute("InterSocketBandwidth",
                          "Rate between sockets (SYS); NCCL plans with 22 GB/s on Sapphire Rapids.",
                          DataRateValue(DataRate("176Gb/s")),
                          MakeDataRateAccessor(&S::m_interSocketBandwidth),
                          MakeDataRateChecker());
    return tid;
}

double
PcieSettings::GetRawRate() const
{
    // 128b/130b up to generation 5; generation 6 codes in FLITs of 256 B without expansion.
    const double transfers = 8e9 * (1 << (m_generation - 3)) * m_lanes;
    return m_generation < 6 ? transfers * 128 / 130 : transfers;
}

double
PcieSettings::GetTlpPayloadRate() const
{
    // Framing and sequence number 4 B, header 16 B, LCRC 4 B. In a FLIT, which has 236 B for TLPs,
    // only the header is left of it, with one dword of its extension.
    const double overhead = m_generation < 6 ? 24 : 20;
    const double share = m_generation < 6 ? 1 : 236.0 / 256;
    return GetRawRate() * share * m_maxPayloadBytes / (m_maxPayloadBytes + overhead);
}

double
PcieSettings::GetWriteRate() const
{
    const double window = 8 * 16.0 * m_postedDataCredits;
    return std::min(GetPathRate(), window / m_roundTrip.GetSeconds());
}

double
PcieSettings::GetReadRate() const
{
    const double window = 8.0 * m_readTags * m_maxReadRequestBytes;
    return std::min(GetPathRate(), window / m_roundTrip.GetSeconds());
}

double
PcieSettings::GetPathRate() const
{
    const double rate = GetTlpPayloadRate() * (1 - m_dllpOverhead);
    if (m_path == "PHB")
    {
        return rate * m_hostBridgeRatio;
    }
    if (m_path == "SYS")
    {
        return std::min<double>(rate * m_hostBridgeRatio, m_interSocketBandwidth.GetBitRate());
    }
    return rate;
}

void
PcieSettings::SetPath(std::string path)
{
    if (std::find(kPaths.begin(), kPaths.end(), path) == kPaths.end())
    {
        throw ScenarioError("gpu_nic_path",
                            "unknown path '" + path + "'" + SuggestFrom(path, kPaths));
    }
    m_path = path;
}

std::string
PcieSettings::GetPath() const
{
    return m_path;
}

void
PcieSettings::SetMaxPayload(uint32_t bytes)
{
    CheckPower("max_payload_size_bytes", bytes, 128, 4096);
    m_maxPayloadBytes = bytes;
}

uint32_t
PcieSettings::GetMaxPayload() const
{
    return m_maxPayloadBytes;
}

void
PcieSettings::SetMaxReadRequest(uint32_t bytes)
{
    CheckPower("max_read_request_bytes", bytes, 128, 4096);
    m_maxReadRequestBytes = bytes;
}

uint32_t
PcieSettings::GetMaxReadRequest() const
{
    return m_maxReadRequestBytes;
}

void
PcieSettings::SetLanes(uint32_t lanes)
{
    CheckPower("lanes", lanes, 1, 32);
    m_lanes = lanes;
}

uint32_t
PcieSettings::GetLanes() const
{
    return m_lanes;
}

} // namespace ns3::aifabric
