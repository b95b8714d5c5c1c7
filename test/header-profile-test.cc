// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-profile.h"

#include <gtest/gtest.h>

namespace ns3::aifabric::test
{

// IBA vol. 1, table 38 (which header goes with which operation) and 9.3 (how long they are), written
// out beside a RoCEv2 frame's 62 bytes.
TEST(HeaderProfile, EveryOperationHasItsExtendedHeaders)
{
    struct Case
    {
        Opcode op;
        uint32_t extended;
    };

    const Case cases[] = {{Opcode::SendFirst, 0},          {Opcode::SendMiddle, 0},
                          {Opcode::SendLast, 0},           {Opcode::SendLastImmediate, 4},
                          {Opcode::SendOnly, 0},           {Opcode::SendOnlyImmediate, 4},
                          {Opcode::WriteFirst, 16},        {Opcode::WriteMiddle, 0},
                          {Opcode::WriteLast, 0},          {Opcode::WriteLastImmediate, 4},
                          {Opcode::WriteOnly, 16},         {Opcode::WriteOnlyImmediate, 20},
                          {Opcode::ReadRequest, 16},       {Opcode::ReadResponseFirst, 4},
                          {Opcode::ReadResponseMiddle, 0}, {Opcode::ReadResponseLast, 4},
                          {Opcode::ReadResponseOnly, 4},   {Opcode::AtomicAcknowledge, 12},
                          {Opcode::CompareSwap, 28},       {Opcode::FetchAdd, 28},
                          {Opcode::SendLastInvalidate, 4}, {Opcode::SendOnlyInvalidate, 4}};
    for (const Case& c : cases)
    {
        EXPECT_EQ(kRoceV2Headers.FrameBytes(c.op, 1021), 62 + c.extended + 1024) << int(c.op);
        EXPECT_EQ(kHpccHeaders.FrameBytes(c.op, 1021), 48U + 1021) << int(c.op);
        const Opcode unreliable = On(BthTransport::Uc, c.op);
        EXPECT_EQ(kRoceV2Headers.FrameBytes(unreliable, 8), 62 + c.extended + 8) << int(c.op);
    }
    const Opcode datagram = On(BthTransport::Ud, Opcode::SendOnly);
    EXPECT_EQ(kRoceV2Headers.FrameBytes(datagram, 0), 62U + 8);
    EXPECT_EQ(kHpccHeaders.FrameBytes(datagram, 100), 148U);
    const Opcode immediate = On(BthTransport::Ud, Opcode::SendOnlyImmediate);
    EXPECT_EQ(kRoceV2Headers.FrameBytes(immediate, 0), 62U + 8 + 4);
}

TEST(HeaderProfile, FramesAreNoShorterThanTheirLeast)
{
    EXPECT_EQ(kRoceV2Headers.FrameBytes(Opcode::SendOnly, 0), 64U);
    EXPECT_EQ(kRoceV2Headers.FrameBytes(Opcode::ReadResponseOnly, 0), 66U);
}

TEST(HeaderProfile, AcknowledgementsOfFramesOutOfOrderAreLonger)
{
    EXPECT_EQ(kRoceV2Headers.AckFrame(false), 66U);
    EXPECT_EQ(kRoceV2Headers.AckFrame(true), 70U);
    EXPECT_EQ(kHpccHeaders.AckFrame(true), 60U);
}

} // namespace ns3::aifabric::test
