// SPDX-License-Identifier: GPL-2.0-only
#include "captured-frames.h"
#include "error-of.h"
#include "fabric-bed.h"
#include "temporary-folder.h"

#include "ns3/frame-codec.h"
#include "ns3/pcap-capture.h"

#include <cstdlib>
#include <filesystem>
#include <map>

namespace ns3::aifabric::test
{
namespace
{

/// A WRITE of four frames and a SEND of one over a star, seen at the sender's and at the switch's end.
class PcapCaptures : public ::testing::Test
{
  protected:
    void Transfer(double lossProbability)
    {
        m_bed.Set("HostCount", 3);
        m_bed.SetLinks({100e9, kMicrosecond, lossProbability, 0});
        Fabric& fabric = m_bed.Build();
        PcapCapture atHost(m_atHost, FrameCodec());
        PcapCapture atSwitch(m_atSwitch, FrameCodec());
        fabric.Capture(m_bed.Find("host0"), 0, atHost);
        fabric.Capture(m_bed.Find("leaf0"), 0, atSwitch);
        CompletionQueue completions([](const WorkCompletion&) {});
        QueuePairs pair = m_bed.Connect(0, 1, completions);
        pair.receiver->PostReceive({});
        pair.sender->PostSend({1, 3 * 4096 + 1000});
        pair.sender->PostSend({2, m_sendBytes, WrOpcode::Send});
        Simulator::Run();
        EXPECT_FALSE(std::filesystem::exists(m_atHost));
        atHost.Close();
        atSwitch.Close();
        EXPECT_TRUE(std::filesystem::exists(m_atHost));
    }

    uint64_t m_sendBytes{0};
    TemporaryFolder m_folder;
    std::string m_atHost{m_folder.Path() + "/host0.pcap"};
    std::string m_atSwitch{m_folder.Path() + "/leaf0.pcap"};
    FabricBed m_bed{"star"};
};

TEST_F(PcapCaptures, HaveEveryFrameAtItsInstant)
{
    Transfer(0);
    const std::vector<Captured> host = ReadCapture(m_atHost);
    const std::vector<Captured> leaf = ReadCapture(m_atSwitch);
    ASSERT_EQ(host.size(), 10U);
    ASSERT_EQ(leaf.size(), 10U);
    const Opcode sent[] = {Opcode::WriteFirst,
                           Opcode::WriteMiddle,
                           Opcode::WriteMiddle,
                           Opcode::WriteLast,
                           Opcode::SendOnly};
    // RETH in the first; an empty frame is padded to 64 bytes; 20 bytes of preamble and gap; 12.5
    // bytes take a nanosecond.
    const uint32_t bytes[] = {62 + 16 + 4096, 62 + 4096, 62 + 4096, 62 + 1000, 64};
    double start = host[0].at;
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_EQ(host[i].frame.op, sent[i]);
        EXPECT_EQ(host[i].frame.bytes, bytes[i]);
        EXPECT_NEAR(host[i].at, start, 1);
        start += (bytes[i] + 20) / 12.5;
        // The switch has the frame when its last byte and the gap after it have come.
        EXPECT_EQ(leaf[i].frame.op, sent[i]);
        EXPECT_NEAR(leaf[i].at, start + 1000, 1);
        // Its ACK leaves the switch and comes to the host.
        EXPECT_EQ(host[5 + i].frame.op, Opcode::Acknowledge);
        EXPECT_EQ(host[5 + i].frame.bytes, 66U);
        EXPECT_EQ(host[5 + i].frame.hops, 1);
        EXPECT_NEAR(host[5 + i].at, leaf[5 + i].at + 1000 + 86 / 12.5, 1);
    }
    EXPECT_EQ(host[0].frame.length, 3 * 4096 + 1000U);
}

// Every operation of the verbs has as many bytes as the simulated link carries.
TEST_F(PcapCaptures, HaveTheBytesThatTheLinkCounts)
{
    m_bed.Set("HostCount", 2);
    m_bed.responds = true;
    Fabric& fabric = m_bed.Build();
    PcapCapture capture(m_atHost, FrameCodec());
    fabric.Capture(m_bed.Find("host0"), 0, capture);
    CompletionQueue completions(
        [](const WorkCompletion& c) { EXPECT_EQ(c.status, WcStatus::Success); });
    QueuePairs pair = m_bed.Connect(0, 1, completions);
    for (WrOpcode operation : {WrOpcode::Write,
                               WrOpcode::WriteWithImmediate,
                               WrOpcode::Send,
                               WrOpcode::SendWithImmediate,
                               WrOpcode::Read})
    {
        for (uint64_t bytes : {0, 5, 5001, 12288})
        {
            pair.receiver->PostReceive({});
            pair.sender->PostSend({1, bytes, operation});
        }
    }
    pair.sender->PostSend({1, 8, WrOpcode::FetchAdd});
    pair.sender->PostSend({1, 8, WrOpcode::CompareSwap});
    Simulator::Run();
    capture.Close();
    uint64_t bytes = 0;
    std::map<Opcode, uint64_t> kinds;
    const std::vector<Captured> frames = ReadCapture(m_atHost);
    for (const Captured& captured : frames)
    {
        bytes += captured.bytes.size();
        ++kinds[captured.frame.op];
    }
    const PortCounters& out = fabric.GetHostPort(0).GetCounters();
    const PortCounters& back = fabric.GetPort(m_bed.Find("leaf0"), 0).GetCounters();
    EXPECT_EQ(frames.size(), out.frames + back.frames);
    EXPECT_EQ(bytes, out.bytes + back.bytes);
    EXPECT_EQ(kinds[Opcode::ReadRequest], 4U);
    EXPECT_EQ(kinds[Opcode::ReadResponseFirst], 2U);
    EXPECT_EQ(kinds[Opcode::ReadResponseOnly], 2U);
    EXPECT_EQ(kinds[Opcode::SendLastImmediate], 2U);
    EXPECT_EQ(kinds[Opcode::WriteOnlyImmediate], 2U);
    EXPECT_EQ(kinds[Opcode::AtomicAcknowledge], 2U);
}

TEST_F(PcapCaptures, WhatTheLinkDestroysIsSentAndNotReceived)
{
    Transfer(0.2);
    const std::vector<Captured> host = ReadCapture(m_atHost);
    const std::vector<Captured> leaf = ReadCapture(m_atSwitch);
    const EgressPort& out = m_bed.GetFabric().GetHostPort(0);
    const EgressPort& back = m_bed.GetFabric().GetPort(m_bed.Find("leaf0"), 0);
    EXPECT_GT(out.GetCounters().lost + back.GetCounters().lost, 0U);
    EXPECT_EQ(host.size(),
              out.GetCounters().frames + back.GetCounters().frames - back.GetCounters().lost);
    EXPECT_EQ(leaf.size(),
              out.GetCounters().frames + back.GetCounters().frames - out.GetCounters().lost);
    for (std::size_t i = 1; i < host.size(); ++i)
    {
        EXPECT_LE(host[i - 1].at, host[i].at);
    }
}

// Wireshark's dissectors know every frame and find nothing to complain about.
TEST_F(PcapCaptures, AreWhatWiresharkTakesThemFor)
{
    if (std::system("tshark --version > /dev/null 2>&1") != 0)
    {
        GTEST_SKIP() << "there is no tshark here";
    }
    // The dissector looks for an application's header in an empty SEND as well, and finds none.
    m_sendBytes = 100;
    Transfer(0);
    const std::string out = m_folder.Path() + "/out";
    auto count = [&](const std::string& filter) {
        const std::string command = "tshark -o eth.check_fcs:TRUE -r " + m_atHost + " -Y '" +
                                    filter + "' > " + out + " 2> /dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0);
        std::ifstream lines(out);
        return std::count(std::istreambuf_iterator<char>(lines), {}, '\n');
    };
    EXPECT_EQ(count("infiniband"), 10);
    EXPECT_EQ(count("infiniband.bth.opcode == 6 && infiniband.reth.dmalen == 13288"), 1);
    EXPECT_EQ(count("infiniband.bth.opcode == 4"), 1);
    EXPECT_EQ(count("infiniband.aeth.msn"), 5);
    EXPECT_EQ(count("eth.fcs.status == 1"), 10);
    EXPECT_EQ(count("_ws.malformed || _ws.expert.severity >= 0x600000"), 0);
}

TEST(PcapCapture, AFolderThatIsNotThereIsToldOf)
{
    EXPECT_NE(ErrorOf([] {
                  PcapCapture("/nowhere/at/all.pcap", FrameCodec());
              }).find("/nowhere/at/all.pcap can't be written: No such file or directory"),
              std::string::npos);
}

} // namespace
} // namespace ns3::aifabric::test
