// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRELIABLE_CASE_H
#define AIFABRIC_UNRELIABLE_CASE_H

#include "unreliable-planner.h"

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"
#include "ns3/object-factory.h"
#include "ns3/send-queue.h"
#include "ns3/transport-settings.h"

#include <map>
#include <sstream>
#include <string>

namespace ns3::aifabric::test
{

/// What all cases did.
struct UnreliableTotals
{
    uint64_t cases{0};
    uint64_t requests{0};
    uint64_t receives{0}; ///< with a message
    uint64_t lost{0};     ///< frames that arrived in vain
    uint64_t failures{0}; ///< of sending halves
    uint64_t deaths{0};   ///< of queue pairs, by a receive
    uint64_t drains{0};   ///< that were told
};

/// One random case: two hosts, unreliable queue pairs of one kind, messages from either end of each.
class UnreliableCase
{
  public:
    UnreliableCase(uint64_t seed, UnreliableTotals& totals)
        : m_dice(seed * 0x9E3779B97F4A7C15U + 7),
          m_totals(totals),
          m_pair(m_dice, 100 * kNanosecond * (1 + Pick(20)), Pick(2) * 300 * kNanosecond)
    {
        m_type = Pick(2) == 0 ? QpType::Uc : QpType::Ud;
        m_faulty = Pick(3) == 0;
        m_drains = Pick(3) == 0;
        m_says << "seed " << seed << ": " << (m_type == QpType::Uc ? "UC" : "UD")
               << (m_faulty ? ", faulty" : "") << (m_drains ? ", drains" : "");
        for (VerbsHost& host : m_pair.host)
        {
            host.cable.loses = Pick(2) == 0 ? Share(0.2) : 0;
            host.cable.trims = Pick(4) == 0 ? Share(0.1) : 0;
            host.cable.doubles = Pick(4) == 0 ? Share(0.1) : 0;
            host.cable.delays = Pick(4) == 0 ? Share(0.2) : 0;
            host.cable.longestDelay = 1 + Pick(3000) * kNanosecond;
            host.cable.marks = Pick(4) == 0 ? Share(0.3) : 0;
        }
        Connect(1 + Pick(3));
        Listen();
        for (UnreliableFlow& flow : m_flows)
        {
            Plot(flow);
        }
    }

    void Run()
    {
        SCOPED_TRACE(m_says.str());
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        Check();
        Simulator::Destroy();
    }

  private:
    uint32_t Pick(uint32_t choices)
    {
        return static_cast<uint32_t>(m_dice() % choices);
    }

    double Share(double most)
    {
        return std::generate_canonical<double, 32>(m_dice) * most;
    }

    void Connect(uint32_t pairs)
    {
        constexpr uint32_t kMtus[] = {256, 512, 1024, 4096};
        Ptr<CongestionControl> control;
        if (Pick(8) == 0)
        {
            control = ObjectFactory("ns3::aifabric::Dcqcn").Create<CongestionControl>();
        }
        QueuePairInit init;
        init.type = m_type;
        init.profile = std::make_shared<TransportProfile>(*CreateObject<TransportSettings>(),
                                                          kRoceV2Headers,
                                                          kMtus[Pick(4)],
                                                          control,
                                                          VerbsPair::kRateBps);
        m_flows.resize(2 * pairs);
        for (uint32_t i = 0; i < pairs; ++i)
        {
            const uint32_t psn[2] = {kPsnMask - Pick(40), Pick(kPsnMask + 1)};
            const auto [a, b] = m_pair.Connect(init, true, false, psn);
            QueuePair* const made[2] = {a, b};
            for (uint32_t end = 0; end < 2; ++end)
            {
                UnreliableFlow& flow = m_flows[2 * i + end];
                flow.type = m_type;
                flow.mtu = init.profile->mtu;
                flow.here = &m_pair.host[end];
                flow.there = &m_pair.host[1 - end];
                flow.peer = &m_flows[2 * i + 1 - end];
                flow.queuePair = made[end];
                flow.watch.Begin(psn[end]);
                m_byNumber[end][made[end]->GetNumber()] = &flow;
                if (m_type == QpType::Ud)
                {
                    QueuePairAttributes a;
                    a.qkey = flow.qkey = Pick(3);
                    EXPECT_EQ(flow.queuePair->Modify(a, kQpQkey), Status::Ok);
                }
            }
        }
    }

    void Listen()
    {
        for (int end = 0; end < 2; ++end)
        {
            VerbsHost& host = m_pair.host[end];
            host.onSent = [this, end](const WorkCompletion& c) {
                UnreliableFlow& flow = *m_byNumber[end].at(c.queuePair);
                const uint64_t failures = flow.failures;
                flow.OnSent(c);
                if (flow.failures > failures)
                {
                    GoOnLater(flow);
                }
                if (Pick(6) == 0)
                {
                    Post(flow);
                }
            };
            host.onReceived = [this, end](const WorkCompletion& c) {
                m_byNumber[end].at(c.queuePair)->OnReceived(c);
            };
            host.nic.OnAsyncEvent([this, end](const AsyncEvent& e) {
                EXPECT_EQ(e.type, AsyncEventType::SqDrained);
                m_byNumber[end].at(e.queuePair)->drainer->OnDrained();
            });
            host.cable.onLeft = [this, end](const Frame& f) {
                if (IsOperation(f.op))
                {
                    SenderOf(f, end).watch.OnFrame(f);
                }
            };
            host.cable.onArrival = [this, end](const Frame& f) {
                // What has lost its payload is as good as lost.
                if (IsOperation(f.op) && !(f.flags & kTrimmed))
                {
                    m_byNumber[end].at(f.flow)->OnArrival(f, SenderOf(f, end));
                }
            };
        }
    }

    UnreliableFlow& SenderOf(const Frame& f, int end)
    {
        return m_type == QpType::Ud ? *m_byNumber[1 - end].at(FrameExtension::Of(f).sourceNumber)
                                    : *m_byNumber[end].at(f.flow)->peer;
    }

    /// Out of SQE, some time later.
    void GoOnLater(UnreliableFlow& flow)
    {
        Simulator::Schedule(TimeStep(Pick(4000) * kNanosecond), [&flow] {
            EXPECT_EQ(flow.queuePair->GetState(), flow.dead ? QpState::Err : QpState::Sqe);
            EXPECT_EQ(flow.queuePair->Modify(QpState::Sqd), Status::IllegalTransition);
            EXPECT_EQ(flow.queuePair->Modify(QpState::Rts),
                      flow.dead ? Status::IllegalTransition : Status::Ok);
        });
    }

    void Plot(UnreliableFlow& flow)
    {
        const uint32_t count = Pick(40);
        const Tick gap = Pick(4000) * kNanosecond;
        Tick at = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            at += Pick(3) == 0 ? Pick(1000) * gap / 1000 : 0;
            Simulator::Schedule(TimeStep(at), [this, &flow] { Post(flow); });
        }
        // Receives are enough, about so, or few; and in time or not.
        const uint32_t receives = Pick(3) == 0 ? Pick(count + 1) : 3 * count;
        const bool late = Pick(2) == 0;
        const uint32_t front = m_type == QpType::Ud ? kGrhBytes : 0;
        const uint32_t most = front + (m_type == QpType::Ud ? 1 : 5) * flow.mtu;
        for (uint32_t i = 0; i < receives; ++i)
        {
            const uint32_t bytes = m_faulty && Pick(4) == 0 ? Pick(most) : most;
            const Tick when =
                late ? static_cast<Tick>(m_dice() % static_cast<uint64_t>(at + 1)) : 0;
            const bool isProtected = m_faulty && Pick(100) == 0;
            Simulator::Schedule(TimeStep(when), [&flow, bytes, isProtected] {
                EXPECT_EQ(flow.queuePair->PostReceive(
                              flow.here->MakeReceive(flow.receives, true, bytes, isProtected)),
                          Status::Ok);
            });
        }
        if (m_drains && Pick(2) == 0)
        {
            flow.drainer = std::make_unique<SendDrainer>(
                m_dice, *flow.queuePair, flow.watch, [&flow] { flow.CheckDrained(); });
            flow.drainer->Plot(at + 10 * kMicrosecond);
        }
    }

    void Post(UnreliableFlow& flow)
    {
        if (flow.posted.size() < 60 && !::testing::Test::HasFatalFailure())
        {
            flow.Post(m_planner.Make(flow, m_faulty));
        }
    }

    void Check()
    {
        EXPECT_EQ(FramePool::Out(), 0U);
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        EXPECT_EQ(SendQueue::Details().Out(), 0U);
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            SCOPED_TRACE("flow " + std::to_string(i));
            UnreliableFlow& flow = m_flows[i];
            flow.CheckRest();
            m_totals.requests += flow.posted.size();
            m_totals.receives += flow.endedReceives;
            m_totals.lost += flow.lost;
            m_totals.failures += flow.failures;
            m_totals.deaths += flow.dead;
            m_totals.drains += flow.drainer ? flow.drainer->CountTold() : 0;
            EXPECT_EQ(flow.queuePair->Modify(QpState::Err), Status::Ok);
            EXPECT_EQ(flow.endedReceives, flow.receives.size());
        }
        for (const VerbsHost& host : m_pair.host)
        {
            EXPECT_TRUE(host.memory.IsAsExpected()) << "memory";
            EXPECT_EQ(host.port.CountFrames(), 0U);
            EXPECT_EQ(host.cable.CountHeld(), 0U);
        }
        ++m_totals.cases;
    }

    std::mt19937_64 m_dice;
    std::ostringstream m_says;
    UnreliableTotals& m_totals;
    VerbsPair m_pair;
    QpType m_type{QpType::Uc};
    bool m_faulty{false};
    bool m_drains{false};
    std::vector<UnreliableFlow> m_flows; ///< even ones from host 0, each before its peer
    UnreliablePlanner m_planner{m_dice, m_flows};
    std::map<uint32_t, UnreliableFlow*> m_byNumber[2];
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_UNRELIABLE_CASE_H
