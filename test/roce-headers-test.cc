// SPDX-License-Identifier: GPL-2.0-only
// Extended headers byte by byte, as IBA vol. 1, 9.3, has them, and which of them need an extension.
#include "roce-frames.h"
#include "wire-bytes.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/roce-headers.h"

#include <cstring>
#include <string>
#include <utility>

namespace ns3::aifabric::test
{

namespace
{

class RoceHeaders : public ::testing::Test
{
  protected:
    ~RoceHeaders() override
    {
        FrameExtension::RemoveFrom(f);
        EXPECT_EQ(FramePool::Out(), 0U);
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
    }

    FrameExtension& Extended(Opcode op)
    {
        f.op = op;
        return FrameExtension::AddTo(f);
    }

    /// Expects that the frame is those bytes behind UDP, and that they are read as they were meant.
    void ExpectBytes(const std::string& hex)
    {
        Bytes bytes;
        PutRoceHeaders(bytes, f);
        EXPECT_EQ(bytes, FromHex(hex));
        Frame back{};
        const char* wrong = ReadRoceHeaders(back, bytes.data(), bytes.size());
        EXPECT_FALSE(wrong) << wrong;
        ExpectSame(f, back);
        FrameExtension::RemoveFrom(back);
    }

    Frame f{};
};

} // namespace

TEST_F(RoceHeaders, WriteWithAddressAndImmediate)
{
    FrameExtension& e = Extended(Opcode::WriteOnlyImmediate);
    e.address = 0x0123456789ABCDEF;
    e.key = 0xA1A2A3A4;
    e.length = 0xB1B2B3B4;
    e.immediate = 0xC1C2C3C4;
    f.flags |= kSolicited | kAckReq;
    f.flow = 0x112233;
    f.psn = 0x445566;
    ExpectBytes("0bc0ffff00112233"
                "80445566"
                "0123456789abcdef"
                "a1a2a3a4"
                "b1b2b3b4"
                "c1c2c3c4");
}

TEST_F(RoceHeaders, ReadRequestWithoutAddressIsPlain)
{
    f.op = Opcode::ReadRequest;
    f.length = 0x01020304;
    ExpectBytes("0c40ffff00000000"
                "00000000"
                "0000000000000000"
                "00000000"
                "01020304");
}

TEST_F(RoceHeaders, ReadResponse)
{
    f.op = Opcode::ReadResponseOnly;
    f.readAeth = 0x1F000007;
    f.payload = 3;
    ExpectBytes("1050ffff00000000"
                "00000000"
                "1f000007"
                "00000000");
}

TEST_F(RoceHeaders, CompareAndSwap)
{
    FrameExtension& e = Extended(Opcode::CompareSwap);
    e.address = 0x1000;
    e.key = 0x77;
    e.swapOrAdd = 0x1112131415161718;
    e.compare = 0x2122232425262728;
    ExpectBytes("1340ffff00000000"
                "00000000"
                "0000000000001000"
                "00000077"
                "1112131415161718"
                "2122232425262728");
}

TEST_F(RoceHeaders, AtomicAcknowledge)
{
    Extended(Opcode::AtomicAcknowledge).swapOrAdd = 0x3132333435363738;
    f.aeth = 0x1F000009;
    ExpectBytes("1240ffff00000000"
                "00000000"
                "1f000009"
                "3132333435363738");
}

TEST_F(RoceHeaders, SendWithInvalidate)
{
    f.op = Opcode::SendLastInvalidate;
    f.immediate = 0xDEADBEEF;
    f.payload = 1;
    ExpectBytes("1670ffff00000000"
                "00000000"
                "deadbeef"
                "00000000");
}

TEST_F(RoceHeaders, DatagramWithImmediate)
{
    FrameExtension& e = Extended(On(BthTransport::Ud, Opcode::SendOnlyImmediate));
    e.qkey = 0x80010000;
    e.sourceNumber = 0xABCDEF;
    e.immediate = 5;
    ExpectBytes("6540ffff00000000"
                "00000000"
                "80010000"
                "00abcdef"
                "00000005");
}

TEST_F(RoceHeaders, UnreliableWriteEndsWithImmediate)
{
    f.op = On(BthTransport::Uc, Opcode::WriteLastImmediate);
    f.immediate = 0x01020304;
    ExpectBytes("2940ffff00000000"
                "00000000"
                "01020304");
}

// This project's own: what has arrived out of order, behind the AETH.
TEST_F(RoceHeaders, AcknowledgementOfAFrameOutOfOrder)
{
    f.op = Opcode::Acknowledge;
    f.aeth = 0x1F000001;
    f.sack = kSacks | 0x000102;
    ExpectBytes("1140ffff00000000"
                "00000000"
                "1f000001"
                "80000102");
    f.sack = 0;
    ExpectBytes("1140ffff00000000"
                "00000000"
                "1f000001");
}

// What has an extension for the payload's sake only is read without.
TEST_F(RoceHeaders, FramesThatBeginAMessageHaveItsBytes)
{
    const char text[] = "hello";
    const std::pair<Opcode, const char*> cases[] = {
        {Opcode::SendFirst, "68656c6c6f000000"},
        {Opcode::SendOnly, "68656c6c6f000000"},
        {Opcode::WriteFirst, "68656c6c6f000000"},
        {Opcode::WriteOnlyImmediate, "68656c6c6f000000"},
        {Opcode::ReadResponseFirst, "68656c6c6f000000"},
        {On(BthTransport::Ud, Opcode::SendOnly), "68656c6c6f000000"},
        {On(BthTransport::Uc, Opcode::WriteOnly), "68656c6c6f000000"},
        {Opcode::SendMiddle, "0000000000000000"},
        {Opcode::WriteLast, "0000000000000000"},
        {Opcode::ReadResponseLast, "0000000000000000"},
    };
    for (const auto& [op, payload] : cases)
    {
        FrameExtension& e = Extended(op);
        e.source = CopyBytes(reinterpret_cast<const std::byte*>(text), sizeof(text));
        e.length = 1000;
        e.aeth = opcodes::Has(opcodes::kReadResponses, op) ? 0x1F000003 : 0;
        f.payload = 5;
        Bytes bytes;
        PutRoceHeaders(bytes, f);
        const std::size_t headers = 12 + ExtendedHeaderBytes(op);
        EXPECT_EQ(Slice(bytes, headers, bytes.size()), FromHex(payload)) << static_cast<int>(op);
        Frame back{};
        EXPECT_FALSE(ReadRoceHeaders(back, bytes.data(), bytes.size()));
        EXPECT_EQ(back.payload, 5U);
        const bool needed = op == Opcode::WriteOnlyImmediate || IsDatagram(op);
        EXPECT_EQ(back.flags & kExtended, needed ? kExtended : 0) << static_cast<int>(op);
        if (opcodes::Has(opcodes::kWithReth, op) && !needed)
        {
            EXPECT_EQ(back.length, 1000U);
        }
        if (opcodes::Has(opcodes::kReadResponses & opcodes::kWithAeth, op))
        {
            EXPECT_EQ(back.readAeth, 0x1F000003U);
        }
        FrameExtension::RemoveFrom(back);
        FrameExtension::RemoveFrom(f);
    }
}

} // namespace ns3::aifabric::test
