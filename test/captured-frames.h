// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CAPTURED_FRAMES_H
#define AIFABRIC_CAPTURED_FRAMES_H

#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/pcap-file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

/// A frame in a capture: its bytes, and what FrameCodec reads in them but for an extension.
struct Captured
{
    uint64_t at; ///< ns
    std::vector<uint8_t> bytes;
    Frame frame;
};

/// Reads a file of captures with ns3's reader of them, and all frames in it.
inline std::vector<Captured>
ReadCapture(const std::string& path)
{
    PcapFile file;
    file.Open(path, std::ios::in | std::ios::binary);
    EXPECT_FALSE(file.Fail()) << path;
    EXPECT_TRUE(file.IsNanoSecMode());
    EXPECT_EQ(file.GetDataLinkType(), 0x24000001U); // Ethernet with FCS
    std::vector<Captured> frames;
    std::vector<uint8_t> bytes(1 << 18);
    while (!file.Fail())
    {
        uint32_t seconds;
        uint32_t nanoseconds;
        uint32_t included;
        uint32_t original;
        uint32_t read;
        file.Read(bytes.data(), bytes.size(), seconds, nanoseconds, included, original, read);
        if (file.Eof())
        {
            break;
        }
        EXPECT_EQ(read, original);
        std::string why;
        Frame* f = FrameCodec::Decode(bytes.data(), read, why);
        if (!f)
        {
            ADD_FAILURE() << why;
            break;
        }
        frames.push_back(
            {seconds * 1000000000ULL + nanoseconds, {bytes.begin(), bytes.begin() + read}, *f});
        FramePool::Discard(f);
    }
    return frames;
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_CAPTURED_FRAMES_H
