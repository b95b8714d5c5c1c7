// SPDX-License-Identifier: GPL-2.0-only
#include "packet-frame.h"

#include "ethernet-frame.h"

#include "ns3/frame-pool.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>

namespace ns3::aifabric
{

namespace
{

/// The longest IPv4 header and the ports behind it.
constexpr uint32_t kPeekBytes = 64;

/// A frame cannot hold a Ptr: it holds the pointer, and the reference that goes with it.
void
ReleasePacket(Frame& f)
{
    f.packet->Unref();
}

uint32_t
Word(const std::array<uint8_t, kPeekBytes>& bytes, std::size_t at)
{
    return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
}

} // namespace

Frame*
MakeOrdinaryFrame(Ptr<Packet> packet, uint16_t protocol)
{
    FramePool::OnDiscard(&ReleasePacket);
    Frame* f = FramePool::Take();
    *f = {};
    f->op = Opcode::Ordinary;
    f->bytes = std::max(packet->GetSize() + kEthernetBytes, kMinFrameBytes);
    f->psn = protocol;
    if (protocol == kEtherTypeIpv4)
    {
        std::array<uint8_t, kPeekBytes> head{};
        packet->CopyData(head.data(), head.size());
        const uint32_t ports = Word(head, 4 * std::min(head[0] & 0xF, 15));
        f->entropy = static_cast<uint16_t>(ports ^ ports >> 16);
    }
    packet->Ref();
    f->packet = PeekPointer(packet);
    return f;
}

Ptr<Packet>
TakePacket(Frame* f, uint16_t& protocol)
{
    protocol = static_cast<uint16_t>(f->psn);
    Ptr<Packet> packet(const_cast<Packet*>(f->packet), false);
    FramePool::Return(f);
    return packet;
}

std::optional<uint32_t>
GetIpv4Destination(const Packet& packet, uint16_t protocol)
{
    std::array<uint8_t, kPeekBytes> head{};
    if (protocol != kEtherTypeIpv4 || packet.CopyData(head.data(), head.size()) < 20)
    {
        return {};
    }
    return Word(head, 16);
}

} // namespace ns3::aifabric
