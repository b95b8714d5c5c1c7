// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_PLAN_H
#define AIFABRIC_VERBS_PLAN_H

#include "verbs-memory.h"

#include "ns3/verbs.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric::test
{

/// What is wrong with a request, deliberately.
enum class Wrong : uint8_t
{
    Nothing,
    Key,              ///< the remote key, or the key to invalidate
    Range,            ///< it goes beyond its region
    Permission,       ///< the region does not give that
    NoAccess,         ///< the peer's queue pair does not
    Alignment,        ///< of an atomic
    LocalKey,         ///< no such region here
    ShortReceive,     ///< the message is longer
    ProtectedReceive, ///< the receive's memory may not be written
    NoReceive         ///< none is ever posted
};

/// A request that will be posted.
struct Plan
{
    WrOpcode opcode;
    uint32_t bytes;
    Wrong wrong{Wrong::Nothing};

    bool ConsumesReceive() const
    {
        return opcode == WrOpcode::Send || opcode == WrOpcode::SendWithImmediate ||
               opcode == WrOpcode::SendWithInvalidate || opcode == WrOpcode::WriteWithImmediate;
    }
};

/// A request that was posted, and what it should do.
struct Posted
{
    WorkRequest request;
    Range local;
    Range remote;
    std::vector<std::byte> content; ///< of a SEND
    std::vector<std::byte> before;  ///< what was where a WRITE, a READ or an atomic's answer goes
    MemoryRegion* invalidates{nullptr};
    uint64_t original{0}; ///< an atomic's answer
};

/// A receive that was posted.
struct PostedReceive
{
    Range range;
    uint32_t bytes{0};
    bool isProtected{false}; ///< its memory may not be written
    bool ended{false};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_PLAN_H
