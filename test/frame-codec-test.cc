// SPDX-License-Identifier: GPL-2.0-only
// Bytes of frames: what the standards say of their layout, a frame captured from a real NIC, and the
// way there and back.
#include "roce-frames.h"
#include "wire-bytes.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/link-frames.h"
#include "ns3/packet-frame.h"
#include "ns3/packet.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

// A CNP captured on a ConnectX-4 Lx (the test suite of Scapy's RoCE layer has it), from its IP header
// on; the last four bytes are its ICRC.
TEST(FrameCodec, TheInvariantCrcIsThatOfRealNics)
{
    const Bytes captured = FromHex("45c2003c718c4000401191610a0011010a001201"
                                   "000012b700280000"
                                   "8100ffff4000011800000000"
                                   "00000000000000000000000000000000"
                                   "82fd002a");
    ASSERT_EQ(captured.size(), 60U);
    EXPECT_EQ(InvariantCrc(captured.data(), 56), LowFirst(captured, 56));
    // What switches change does not count; anything else does.
    Bytes onItsWay = captured;
    onItsWay[1] ^= 0xFF;  // type of service, with ECN
    onItsWay[8] = 3;      // time to live
    onItsWay[10] ^= 0x55; // sum of the header
    onItsWay[32] ^= 0x80; // FECN
    EXPECT_EQ(InvariantCrc(onItsWay.data(), 56), LowFirst(captured, 56));
    onItsWay[36] ^= 1;
    EXPECT_NE(InvariantCrc(onItsWay.data(), 56), LowFirst(captured, 56));
}

// IBA vol. 1: BTH 9.2.1, RETH 9.3.3, annex A17; the numbers of the fields are written out here.
TEST(FrameCodec, WriteOnlyByteByByte)
{
    Frame f{};
    f.op = Opcode::WriteOnly;
    f.src = 4;
    f.dst = 258;
    f.flow = 0x123456;
    f.psn = 0xABCDEF;
    f.payload = f.length = 5;
    f.entropy = 0xC123;
    f.priority = 3;
    f.flags = kEct | kAckReq;
    f.hops = 2;
    f.bytes = kRoceV2Headers.DataFrame(5, true);
    const Bytes bytes = FrameCodec().Encode(f);
    ASSERT_EQ(bytes.size(), 86U);
    EXPECT_EQ(Slice(bytes, 0, 14),
              FromHex("020000000102"
                      "020000000004"
                      "0800"));
    // 72 bytes; DSCP 24 and ECT(0); not to be fragmented; 62 hops left; UDP; 10.0.0.5 to 10.0.1.3.
    EXPECT_EQ(Slice(bytes, 14, 24),
              FromHex("45620044"
                      "00004000"
                      "3e11"));
    EXPECT_EQ(Slice(bytes, 26, 34),
              FromHex("0a000005"
                      "0a000103"));
    EXPECT_EQ(Slice(bytes, 34, 42),
              FromHex("c123"
                      "12b7"
                      "0030"
                      "0000"));
    EXPECT_EQ(Slice(bytes, 42, 54),
              FromHex("0a"
                      "70"
                      "ffff"
                      "00"
                      "123456"
                      "80"
                      "abcdef"));
    EXPECT_EQ(Slice(bytes, 54, 70),
              FromHex("0000000000000000"
                      "00000000"
                      "00000005"));
    EXPECT_EQ(Slice(bytes, 70, 78), Bytes(8));
    EXPECT_EQ(LowFirst(bytes, 82), CrcByBits(Slice(bytes, 0, 82)));
    // The sum over an IPv4 header is all ones (RFC 1071).
    uint32_t sum = 0;
    for (int i = 14; i < 34; i += 2)
    {
        sum += bytes[i] << 8 | bytes[i + 1];
    }
    EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFU);
}

TEST(FrameCodec, PauseByteByByte)
{
    Frame* f = MakePauseFrame(3, 0x1234);
    const Bytes bytes = FrameCodec().Encode(*f);
    FramePool::Return(f);
    ASSERT_EQ(bytes.size(), kPauseFrameBytes);
    EXPECT_EQ(Slice(bytes, 0, 6), FromHex("0180c2000001"));
    EXPECT_EQ(Slice(bytes, 12, 34),
              FromHex("8808"
                      "0101"
                      "0008"
                      "0000000000001234"
                      "0000000000000000"));
    EXPECT_EQ(Slice(bytes, 34, 60), Bytes(26));
    EXPECT_EQ(LowFirst(bytes, 60), CrcByBits(Slice(bytes, 0, 60)));
}

// The way there and back; both check sums bit by bit; the size that HeaderProfile tells.
TEST(FrameCodec, RandomFramesThereAndBack)
{
    std::mt19937 random(1);
    for (Opcode op : EveryRoceOpcode())
    {
        for (int i = 0; i < 120; ++i)
        {
            Frame f = RandomRoceFrame(op, random, i % 8 ? 260 : 4096);
            FrameCodec codec;
            codec.ipv6 = i & 1;
            const uint32_t tag = i & 2 ? 4 : 0;
            if (tag)
            {
                codec.vlan = random() & 0xFFF;
            }
            const Bytes bytes = codec.Encode(f);
            const std::size_t ip = 14 + tag;
            if (f.bytes > 64)
            {
                EXPECT_EQ(bytes.size(), f.bytes + (codec.ipv6 ? 20 : 0) + tag);
                EXPECT_EQ(LowFirst(bytes, bytes.size() - 8),
                          InvariantCrcByBits(Slice(bytes, ip, bytes.size() - 8)));
            }
            EXPECT_EQ(LowFirst(bytes, bytes.size() - 4),
                      CrcByBits(Slice(bytes, 0, bytes.size() - 4)));
            std::string why;
            Frame* back = FrameCodec::Decode(bytes.data(), bytes.size(), why);
            ASSERT_TRUE(back) << why << static_cast<int>(op);
            EXPECT_EQ(back->bytes, bytes.size());
            back->bytes = f.bytes;
            ExpectSame(f, *back);
            FramePool::Discard(back);
            FrameExtension::RemoveFrom(f);
        }
    }
    EXPECT_EQ(FramePool::Out(), 0U);
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

TEST(FrameCodec, PausesThereAndBack)
{
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        Frame* f = MakePauseFrame(priority, 1000 + priority);
        const Bytes bytes = FrameCodec().Encode(*f);
        std::string why;
        Frame* back = FrameCodec::Decode(bytes.data(), bytes.size(), why);
        ASSERT_TRUE(back) << why;
        ExpectSame(*f, *back);
        FramePool::Return(back);
        FramePool::Return(f);
    }
}

TEST(FrameCodec, OrdinaryPacketsThereAndBack)
{
    // A datagram of 30 bytes in all, which Ethernet pads.
    const Bytes packet = FromHex("4500001e0000400040110000"
                                 "0a0000010a000002"
                                 "04d2162e000a0000"
                                 "6869");
    Frame* f = MakeOrdinaryFrame(Create<Packet>(packet.data(), packet.size()), 0x0800);
    f->src = 7;
    f->dst = 9;
    const Bytes bytes = FrameCodec().Encode(*f);
    EXPECT_EQ(bytes.size(), 64U);
    EXPECT_EQ(Slice(bytes, 14, 44), packet);
    std::string why;
    Frame* back = FrameCodec::Decode(bytes.data(), bytes.size(), why);
    ASSERT_TRUE(back) << why;
    EXPECT_EQ(back->src, 7U);
    EXPECT_EQ(back->dst, 9U);
    EXPECT_EQ(back->entropy, f->entropy);
    uint16_t protocol;
    Ptr<Packet> got = TakePacket(back, protocol);
    EXPECT_EQ(protocol, 0x0800);
    Bytes read(got->GetSize());
    got->CopyData(read.data(), read.size());
    EXPECT_EQ(read, packet);
    FramePool::Discard(f);
    EXPECT_EQ(FramePool::Out(), 0U);
}

// One flipped bit anywhere fails the FCS; with an FCS that was made good again the ICRC still tells
// about everything from the IP header on that no switch may change.
TEST(FrameCodec, DamageIsSeen)
{
    std::mt19937 random(2);
    for (Opcode op : EveryRoceOpcode())
    {
        Frame f = RandomRoceFrame(op, random, 64);
        const Bytes good = FrameCodec().Encode(f);
        for (std::size_t i = 0; i < good.size(); ++i)
        {
            Bytes bad = good;
            bad[i] ^= 1 << random() % 8;
            std::string why;
            EXPECT_FALSE(FrameCodec::Decode(bad.data(), bad.size(), why)) << i;
            EXPECT_EQ(why, "its FCS is wrong");
        }
        // Behind the ICRC there may be padding.
        const std::size_t end = 14 + (good[16] << 8 | good[17]);
        for (std::size_t i = 42; i < end; ++i)
        {
            if (i == 46)
            {
                continue; // FECN and BECN
            }
            Bytes bad = good;
            bad[i] ^= 4;
            bad.resize(bad.size() - 4);
            AppendCrc(bad, CrcByBits(bad));
            std::string why;
            EXPECT_FALSE(FrameCodec::Decode(bad.data(), bad.size(), why)) << i;
            EXPECT_EQ(why, "its ICRC is wrong") << i;
        }
        FrameExtension::RemoveFrom(f);
    }
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

/// @return whether bytes are a frame; if not, why is told.
bool
IsFrame(const Bytes& bytes, std::string& why)
{
    why = "";
    Frame* f = FrameCodec::Decode(bytes.data(), bytes.size(), why);
    if (f)
    {
        FramePool::Discard(f);
    }
    EXPECT_EQ(why.empty(), f != nullptr);
    return f;
}

// Cut short behind any byte and sealed again, or lengthened, every operation tells what it misses.
TEST(FrameCodec, EveryOperationKnowsItsLength)
{
    std::mt19937 random(4);
    for (Opcode op : EveryRoceOpcode())
    {
        Frame f = RandomRoceFrame(op, random, 0);
        f.sack = op == Opcode::Acknowledge ? 0 : f.sack;
        const Bytes good = FrameCodec().Encode(f);
        const std::size_t headers = 12 + (op == Opcode::Cnp      ? kCnpReservedBytes
                                          : op == Opcode::Credit ? kCreditBytes
                                                                 : ExtendedHeaderBytes(op));
        const Bytes transport = Slice(good, 42, 42 + headers);
        std::string why;
        for (std::size_t size = 0; size < headers; ++size)
        {
            EXPECT_FALSE(IsFrame(Rebuild(good, Slice(transport, 0, size)), why));
            EXPECT_EQ(why,
                      size < 12 ? "the length in its IP header is not that of a RoCE frame"
                                : "shorter than the headers that its BTH opcode asks for");
        }
        EXPECT_TRUE(IsFrame(Rebuild(good, transport), why)) << why;
        Bytes longer = transport;
        longer.resize(headers + 4);
        EXPECT_EQ(IsFrame(Rebuild(good, longer), why), CarriesPayload(op)) << why;
        if (!CarriesPayload(op))
        {
            EXPECT_EQ(why, "longer than the headers that its BTH opcode asks for");
        }
        // Padding without anything to pad.
        longer = transport;
        longer[1] |= 0x10;
        EXPECT_FALSE(IsFrame(Rebuild(good, longer), why));
        FrameExtension::RemoveFrom(f);
    }
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

TEST(FrameCodec, OtherOpcodesAreRefused)
{
    const Bytes good = FrameCodec().Encode(Frame{});
    const std::vector<Opcode> known = EveryRoceOpcode();
    for (int op = 0; op < 256; ++op)
    {
        Bytes transport(60);
        transport[0] = op;
        std::string why;
        IsFrame(Rebuild(good, transport), why);
        const bool isKnown =
            std::find(known.begin(), known.end(), static_cast<Opcode>(op)) != known.end();
        EXPECT_EQ(why == "a BTH opcode that no frame has here", !isKnown) << op;
    }
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

// Whatever the bytes are, they are read within their bounds or refused.
TEST(FrameCodec, AnyBytesAreReadOrRefused)
{
    std::mt19937 random(3);
    const Bytes good = FrameCodec().Encode(RandomRoceFrame(Opcode::SendOnly, random));
    std::string why;
    for (std::size_t size = 0; size < std::min<std::size_t>(good.size(), 300); ++size)
    {
        Bytes bytes = Slice(good, 0, size);
        AppendCrc(bytes, CrcByBits(bytes));
        IsFrame(bytes, why);
    }
    int frames = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Bytes bytes = Slice(good, 0, std::min<std::size_t>(good.size() - 4, 60 + random() % 200));
        for (int change = 0; change < 3; ++change)
        {
            bytes[12 + random() % (bytes.size() - 12)] = random();
        }
        AppendCrc(bytes, CrcByBits(bytes));
        frames += IsFrame(bytes, why);
    }
    // Those that no longer are RoCE are ordinary frames.
    EXPECT_GT(frames, 0);
    EXPECT_LT(frames, 20000);
    // Behind UDP, past the check sums.
    frames = 0;
    const std::vector<Opcode> known = EveryRoceOpcode();
    for (int i = 0; i < 20000; ++i)
    {
        Bytes transport(12 + random() % 60);
        std::generate(transport.begin(), transport.end(), std::ref(random));
        transport[0] = i & 1 ? transport[0] : static_cast<uint8_t>(known[random() % known.size()]);
        frames += IsFrame(Rebuild(good, transport), why);
    }
    EXPECT_GT(frames, 2000);
    EXPECT_LT(frames, 15000);
    EXPECT_EQ(FramePool::Out(), 0U);
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

} // namespace ns3::aifabric::test
