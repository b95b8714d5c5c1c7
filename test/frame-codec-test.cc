// SPDX-License-Identifier: GPL-2.0-only
// Bytes of frames: what the standards say of their layout, a frame captured from a real NIC, and the
// way there and back.
#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/header-profile.h"
#include "ns3/link-frames.h"
#include "ns3/packet-frame.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes
FromHex(const std::string& hex)
{
    Bytes bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

/// CRC-32 of IEEE 802.3 bit by bit, apart from the library that the codec uses.
uint32_t
CrcByBits(const Bytes& bytes)
{
    uint32_t crc = ~0U;
    for (uint8_t byte : bytes)
    {
        crc ^= byte;
        for (int i = 0; i < 8; ++i)
        {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
        }
    }
    return ~crc;
}

uint32_t
LowFirst(const Bytes& bytes, std::size_t at)
{
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 |
           static_cast<uint32_t>(bytes[at + 3]) << 24;
}

Bytes
Slice(const Bytes& bytes, std::size_t from, std::size_t to)
{
    return Bytes(bytes.begin() + from, bytes.begin() + to);
}

/// A RoCE frame of that kind with random contents.
Frame
RandomFrame(Opcode op, std::mt19937& random)
{
    Frame f{};
    f.op = op;
    f.src = random();
    f.dst = random() & 0xFFFFFF;
    f.src &= 0xFFFFFF;
    f.flow = random() & 0xFFFFFF;
    f.psn = random() & 0xFFFFFF;
    f.entropy = random();
    f.priority = random() & 7;
    f.hops = random() & 15;
    if (CarriesPayload(op))
    {
        f.payload = random() % 4097;
        f.flags = kEct | (random() & kCe) | (random() & kAckReq);
        const bool addressed = op == Opcode::WriteFirst || op == Opcode::WriteOnly;
        f.length = addressed ? random() & 0x7FFFFFFF : 0;
        f.bytes = kRoceV2Headers.DataFrame(f.payload, addressed);
    }
    else if (op == Opcode::Acknowledge)
    {
        f.aeth = random();
        f.flags = random() & kBecn;
        f.bytes = kRoceV2Headers.ackBytes;
    }
    else
    {
        f.bytes = kRoceV2Headers.cnpBytes;
    }
    return f;
}

const std::vector<Opcode> kRoceOpcodes{Opcode::SendFirst,
                                       Opcode::SendMiddle,
                                       Opcode::SendLast,
                                       Opcode::SendOnly,
                                       Opcode::WriteFirst,
                                       Opcode::WriteMiddle,
                                       Opcode::WriteLast,
                                       Opcode::WriteOnly,
                                       Opcode::Acknowledge,
                                       Opcode::Cnp};

void
ExpectSame(const Frame& a, const Frame& b)
{
    EXPECT_EQ(a.op, b.op);
    EXPECT_EQ(a.src, b.src);
    EXPECT_EQ(a.dst, b.dst);
    EXPECT_EQ(a.flow, b.flow);
    EXPECT_EQ(a.psn, b.psn);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.payload, b.payload);
    EXPECT_EQ(a.length, b.length);
    EXPECT_EQ(a.entropy, b.entropy);
    EXPECT_EQ(a.priority, b.priority);
    EXPECT_EQ(a.flags, b.flags);
    EXPECT_EQ(a.hops, b.hops);
}

} // namespace

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

TEST(FrameCodec, RandomFramesThereAndBack)
{
    std::mt19937 random(1);
    for (int i = 0; i < 4000; ++i)
    {
        const Frame f = RandomFrame(kRoceOpcodes[i % kRoceOpcodes.size()], random);
        FrameCodec codec;
        codec.ipv6 = random() & 1;
        const uint32_t tag = random() & 1 ? 4 : 0;
        if (tag)
        {
            codec.vlan = random() & 0xFFF;
        }
        const Bytes bytes = codec.Encode(f);
        if (f.bytes > 64)
        {
            EXPECT_EQ(bytes.size(), f.bytes + (codec.ipv6 ? 20 : 0) + tag);
        }
        std::string why;
        Frame* back = FrameCodec::Decode(bytes.data(), bytes.size(), why);
        ASSERT_TRUE(back) << why;
        EXPECT_EQ(back->bytes, bytes.size());
        back->bytes = f.bytes;
        ExpectSame(f, *back);
        FramePool::Return(back);
    }
    EXPECT_EQ(FramePool::Out(), 0U);
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
    Frame f = RandomFrame(Opcode::WriteFirst, random);
    f.payload = 64;
    f.bytes = kRoceV2Headers.DataFrame(64, true);
    const Bytes good = FrameCodec().Encode(f);
    for (std::size_t i = 0; i < good.size(); ++i)
    {
        Bytes bad = good;
        bad[i] ^= 1 << random() % 8;
        std::string why;
        EXPECT_FALSE(FrameCodec::Decode(bad.data(), bad.size(), why)) << i;
        EXPECT_EQ(why, "its FCS is wrong");
    }
    for (std::size_t i = 42; i < good.size() - 8; ++i)
    {
        if (i == 46)
        {
            continue; // FECN and BECN
        }
        Bytes bad = good;
        bad[i] ^= 4;
        const uint32_t crc = CrcByBits(Slice(bad, 0, bad.size() - 4));
        for (int byte = 0; byte < 4; ++byte)
        {
            bad[bad.size() - 4 + byte] = crc >> 8 * byte & 0xFF;
        }
        std::string why;
        EXPECT_FALSE(FrameCodec::Decode(bad.data(), bad.size(), why)) << i;
        EXPECT_EQ(why, "its ICRC is wrong") << i;
    }
}

/// Gives bytes a good FCS and reads them. @return whether they were a frame.
bool
IsFrame(Bytes bytes)
{
    const uint32_t crc = CrcByBits(bytes);
    for (int byte = 0; byte < 4; ++byte)
    {
        bytes.push_back(crc >> 8 * byte & 0xFF);
    }
    std::string why;
    Frame* f = FrameCodec::Decode(bytes.data(), bytes.size(), why);
    if (f)
    {
        FramePool::Discard(f);
    }
    else
    {
        EXPECT_NE(why, "");
    }
    return f;
}

// Whatever the bytes are, they are read within their bounds or refused.
TEST(FrameCodec, AnyBytesAreReadOrRefused)
{
    std::mt19937 random(3);
    const Frame f = RandomFrame(Opcode::WriteOnly, random);
    const Bytes good = FrameCodec().Encode(f);
    for (std::size_t size = 0; size < std::min<std::size_t>(good.size(), 300); ++size)
    {
        IsFrame(Slice(good, 0, size));
    }
    int frames = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Bytes bytes = Slice(good, 0, std::min<std::size_t>(good.size() - 4, 60 + random() % 200));
        for (int change = 0; change < 3; ++change)
        {
            bytes[12 + random() % (bytes.size() - 12)] = random();
        }
        frames += IsFrame(bytes);
    }
    // Those that no longer are RoCE are ordinary frames.
    EXPECT_GT(frames, 0);
    EXPECT_LT(frames, 20000);
    EXPECT_EQ(FramePool::Out(), 0U);
}

} // namespace ns3::aifabric::test
