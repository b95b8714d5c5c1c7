// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/connection-message.h"
#include "ns3/fabric-time.h"
#include "ns3/frame-codec.h"
#include "ns3/frame-extension.h"
#include "ns3/header-profile.h"
#include "ns3/pcap-capture.h"
#include "ns3/verbs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

namespace
{

using Kind = ConnectionMessageKind;

constexpr Kind kKinds[] = {Kind::Request,
                           Kind::Reject,
                           Kind::Reply,
                           Kind::ReadyToUse,
                           Kind::DisconnectRequest,
                           Kind::DisconnectReply};

/// All fields different, and none of their bits lost.
ConnectionMessage
MakeMessage(Kind kind)
{
    ConnectionMessage m;
    m.kind = kind;
    m.localId = 0x81020304;
    m.remoteId = 0x91121314;
    m.serviceId = 0xF122232425262728;
    m.queuePair = 0xA1B2C3;
    m.startingPsn = 0xD4E5F6;
    m.responderResources = 0x85;
    m.initiatorDepth = 0x96;
    m.retryCount = 7;
    m.rnrRetry = 5;
    m.pathMtu = 4;
    m.ackTimeout = 19;
    m.responseTimeout = 21;
    m.maxRetries = 15;
    m.source = 258;
    m.destination = 4;
    m.refused = 2;
    m.reason = RejectReason::ConsumerReject;
    m.privateData = {std::byte{0xCA}, std::byte{0xFE}};
    return m;
}

/// What tshark says of the message, field by field; nothing where it knows none of that name.
struct Field
{
    const char* name;
    const char* values[6]; ///< by kKinds
};

const Field kFields[] = {
    {"infiniband.mad.mgmtclass", {"0x07", "0x07", "0x07", "0x07", "0x07", "0x07"}},
    {"infiniband.mad.attributeid", {"0x0010", "0x0012", "0x0013", "0x0014", "0x0015", "0x0016"}},
    {"infiniband.cm.req", {"0x81020304", "", "", "", "", ""}},
    {"infiniband.cm.req.serviceid", {"0xf122232425262728", "", "", "", "", ""}},
    {"infiniband.cm.req.localqpn", {"0xa1b2c3", "", "", "", "", ""}},
    {"infiniband.cm.req.responderres", {"0x85", "", "", "", "", ""}},
    {"infiniband.cm.req.initdepth", {"0x96", "", "", "", "", ""}},
    {"infiniband.cm.req.remoteresptout", {"0x15", "", "", "", "", ""}},
    {"infiniband.cm.req.transpsvctype", {"0x00", "", "", "", "", ""}},
    {"infiniband.cm.req.startpsn", {"0xd4e5f6", "", "", "", "", ""}},
    {"infiniband.cm.req.localresptout", {"0x15", "", "", "", "", ""}},
    {"infiniband.cm.req.retrcount", {"0x07", "", "", "", "", ""}},
    {"infiniband.cm.req.pkey", {"0xffff", "", "", "", "", ""}},
    {"infiniband.cm.req.pppmtu", {"0x04", "", "", "", "", ""}},
    {"infiniband.cm.req.rnrretrcount", {"0x05", "", "", "", "", ""}},
    {"infiniband.cm.req.maxcmretr", {"0x0f", "", "", "", "", ""}},
    {"infiniband.cm.req.prim_localgid_ipv4", {"10.0.1.3", "", "", "", "", ""}},
    {"infiniband.cm.req.prim_remotegid_ipv4", {"10.0.0.5", "", "", "", "", ""}},
    {"infiniband.cm.req.prim_hoplim", {"0x40", "", "", "", "", ""}},
    {"infiniband.cm.req.prim_localacktout", {"0x13", "", "", "", "", ""}},
    {"infiniband.cm.rej.localcommid", {"", "0x81020304", "", "", "", ""}},
    {"infiniband.cm.rej.remotecommid", {"", "0x91121314", "", "", "", ""}},
    {"infiniband.cm.rej.msgrej", {"", "0x02", "", "", "", ""}},
    {"infiniband.cm.rej.reason", {"", "0x001c", "", "", "", ""}},
    {"infiniband.cm.rep", {"", "", "0x81020304", "", "", ""}},
    {"infiniband.cm.rep.remotecommid", {"", "", "0x91121314", "", "", ""}},
    {"infiniband.cm.rep.localqpn", {"", "", "0xa1b2c3", "", "", ""}},
    {"infiniband.cm.rep.startpsn", {"", "", "0xd4e5f6", "", "", ""}},
    {"infiniband.cm.rep.respres", {"", "", "0x85", "", "", ""}},
    {"infiniband.cm.rep.initdepth", {"", "", "0x96", "", "", ""}},
    {"infiniband.cm.rep.rnrretrcount", {"", "", "0x05", "", "", ""}},
    {"infiniband.cm.rtu.localcommid", {"", "", "", "0x81020304", "", ""}},
    {"infiniband.cm.rtu.remotecommid", {"", "", "", "0x91121314", "", ""}},
    {"infiniband.cm.dreq.localcommid", {"", "", "", "", "0x81020304", ""}},
    {"infiniband.cm.req.remoteqpneecn", {"", "", "", "", "0xa1b2c3", ""}},
    {"infiniband.cm.drsp.localcommid", {"", "", "", "", "", "0x81020304"}},
    {"infiniband.cm.drsp.remotecommid", {"", "", "", "", "", "0x91121314"}},
    {"_ws.malformed", {"", "", "", "", "", ""}},
};

TEST(ConnectionMessage, ComesBackAsItWas)
{
    for (Kind kind : kKinds)
    {
        const ConnectionMessage sent = MakeMessage(kind);
        const auto datagram = sent.Encode();
        const auto got = ConnectionMessage::Decode(datagram.data());
        ASSERT_TRUE(got);
        EXPECT_EQ(got->kind, kind);
        EXPECT_EQ(got->Encode(), datagram);
        EXPECT_EQ(got->localId, sent.localId);
        ASSERT_EQ(got->privateData.size(), PrivateBytes(kind));
        EXPECT_EQ(got->privateData[1], std::byte{0xFE});
        EXPECT_EQ(got->privateData[2], std::byte{0});
    }
    auto datagram = MakeMessage(Kind::Request).Encode();
    datagram[1] = std::byte{3};
    EXPECT_FALSE(ConnectionMessage::Decode(datagram.data()));
    datagram[1] = std::byte{7};
    datagram[17] = std::byte{0x11}; // MRA is not used here
    EXPECT_FALSE(ConnectionMessage::Decode(datagram.data()));
}

// Wireshark's dissector reads them: an independent opinion about every field.
TEST(ConnectionMessage, WiresharkReadsIt)
{
    if (std::system("tshark --version > /dev/null 2>&1") != 0)
    {
        GTEST_SKIP() << "there is no tshark here";
    }
    TemporaryFolder folder;
    const std::string path = folder.Path() + "/all.pcap";
    PcapCapture capture(path, FrameCodec());
    for (Kind kind : kKinds)
    {
        const auto datagram = MakeMessage(kind).Encode();
        Frame f{};
        f.op = On(BthTransport::Ud, Opcode::SendOnly);
        f.src = 1;
        f.dst = 2;
        f.flow = kGeneralServicesNumber;
        f.entropy = 0xC000;
        f.payload = kManagementBytes;
        f.bytes = kRoceV2Headers.FrameBytes(f.op, f.payload);
        FrameExtension& extension = FrameExtension::AddTo(f);
        extension.qkey = kGeneralServicesQkey;
        extension.sourceNumber = kGeneralServicesNumber;
        extension.source = CopyBytes(datagram.data(), datagram.size());
        capture.GetSent().OnFrame(f, 0, kMicrosecond, false);
        FrameExtension::RemoveFrom(f);
    }
    capture.Close();
    std::string command = "tshark -r " + path + " -T fields";
    for (const Field& field : kFields)
    {
        command += std::string(" -e ") + field.name;
    }
    command += " > " + folder.Path() + "/out 2> /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::istringstream text(folder.Read("out"));
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
    {
        std::string line;
        ASSERT_TRUE(std::getline(text, line));
        std::istringstream values(line + "\t");
        for (const Field& field : kFields)
        {
            std::string value;
            std::getline(values, value, '\t');
            EXPECT_EQ(value, field.values[kind]) << field.name << " of message " << kind;
        }
    }
}

} // namespace

} // namespace ns3::aifabric::test
