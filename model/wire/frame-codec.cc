// SPDX-License-Identifier: GPL-2.0-only
#include "frame-codec.h"

#include "big-endian.h"
#include "ethernet-frame.h"
#include "packet-frame.h"
#include "roce-headers.h"

#include "ns3/abort.h"
#include "ns3/frame-pool.h"
#include "ns3/packet.h"

#include <boost/crc.hpp>

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

constexpr uint16_t kEtherTypeIpv6 = 0x86DD;
constexpr uint16_t kVlanTag = 0x8100;
constexpr uint16_t kMacControl = 0x8808;
constexpr uint16_t kPriorityPause = 0x0101;
constexpr uint8_t kUdp = 17;
constexpr uint16_t kRocePort = 4791;
constexpr uint8_t kTimeToLive = 64;
constexpr std::size_t kMacBytes = 12;
constexpr std::size_t kIpv4Bytes = 20;
constexpr std::size_t kIpv6Bytes = 40;
constexpr std::size_t kUdpBytes = 8;
constexpr std::size_t kCrcBytes = 4;

using Bytes = std::vector<uint8_t>;

/// Appends a check sum: the lowest byte first.
void
PutCrc(Bytes& to, uint32_t crc)
{
    PutBigEndian<4>(to, __builtin_bswap32(crc));
}

uint32_t
Crc(const uint8_t* bytes, std::size_t size)
{
    boost::crc_32_type crc;
    crc.process_bytes(bytes, size);
    return crc.checksum();
}

bool
EndsWithCrc(const uint8_t* bytes, std::size_t size, uint32_t crc)
{
    return GetBigEndian<4>(bytes + size) == __builtin_bswap32(crc);
}

/// The sum of an IPv4 header (RFC 791, 3.1) whose field for it is 0.
uint16_t
HeaderSum(const uint8_t* header)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i < kIpv4Bytes; i += 2)
    {
        sum += GetBigEndian<2>(header + i);
    }
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

void
PutMac(Bytes& to, NodeIdx endpoint)
{
    PutBigEndian<6>(to, 0x0200ULL << 32 | endpoint);
}

void
PutIp(Bytes& to, const Frame& f, bool ipv6, std::size_t payload)
{
    const uint8_t ecn = f.flags & kCe ? 3 : f.flags & kEct ? 2 : 0;
    const uint8_t trafficClass = f.priority << 5 | ecn;
    const uint8_t timeToLive = kTimeToLive - f.hops;
    if (ipv6)
    {
        PutBigEndian<4>(to, 6U << 28 | trafficClass << 20);
        PutBigEndian<2>(to, payload);
        PutBigEndian<1>(to, kUdp);
        PutBigEndian<1>(to, timeToLive);
        for (NodeIdx endpoint : {f.src, f.dst})
        {
            PutBigEndian<8>(to, 0xFDULL << 56);
            PutBigEndian<8>(to, 1ULL + endpoint);
        }
        return;
    }
    const std::size_t at = to.size();
    PutBigEndian<2>(to, 0x4500 | trafficClass);
    PutBigEndian<2>(to, kIpv4Bytes + payload);
    PutBigEndian<4>(to, 0x4000); // never to be fragmented
    PutBigEndian<1>(to, timeToLive);
    PutBigEndian<1>(to, kUdp);
    PutBigEndian<2>(to, 0);
    PutBigEndian<4>(to, kFirstIpv4 + f.src);
    PutBigEndian<4>(to, kFirstIpv4 + f.dst);
    const uint16_t sum = HeaderSum(&to[at]);
    to[at + 10] = sum >> 8;
    to[at + 11] = sum & 0xFF;
}

void
PutPause(Bytes& to, const Frame& f)
{
    PutBigEndian<6>(to, 0x0180C2000001);
    PutMac(to, f.src);
    PutBigEndian<2>(to, kMacControl);
    PutBigEndian<2>(to, kPriorityPause);
    PutBigEndian<2>(to, 1U << f.priority);
    for (int priority = 0; priority < 8; ++priority)
    {
        PutBigEndian<2>(to, priority == f.priority ? std::min(f.psn, 0xFFFFU) : 0);
    }
}

void
PutRoce(Bytes& to, const Frame& f, bool ipv6)
{
    Bytes transport;
    PutRoceHeaders(transport, f);
    const std::size_t length = kUdpBytes + transport.size() + kCrcBytes;
    PutBigEndian<2>(to, ipv6 ? kEtherTypeIpv6 : kEtherTypeIpv4);
    const std::size_t begin = to.size();
    PutIp(to, f, ipv6, length);
    PutBigEndian<2>(to, f.entropy);
    PutBigEndian<2>(to, kRocePort);
    PutBigEndian<2>(to, length);
    PutBigEndian<2>(to, 0);
    to.insert(to.end(), transport.begin(), transport.end());
    PutCrc(to, InvariantCrc(&to[begin], to.size() - begin));
}

void
PutOrdinary(Bytes& to, const Frame& f)
{
    PutBigEndian<2>(to, f.psn);
    const std::size_t begin = to.size();
    to.resize(begin + f.packet->GetSize());
    f.packet->CopyData(&to[begin], f.packet->GetSize());
}

/// Reads an IP packet that may be RoCE. @return what is wrong, null if nothing.
const char*
ReadRoce(Frame& f, const uint8_t* ip, bool ipv6, std::size_t size)
{
    const std::size_t header = ipv6 ? kIpv6Bytes : kIpv4Bytes;
    const std::size_t total = ipv6 ? header + GetBigEndian<2>(ip + 4) : GetBigEndian<2>(ip + 2);
    if (total > size || total < header + kUdpBytes + kBthBytes + kCrcBytes)
    {
        return "the length in its IP header is not that of a RoCE frame";
    }
    const uint8_t trafficClass = ipv6 ? GetBigEndian<2>(ip) >> 4 : ip[1];
    f.priority = trafficClass >> 5;
    f.flags = (trafficClass & 3) == 3 ? kEct | kCe : (trafficClass & 3) == 2 ? kEct : 0;
    f.hops = kTimeToLive - ip[ipv6 ? 7 : 8];
    f.src = ipv6 ? GetBigEndian<4>(ip + 20) - 1 : GetBigEndian<4>(ip + 12) - kFirstIpv4;
    f.dst = ipv6 ? GetBigEndian<4>(ip + 36) - 1 : GetBigEndian<4>(ip + 16) - kFirstIpv4;
    f.entropy = GetBigEndian<2>(ip + header);
    if (!EndsWithCrc(ip, total - kCrcBytes, InvariantCrc(ip, total - kCrcBytes)))
    {
        return "its ICRC is wrong";
    }
    const std::size_t transport = header + kUdpBytes;
    return ReadRoceHeaders(f, ip + transport, total - transport - kCrcBytes);
}

bool
IsRocePacket(const uint8_t* ip, uint16_t type, std::size_t size)
{
    const bool ipv6 = type == kEtherTypeIpv6;
    const std::size_t header = ipv6 ? kIpv6Bytes : kIpv4Bytes;
    return (ipv6 || type == kEtherTypeIpv4) && size >= header + kUdpBytes &&
           ip[ipv6 ? 6 : 9] == kUdp && (ipv6 || ip[0] == 0x45) &&
           GetBigEndian<2>(ip + header + 2) == kRocePort;
}

} // namespace

uint32_t
InvariantCrc(const uint8_t* packet, std::size_t size)
{
    const bool ipv6 = packet[0] >> 4 == 6;
    const std::size_t udp = ipv6 ? kIpv6Bytes : kIpv4Bytes;
    const std::size_t bth = udp + kUdpBytes;
    // Where InfiniBand had its local header, and whatever may change on the way, are ones.
    Bytes masked(8, 0xFF);
    masked.insert(masked.end(), packet, packet + bth + kBthBytes);
    uint8_t* head = &masked[8];
    if (ipv6)
    {
        head[0] |= 0x0F;
        head[1] = head[2] = head[3] = 0xFF;
        head[7] = 0xFF;
    }
    else
    {
        head[1] = 0xFF;
        head[8] = 0xFF;
        head[10] = head[11] = 0xFF;
    }
    head[udp + 6] = head[udp + 7] = 0xFF;
    head[bth + 4] = 0xFF;
    boost::crc_32_type crc;
    crc.process_bytes(masked.data(), masked.size());
    crc.process_bytes(packet + bth + kBthBytes, size - bth - kBthBytes);
    return crc.checksum();
}

std::vector<uint8_t>
FrameCodec::Encode(const Frame& f) const
{
    NS_ABORT_MSG_IF(!HasBytes(f.op), "a cell has no bytes");
    Bytes out;
    out.reserve(f.bytes + 32);
    if (f.op == Opcode::Pause)
    {
        PutPause(out, f);
    }
    else
    {
        PutMac(out, f.dst);
        PutMac(out, f.src);
        if (vlan)
        {
            PutBigEndian<2>(out, kVlanTag);
            PutBigEndian<2>(out, f.priority << 13 | *vlan);
        }
        if (f.op == Opcode::Ordinary)
        {
            PutOrdinary(out, f);
        }
        else
        {
            PutRoce(out, f, ipv6);
        }
    }
    // What trimming has left may be longer than its headers.
    const std::size_t least =
        f.flags & kTrimmed ? std::max(f.bytes, kMinFrameBytes) : kMinFrameBytes;
    out.resize(std::max(out.size(), least - kCrcBytes));
    PutCrc(out, Crc(out.data(), out.size()));
    return out;
}

Frame*
FrameCodec::Decode(const uint8_t* bytes, std::size_t size, std::string& why)
{
    if (size < kMinFrameBytes)
    {
        why = "shorter than a frame";
        return nullptr;
    }
    const std::size_t end = size - kCrcBytes;
    if (!EndsWithCrc(bytes, end, Crc(bytes, end)))
    {
        why = "its FCS is wrong";
        return nullptr;
    }
    Frame f{};
    f.bytes = static_cast<uint32_t>(size);
    f.src = GetBigEndian<4>(bytes + 8);
    f.dst = GetBigEndian<4>(bytes + 2);
    std::size_t at = kMacBytes;
    std::optional<uint8_t> priority;
    if (GetBigEndian<2>(bytes + at) == kVlanTag)
    {
        priority = bytes[at + 2] >> 5;
        at += 4;
    }
    const uint16_t type = GetBigEndian<2>(bytes + at);
    at += 2;
    if (type == kMacControl)
    {
        const uint32_t enabled = GetBigEndian<2>(bytes + at + 2);
        if (GetBigEndian<2>(bytes + at) != kPriorityPause || enabled == 0 ||
            enabled & (enabled - 1))
        {
            why = "a MAC control frame that is no pause of one priority";
            return nullptr;
        }
        f.op = Opcode::Pause;
        f.dst = 0;
        f.priority = __builtin_ctz(enabled);
        f.psn = GetBigEndian<2>(bytes + at + 4 + 2 * f.priority);
    }
    else if (IsRocePacket(bytes + at, type, end - at))
    {
        if (const char* wrong = ReadRoce(f, bytes + at, type == kEtherTypeIpv6, end - at))
        {
            why = wrong;
            return nullptr;
        }
    }
    else
    {
        // Padding is no part of an IP packet.
        std::size_t length = end - at;
        length = type == kEtherTypeIpv4
                     ? std::min<std::size_t>(length, GetBigEndian<2>(bytes + at + 2))
                     : length;
        Frame* ordinary =
            MakeOrdinaryFrame(Create<Packet>(bytes + at, static_cast<uint32_t>(length)), type);
        ordinary->src = f.src;
        ordinary->dst = f.dst;
        ordinary->priority = priority.value_or(0);
        return ordinary;
    }
    f.priority = priority.value_or(f.priority);
    Frame* taken = FramePool::Take();
    *taken = f;
    return taken;
}

} // namespace ns3::aifabric
