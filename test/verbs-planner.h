// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_PLANNER_H
#define AIFABRIC_VERBS_PLANNER_H

#include "verbs-setting.h"

#include <iterator>
#include <vector>

namespace ns3::aifabric::test
{

/// Makes up what the flows of a case post, and spoils some of it.
class VerbsPlanner
{
  public:
    explicit VerbsPlanner(VerbsSetting& setting)
        : m_s(setting)
    {
    }

    /// Makes up what a flow posts.
    void Conceive(VerbsFlow& flow, bool failing, bool sharesReceives)
    {
        constexpr WrOpcode kOpcodes[] = {WrOpcode::Write,
                                         WrOpcode::Write,
                                         WrOpcode::WriteWithImmediate,
                                         WrOpcode::Send,
                                         WrOpcode::Send,
                                         WrOpcode::SendWithImmediate,
                                         WrOpcode::Read,
                                         WrOpcode::Read,
                                         WrOpcode::FetchAdd,
                                         WrOpcode::CompareSwap};
        const uint32_t count = m_s.Pick(40);
        for (uint32_t i = 0; i < count; ++i)
        {
            Plan next{kOpcodes[m_s.Pick(std::size(kOpcodes))], 0};
            next.opcode = flow.habits.checksKeys && m_s.Pick(40) == 0 ? WrOpcode::SendWithInvalidate
                                                                      : next.opcode;
            if (m_s.sharedWord && next.opcode == WrOpcode::CompareSwap)
            {
                next.opcode = WrOpcode::FetchAdd;
            }
            constexpr uint32_t kMost[] = {1, 1, 2, 5};
            next.bytes = m_s.Pick(8) == 0 ? m_s.Pick(6) * m_s.mtu
                                          : m_s.Pick(kMost[m_s.Pick(4)] * m_s.mtu + 1);
            next.bytes = VerbsFlow::IsAtomic(next.opcode) ? kAtomicBytes : next.bytes;
            flow.plan.push_back(next);
        }
        if (failing && count > 0)
        {
            Spoil(flow, sharesReceives);
        }
    }

    /// @return what the peer has to allow for that.
    static uint32_t AccessOf(WrOpcode opcode)
    {
        switch (opcode)
        {
        case WrOpcode::Write:
        case WrOpcode::WriteWithImmediate:
            return kRemoteWrite;
        case WrOpcode::Read:
            return kRemoteRead;
        case WrOpcode::CompareSwap:
        case WrOpcode::FetchAdd:
            return kRemoteAtomic;
        default:
            return 0;
        }
    }

  private:
    /// Makes one of a flow's requests wrong.
    void Spoil(VerbsFlow& flow, bool sharesReceives)
    {
        std::size_t at = m_s.Pick(static_cast<uint32_t>(flow.plan.size()));
        const Wrong wrong = PickWrong(flow.plan[at].opcode, sharesReceives);
        if (wrong == Wrong::NoAccess)
        {
            // The first of its kind is the one that fails.
            const uint32_t access = AccessOf(flow.plan[at].opcode);
            at = 0;
            while (AccessOf(flow.plan[at].opcode) != access)
            {
                ++at;
            }
        }
        Plan& plan = flow.plan[at];
        if (!VerbsFlow::IsAtomic(plan.opcode))
        {
            plan.bytes += plan.bytes == 0;
        }
        plan.wrong = wrong;
        if (wrong == Wrong::NoReceive)
        {
            m_s.patience = m_s.Pick(3);
        }
        flow.wrongAt = at;
        m_s.says << ", request " << at << " of flow " << &flow - m_s.flows.data()
                 << " wrong: " << static_cast<int>(plan.wrong) << " op "
                 << static_cast<int>(plan.opcode);
    }

    Wrong PickWrong(WrOpcode opcode, bool sharesReceives)
    {
        std::vector<Wrong> wrongs{Wrong::LocalKey};
        if (opcode == WrOpcode::Write || opcode == WrOpcode::WriteWithImmediate ||
            opcode == WrOpcode::Read)
        {
            wrongs = {
                Wrong::LocalKey, Wrong::Key, Wrong::Range, Wrong::Permission, Wrong::NoAccess};
        }
        else if (VerbsFlow::IsAtomic(opcode))
        {
            wrongs = {Wrong::LocalKey,
                      Wrong::Key,
                      Wrong::Range,
                      Wrong::Alignment,
                      Wrong::Permission,
                      Wrong::NoAccess};
        }
        else
        {
            if (opcode == WrOpcode::SendWithInvalidate)
            {
                wrongs.push_back(Wrong::Key);
            }
            if (!sharesReceives)
            {
                wrongs.push_back(Wrong::ShortReceive);
                wrongs.push_back(Wrong::ProtectedReceive);
                wrongs.push_back(Wrong::NoReceive);
            }
        }
        return wrongs[m_s.Pick(static_cast<uint32_t>(wrongs.size()))];
    }

    VerbsSetting& m_s;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_PLANNER_H
