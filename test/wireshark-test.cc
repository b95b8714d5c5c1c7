// SPDX-License-Identifier: GPL-2.0-only
// Wireshark's dissectors read what the codec writes: an independent opinion about every operation.
#include "tshark.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-extension.h"
#include "ns3/header-profile.h"
#include "ns3/pcap-capture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

namespace
{

/// Extended headers, as bits.
enum Header
{
    kReth = 1,
    kImmDt = 2,
    kIeth = 4,
    kAeth = 8,
    kAtomicEth = 16,
    kAtomicAckEth = 32,
    kDeth = 64,
    kSack = 128 // this project's own
};

/// A frame, and what it has to be taken for.
struct Row
{
    int opcode;
    uint32_t psn;
    uint32_t payload;
    int headers;
    const char* name; ///< Wireshark's
};

// Messages of 210 bytes in frames of 100, one after the other. Requests are numbered one by one;
// responses have the numbers of what they answer, a READ request as many as its responses.
const Row kConversation[] = {
    {0x00, 1, 100, 0, "RC Send First"},
    {0x01, 2, 100, 0, "RC Send Middle"},
    {0x02, 3, 10, 0, "RC Send Last"},
    {0x11, 3, 0, kAeth, "RC Acknowledge"},
    {0x00, 4, 100, 0, "RC Send First"},
    {0x03, 5, 10, kImmDt, "RC Send Last Immediate"},
    {0x00, 6, 100, 0, "RC Send First"},
    {0x16, 7, 10, kIeth, "RC Send Last Invalidate"},
    {0x04, 8, 99, 0, "RC Send Only"},
    {0x05, 9, 98, kImmDt, "RC Send Only Immediate"},
    {0x17, 10, 97, kIeth, "RC Send Only Invalidate"},
    {0x06, 11, 100, kReth, "RC RDMA Write First"},
    {0x07, 12, 100, 0, "RC RDMA Write Middle"},
    {0x08, 13, 10, 0, "RC RDMA Write Last"},
    {0x06, 14, 100, kReth, "RC RDMA Write First"},
    {0x09, 15, 10, kImmDt, "RC RDMA Write Last Immediate"},
    {0x0A, 16, 99, kReth, "RC RDMA Write Only"},
    {0x0B, 17, 98, kReth | kImmDt, "RC RDMA Write Only Immediate"},
    {0x11, 9, 0, kAeth | kSack, "RC Acknowledge"},
    {0x0C, 18, 0, kReth, "RC RDMA Read Request"},
    {0x0D, 18, 100, kAeth, "RC RDMA Read Response First"},
    {0x0E, 19, 100, 0, "RC RDMA Read Response Middle"},
    {0x0F, 20, 10, kAeth, "RC RDMA Read Response Last"},
    {0x0C, 21, 0, kReth, "RC RDMA Read Request"},
    {0x10, 21, 97, kAeth, "RC RDMA Read Response Only"},
    {0x13, 22, 0, kAtomicEth, "RC Compare Swap"},
    {0x12, 22, 0, kAeth | kAtomicAckEth, "RC Atomic Acknowledge"},
    {0x14, 23, 0, kAtomicEth, "RC Fetch Add"},
    {0x12, 23, 0, kAeth | kAtomicAckEth, "RC Atomic Acknowledge"},
    {0x20, 1, 100, 0, "UC Send First"},
    {0x21, 2, 100, 0, "UC Send Middle"},
    {0x22, 3, 10, 0, "UC Send Last"},
    {0x20, 4, 100, 0, "UC Send First"},
    {0x23, 5, 10, kImmDt, "UC Send Last Immediate"},
    {0x24, 6, 99, 0, "UC Send Only"},
    {0x25, 7, 98, kImmDt, "UC Send Only Immediate"},
    {0x26, 8, 100, kReth, "UC RDMA Write First"},
    {0x27, 9, 100, 0, "UC RDMA Write Middle"},
    {0x28, 10, 10, 0, "UC RDMA Write Last"},
    {0x26, 11, 100, kReth, "UC RDMA Write First"},
    {0x29, 12, 10, kImmDt, "UC RDMA Write Last Immediate"},
    {0x2A, 13, 97, kReth, "UC RDMA Write Only"},
    {0x2B, 14, 96, kReth | kImmDt, "UC RDMA Write Only Immediate"},
    {0x64, 1, 99, kDeth, "UD Send Only"},
    {0x65, 0xFFFFFF, 98, kDeth | kImmDt, "UD Send Only Immediate"},
    // Version 4.0 has the CNP by another number than NICs send, and all its fields none the less.
    {0x81, 0, 0, 0, "Unknown OpCode"},
};

constexpr uint32_t kRequests = 0x000C0D;  ///< queue pair that requests go to
constexpr uint32_t kResponses = 0x000A0B; ///< queue pair that responses go to

/// The fields in the order of Expected(), and the columns before them.
const char* const kFields[] = {"_ws.col.Protocol",
                               "_ws.col.Info",
                               "infiniband.bth.opcode",
                               "infiniband.bth.psn",
                               "infiniband.bth.destqp",
                               "infiniband.bth.padcnt",
                               "infiniband.bth.se",
                               "infiniband.bth.a",
                               "infiniband.reth.va",
                               "infiniband.reth.r_key",
                               "infiniband.reth.dmalen",
                               "infiniband.immdt",
                               "infiniband.ieth",
                               "infiniband.aeth.syndrome",
                               "infiniband.aeth.msn",
                               "infiniband.atomiceth.swapdt",
                               "infiniband.atomiceth.cmpdt",
                               "infiniband.atomicacketh.origremdt",
                               "infiniband.deth.q_key",
                               "infiniband.deth.srcqp",
                               "eth.fcs.status",
                               "_ws.malformed",
                               "_ws.expert.severity"};

/// @return what is found in the fields; nothing in those that the frame has not.
std::string
Expected(const Row& row, int number)
{
    const bool answers = row.headers & kAeth || row.opcode == 0x0E;
    const bool operates = row.opcode != 0x11 && row.opcode != 0x81;
    std::ostringstream line;
    auto field = [&line](bool there, const std::string& value) {
        line << '\t' << (there ? value : "");
    };
    line << "RRoCE\t" << row.name;
    field(true, std::to_string(row.opcode));
    field(true, std::to_string(row.psn));
    field(true, answers ? "0x000a0b" : "0x000c0d");
    field(true, std::to_string(-row.payload & 3));
    field(true, operates && number % 2 ? "1" : "0");
    field(true, operates && number % 3 ? "1" : "0");
    field(row.headers & kReth, "0x00007f0012345678");
    field(row.headers & (kReth | kAtomicEth), "0x1234567a");
    field(row.headers & kReth, "210");
    // Once as the header and once as its only field.
    field(row.headers & kImmDt, "cafe0001,cafe0001");
    field(row.headers & kIeth, "cafe0001,cafe0001");
    field(row.headers & kAeth, "31");
    field(row.headers & kAeth, "5");
    field(row.headers & kAtomicEth, "1230066625199609624"); // 0x1112131415161718
    field(row.headers & kAtomicEth, "2387509390608836392"); // 0x2122232425262728
    field(row.headers & kAtomicAckEth, "1230066625199609624");
    field(row.headers & kDeth, "0x0000000080010000");
    field(row.headers & kDeth, "0x00000a0b");
    field(true, "1"); // FCS is right
    field(false, ""); // nothing malformed
    field(false, ""); // nothing to remark
    std::string text = line.str();
    // The address of an atomic operation is called as that of RETH.
    if (row.headers & kAtomicEth)
    {
        text.replace(text.find("\t\t0x1234567a"), 1, "\t0x00007f0012345678");
    }
    return text;
}

Frame
MakeFrame(const Row& row, int number, const std::string& message)
{
    FrameExtension e;
    e.address = 0x7F0012345678;
    e.key = 0x1234567A;
    e.length = 210;
    e.immediate = 0xCAFE0001;
    e.aeth = 0x1F000005;
    e.swapOrAdd = 0x1112131415161718;
    e.compare = 0x2122232425262728;
    e.qkey = 0x80010000;
    e.sourceNumber = kResponses;
    e.source = CopyBytes(reinterpret_cast<const std::byte*>(message.data()), message.size());
    const bool answers = row.headers & kAeth || row.opcode == 0x0E;
    Frame f{};
    f.op = static_cast<Opcode>(row.opcode);
    f.src = answers ? 2 : 1;
    f.dst = answers ? 1 : 2;
    f.flow = answers ? kResponses : kRequests;
    f.psn = row.psn;
    f.entropy = 0xC000;
    f.flags = kEct;
    f.payload = row.payload;
    if (f.op == Opcode::Acknowledge || f.op == Opcode::AtomicAcknowledge)
    {
        f.aeth = e.aeth;
    }
    f.bytes = kRoceV2Headers.FrameBytes(f.op, row.payload);
    if (f.op == Opcode::Acknowledge)
    {
        f.sack = row.headers & kSack ? kSacks | 12 : 0;
    }
    else if (f.op != Opcode::Cnp)
    {
        f.flags |= (number % 2 ? kSolicited : 0) | (number % 3 ? kAckReq : 0);
        FrameExtension::AddTo(f) = e;
    }
    return f;
}

} // namespace

/// With IPv6, and with a VLAN tag.
class Wireshark : public ::testing::TestWithParam<std::pair<bool, bool>>
{
  protected:
    void SetUp() override
    {
        if (!HasTshark())
        {
            GTEST_SKIP() << "there is no tshark here";
        }
    }

    std::vector<std::string> Read(const std::string& arguments) const
    {
        return RunTshark(m_folder, m_path, arguments);
    }

    TemporaryFolder m_folder;
    std::string m_path{m_folder.Path() + "/all.pcap"};
};

TEST_P(Wireshark, KnowsEveryOperation)
{
    FrameCodec codec;
    codec.ipv6 = GetParam().first;
    if (GetParam().second)
    {
        codec.vlan = 7;
    }
    PcapCapture capture(m_path, codec);
    const std::string message(210, 'm');
    std::vector<std::string> expected;
    for (const Row& row : kConversation)
    {
        const auto number = static_cast<int>(expected.size());
        Frame f = MakeFrame(row, number, message);
        capture.GetSent().OnFrame(f, number * kMicrosecond, (number + 1) * kMicrosecond, false);
        FrameExtension::RemoveFrom(f);
        expected.push_back(Expected(row, number));
    }
    capture.Close();

    std::vector<std::string> found = Read(AskForFields(kFields));
    ASSERT_EQ(found.size(), expected.size());
    std::set<int> opcodes;
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        // The name of the operation comes with the queue pair, at times without a space between.
        const std::size_t end = found[i].find("QP=");
        ASSERT_NE(end, std::string::npos) << found[i];
        const std::size_t name = found[i][end - 1] == ' ' ? end - 1 : end;
        found[i].erase(name, found[i].find('\t', end) - name);
        EXPECT_EQ(found[i], expected[i]);
        opcodes.insert(kConversation[i].opcode);
    }
    EXPECT_EQ(opcodes.size(), 23U + 12 + 2 + 1); // of RC, UC, UD, and the CNP
    // The message itself, where a frame begins one.
    EXPECT_EQ(
        Read("-Y 'infiniband.bth.opcode == 0 && frame contains \"" + std::string(100, 'm') + "\"'")
            .size(),
        3U);
}

INSTANTIATE_TEST_SUITE_P(Ip,
                         Wireshark,
                         ::testing::Values(std::pair(false, false), std::pair(true, true)));

} // namespace ns3::aifabric::test
