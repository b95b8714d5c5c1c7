// SPDX-License-Identifier: GPL-2.0-only
// What ports tell frames, as bytes: 2 and 8 for each of five records (Li et al., SIGCOMM'19), or a
// digest of one or two.
#include "roce-frames.h"
#include "wire-bytes.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/hop-log.h"

#include <random>
#include <string>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kRates[] = {10e9, 25e9, 100e9, 400e9, 1.6e12};

/// @return the log of a frame, new.
HopLog&
AddLog(Frame& f)
{
    f.hopLog = HopLog::Pool().Take();
    return HopLog::Pool()[f.hopLog];
}

void
ExpectSameLog(const Frame& a, const Frame& b)
{
    const HopLog* x = HopLog::Of(a);
    const HopLog* y = HopLog::Of(b);
    ASSERT_TRUE(x && y);
    EXPECT_EQ(x->digest, y->digest);
    ASSERT_EQ(x->count, y->count);
    for (uint8_t i = 0; i < x->count; ++i)
    {
        EXPECT_EQ(x->hops[i].at, y->hops[i].at);
        EXPECT_EQ(x->hops[i].sentBytes, y->hops[i].sentBytes);
        EXPECT_EQ(x->hops[i].bandwidthBps, y->hops[i].bandwidthBps);
        EXPECT_EQ(x->hops[i].queuedBytes, y->hops[i].queuedBytes);
    }
}

} // namespace

// Frames of every kind that fills the smallest frame: there and back, as long as Frame::bytes says.
TEST(HopLogBytes, RandomFramesThereAndBack)
{
    std::mt19937 random(1);
    for (Opcode op : EveryRoceOpcode())
    {
        for (int i = 0; i < 60 && op != Opcode::Cnp && op != Opcode::Credit; ++i)
        {
            Frame f = RandomRoceFrame(op, random, 260);
            if (f.bytes == 64 && !CarriesPayload(op))
            {
                FrameExtension::RemoveFrom(f);
                continue;
            }
            const uint32_t room = i % 3 == 0 ? 42 : i % 3;
            HopLog& log = AddLog(f);
            if (room == 42)
            {
                log.count = random() % 6;
                for (uint8_t hop = 0; hop < log.count; ++hop)
                {
                    log.hops[hop] = {static_cast<Tick>(random() & 0xFFFFFF) * kNanosecond,
                                     128ULL * (random() & 0xFFFFF),
                                     kRates[random() % 5],
                                     80 * static_cast<uint32_t>(random() & 0xFFFF)};
                }
            }
            else
            {
                log.digest = 1 + random() % ((1U << 8 * room) - 1);
            }
            const bool padded = f.bytes == 64;
            f.bytes += room;
            const Bytes bytes = FrameCodec().Encode(f);
            EXPECT_TRUE(padded || bytes.size() == f.bytes) << static_cast<int>(op);
            std::string why;
            Frame* back = FrameCodec::Decode(bytes.data(), bytes.size(), why);
            ASSERT_TRUE(back) << why << ' ' << static_cast<int>(op);
            ExpectSameLog(f, *back);
            back->bytes = f.bytes;
            ExpectSame(f, *back);
            FramePool::Discard(back);
            FrameExtension::RemoveFrom(f);
            HopLog::RemoveFrom(f);
        }
    }
    EXPECT_EQ(FramePool::Out(), 0U);
    EXPECT_EQ(HopLog::Pool().Out(), 0U);
}

// An acknowledgement byte by byte. Times run round in 16.8 ms, bytes in 134 MB; a queue stops at its
// most.
TEST(HopLogBytes, AcknowledgementByteByByte)
{
    Frame f{};
    f.op = Opcode::Acknowledge;
    f.bytes = kRoceV2Headers.AckFrame(false) + 42;
    HopLog& log = AddLog(f);
    log.count = 2;
    log.hops[0] = {0x1ABCDEF * kNanosecond + 999, 128ULL * 0x112345 + 127, 100e9, 80 * 0x4321 + 79};
    log.hops[1] = {5 * kNanosecond, 256, 123e9, 0xFFFFFFFF};
    const Bytes bytes = FrameCodec().Encode(f);
    ASSERT_EQ(bytes.size(), 108U);
    EXPECT_EQ(bytes[50], 1) << "reserved bits: records";
    EXPECT_EQ(Slice(bytes, 58, 100),
              FromHex("202a"
                      "5abcdef123454321"
                      "000000500002ffff"
                      "000000000000000000000000000000000000000000000000"));
    HopLog::RemoveFrom(f);
}

TEST(HopLogBytes, WhatDoesNotFitIsRefused)
{
    Frame f{};
    f.op = Opcode::Acknowledge;
    f.bytes = kRoceV2Headers.AckFrame(false) + 42;
    AddLog(f).count = 1;
    const Bytes good = FrameCodec().Encode(f);
    HopLog::RemoveFrom(f);
    for (uint16_t head : {0x102B, 0x1009, 0x602A, 0x802A, 0x1029})
    {
        Bytes bad = good;
        bad[58] = head >> 8;
        bad[59] = head & 0xFF;
        auto put = [&bad](std::size_t at, uint32_t crc) {
            for (int i = 0; i < 4; ++i)
            {
                bad[at + i] = crc >> 8 * i;
            }
        };
        put(100, InvariantCrc(&bad[14], 86));
        put(104, CrcByBits(Slice(bad, 0, 104)));
        std::string why;
        EXPECT_FALSE(FrameCodec::Decode(bad.data(), bad.size(), why)) << head;
        EXPECT_EQ(HopLog::Pool().Out(), 0U);
    }
}

} // namespace ns3::aifabric::test
