// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_POSTER_H
#define AIFABRIC_VERBS_POSTER_H

#include "verbs-setting.h"

#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric::test
{

/// Decides when what is posted, requests and receives, and posts it.
class VerbsPoster
{
  public:
    explicit VerbsPoster(VerbsSetting& setting)
        : m_s(setting)
    {
        PostShared(m_s.sharesReceives);
        Plot();
    }

  private:
    /// Decides when what is posted.
    void Plot()
    {
        for (VerbsFlow& flow : m_s.flows)
        {
            const Tick gap = m_s.Pick(4000) * kNanosecond;
            Tick at = m_s.Pick(3) * kMicrosecond;
            for (std::size_t i = 0; i < flow.plan.size(); ++i)
            {
                at += m_s.Pick(3) == 0 ? m_s.Pick(1000) * gap / 1000 : 0;
                Simulator::Schedule(TimeStep(at), [this, &flow] { Post(flow); });
            }
            if (flow.receivesOf == &flow.receives)
            {
                PlotReceives(flow, at);
            }
        }
        for (int end = 0; end < 2; ++end)
        {
            m_s.pair.host[end].onSent = [this, end](const WorkCompletion& c) {
                VerbsFlow& flow = *m_s.byNumber[end].at(c.queuePair);
                flow.OnSent(c);
                if (m_s.Pick(5) == 0)
                {
                    Post(flow);
                }
            };
            m_s.pair.host[end].onReceived = [this, end](const WorkCompletion& c) {
                m_s.byNumber[end].at(c.queuePair)->OnReceived(c);
            };
        }
    }

    void Post(VerbsFlow& flow)
    {
        if (!flow.IsDone() && !::testing::Test::HasFatalFailure())
        {
            flow.PostNext(m_s.dice);
        }
    }

    /// As many receives as the peer's requests take; some in time, some late.
    void PlotReceives(VerbsFlow& flow, Tick end)
    {
        const bool early = m_s.Pick(2) == 0 || &flow == PeerOfImpatient();
        Tick at = 0;
        for (const Plan& message : flow.peer->plan)
        {
            if (!message.ConsumesReceive())
            {
                continue;
            }
            if (message.wrong == Wrong::NoReceive)
            {
                break;
            }
            at += early || m_s.Pick(3) != 0 ? 0 : m_s.Pick(1000) * (end / 4000 + 1);
            const bool write = message.opcode == WrOpcode::WriteWithImmediate;
            const uint32_t least = write ? 0 : message.bytes;
            const uint32_t bytes = message.wrong == Wrong::ShortReceive ? m_s.Pick(least)
                                   : m_s.Pick(3) == 0                   ? least
                                                                        : least + m_s.Pick(m_s.mtu);
            const bool isProtected = message.wrong == Wrong::ProtectedReceive;
            Simulator::Schedule(TimeStep(at), [this, &flow, bytes, isProtected] {
                EXPECT_EQ(flow.queuePair->PostReceive(MakeReceive(
                              *flow.here, flow.receives, flow.habits, bytes, isProtected)),
                          Status::Ok);
            });
        }
    }

    VerbsFlow* PeerOfImpatient()
    {
        const bool impatient =
            m_s.spoilt && m_s.spoilt->plan[m_s.spoiltAt].wrong == Wrong::NoReceive;
        return impatient ? m_s.spoilt->peer : nullptr;
    }

    ReceiveRequest MakeReceive(VerbsHost& host,
                               std::vector<PostedReceive>& receives,
                               const VerbsFlow::Habits& habits,
                               uint32_t bytes,
                               bool isProtected)
    {
        ReceiveRequest request;
        request.wrId = receives.size();
        request.bytes = bytes;
        PostedReceive receive;
        if (habits.checksKeys)
        {
            receive.range = host.memory.Take(bytes,
                                             isProtected ? 0U : static_cast<uint32_t>(kLocalWrite),
                                             isProtected ? static_cast<uint32_t>(kLocalWrite) : 0U);
            request.address = receive.range.GetAddress();
            request.localKey = receive.range.GetKey();
        }
        receives.push_back(receive);
        return request;
    }

    /// Receives of a shared queue: enough of them in all, whoever takes them.
    void PostShared(bool sharesReceives)
    {
        if (!sharesReceives)
        {
            return;
        }
        for (int end = 0; end < 2; ++end)
        {
            Tick at = 0;
            for (std::size_t i = end; i < m_s.flows.size(); i += 2)
            {
                for (const Plan& message : m_s.flows[i].peer->plan)
                {
                    if (!message.ConsumesReceive())
                    {
                        continue;
                    }
                    at += m_s.Pick(4) == 0 ? m_s.Pick(4000) * kNanosecond : 0;
                    Simulator::Schedule(TimeStep(at), [this, end] {
                        VerbsFlow::Habits habits;
                        EXPECT_EQ(
                            m_s.pair.host[end].shared.PostReceive(MakeReceive(
                                m_s.pair.host[end], m_s.shared[end], habits, 5 * m_s.mtu, false)),
                            Status::Ok);
                    });
                }
            }
        }
    }

    VerbsSetting& m_s;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_POSTER_H
