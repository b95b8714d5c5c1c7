// SPDX-License-Identifier: GPL-2.0-only
#include "scale-up-settings.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <charconv>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ScaleUpSettings);

TypeId
ScaleUpSettings::GetTypeId()
{
    using S = ScaleUpSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::ScaleUpSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute(
                "Type",
                "Kind of the network between GPUs: nvswitch, all GPUs around non-blocking "
                "switches.",
                StringValue("nvswitch"),
                MakeStringAccessor(&S::SetType, &S::GetType),
                MakeStringChecker())
            .AddAttribute(
                "SwitchCount",
                "Switches that each GPU's links are spread over; they are modelled as one "
                "of all their links, which is exact for messages that use all links.",
                UintegerValue(4),
                MakeUintegerAccessor(&S::m_switchCount),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LinksPerGpu",
                          "Links of a GPU.",
                          UintegerValue(18),
                          MakeUintegerAccessor(&S::m_linksPerGpu),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LinkBandwidth",
                          "Line rate of one link, per direction (half of what is advertised).",
                          DataRateValue(DataRate("200Gb/s")),
                          MakeDataRateAccessor(&S::m_linkBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("Efficiency",
                          "Share of the line rate that is left for payload after packet headers, "
                          "credits, replay and flags.",
                          DoubleValue(0.824),
                          MakeDoubleAccessor(&S::m_efficiency),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("HopLatency",
                          "Latency of a crossing between a GPU and a switch, the switch's part "
                          "included. From GPU to GPU it counts twice (ASTRA-sim's calibration for "
                          "H100: 936 ns each, 1.87 us together).",
                          TimeValue(NanoSeconds(936)),
                          MakeTimeAccessor(&S::m_hopLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InNetworkReduction",
                          "Whether switches reduce and multicast (NVLS); not modelled yet.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::SetInNetworkReduction, &S::GetInNetworkReduction),
                          MakeBooleanChecker())
            .AddAttribute("CellsPerMessage",
                          "Cells that a message is cut into, as far as their limits allow: cells "
                          "stand for trains of packets, and how finely messages mix does not "
                          "depend on their size.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&S::m_cellsPerMessage),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinCellBytes",
                          "Shortest cell, except for the last of a message.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::m_minCellBytes),
                          MakeUintegerChecker<uint32_t>(16, 1 << 23))
            .AddAttribute("MaxCellBytes",
                          "Longest cell.",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&S::m_maxCellBytes),
                          MakeUintegerChecker<uint32_t>(16, 1 << 23))
            .AddAttribute("CreditBufferBytes",
                          "Buffer at the receiving end of each link, for which its sender has "
                          "credits, or auto: twice what a round trip needs.",
                          StringValue("auto"),
                          MakeStringAccessor(&S::SetCreditBuffer, &S::GetCreditBuffer),
                          MakeTextChecker("auto|number"));
    return tid;
}

double
ScaleUpSettings::GetGpuBandwidth() const
{
    return m_linksPerGpu * m_efficiency * m_linkBandwidth.GetBitRate();
}

uint32_t
ScaleUpSettings::GetCellBytes(uint64_t bytes) const
{
    const uint64_t wanted = bytes / m_cellsPerMessage + (bytes % m_cellsPerMessage > 0);
    return std::clamp<uint64_t>(wanted, m_minCellBytes, m_maxCellBytes);
}

uint64_t
ScaleUpSettings::GetCreditBufferBytes() const
{
    const double roundTrip = 2 * m_hopLatency.GetSeconds();
    return m_creditBuffer.value_or(static_cast<uint64_t>(2 * roundTrip * GetGpuBandwidth() / 8) +
                                   2 * m_maxCellBytes);
}

void
ScaleUpSettings::Validate() const
{
    if (m_linkBandwidth.GetBitRate() == 0)
    {
        throw ScenarioError("link_bandwidth_gbps", "found 0, expected a rate above 0");
    }
    if (m_switchCount > m_linksPerGpu)
    {
        throw ScenarioError("switch_count",
                            "found " + std::to_string(m_switchCount) + ", expected at most the " +
                                std::to_string(m_linksPerGpu) +
                                " of links_per_gpu: every GPU has a link to every switch");
    }
    if (m_minCellBytes > m_maxCellBytes)
    {
        throw ScenarioError("min_cell_bytes",
                            "found " + std::to_string(m_minCellBytes) + ", expected at most the " +
                                std::to_string(m_maxCellBytes) + " of max_cell_bytes");
    }
}

void
ScaleUpSettings::SetType(std::string type)
{
    if (type != "nvswitch")
    {
        throw ScenarioError("type",
                            "unknown type '" + type + "'" + SuggestFrom(type, {"nvswitch"}));
    }
}

std::string
ScaleUpSettings::GetType() const
{
    return "nvswitch";
}

void
ScaleUpSettings::SetInNetworkReduction(bool enabled)
{
    if (enabled)
    {
        throw ScenarioError("in_network_reduction",
                            "found true, expected false: reduction in switches is not modelled");
    }
}

bool
ScaleUpSettings::GetInNetworkReduction() const
{
    return false;
}

void
ScaleUpSettings::SetCreditBuffer(std::string text)
{
    m_creditBuffer.reset();
    if (text == "auto")
    {
        return;
    }
    uint64_t bytes = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, bytes);
    if (error != std::errc() || rest != end || bytes == 0)
    {
        throw ScenarioError("credit_buffer_bytes",
                            "found " + text + ", expected a number of bytes above 0 or \"auto\"");
    }
    m_creditBuffer = bytes;
}

std::string
ScaleUpSettings::GetCreditBuffer() const
{
    return m_creditBuffer ? std::to_string(*m_creditBuffer) : "auto";
}

} // namespace ns3::aifabric
