// SPDX-License-Identifier: GPL-2.0-only
#include "pcap-capture.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <ios>
#include <system_error>

namespace ns3::aifabric
{

namespace
{

/// LINKTYPE_ETHERNET; frames end with 4 bytes of FCS (the upper bits of pcap's link type).
constexpr uint32_t kEthernetWithFcs = 0x24000001;
constexpr uint32_t kLongestFrame = 1 << 18;
constexpr Tick kPerNanosecond = 1000;
constexpr Tick kPerSecond = 1'000'000'000'000;

std::string
Aside(const std::filesystem::path& path)
{
    return path.parent_path() / ("." + path.filename().string() + ".part");
}

} // namespace

PcapCapture::PcapCapture(const std::string& path, const FrameCodec& codec)
    : m_path(path),
      m_aside(Aside(path)),
      m_codec(codec)
{
    m_file.Open(m_aside, std::ios::out | std::ios::binary);
    m_file.Init(kEthernetWithFcs, kLongestFrame, PcapFile::ZONE_DEFAULT, false, true);
    if (m_file.Fail())
    {
        Fail();
    }
}

PcapCapture::~PcapCapture()
{
    m_file.Close();
    std::error_code ignored;
    std::filesystem::remove(m_aside, ignored);
}

void
PcapCapture::Close()
{
    while (!m_waiting.empty())
    {
        WriteFirst();
    }
    const bool failed = m_file.Fail();
    m_file.Close();
    if (failed || std::rename(m_aside.c_str(), m_path.c_str()) != 0)
    {
        Fail();
    }
}

void
PcapCapture::Tap::OnFrame(const Frame& f, Tick start, Tick arrival, bool lost)
{
    if (!receives || !lost)
    {
        capture.Add(f, receives ? arrival : start, arrival - start);
    }
}

void
PcapCapture::Add(const Frame& f, Tick at, Tick flight)
{
    if (!FrameCodec::HasBytes(f.op))
    {
        return;
    }
    m_waiting.push({at, m_order++, m_codec.Encode(f)});
    m_latest = std::max(m_latest, at);
    m_longestFlight = std::max(m_longestFlight, flight);
    // An arrival is told a flight ahead, a departure at most one late.
    while (m_waiting.top().at < m_latest - 2 * m_longestFlight)
    {
        WriteFirst();
    }
}

void
PcapCapture::WriteFirst()
{
    const Seen& seen = m_waiting.top();
    m_file.Write(static_cast<uint32_t>(seen.at / kPerSecond),
                 static_cast<uint32_t>(seen.at % kPerSecond / kPerNanosecond),
                 seen.bytes.data(),
                 static_cast<uint32_t>(seen.bytes.size()));
    m_waiting.pop();
}

void
PcapCapture::Fail() const
{
    throw ScenarioError("",
                        m_path + " can't be written: " + std::generic_category().message(errno));
}

} // namespace ns3::aifabric
