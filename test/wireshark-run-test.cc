// SPDX-License-Identifier: GPL-2.0-only
// A whole run with every operation, as Wireshark's dissectors read its capture.
#include "captured-frames.h"
#include "fabric-bed.h"
#include "tshark.h"
#include "wire-bytes.h"

#include "ns3/address-handle.h"
#include "ns3/ecn-settings.h"
#include "ns3/frame-extension.h"
#include "ns3/frame-tap.h"
#include "ns3/pcap-capture.h"
#include "ns3/protection-domain.h"

#include <map>
#include <optional>
#include <set>

namespace ns3::aifabric::test
{
namespace
{

/// Names of opcodes (IBA vol. 1, table 38) as Wireshark spells them.
const std::map<int, std::string> kNames = {
    {0x00, "RC Send First"},
    {0x01, "RC Send Middle"},
    {0x02, "RC Send Last"},
    {0x03, "RC Send Last Immediate"},
    {0x04, "RC Send Only"},
    {0x05, "RC Send Only Immediate"},
    {0x06, "RC RDMA Write First"},
    {0x07, "RC RDMA Write Middle"},
    {0x08, "RC RDMA Write Last"},
    {0x09, "RC RDMA Write Last Immediate"},
    {0x0A, "RC RDMA Write Only"},
    {0x0B, "RC RDMA Write Only Immediate"},
    {0x0C, "RC RDMA Read Request"},
    {0x0D, "RC RDMA Read Response First"},
    {0x0E, "RC RDMA Read Response Middle"},
    {0x0F, "RC RDMA Read Response Last"},
    {0x10, "RC RDMA Read Response Only"},
    {0x11, "RC Acknowledge"},
    {0x12, "RC Atomic Acknowledge"},
    {0x13, "RC Compare Swap"},
    {0x14, "RC Fetch Add"},
    {0x16, "RC Send Last Invalidate"},
    {0x17, "RC Send Only Invalidate"},
    {0x20, "UC Send First"},
    {0x21, "UC Send Middle"},
    {0x22, "UC Send Last"},
    {0x23, "UC Send Last Immediate"},
    {0x24, "UC Send Only"},
    {0x25, "UC Send Only Immediate"},
    {0x26, "UC RDMA Write First"},
    {0x27, "UC RDMA Write Middle"},
    {0x28, "UC RDMA Write Last"},
    {0x29, "UC RDMA Write Last Immediate"},
    {0x2A, "UC RDMA Write Only"},
    {0x2B, "UC RDMA Write Only Immediate"},
    {0x64, "UD Send Only"},
    {0x65, "UD Send Only Immediate"},
    {0x81, "Unknown OpCode"}, // version 4.0 has the CNP by another number than NICs send
};

const char* const kFields[] = {"_ws.col.Protocol",
                               "_ws.col.Info",
                               "infiniband.bth.opcode",
                               "infiniband.bth.psn",
                               "infiniband.bth.destqp",
                               "infiniband.aeth.syndrome",
                               "macc.opcode",
                               "eth.fcs.status",
                               "_ws.malformed",
                               "_ws.expert.severity"};

/// What a port sends and receives, as the simulation has it.
struct Log final : FrameTap
{
    void OnFrame(const Frame& f, Tick, Tick, bool lost) override
    {
        if (f.op == Opcode::Pause)
        {
            ++pauses;
            return;
        }
        std::ostringstream line;
        line << static_cast<int>(f.op) << ' ' << f.psn << ' ' << f.flow;
        frames.insert(line.str());
        EXPECT_FALSE(lost);
    }

    std::multiset<std::string> frames;
    int pauses{0};
};

/**
 * Host 0 does all that there is with host 1, which has no receive at first; a frame is lost behind the
 * switch. Host 2 writes to host 1 at the same time: the switch marks, and pauses both.
 */
class WiresharkRun : public ::testing::Test
{
  protected:
    static constexpr uint32_t kMtu = 1024;
    static constexpr uint32_t kBytes = 2 * kMtu + 51; ///< in three frames

    WiresharkRun()
        : m_bed("star")
    {
        m_bed.Set("HostCount", 3);
        m_bed.SetSwitches({0, 300000, 0});
        m_bed.settings.mtuPayloadBytes = kMtu;
        m_bed.settings.ecn =
            Make<EcnSettings>({{"KminBytes", "5000"}, {"KmaxBytes", "20000"}, {"Pmax", "1"}});
        m_bed.control =
            With(MakePlugin<CongestionControl>("dcqcn"), AttributeTexts{{"Notification", "cnp"}});
        m_bed.transport->minRnrTimer = 4;
        m_bed.responds = true;
        Fabric& fabric = m_bed.Build();
        m_transport.emplace(m_bed.transport, m_bed.control);
        for (NodeIdx host = 0; host < 2; ++host)
        {
            m_domain[host].emplace(fabric.GetNic(host));
            m_region[host] =
                m_domain[host]->Register(m_memory[host], sizeof(m_memory[host]), kAllAccess);
        }
        m_bed.Intercept(m_bed.Find("leaf0"), 1, m_tamper);
        m_tamper.lose = [done = false](Frame& f, Tick) mutable {
            return f.op == Opcode::WriteMiddle && f.src == 0 && !std::exchange(done, true);
        };
    }

    /// Connects host 0 with host 1, memory and all.
    QueuePairs ConnectKeyed(QpType type)
    {
        QueuePair* made[2];
        for (NodeIdx host = 0; host < 2; ++host)
        {
            QueuePairInit init;
            init.type = type;
            init.profile = m_transport->GetProfile(m_bed.GetFabric(), host);
            init.sendQueue = init.receiveQueue = &m_completions;
            init.domain = &*m_domain[host];
            made[host] = &m_bed.GetFabric().GetNic(host).CreateQueuePair(init);
        }
        for (NodeIdx host = 0; host < 2; ++host)
        {
            const AddressVector path{1 - host, -1, 0, 4 * kMicrosecond};
            EXPECT_EQ(made[host]->Connect(path, made[1 - host]->GetNumber()), Status::Ok);
        }
        m_bed.pairs.push_back({made[0], made[1]});
        return m_bed.pairs.back();
    }

    void Post(QueuePair& q, WrOpcode opcode, uint32_t bytes)
    {
        WorkRequest r;
        r.opcode = opcode;
        r.bytes = bytes;
        r.address = m_region[0]->GetAddress();
        r.localKey = bytes > 0 ? m_region[0]->GetKey() : 0;
        r.remoteAddress = m_region[1]->GetAddress();
        r.remoteKey = m_region[1]->GetKey();
        r.immediate = 0x1234;
        if (opcode == WrOpcode::SendWithInvalidate)
        {
            r.immediate = m_domain[1]->RegisterAddresses(64, 64, kRemoteRead)->GetKey();
        }
        if (q.GetType() == QpType::Ud)
        {
            r.addressHandle = &m_handle;
            r.remoteNumber = m_datagrams->GetNumber();
        }
        ASSERT_EQ(q.PostSend(r), Status::Ok);
        ++m_posted;
    }

    /// Posts everything. @return queue pairs that need receives.
    std::vector<QueuePair*> PostAll()
    {
        QueuePairs rc = ConnectKeyed(QpType::Rc);
        QueuePairs uc = ConnectKeyed(QpType::Uc);
        QueuePairs ud = ConnectKeyed(QpType::Ud);
        m_datagrams = ud.receiver;
        for (uint32_t bytes : {kBytes, kMtu - 3})
        {
            for (WrOpcode opcode : {WrOpcode::Send,
                                    WrOpcode::SendWithImmediate,
                                    WrOpcode::SendWithInvalidate,
                                    WrOpcode::Write,
                                    WrOpcode::WriteWithImmediate,
                                    WrOpcode::Read})
            {
                Post(*rc.sender, opcode, bytes);
            }
            for (WrOpcode opcode : {WrOpcode::Send,
                                    WrOpcode::SendWithImmediate,
                                    WrOpcode::Write,
                                    WrOpcode::WriteWithImmediate})
            {
                Post(*uc.sender, opcode, bytes);
            }
        }
        Post(*rc.sender, WrOpcode::CompareSwap, kAtomicBytes);
        Post(*rc.sender, WrOpcode::FetchAdd, kAtomicBytes);
        Post(*rc.sender, WrOpcode::Send, 0);
        Post(*ud.sender, WrOpcode::Send, 500);
        Post(*ud.sender, WrOpcode::SendWithImmediate, 501);
        return {rc.receiver, uc.receiver, ud.receiver};
    }

    static void GiveReceives(QueuePair& q)
    {
        for (int i = 0; i < 10; ++i)
        {
            ASSERT_EQ(q.PostReceive({}), Status::Ok);
        }
    }

    void Run(const std::string& path)
    {
        Fabric& fabric = m_bed.GetFabric();
        PcapCapture capture(path, FrameCodec());
        fabric.Capture(m_bed.Find("host0"), 0, capture);
        fabric.GetPort(m_bed.Find("host0"), 0).AddTap(m_log);
        fabric.GetPort(m_bed.Find("leaf0"), 0).AddTap(m_log);
        const std::vector<QueuePair*> receivers = PostAll();
        GiveReceives(*receivers[1]);
        GiveReceives(*receivers[2]);
        Simulator::Schedule(MicroSeconds(20), [&] { GiveReceives(*receivers[0]); });
        for (NodeIdx host : {0, 2})
        {
            Post(*m_bed.Connect(host, 1, m_completions).sender, WrOpcode::Write, 200000);
        }
        Simulator::Run();
        capture.Close();
        // Each request once, and the receives of seven of RC, six of UC and two of UD.
        EXPECT_EQ(m_completed, m_posted + 9 + 6 + 2);
    }

    FabricBed m_bed;
    std::optional<FlowTransport> m_transport;
    Tamper m_tamper;
    int m_posted{0};
    int m_completed{0};
    CompletionQueue m_completions{[this](const WorkCompletion& c) {
        ++m_completed;
        EXPECT_EQ(c.status, WcStatus::Success) << static_cast<int>(c.opcode);
    }};
    alignas(8) std::byte m_memory[2][4096]{};
    std::optional<ProtectionDomain> m_domain[2];
    MemoryRegion* m_region[2];
    AddressHandle m_handle{{1}};
    QueuePair* m_datagrams{nullptr};
    Log m_log;
    TemporaryFolder m_folder;
};

TEST_F(WiresharkRun, IsReadAsWhatItIs)
{
    if (!HasTshark())
    {
        GTEST_SKIP() << "there is no tshark here";
    }
    const std::string path = m_folder.Path() + "/run.pcap";
    Run(path);
    std::multiset<std::string> found;
    std::set<int> opcodes;
    std::map<std::string, int> syndromes;
    int pauses = 0;
    for (const std::string& line : RunTshark(m_folder, path, AskForFields(kFields)))
    {
        std::vector<std::string> field;
        std::istringstream text(line);
        for (std::string value; std::getline(text, value, '\t');)
        {
            field.push_back(value);
        }
        field.resize(std::size(kFields));
        ASSERT_EQ(field[7], "1") << line;
        if (field[6] == "0x0101")
        {
            ++pauses;
            EXPECT_EQ(field[0], "MAC CTRL") << line;
            EXPECT_EQ(field[8] + field[9], "") << line;
            continue;
        }
        const int opcode = std::stoi(field[2]);
        opcodes.insert(opcode);
        found.insert(field[2] + ' ' + field[3] + ' ' +
                     std::to_string(std::stoul(field[4], nullptr, 16)));
        EXPECT_EQ(field[0], "RRoCE") << line;
        const std::string name = kNames.at(opcode);
        EXPECT_EQ(field[1].substr(0, name.size()), name) << line;
        EXPECT_NE(field[1].find_first_not_of(" ", name.size()), std::string::npos);
        if (opcode == 0x11)
        {
            ++syndromes[field[5]];
        }
        EXPECT_EQ(field[8], "") << line;
        EXPECT_EQ(field[9], "") << line;
    }
    EXPECT_EQ(found, m_log.frames);
    for (const auto& [opcode, name] : kNames)
    {
        EXPECT_EQ(opcodes.count(opcode), 1U) << name;
    }
    EXPECT_EQ(pauses, m_log.pauses);
    EXPECT_GT(pauses, 0);
    // A sequence error and a receive that is not ready, with the timer's code 4 (table 45).
    EXPECT_GT(syndromes["31"], 0);
    EXPECT_EQ(syndromes["96"], 1);
    EXPECT_GE(syndromes["36"], 1);
}

// Both check sums, bit by bit, apart from the library that the codec uses.
TEST_F(WiresharkRun, HasTheRightCheckSums)
{
    const std::string path = m_folder.Path() + "/run.pcap";
    Run(path);
    const std::vector<Captured> frames = ReadCapture(path);
    EXPECT_EQ(frames.size(), m_log.frames.size() + m_log.pauses);
    for (const Captured& frame : frames)
    {
        const Bytes& b = frame.bytes;
        EXPECT_EQ(CrcByBits(Slice(b, 0, b.size() - 4)), LowFirst(b, b.size() - 4));
        if (frame.frame.op == Opcode::Pause)
        {
            continue;
        }
        const std::size_t end = 14 + (b[16] << 8 | b[17]) - 4; // of the IP packet, without ICRC
        EXPECT_EQ(InvariantCrcByBits(Slice(b, 14, end)), LowFirst(b, end));
    }
}

} // namespace
} // namespace ns3::aifabric::test
