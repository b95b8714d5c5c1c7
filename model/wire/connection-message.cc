// SPDX-License-Identifier: GPL-2.0-only
#include "connection-message.h"

#include "frame-codec.h"

#include "ns3/abort.h"

#include <algorithm>
#include <type_traits>

namespace ns3::aifabric
{

namespace
{

using Kind = ConnectionMessageKind;
using Datagram = std::array<std::byte, kManagementBytes>;

constexpr uint8_t kManagementVersion = 1;
constexpr uint8_t kClass = 7; ///< communication management
constexpr uint8_t kClassVersion = 2;
constexpr uint8_t kMethodSend = 3;
constexpr std::size_t kHeaderBytes = 24;
constexpr uint16_t kDefaultPartition = 0xFFFF;
constexpr uint16_t kNoLid = 0xFFFF; ///< the permissive one: Ethernet has none
constexpr uint8_t kHopLimit = 64;

/// Place of a field: where its highest bit is, counted from the front, and how many there are.
struct Place
{
    std::size_t bit;
    std::size_t bits;
};

/// A field of bytes from the header of the datagram on.
constexpr Place
At(std::size_t byte, std::size_t bits, std::size_t bit = 0)
{
    return {8 * byte + bit, bits};
}

/// A field of the message behind that.
constexpr Place
In(std::size_t byte, std::size_t bits, std::size_t bit = 0)
{
    return At(kHeaderBytes + byte, bits, bit);
}

void
Put(Datagram& to, Place place, uint64_t value)
{
    for (std::size_t i = 0; i < place.bits; ++i)
    {
        const std::size_t bit = place.bit + place.bits - 1 - i;
        to[bit / 8] |= std::byte((value >> i & 1) << (7 - bit % 8));
    }
}

uint64_t
Get(const std::byte* from, Place place)
{
    uint64_t value = 0;
    for (std::size_t bit = place.bit; bit < place.bit + place.bits; ++bit)
    {
        value = value << 1 | (std::to_integer<uint64_t>(from[bit / 8]) >> (7 - bit % 8) & 1);
    }
    return value;
}

/// Calls field(place, member) for all fields of a message (IBA vol. 1, 12.6.5 to 12.6.11).
template <class Message, class Field>
void
VisitFields(Message& m, Field field)
{
    field(In(0, 32), m.localId);
    if (m.kind != Kind::Request)
    {
        field(In(4, 32), m.remoteId);
    }
    switch (m.kind)
    {
    case Kind::Request:
        field(In(8, 64), m.serviceId);
        field(In(32, 24), m.queuePair);
        field(In(35, 8), m.responderResources);
        field(In(39, 8), m.initiatorDepth);
        field(In(43, 5), m.responseTimeout);
        field(In(44, 24), m.startingPsn);
        field(In(47, 5), m.responseTimeout);
        field(In(47, 3, 5), m.retryCount);
        field(In(50, 4), m.pathMtu);
        field(In(50, 3, 5), m.rnrRetry);
        field(In(51, 4), m.maxRetries);
        field(In(68, 32), m.source);
        field(In(84, 32), m.destination);
        field(In(95, 5), m.ackTimeout);
        break;
    case Kind::Reply:
        field(In(12, 24), m.queuePair);
        field(In(20, 24), m.startingPsn);
        field(In(24, 8), m.responderResources);
        field(In(25, 8), m.initiatorDepth);
        field(In(27, 3), m.rnrRetry);
        break;
    case Kind::Reject:
        field(In(8, 2), m.refused);
        field(In(10, 16), m.reason);
        break;
    case Kind::DisconnectRequest:
        field(In(8, 24), m.queuePair);
        break;
    default:
        break;
    }
}

/// Writes what is always the same.
void
PutConstants(Datagram& to, Kind kind, uint64_t transaction)
{
    Put(to, At(0, 8), kManagementVersion);
    Put(to, At(1, 8), kClass);
    Put(to, At(2, 8), kClassVersion);
    Put(to, At(3, 8), kMethodSend);
    Put(to, At(8, 64), transaction);
    Put(to, At(16, 16), static_cast<uint64_t>(kind));
    if (kind == Kind::Request)
    {
        Put(to, In(48, 16), kDefaultPartition);
        Put(to, In(52, 16), kNoLid);
        Put(to, In(54, 16), kNoLid);
        Put(to, In(66, 16), 0xFFFF); // the prefix of mapped addresses (RFC 4291, 2.5.5.2)
        Put(to, In(82, 16), 0xFFFF);
        Put(to, In(93, 8), kHopLimit);
    }
}

} // namespace

std::size_t
PrivateBytes(Kind kind)
{
    switch (kind)
    {
    case Kind::Request:
        return 92;
    case Kind::Reject:
        return 148;
    case Kind::Reply:
        return 196;
    case Kind::DisconnectRequest:
        return 220;
    default:
        return 224;
    }
}

Datagram
ConnectionMessage::Encode() const
{
    const std::size_t room = PrivateBytes(kind);
    NS_ABORT_MSG_IF(privateData.size() > room,
                    privateData.size() << " bytes of private data, where " << room << " fit");
    Datagram datagram{};
    // Both directions of a connection have the number of who asked for it.
    PutConstants(datagram, kind, kind == Kind::Request || remoteId == 0 ? localId : remoteId);
    ConnectionMessage mapped = *this;
    mapped.source += kFirstIpv4;
    mapped.destination += kFirstIpv4;
    VisitFields(mapped, [&](Place place, auto value) {
        Put(datagram, place, static_cast<uint64_t>(value));
    });
    std::copy(privateData.begin(), privateData.end(), datagram.end() - room);
    return datagram;
}

std::optional<ConnectionMessage>
ConnectionMessage::Decode(const std::byte* datagram)
{
    ConnectionMessage m;
    m.kind = static_cast<Kind>(Get(datagram, At(16, 16)));
    const bool known = m.kind >= Kind::Request && m.kind <= Kind::DisconnectReply &&
                       m.kind != static_cast<Kind>(0x11);
    if (!known || Get(datagram, At(0, 32)) != 0x01070203)
    {
        return std::nullopt;
    }
    VisitFields(m, [&](Place place, auto& member) {
        member = static_cast<std::remove_reference_t<decltype(member)>>(Get(datagram, place));
    });
    m.source -= kFirstIpv4;
    m.destination -= kFirstIpv4;
    m.privateData.assign(datagram + kManagementBytes - PrivateBytes(m.kind),
                         datagram + kManagementBytes);
    return m;
}

} // namespace ns3::aifabric
