// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_CASE_H
#define AIFABRIC_VERBS_CASE_H

#include "verbs-flow.h"

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"
#include "ns3/object-factory.h"
#include "ns3/send-queue.h"
#include "ns3/transport-profile.h"
#include "ns3/transport-settings.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace ns3::aifabric::test
{

/// What all cases did.
struct Totals
{
    uint64_t cases{0};
    uint64_t requests{0};
    uint64_t completions{0};
    uint64_t failures{0}; ///< of queue pairs
    NicCounters nic;
};

/// Why the network is as it is.
enum class Weather : uint8_t
{
    Calm,
    Losing,
    Reordering,
    Stormy ///< all of it at once
};

/// One random case: two hosts, some queue pairs, requests from either end of each.
class VerbsCase
{
  public:
    VerbsCase(uint64_t seed, Totals& totals)
        : m_dice(seed * 0x9E3779B97F4A7C15U + 1),
          m_totals(totals),
          m_pair(m_dice, 100 * kNanosecond * (1 + Pick(20)), Pick(2) * 300 * kNanosecond)
    {
        m_faulty = Pick(4) == 0;
        m_cutAt = m_faulty && Pick(4) == 0;
        m_weather = static_cast<Weather>(Pick(4));
        m_says << "seed " << seed << ":";
        for (VerbsHost& host : m_pair.host)
        {
            const bool loses = m_weather == Weather::Losing || m_weather == Weather::Stormy;
            const bool reorders = m_weather == Weather::Reordering || m_weather == Weather::Stormy;
            host.cable.loses = loses ? Share(0.04) : 0;
            host.cable.doubles = reorders ? Share(0.1) : 0;
            host.cable.delays = reorders ? Share(0.3) : 0;
            host.cable.longestDelay = 1 + Pick(10000) * kNanosecond;
            host.cable.marks = Pick(4) == 0 ? Share(0.1) : 0;
        }
        MakeProfile();
        const bool sharesReceives = Pick(4) == 0;
        const uint32_t connections = 1 + Pick(4);
        m_flows.resize(2 * connections);
        const auto faulty = m_faulty && !m_cutAt ? Pick(connections) : connections;
        MakeWords(connections);
        for (uint32_t i = 0; i < connections; ++i)
        {
            Connect(i, sharesReceives, i == faulty);
        }
        m_says << (sharesReceives ? " shared receives" : "") << ", " << connections
               << " queue pairs";
        PostShared(sharesReceives);
        Plot();
    }

    void Run()
    {
        SCOPED_TRACE(m_says.str());
        if (m_cutAt)
        {
            Simulator::Schedule(TimeStep(Pick(60) * kMicrosecond), [this] {
                m_pair.host[0].cable.cut = m_pair.host[1].cable.cut = true;
            });
        }
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

    VerbsHost& HostOf(std::size_t flow)
    {
        return m_pair.host[flow % 2];
    }

    void MakeProfile()
    {
        static const char* const kRecoveries[] = {"",
                                                  "ns3::aifabric::GoBackN",
                                                  "ns3::aifabric::SelectiveRepeat",
                                                  "ns3::aifabric::OutOfOrder"};
        constexpr uint32_t kMtus[] = {256, 512, 1024, 4096};
        const uint32_t recovery = Pick(4);
        Ptr<LossRecovery> way;
        if (recovery > 0)
        {
            way = ObjectFactory(kRecoveries[recovery]).Create<LossRecovery>();
        }
        auto settings = CreateObject<TransportSettings>();
        settings->retransmissionTimeout = MicroSeconds(40 + Pick(100));
        settings->ackInterval = 1 + Pick(4);
        settings->maxReadAtomic = 1 + Pick(4);
        settings->minRnrTimer = 1 + Pick(3);
        settings->rnrRetryCount = 7;
        m_mtu = kMtus[Pick(4)];
        Ptr<CongestionControl> control;
        if (Pick(8) == 0)
        {
            control = ObjectFactory("ns3::aifabric::Dcqcn").Create<CongestionControl>();
        }
        m_profile = std::make_shared<TransportProfile>(
            *settings, kRoceV2Headers, m_mtu, control, VerbsPair::kRateBps, way);
        m_says << " " << (way ? way->GetInstanceTypeId().GetName().substr(15) : "no recovery")
               << ", mtu " << m_mtu << ", ack interval " << settings->ackInterval
               << ", max read atomic " << settings->maxReadAtomic << ", weather "
               << static_cast<int>(m_weather) << (m_cutAt ? ", cut" : "");
    }

    /// One word for each direction of each queue pair, or one for all of a direction.
    void MakeWords(uint32_t connections)
    {
        m_sharedWord = !m_faulty && Pick(4) == 0;
        for (int to = 0; to < 2; ++to)
        {
            Range shared;
            for (uint32_t i = 0; i < connections; ++i)
            {
                if (!m_sharedWord || i == 0)
                {
                    shared = m_pair.host[to].memory.Take(kAtomicBytes, kLocalWrite | kRemoteAtomic);
                    m_pair.host[to].memory.Fill(shared);
                }
                m_flows[2 * i + 1 - to].word = shared;
            }
            m_firstValue[1 - to] = Load(shared);
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
        const bool checksKeys = faulty || m_sharedWord || Pick(5) != 0;
        constexpr uint32_t kInline[] = {0, 64, 256, 1500};
        VerbsFlow::Habits habits;
        habits.signaled = Pick(3) == 0 ? 1 : Share(1);
        habits.inlined = Share(0.5);
        habits.fenced = Share(0.3);
        habits.checksKeys = checksKeys;
        habits.sharedWord = m_sharedWord;
        habits.faulty = m_faulty;
        QueuePairInit init;
        init.maxInlineBytes = kInline[Pick(4)];
        const uint32_t failing = faulty ? Pick(2) : 2;
        for (uint32_t end = 0; end < 2; ++end)
        {
            VerbsFlow& flow = m_flows[2 * number + end];
            flow.here = &m_pair.host[end];
            flow.peer = &m_flows[2 * number + 1 - end];
            flow.habits = habits;
            flow.maxInlineBytes = init.maxInlineBytes;
            flow.receivesOf = sharesReceives ? &m_shared[end] : &flow.receives;
            Conceive(flow, end == failing, sharesReceives);
        }
        init.profile = m_profile;
        if (m_patience < 7)
        {
            // Somebody never posts a receive.
            auto profile = std::make_shared<TransportProfile>(*m_profile);
            profile->rnrRetryCount = static_cast<uint8_t>(m_patience);
            init.profile = profile;
        }
        const uint32_t psn[2] = {Pick(2) ? kPsnMask - Pick(40) : Pick(kPsnMask + 1),
                                 Pick(2) ? kPsnMask - Pick(40) : Pick(kPsnMask + 1)};
        const auto [a, b] = m_pair.Connect(init, checksKeys, sharesReceives, psn);
        m_flows[2 * number].queuePair = a;
        m_flows[2 * number + 1].queuePair = b;
        m_byNumber[0][a->GetNumber()] = &m_flows[2 * number];
        m_byNumber[1][b->GetNumber()] = &m_flows[2 * number + 1];
        m_patience = 7;
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
        const uint32_t count = Pick(40);
        for (uint32_t i = 0; i < count; ++i)
        {
            Plan next{kOpcodes[Pick(std::size(kOpcodes))], 0};
            next.opcode = flow.habits.checksKeys && Pick(40) == 0 ? WrOpcode::SendWithInvalidate
                                                                  : next.opcode;
            if (m_sharedWord && next.opcode == WrOpcode::CompareSwap)
            {
                next.opcode = WrOpcode::FetchAdd;
            }
            constexpr uint32_t kMost[] = {1, 1, 2, 5};
            next.bytes = Pick(8) == 0 ? Pick(6) * m_mtu : Pick(kMost[Pick(4)] * m_mtu + 1);
            next.bytes = VerbsFlow::IsAtomic(next.opcode) ? kAtomicBytes : next.bytes;
            flow.plan.push_back(next);
        }
        if (failing && count > 0)
        {
            Spoil(flow, sharesReceives);
        }
    }

    /// Makes one of a flow's requests wrong.
    void Spoil(VerbsFlow& flow, bool sharesReceives)
    {
        const std::size_t at = Pick(static_cast<uint32_t>(flow.plan.size()));
        Plan& plan = flow.plan[at];
        if (!VerbsFlow::IsAtomic(plan.opcode))
        {
            plan.bytes += plan.bytes == 0;
        }
        std::vector<Wrong> wrongs{Wrong::LocalKey};
        if (plan.opcode == WrOpcode::Write || plan.opcode == WrOpcode::WriteWithImmediate ||
            plan.opcode == WrOpcode::Read)
        {
            wrongs = {Wrong::LocalKey, Wrong::Key, Wrong::Range, Wrong::Permission};
        }
        else if (VerbsFlow::IsAtomic(plan.opcode))
        {
            wrongs = {Wrong::LocalKey, Wrong::Key, Wrong::Alignment, Wrong::Permission};
        }
        else
        {
            if (plan.opcode == WrOpcode::SendWithInvalidate)
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
        plan.wrong = wrongs[Pick(static_cast<uint32_t>(wrongs.size()))];
        if (plan.wrong == Wrong::NoReceive)
        {
            m_patience = Pick(3);
        }
        m_spoilt = &flow;
        m_spoiltAt = at;
        m_says << ", request " << at << " of flow " << &flow - m_flows.data()
               << " wrong: " << static_cast<int>(plan.wrong) << " op "
               << static_cast<int>(plan.opcode);
    }

    /// Decides when what is posted.
    void Plot()
    {
        for (VerbsFlow& flow : m_flows)
        {
            const Tick gap = Pick(4000) * kNanosecond;
            Tick at = Pick(3) * kMicrosecond;
            for (std::size_t i = 0; i < flow.plan.size(); ++i)
            {
                at += Pick(3) == 0 ? Pick(1000) * gap / 1000 : 0;
                Simulator::Schedule(TimeStep(at), [this, &flow] { Post(flow); });
            }
            if (flow.receivesOf == &flow.receives)
            {
                PlotReceives(flow, at);
            }
        }
        for (int end = 0; end < 2; ++end)
        {
            m_pair.host[end].onSent = [this, end](const WorkCompletion& c) {
                VerbsFlow& flow = *m_byNumber[end].at(c.queuePair);
                flow.OnSent(c);
                if (Pick(5) == 0)
                {
                    Post(flow);
                }
            };
            m_pair.host[end].onReceived = [this, end](const WorkCompletion& c) {
                m_byNumber[end].at(c.queuePair)->OnReceived(c);
            };
        }
    }

    void Post(VerbsFlow& flow)
    {
        if (!flow.IsDone() && !::testing::Test::HasFatalFailure())
        {
            flow.PostNext(m_dice);
        }
    }

    /// As many receives as the peer's requests take; some in time, some late.
    void PlotReceives(VerbsFlow& flow, Tick end)
    {
        const bool early = Pick(2) == 0 || &flow == PeerOfImpatient();
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
            at += early || Pick(3) != 0 ? 0 : Pick(1000) * (end / 4000 + 1);
            const bool write = message.opcode == WrOpcode::WriteWithImmediate;
            const uint32_t least = write ? 0 : message.bytes;
            const uint32_t bytes = message.wrong == Wrong::ShortReceive ? Pick(least)
                                   : Pick(3) == 0                       ? least
                                                                        : least + Pick(m_mtu);
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
        const bool impatient = m_spoilt && m_spoilt->plan[m_spoiltAt].wrong == Wrong::NoReceive;
        return impatient ? m_spoilt->peer : nullptr;
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
            for (std::size_t i = end; i < m_flows.size(); i += 2)
            {
                for (const Plan& message : m_flows[i].peer->plan)
                {
                    if (!message.ConsumesReceive())
                    {
                        continue;
                    }
                    at += Pick(4) == 0 ? Pick(4000) * kNanosecond : 0;
                    Simulator::Schedule(TimeStep(at), [this, end] {
                        VerbsFlow::Habits habits;
                        EXPECT_EQ(m_pair.host[end].shared.PostReceive(MakeReceive(
                                      m_pair.host[end], m_shared[end], habits, 5 * m_mtu, false)),
                                  Status::Ok);
                    });
                }
            }
        }
    }

    /// What has to hold in the end.
    void Check()
    {
        // Where one side has failed the other may still hold frames that miss another.
        EXPECT_TRUE(m_faulty || FramePool::Out() == 0);
        for (VerbsHost& host : m_pair.host)
        {
            EXPECT_EQ(host.port.CountFrames(), 0U);
            EXPECT_EQ(host.cable.CountHeld(), 0U);
        }
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            SCOPED_TRACE("flow " + std::to_string(i));
            CheckFlow(m_flows[i]);
        }
        for (VerbsFlow& flow : m_flows)
        {
            FlushReceives(flow);
        }
        EXPECT_EQ(FramePool::Out(), 0U);
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        EXPECT_EQ(SendQueue::Details().Out(), 0U);
        if (m_sharedWord)
        {
            CheckSharedWord(0);
            CheckSharedWord(1);
        }
        for (VerbsHost& host : m_pair.host)
        {
            EXPECT_TRUE(host.memory.IsAsExpected()) << "memory";
            const NicCounters counters = host.nic.GetCounters();
            static_cast<QueuePairCounters&>(m_totals.nic) += counters;
        }
        ++m_totals.cases;
    }

    void CheckFlow(VerbsFlow& flow)
    {
        const QueuePair& q = *flow.queuePair;
        EXPECT_EQ(flow.posted.size(), flow.plan.size());
        EXPECT_EQ(q.GetRequester().CountPending(), 0U);
        EXPECT_EQ(q.GetRequester().CountUnanswered(), 0U);
        EXPECT_EQ(q.GetRequester().GetDeadline(), kNever);
        EXPECT_EQ(q.GetResponder().CountUnanswered(), 0U);
        EXPECT_FALSE(q.CanSend());
        const bool spoils = m_spoilt && (m_spoilt == &flow || m_spoilt->peer == &flow);
        if (!m_cutAt && !spoils)
        {
            EXPECT_EQ(q.GetState(), QpState::Rts);
            EXPECT_FALSE(flow.failure)
                << "request " << *flow.failure << ": " << ToString(flow.failedWith);
        }
        else if (m_cutAt)
        {
            ExpectGaveUp(flow);
        }
        else if (m_spoilt == &flow)
        {
            ExpectRefused(flow);
        }
        flow.CheckRest(m_spoilt == &flow ? m_spoiltAt : flow.posted.size());
        m_totals.requests += flow.posted.size();
        m_totals.completions += flow.completions;
        m_totals.failures += flow.failure.has_value();
    }

    /// What was posted and not taken is flushed in order.
    void FlushReceives(VerbsFlow& flow)
    {
        const bool own = flow.receivesOf == &flow.receives;
        EXPECT_TRUE(!own || m_faulty || flow.endedReceives == flow.receives.size());
        EXPECT_EQ(flow.queuePair->Modify(QpState::Err), Status::Ok);
        EXPECT_TRUE(!own || flow.endedReceives == flow.receives.size());
    }

    /// Nobody answers: RTS where nothing was left to do.
    static void ExpectGaveUp(const VerbsFlow& flow)
    {
        const QpState state = flow.queuePair->GetState();
        EXPECT_EQ(state, flow.failure ? QpState::Err : QpState::Rts);
        if (flow.failure)
        {
            EXPECT_EQ(flow.failedWith, WcStatus::RetryExceeded);
        }
    }

    /// The wrong request and all behind it fail, and the peer with it where it is the peer's to say.
    void ExpectRefused(const VerbsFlow& flow)
    {
        const VerbsFlow& peer = *flow.peer;
        const Wrong wrong = flow.plan[m_spoiltAt].wrong;
        WcStatus status = WcStatus::RemoteAccessError;
        std::optional<WcStatus> ofReceive;
        bool endsPeer = true;
        switch (wrong)
        {
        case Wrong::Alignment:
            status = WcStatus::RemoteInvalidRequest;
            break;
        case Wrong::ShortReceive:
            status = WcStatus::RemoteInvalidRequest;
            ofReceive = WcStatus::LocalLengthError;
            break;
        case Wrong::ProtectedReceive:
            status = WcStatus::RemoteOperationError;
            ofReceive = WcStatus::LocalProtectionError;
            break;
        case Wrong::LocalKey:
            status = WcStatus::LocalProtectionError;
            endsPeer = false;
            break;
        case Wrong::NoReceive:
            status = WcStatus::RnrRetryExceeded;
            endsPeer = false;
            break;
        default:
            break;
        }
        EXPECT_EQ(flow.queuePair->GetState(), QpState::Err);
        ASSERT_TRUE(flow.failure);
        if (m_weather == Weather::Calm || flow.failedWith != WcStatus::RetryExceeded)
        {
            EXPECT_EQ(*flow.failure, m_spoiltAt);
            EXPECT_EQ(flow.failedWith, status) << ToString(flow.failedWith);
        }
        else
        {
            // The answer was lost, and who has failed gives no other.
            EXPECT_TRUE(endsPeer);
            EXPECT_LE(*flow.failure, m_spoiltAt);
        }
        if (endsPeer)
        {
            EXPECT_EQ(peer.queuePair->GetState(), QpState::Err);
            EXPECT_TRUE(!peer.failure || peer.failedWith == WcStatus::WrFlushError);
            EXPECT_TRUE(!ofReceive || peer.receiveFailed == ofReceive);
        }
        else
        {
            ExpectGaveUp(peer);
        }
    }

    /// Fetched values of a word to which all add 1: each once, and growing for each queue pair.
    void CheckSharedWord(std::size_t from)
    {
        std::vector<uint64_t> all;
        for (std::size_t i = from; i < m_flows.size(); i += 2)
        {
            const std::vector<uint64_t>& mine = m_flows[i].fetched;
            EXPECT_TRUE(
                std::is_sorted(mine.begin(), mine.end(), [this, from](uint64_t a, uint64_t b) {
                    return a - m_firstValue[from] < b - m_firstValue[from];
                }));
            all.insert(all.end(), mine.begin(), mine.end());
        }
        for (uint64_t& value : all)
        {
            value -= m_firstValue[from];
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            EXPECT_EQ(all[i], i) << "a word that all add to";
        }
    }

    std::mt19937_64 m_dice;
    std::ostringstream m_says;
    Totals& m_totals;
    VerbsPair m_pair;
    bool m_faulty{false};
    bool m_cutAt{false};
    bool m_sharedWord{false};
    Weather m_weather{Weather::Calm};
    uint32_t m_patience{7}; ///< RNR retries of the queue pair being made
    uint32_t m_mtu{0};
    uint64_t m_firstValue[2]{};
    std::shared_ptr<const TransportProfile> m_profile;
    std::vector<VerbsFlow> m_flows; ///< even ones from host 0, each before its peer
    std::vector<PostedReceive> m_shared[2];
    std::map<uint32_t, VerbsFlow*> m_byNumber[2];
    VerbsFlow* m_spoilt{nullptr};
    std::size_t m_spoiltAt{0};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_CASE_H
