// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_POSTER_H
#define AIFABRIC_VERBS_POSTER_H

#include "verbs-setting.h"

#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
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
        Plot();
        Listen();
    }

    /// Takes a completion of a host as it comes.
    void Take(int end, const WorkCompletion& c)
    {
        VerbsFlow& flow = *m_s.byNumber[end].at(c.queuePair);
        if (c.opcode >= WcOpcode::Receive)
        {
            flow.OnReceived(c);
            PostOwedReceives(flow);
            return;
        }
        flow.OnSent(c);
        while (flow.owedSends > 0 && !flow.IsFull())
        {
            --flow.owedSends;
            Post(flow);
        }
        if (m_s.Pick(5) == 0)
        {
            Post(flow);
        }
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
            if (m_s.drains && m_s.Pick(2) == 0)
            {
                flow.drainer = std::make_unique<SendDrainer>(
                    m_s.dice, *flow.queuePair, flow.watch, [this, &flow] {
                        if (!m_s.polls)
                        {
                            flow.CheckDrained();
                        }
                    });
                flow.drainer->Plot(at + 20 * kMicrosecond);
            }
        }
    }

    /// Completions, events, and what comes off the wire.
    void Listen()
    {
        for (int end = 0; end < 2; ++end)
        {
            VerbsHost& host = m_s.pair.host[end];
            host.onSent = host.onReceived = [this, end](const WorkCompletion& c) {
                m_s.byNumber[end].at(c.queuePair)->NoteTaken(c);
                Take(end, c);
            };
            host.nic.OnAsyncEvent([this, end](const AsyncEvent& e) {
                VerbsFlow& flow = *m_s.byNumber[end].at(e.queuePair);
                ++flow.events[e.type];
                if (e.type == AsyncEventType::SqDrained)
                {
                    flow.drainer->OnDrained();
                }
            });
            host.cable.onLeft = [this, end](const Frame& f) {
                using namespace opcodes;
                if (IsOperation(f.op) && Has(kSends | kWrites | kAtomics | kReads, f.op))
                {
                    m_s.byNumber[end].at(f.flow)->peer->watch.OnFrame(f);
                }
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
        const bool early = m_s.Pick(2) == 0 || IsImpatient(flow) || IsImpatient(*flow.peer);
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
                m_owed[&flow].push_back({bytes, isProtected});
                if (flow.HasFullReceives())
                {
                    EXPECT_EQ(flow.queuePair->PostReceive({}), Status::QueueFull);
                }
                PostOwedReceives(flow);
            });
        }
    }

    void PostOwedReceives(VerbsFlow& flow)
    {
        std::deque<Owed>& owed = m_owed[&flow];
        while (!owed.empty() && !flow.HasFullReceives())
        {
            const Owed next = owed.front();
            owed.pop_front();
            EXPECT_EQ(flow.queuePair->PostReceive(flow.here->MakeReceive(
                          flow.receives, flow.habits.checksKeys, next.bytes, next.isProtected)),
                      Status::Ok);
        }
    }

    /// @return whether a flow will not wait for a receive that never comes.
    static bool IsImpatient(const VerbsFlow& flow)
    {
        return flow.wrongAt && flow.plan[*flow.wrongAt].wrong == Wrong::NoReceive;
    }

    /// A receive that waits for room.
    struct Owed
    {
        uint32_t bytes;
        bool isProtected;
    };

    static constexpr uint32_t kReads = opcodes::Set(Opcode::ReadRequest);

    VerbsSetting& m_s;
    std::map<VerbsFlow*, std::deque<Owed>> m_owed;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_POSTER_H
