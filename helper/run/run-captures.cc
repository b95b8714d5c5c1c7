// SPDX-License-Identifier: GPL-2.0-only
#include "run-captures.h"

#include "ns3/fabric.h"
#include "ns3/output-settings.h"
#include "ns3/pcap-capture.h"
#include "ns3/whole-file.h"

#include <sys/resource.h>

namespace ns3::aifabric
{

namespace
{

/// A file for each port of a large network is more than most systems allow unless asked.
void
AllowManyFiles()
{
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

} // namespace

RunCaptures::RunCaptures(const Fabric& fabric,
                         const OutputSettings& outputs,
                         const std::string& folder)
{
    const auto ports = outputs.FindCapturedPorts(fabric.GetGraph());
    if (folder.empty() || ports.empty())
    {
        return;
    }
    MakeOutputFolder(folder);
    AllowManyFiles();
    for (const auto& [name, port] : ports)
    {
        m_captures.push_back(
            std::make_unique<PcapCapture>(folder + "/" + name + ".pcap", FrameCodec()));
        fabric.Capture(port.first, port.second, *m_captures.back());
    }
}

RunCaptures::~RunCaptures() = default;

void
RunCaptures::Close()
{
    for (const auto& capture : m_captures)
    {
        capture->Close();
    }
}

} // namespace ns3::aifabric
