// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_WIRE_BYTES_H
#define AIFABRIC_WIRE_BYTES_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

using Bytes = std::vector<uint8_t>;

inline Bytes
FromHex(const std::string& hex)
{
    Bytes bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

inline Bytes
Slice(const Bytes& bytes, std::size_t from, std::size_t to)
{
    return Bytes(bytes.begin() + from, bytes.begin() + to);
}

inline uint32_t
LowFirst(const Bytes& bytes, std::size_t at)
{
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 |
           static_cast<uint32_t>(bytes[at + 3]) << 24;
}

/// CRC-32 of IEEE 802.3 bit by bit, apart from the library that the codec uses.
inline uint32_t
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

inline void
AppendCrc(Bytes& bytes, uint32_t crc)
{
    for (int byte = 0; byte < 4; ++byte)
    {
        bytes.push_back(crc >> 8 * byte & 0xFF);
    }
}

/// The invariant CRC bit by bit (IBA vol. 1, annex A17.3.3). @param packet from the IP header to the
/// last byte of padding.
inline uint32_t
InvariantCrcByBits(Bytes packet)
{
    const bool ipv6 = packet[0] >> 4 == 6;
    packet[0] |= ipv6 ? 0xF : 0;
    // Traffic class and flow label, hop limit; in IPv4 type of service, time to live, sum of the
    // header; then the sum of UDP, and FECN and BECN.
    const std::vector<std::size_t> changing =
        ipv6 ? std::vector<std::size_t>{1, 2, 3, 7, 46, 47, 52}
             : std::vector<std::size_t>{1, 8, 10, 11, 26, 27, 32};
    for (std::size_t at : changing)
    {
        if (at < packet.size())
        {
            packet[at] = 0xFF;
        }
    }
    packet.insert(packet.begin(), 8, 0xFF);
    return CrcByBits(packet);
}

/// @return a RoCE frame over IPv4, without VLAN tag, from the head of another one (Ethernet, IP, UDP)
/// and what is to stand behind UDP: with lengths and check sums that are right.
inline Bytes
Rebuild(const Bytes& good, const Bytes& transport)
{
    Bytes bytes(42 + transport.size());
    std::copy_n(good.begin(), 42, bytes.begin());
    std::copy(transport.begin(), transport.end(), bytes.begin() + 42);
    const std::size_t udp = 8 + transport.size() + 4;
    bytes[16] = (20 + udp) >> 8;
    bytes[17] = (20 + udp) & 0xFF;
    bytes[38] = udp >> 8;
    bytes[39] = udp & 0xFF;
    AppendCrc(bytes, InvariantCrcByBits(Slice(bytes, 14, bytes.size())));
    bytes.resize(bytes.size() < 60 ? 60 : bytes.size());
    AppendCrc(bytes, CrcByBits(bytes));
    return bytes;
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_WIRE_BYTES_H
