// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ROCE_FRAMES_H
#define AIFABRIC_ROCE_FRAMES_H

#include "ns3/frame-extension.h"
#include "ns3/header-profile.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace ns3::aifabric::test
{

/// @return every opcode of IBA vol. 1, table 38, that frames have here: RC, UC, UD, and those
/// of NICs.
inline std::vector<Opcode>
EveryRoceOpcode()
{
    std::vector<Opcode> all;
    for (int op = 0x00; op <= 0x17; ++op)
    {
        if (op != 0x15) // reserved
        {
            all.push_back(static_cast<Opcode>(op));
        }
    }
    for (int op = 0x20; op <= 0x2B; ++op)
    {
        all.push_back(static_cast<Opcode>(op));
    }
    all.push_back(static_cast<Opcode>(0x64));
    all.push_back(static_cast<Opcode>(0x65));
    all.push_back(Opcode::Cnp);
    all.push_back(Opcode::Credit);
    return all;
}

/// @return a RoCE frame of that kind with random contents, as whoever reads its bytes makes it; with
/// an extension, which the caller has to remove, only where there is no other way.
inline Frame
RandomRoceFrame(Opcode op, std::mt19937& random, uint32_t maxPayload = 4096)
{
    Frame f{};
    f.op = op;
    f.src = random() & 0xFFFFFF;
    f.dst = random() & 0xFFFFFF;
    f.flow = random() & 0xFFFFFF;
    f.psn = random() & 0xFFFFFF;
    f.entropy = random();
    f.priority = random() & 7;
    f.hops = random() & 15;
    f.flags = random() & (kAckReq | kSolicited);
    f.flags |= random() & 1 ? kEct | (random() & kCe) : 0;
    FrameExtension e;
    bool extended = false;
    switch (OperationOf(op))
    {
    case Opcode::WriteFirst:
    case Opcode::WriteOnly:
    case Opcode::ReadRequest:
        e.length = random();
        extended = random() & 1;
        e.address = extended ? static_cast<uint64_t>(random()) << 32 | random() : 0;
        e.key = extended ? random() | 1 : 0;
        f.length = e.length;
        break;
    case Opcode::WriteOnlyImmediate:
        extended = true;
        e.address = random() & 1 ? random() : 0;
        e.length = random();
        e.immediate = random();
        break;
    case Opcode::SendLastImmediate:
    case Opcode::SendOnlyImmediate:
    case Opcode::SendLastInvalidate:
    case Opcode::SendOnlyInvalidate:
    case Opcode::WriteLastImmediate:
        e.immediate = random();
        f.immediate = e.immediate;
        break;
    case Opcode::ReadResponseFirst:
    case Opcode::ReadResponseLast:
    case Opcode::ReadResponseOnly:
        f.readAeth = random();
        break;
    case Opcode::CompareSwap:
    case Opcode::FetchAdd:
        extended = true;
        e.address = static_cast<uint64_t>(random()) << 32 | random();
        e.key = random();
        e.swapOrAdd = static_cast<uint64_t>(random()) << 32 | random();
        e.compare = static_cast<uint64_t>(random()) << 32 | random();
        break;
    case Opcode::AtomicAcknowledge:
        extended = true;
        e.swapOrAdd = static_cast<uint64_t>(random()) << 32 | random();
        break;
    default:
        break;
    }
    if (static_cast<uint8_t>(op) >> 5 == 3)
    {
        extended = true;
        e.qkey = random();
        e.sourceNumber = random() & 0xFFFFFF;
    }
    if (extended)
    {
        FrameExtension::AddTo(f) = e;
    }
    if (CarriesPayload(op))
    {
        f.payload = random() % (maxPayload + 1);
    }
    if (op == Opcode::Acknowledge || op == Opcode::AtomicAcknowledge || op == Opcode::Credit)
    {
        f.aeth = random();
    }
    if (op == Opcode::Acknowledge)
    {
        f.sack = random() & 1 ? kSacks | random() : 0;
        f.flags |= random() & kBecn;
    }
    f.bytes = op == Opcode::Acknowledge ? kRoceV2Headers.AckFrame(f.sack != 0)
              : op == Opcode::Cnp       ? kRoceV2Headers.cnpBytes
              : op == Opcode::Credit
                  ? kRoceV2Headers.ackBytes
                  : kRoceV2Headers.FrameBytes(op, CarriesPayload(op) ? f.payload : 0);
    return f;
}

inline void
ExpectSame(const Frame& a, const Frame& b)
{
    const int op = static_cast<int>(a.op);
    EXPECT_EQ(a.op, b.op);
    EXPECT_EQ(a.src, b.src) << op;
    EXPECT_EQ(a.dst, b.dst) << op;
    EXPECT_EQ(a.flow, b.flow) << op;
    EXPECT_EQ(a.psn, b.psn) << op;
    EXPECT_EQ(a.bytes, b.bytes) << op;
    EXPECT_EQ(a.payload, b.payload) << op;
    EXPECT_EQ(a.entropy, b.entropy) << op;
    EXPECT_EQ(a.priority, b.priority) << op;
    EXPECT_EQ(a.flags, b.flags) << op;
    EXPECT_EQ(a.hops, b.hops) << op;
    if (!(a.flags & b.flags & kExtended))
    {
        EXPECT_EQ(a.extension, b.extension) << op;
        return;
    }
    const FrameExtension& x = FrameExtension::Of(a);
    const FrameExtension& y = FrameExtension::Of(b);
    EXPECT_EQ(x.address, y.address) << op;
    EXPECT_EQ(x.swapOrAdd, y.swapOrAdd) << op;
    EXPECT_EQ(x.compare, y.compare) << op;
    EXPECT_EQ(x.key, y.key) << op;
    EXPECT_EQ(x.length, y.length) << op;
    EXPECT_EQ(x.immediate, y.immediate) << op;
    EXPECT_EQ(x.aeth, y.aeth) << op;
    EXPECT_EQ(x.qkey, y.qkey) << op;
    EXPECT_EQ(x.sourceNumber, y.sourceNumber) << op;
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_ROCE_FRAMES_H
