// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRELIABLE_PLANNER_H
#define AIFABRIC_UNRELIABLE_PLANNER_H

#include "unreliable-flow.h"

#include <cstdint>
#include <random>
#include <vector>

namespace ns3::aifabric::test
{

/// Makes up messages of unreliable queue pairs, and spoils some.
class UnreliablePlanner
{
  public:
    /// @param flows even ones of one host, odd ones of the other.
    UnreliablePlanner(std::mt19937_64& dice, std::vector<UnreliableFlow>& flows)
        : m_dice(dice),
          m_flows(flows)
    {
    }

    /// @return a message of that flow. @param faulty whether something may be wrong with it.
    UnreliableMessage Make(UnreliableFlow& flow, bool faulty)
    {
        constexpr WrOpcode kOpcodes[] = {WrOpcode::Send,
                                         WrOpcode::SendWithImmediate,
                                         WrOpcode::Write,
                                         WrOpcode::WriteWithImmediate};
        const bool datagram = flow.type == QpType::Ud;
        UnreliableMessage m;
        WorkRequest& r = m.request;
        r.opcode = kOpcodes[Pick(datagram ? 2 : 4)];
        r.bytes = Pick((datagram ? 1 : 5) * flow.mtu + 1);
        r.bytes = !datagram && Pick(6) == 0 ? Pick(6) * flow.mtu : r.bytes;
        r.signaled = Pick(3) != 0;
        r.solicited = Pick(4) == 0;
        r.immediate = static_cast<uint32_t>(m_dice());
        const bool write = !datagram && r.opcode < WrOpcode::Send;
        if (faulty && Pick(10) == 0)
        {
            constexpr Wrong kWrongs[] = {
                Wrong::LocalKey, Wrong::Key, Wrong::Range, Wrong::Permission};
            m.wrong = kWrongs[Pick(write ? 4 : datagram ? 2 : 1)];
            r.bytes += r.bytes == 0;
        }
        const auto bytes = static_cast<uint32_t>(r.bytes);
        m.local = flow.here->memory.Take(bytes, 0);
        flow.here->memory.Fill(m.local);
        m.content.assign(m.local.GetBytes(), m.local.GetBytes() + bytes);
        r.address = m.local.GetAddress();
        r.localKey = m.local.GetKey() + (m.wrong == Wrong::LocalKey);
        if (write)
        {
            const bool denied = m.wrong == Wrong::Permission;
            m.remote = flow.there->memory.Take(
                bytes,
                denied ? 0U : static_cast<uint32_t>(kLocalWrite | kRemoteWrite),
                denied ? static_cast<uint32_t>(kRemoteWrite) : 0U);
            const Region& region = *m.remote.region;
            r.remoteKey = m.remote.GetKey() + (m.wrong == Wrong::Key);
            r.remoteAddress = m.wrong == Wrong::Range
                                  ? region.registered->GetAddress() + region.size - bytes + 1
                                  : m.remote.GetAddress();
        }
        if (datagram)
        {
            UnreliableFlow& to = m_flows[2 * Pick(static_cast<uint32_t>(m_flows.size() / 2)) +
                                         (flow.here == m_flows[0].here)];
            r.remoteNumber = to.queuePair->GetNumber();
            r.remoteQkey = to.qkey + (m.wrong == Wrong::Key);
            m.handle.path.destination = to.queuePair->GetAddress();
            m.handle.path.priority = static_cast<int>(Pick(9)) - 1;
            m.handle.path.entropy = static_cast<uint16_t>(Pick(2) * (0xC000 + Pick(0x4000)));
        }
        return m;
    }

  private:
    uint32_t Pick(uint32_t choices)
    {
        return static_cast<uint32_t>(m_dice() % choices);
    }

    std::mt19937_64& m_dice;
    std::vector<UnreliableFlow>& m_flows;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_UNRELIABLE_PLANNER_H
