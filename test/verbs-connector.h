// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_CONNECTOR_H
#define AIFABRIC_VERBS_CONNECTOR_H

#include "verbs-planner.h"

#include <cstring>
#include <memory>

namespace ns3::aifabric::test
{

/// Makes the queue pairs of a case, with the habits of their flows and what these will post.
class VerbsConnector
{
  public:
    explicit VerbsConnector(VerbsSetting& setting)
        : m_s(setting),
          m_planner(setting)
    {
        const auto connections = static_cast<uint32_t>(m_s.flows.size() / 2);
        MakeWords(connections);
        for (uint32_t i = 0; i < connections; ++i)
        {
            // One that is faulty among others that are not, or several.
            const bool spoils = m_s.faulty && !m_s.cutAt && m_s.Pick(i == 0 ? 4 : 2) != 0;
            Connect(i, m_s.sharesReceives, spoils);
        }
    }

  private:
    /// One word for each direction of each queue pair, or one for all of a direction.
    void MakeWords(uint32_t connections)
    {
        m_s.sharedWord = !m_s.faulty && m_s.Pick(4) == 0;
        for (int to = 0; to < 2; ++to)
        {
            Range shared;
            for (uint32_t i = 0; i < connections; ++i)
            {
                if (!m_s.sharedWord || i == 0)
                {
                    shared =
                        m_s.pair.host[to].memory.Take(kAtomicBytes, kLocalWrite | kRemoteAtomic);
                    m_s.pair.host[to].memory.Fill(shared);
                }
                m_s.flows[2 * i + 1 - to].word = shared;
            }
            m_s.firstValue[1 - to] = Load(shared);
        }
    }

    static uint64_t Load(const Range& range)
    {
        uint64_t value;
        std::memcpy(&value, range.GetBytes(), sizeof(value));
        return value;
    }

    void Connect(uint32_t number, bool sharesReceives, bool faulty)
    {
        const bool checksKeys = faulty || m_s.sharedWord || m_s.Pick(5) != 0;
        constexpr uint32_t kInline[] = {0, 64, 256, 1500};
        VerbsFlow::Habits habits;
        habits.signaled = m_s.Pick(3) == 0 ? 1 : m_s.Share(1);
        habits.inlined = m_s.Share(0.5);
        habits.fenced = m_s.Share(0.3);
        habits.checksKeys = checksKeys;
        habits.sharedWord = m_s.sharedWord;
        habits.faulty = m_s.faulty;
        QueuePairInit init;
        init.maxInlineBytes = kInline[m_s.Pick(4)];
        init.maxSendRequests = m_s.Pick(3) == 0 ? 1 + m_s.Pick(6) : 0;
        init.maxReceiveRequests = m_s.Pick(3) == 0 ? 1 + m_s.Pick(4) : 0;
        const uint32_t failing = faulty ? m_s.Pick(2) : 2;
        for (uint32_t end = 0; end < 2; ++end)
        {
            VerbsFlow& flow = m_s.flows[2 * number + end];
            flow.here = &m_s.pair.host[end];
            flow.there = &m_s.pair.host[1 - end];
            flow.peer = &m_s.flows[2 * number + 1 - end];
            flow.habits = habits;
            flow.maxInlineBytes = init.maxInlineBytes;
            flow.maxSends = init.maxSendRequests;
            flow.receivesOf = sharesReceives ? &m_s.shared[end] : &flow.receives;
            m_planner.Conceive(flow, end == failing, sharesReceives);
        }
        init.profile = m_s.profile;
        if (m_s.patience < 7)
        {
            // Somebody never posts a receive.
            auto profile = std::make_shared<TransportProfile>(*m_s.profile);
            profile->rnrRetryCount = static_cast<uint8_t>(m_s.patience);
            init.profile = profile;
            init.maxReceiveRequests = 0;
        }
        const uint32_t psn[2] = {m_s.Pick(2) ? kPsnMask - m_s.Pick(40) : m_s.Pick(kPsnMask + 1),
                                 m_s.Pick(2) ? kPsnMask - m_s.Pick(40) : m_s.Pick(kPsnMask + 1)};
        const auto [a, b] = m_s.pair.Connect(init, checksKeys, sharesReceives, psn);
        QueuePair* const made[2] = {a, b};
        for (uint32_t end = 0; end < 2; ++end)
        {
            VerbsFlow& flow = m_s.flows[2 * number + end];
            flow.queuePair = made[end];
            flow.maxReceives = init.maxReceiveRequests;
            flow.watch.Begin(psn[end]);
            m_s.byNumber[end][made[end]->GetNumber()] = &flow;
            if (flow.wrongAt && flow.plan[*flow.wrongAt].wrong == Wrong::NoAccess)
            {
                Deny(*made[1 - end], VerbsPlanner::AccessOf(flow.plan[*flow.wrongAt].opcode));
            }
        }
        m_s.patience = 7;
    }

    /// Takes a right away from the peer of a queue pair.
    static void Deny(QueuePair& queuePair, uint32_t access)
    {
        QueuePairAttributes a;
        a.accessFlags = kAllAccess & ~access;
        EXPECT_EQ(queuePair.Modify(a, kQpAccessFlags), Status::Ok);
    }

    VerbsSetting& m_s;
    VerbsPlanner m_planner;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_CONNECTOR_H
