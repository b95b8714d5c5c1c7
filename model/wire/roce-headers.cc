// SPDX-License-Identifier: GPL-2.0-only
#include "roce-headers.h"

#include "big-endian.h"
#include "hop-log-bytes.h"

#include "ns3/frame-extension.h"
#include "ns3/hop-log.h"

namespace ns3::aifabric
{

namespace
{

using namespace opcodes;

/// Bit of the fifth byte of the BTH, reserved there and not in the ICRC: a switch has cut the payload
/// off. This project's own.
constexpr uint8_t kTrimmedBit = 1;

/// What no frame says without an extension.
constexpr uint32_t kAlwaysExtended = kAtomics | Set(Opcode::AtomicAcknowledge);

/// The extended headers of an operation, field by field in the order of the wire.
template <class Extension, class Visit>
void
ForEachField(Opcode op, Extension& e, const Visit& visit)
{
    if (IsDatagram(op))
    {
        visit(e.qkey);
        visit(e.sourceNumber);
    }
    if (Has(kWithReth | kAtomics, op))
    {
        visit(e.address);
        visit(e.key);
    }
    if (Has(kWithReth, op))
    {
        visit(e.length);
    }
    if (Has(kAtomics, op))
    {
        visit(e.swapOrAdd);
        visit(e.compare);
    }
    if (Has(kWithAeth, op))
    {
        visit(e.aeth);
    }
    if (op == Opcode::AtomicAcknowledge)
    {
        visit(e.swapOrAdd);
    }
    if (Has(kImmediates | kInvalidates, op))
    {
        visit(e.immediate);
    }
}

/// What the extended headers of a frame say, with an extension or without.
FrameExtension
Describe(const Frame& f)
{
    FrameExtension e;
    if (f.flags & kExtended)
    {
        e = FrameExtension::Of(f);
    }
    else if (Has(kWithReth, f.op))
    {
        e.length = f.length;
    }
    else if (Has(kImmediates | kInvalidates, f.op))
    {
        e.immediate = f.immediate;
    }
    else if (Has(kReadResponses, f.op))
    {
        e.aeth = f.readAeth;
    }
    if (Has(kWithAeth & ~kReadResponses, f.op))
    {
        e.aeth = f.aeth;
    }
    return e;
}

/// The other way: puts what is said into the frame, and beside it what finds no room there.
void
Tell(Frame& f, FrameExtension e)
{
    if (Has(kWithAeth & ~kReadResponses, f.op))
    {
        f.aeth = e.aeth;
        e.aeth = 0;
    }
    if (IsDatagram(f.op) || Has(kAlwaysExtended, f.op) || e.address != 0 || e.key != 0 ||
        Has(kWithReth & kImmediates, f.op))
    {
        FrameExtension::AddTo(f) = e;
    }
    else if (Has(kWithReth, f.op))
    {
        f.length = e.length;
    }
    else if (Has(kImmediates | kInvalidates, f.op))
    {
        f.immediate = e.immediate;
    }
    else if (Has(kReadResponses, f.op))
    {
        f.readAeth = e.aeth;
    }
}

/// What stands around a frame with IPv4 and without tag, but for BTH and what follows it: Ethernet 14,
/// IP 20, UDP 8, ICRC 4, FCS 4.
constexpr uint32_t kAroundBytes = 50;

/// @return bytes that a frame has beyond its headers and its payload: room for its log.
uint32_t
GetRoom(const Frame& f, uint32_t payload, bool sacks)
{
    const uint32_t rest =
        kAroundBytes + kBthBytes + ExtendedHeaderBytes(f.op) + payload + (sacks ? kSackBytes : 0);
    return f.bytes > rest ? f.bytes - rest : 0;
}

bool
IsRoce(Opcode op)
{
    constexpr uint32_t kDatagrams = Set(Opcode::SendOnly, Opcode::SendOnlyImmediate);
    constexpr uint32_t kUnreliable = (kSends & ~kInvalidates) | kWrites;
    constexpr uint32_t kReliable =
        kSends | kWrites | kReadResponses | kAtomics |
        Set(Opcode::ReadRequest, Opcode::Acknowledge, Opcode::AtomicAcknowledge);
    switch (static_cast<BthTransport>(static_cast<uint8_t>(op) & 0xE0))
    {
    case BthTransport::Rc:
        return Has(kReliable, op);
    case BthTransport::Uc:
        return Has(kUnreliable, op);
    case BthTransport::Ud:
        return Has(kDatagrams, op);
    }
    return op == Opcode::Cnp || op == Opcode::Credit;
}

} // namespace

void
PutRoceHeaders(std::vector<uint8_t>& to, const Frame& f)
{
    const bool data = CarriesPayload(f.op);
    const bool notification = f.op == Opcode::Cnp;
    const uint32_t padding = data ? -f.payload & 3 : 0;
    const bool sacks = f.op == Opcode::Acknowledge && f.sack & kSacks;
    const uint32_t room = f.hopLog ? GetRoom(f, data ? f.payload + padding : 0, sacks) : 0;
    const HopLogForm form = GetHopLogForm(f, room);
    PutBigEndian<1>(to, static_cast<uint8_t>(f.op));
    // Solicited event; migrated, but for a CNP (as NICs send it); padding; version 0.
    PutBigEndian<1>(to,
                    (f.flags & kSolicited ? 0x80 : 0) | (notification ? 0 : 0x40) | padding << 4);
    PutBigEndian<2>(to, 0xFFFF); // the default partition
    PutBigEndian<1>(
        to, (notification || f.flags & kBecn ? 0x40 : 0) | (f.flags & kTrimmed ? kTrimmedBit : 0));
    PutBigEndian<3>(to, f.flow);
    PutBigEndian<1>(to, (f.flags & kAckReq ? 0x80 : 0) | static_cast<uint8_t>(form));
    PutBigEndian<3>(to, f.psn);
    if (f.op == Opcode::Credit)
    {
        PutBigEndian<kCreditBytes>(to, f.aeth);
        return;
    }
    const FrameExtension e = Describe(f);
    ForEachField(f.op, e, [&to](auto field) { PutBigEndian<sizeof(field)>(to, field); });
    if (sacks)
    {
        PutBigEndian<kSackBytes>(to, f.sack);
    }
    PutHopLog(to, f, form, room);
    const std::size_t end = to.size() + (data           ? f.payload + padding
                                         : notification ? kCnpReservedBytes
                                                        : 0);
    if (e.source && Has(kFirsts | kOnlys, f.op))
    {
        const auto* source = reinterpret_cast<const uint8_t*>(e.source.get());
        to.insert(to.end(), source, source + f.payload);
    }
    to.resize(end);
}

const char*
ReadRoceHeaders(Frame& f, const uint8_t* bth, std::size_t size)
{
    f.op = static_cast<Opcode>(bth[0]);
    if (!IsRoce(f.op))
    {
        return "a BTH opcode that no frame has here";
    }
    const bool notification = f.op == Opcode::Cnp;
    const std::size_t padding = bth[1] >> 4 & 3;
    const std::size_t headers = kBthBytes + (notification             ? kCnpReservedBytes
                                             : f.op == Opcode::Credit ? kCreditBytes
                                                                      : ExtendedHeaderBytes(f.op));
    if (size < headers + padding)
    {
        return "shorter than the headers that its BTH opcode asks for";
    }
    std::size_t rest = size - headers - padding;
    const bool sacks = f.op == Opcode::Acknowledge && rest >= kSackBytes &&
                       GetBigEndian<kSackBytes>(bth + headers) & kSacks;
    rest -= sacks ? kSackBytes : 0;
    const auto form = static_cast<HopLogForm>(bth[8] & 3);
    if (form != HopLogForm::None)
    {
        const std::size_t told =
            ReadHopLog(f, form, bth + headers + (sacks ? kSackBytes : 0), rest);
        if (told == 0)
        {
            return "what ports tell does not fit into it";
        }
        rest -= told;
    }
    if (rest > 0 && !CarriesPayload(f.op))
    {
        HopLog::RemoveFrom(f);
        return "longer than the headers that its BTH opcode asks for";
    }
    f.flow = GetBigEndian<3>(bth + 5);
    f.psn = GetBigEndian<3>(bth + 9);
    f.flags |= bth[1] & 0x80 ? kSolicited : 0;
    f.flags |= bth[8] & 0x80 ? kAckReq : 0;
    f.flags |= bth[4] & 0x40 && !notification ? kBecn : 0;
    f.flags |= bth[4] & kTrimmedBit ? kTrimmed : 0;
    const uint8_t* at = bth + kBthBytes;
    if (f.op == Opcode::Credit)
    {
        f.aeth = GetBigEndian<kCreditBytes>(at);
    }
    FrameExtension e;
    ForEachField(f.op, e, [&at](auto& field) {
        field = GetBigEndian<sizeof(field)>(at);
        at += sizeof(field);
    });
    e.sourceNumber &= 0xFFFFFF; // the other bits are reserved
    if (CarriesPayload(f.op))
    {
        f.payload = rest;
    }
    if (sacks)
    {
        f.sack = GetBigEndian<kSackBytes>(at);
    }
    Tell(f, e);
    return nullptr;
}

} // namespace ns3::aifabric
