// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_OPCODE_H
#define AIFABRIC_OPCODE_H

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What a frame is. RoCE frames have their BTH opcode (IBA vol. 1, 9.2; annex A17 for the CNP): a
 * transport in the top 3 bits, an operation in the others. That leaves 0xE0 and up for what is no
 * RoCE frame. Named are the operations of a reliable connection; On() gives those of others.
 */
enum class Opcode : uint8_t
{
    SendFirst = 0x00,
    SendMiddle = 0x01,
    SendLast = 0x02,
    SendLastImmediate = 0x03,
    SendOnly = 0x04,
    SendOnlyImmediate = 0x05,
    WriteFirst = 0x06,
    WriteMiddle = 0x07,
    WriteLast = 0x08,
    WriteLastImmediate = 0x09,
    WriteOnly = 0x0A,
    WriteOnlyImmediate = 0x0B,
    ReadRequest = 0x0C,
    ReadResponseFirst = 0x0D,
    ReadResponseMiddle = 0x0E,
    ReadResponseLast = 0x0F,
    ReadResponseOnly = 0x10,
    Acknowledge = 0x11,
    AtomicAcknowledge = 0x12,
    CompareSwap = 0x13,
    FetchAdd = 0x14,
    SendLastInvalidate = 0x16,
    SendOnlyInvalidate = 0x17,
    Credit = 0x80, ///< from a receiver: see CreditPolicy; reserved by IBA
    Cnp = 0x81,
    Cell = 0xE0,     ///< part of a message on a scale-up link
    Ordinary = 0xE1, ///< carries an ns3::Packet
    Pause = 0xE8,    ///< 802.1Qbb pause frame: never leaves its link
};

/// Transport of a BTH opcode, its top 3 bits.
enum class BthTransport : uint8_t
{
    Rc = 0x00,
    Uc = 0x20,
    Ud = 0x60
};

/// @return that operation on a transport.
constexpr Opcode
On(BthTransport transport, Opcode operation)
{
    return static_cast<Opcode>(static_cast<uint8_t>(transport) | static_cast<uint8_t>(operation));
}

/// @return the operation of a RoCE frame, as a reliable connection has it.
constexpr Opcode
OperationOf(Opcode op)
{
    return static_cast<Opcode>(static_cast<uint8_t>(op) & 0x1F);
}

/// @return whether a frame of that kind is an operation of the verbs: no CNP, and RoCE at all.
constexpr bool
IsOperation(Opcode op)
{
    return static_cast<uint8_t>(op) < 0x80;
}

namespace opcodes
{

/// A set of operations.
template <class... T>
constexpr uint32_t
Set(T... operations)
{
    return (... | (1U << static_cast<uint8_t>(operations)));
}

constexpr bool
Has(uint32_t set, Opcode op)
{
    return IsOperation(op) && (set >> (static_cast<uint8_t>(op) & 0x1F) & 1);
}

inline constexpr uint32_t kSends = Set(Opcode::SendFirst,
                                       Opcode::SendMiddle,
                                       Opcode::SendLast,
                                       Opcode::SendLastImmediate,
                                       Opcode::SendOnly,
                                       Opcode::SendOnlyImmediate,
                                       Opcode::SendLastInvalidate,
                                       Opcode::SendOnlyInvalidate);
inline constexpr uint32_t kWrites = Set(Opcode::WriteFirst,
                                        Opcode::WriteMiddle,
                                        Opcode::WriteLast,
                                        Opcode::WriteLastImmediate,
                                        Opcode::WriteOnly,
                                        Opcode::WriteOnlyImmediate);
inline constexpr uint32_t kReadResponses = Set(Opcode::ReadResponseFirst,
                                               Opcode::ReadResponseMiddle,
                                               Opcode::ReadResponseLast,
                                               Opcode::ReadResponseOnly);
inline constexpr uint32_t kAtomics = Set(Opcode::CompareSwap, Opcode::FetchAdd);
inline constexpr uint32_t kFirsts =
    Set(Opcode::SendFirst, Opcode::WriteFirst, Opcode::ReadResponseFirst);
inline constexpr uint32_t kMiddles =
    Set(Opcode::SendMiddle, Opcode::WriteMiddle, Opcode::ReadResponseMiddle);
inline constexpr uint32_t kLasts = Set(Opcode::SendLast,
                                       Opcode::SendLastImmediate,
                                       Opcode::SendLastInvalidate,
                                       Opcode::WriteLast,
                                       Opcode::WriteLastImmediate,
                                       Opcode::ReadResponseLast);
inline constexpr uint32_t kOnlys = Set(Opcode::SendOnly,
                                       Opcode::SendOnlyImmediate,
                                       Opcode::SendOnlyInvalidate,
                                       Opcode::WriteOnly,
                                       Opcode::WriteOnlyImmediate,
                                       Opcode::ReadResponseOnly);
/// A message begins, or ends, with these.
inline constexpr uint32_t kBegins = kFirsts | kOnlys | kAtomics | Set(Opcode::ReadRequest);
inline constexpr uint32_t kEnds = kLasts | kOnlys | kAtomics | Set(Opcode::ReadRequest);
inline constexpr uint32_t kImmediates = Set(Opcode::SendLastImmediate,
                                            Opcode::SendOnlyImmediate,
                                            Opcode::WriteLastImmediate,
                                            Opcode::WriteOnlyImmediate);
inline constexpr uint32_t kInvalidates =
    Set(Opcode::SendLastInvalidate, Opcode::SendOnlyInvalidate);
inline constexpr uint32_t kWithReth =
    Set(Opcode::WriteFirst, Opcode::WriteOnly, Opcode::WriteOnlyImmediate, Opcode::ReadRequest);
inline constexpr uint32_t kWithAeth = Set(Opcode::ReadResponseFirst,
                                          Opcode::ReadResponseLast,
                                          Opcode::ReadResponseOnly,
                                          Opcode::Acknowledge,
                                          Opcode::AtomicAcknowledge);

} // namespace opcodes

/// @return whether frames of that kind live on one link only and are handled by the port itself.
constexpr bool
IsLinkLocal(Opcode op)
{
    return op >= Opcode::Pause;
}

namespace opcodes
{

/// Which carry part of a message; a table, for each departure of a frame asks.
struct PayloadTable
{
    bool carries[256]{};

    constexpr PayloadTable()
    {
        for (int op = 0; op < 256; ++op)
        {
            const auto opcode = static_cast<Opcode>(op);
            carries[op] = Has(kSends | kWrites | kReadResponses, opcode) || opcode == Opcode::Cell;
        }
    }
};

constexpr PayloadTable kPayload;

} // namespace opcodes

/// @return whether a frame of that kind carries part of a message.
constexpr bool
CarriesPayload(Opcode op)
{
    return opcodes::kPayload.carries[static_cast<uint8_t>(op)];
}

} // namespace ns3::aifabric

#endif // AIFABRIC_OPCODE_H
