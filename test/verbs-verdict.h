// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_VERDICT_H
#define AIFABRIC_VERBS_VERDICT_H

#include "verbs-setting.h"

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"
#include "ns3/send-queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// What has to hold at the end of a case.
class VerbsVerdict
{
  public:
    VerbsVerdict(VerbsSetting& setting, Totals& totals)
        : m_s(setting),
          m_totals(totals)
    {
    }

    /// What has to hold in the end.
    void Check()
    {
        // Where one side has failed the other may still hold frames that miss another.
        EXPECT_TRUE(m_s.faulty || FramePool::Out() == 0);
        for (VerbsHost& host : m_s.pair.host)
        {
            EXPECT_EQ(host.port.CountFrames(), 0U);
            EXPECT_EQ(host.cable.CountHeld(), 0U);
        }
        for (std::size_t i = 0; i < m_s.flows.size(); ++i)
        {
            SCOPED_TRACE("flow " + std::to_string(i));
            CheckFlow(m_s.flows[i]);
        }
        for (VerbsFlow& flow : m_s.flows)
        {
            FlushReceives(flow);
        }
        EXPECT_EQ(FramePool::Out(), 0U);
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        EXPECT_EQ(SendQueue::Details().Out(), 0U);
        if (m_s.sharedWord)
        {
            CheckSharedWord(0);
            CheckSharedWord(1);
        }
        for (VerbsHost& host : m_s.pair.host)
        {
            EXPECT_TRUE(host.memory.IsAsExpected()) << "memory";
            const NicCounters counters = host.nic.GetCounters();
            static_cast<QueuePairCounters&>(m_totals.nic) += counters;
        }
        ++m_totals.cases;
    }

  private:
    void CheckFlow(VerbsFlow& flow)
    {
        const QueuePair& q = *flow.queuePair;
        EXPECT_EQ(flow.posted.size(), flow.plan.size());
        EXPECT_EQ(q.GetRequester().CountPending(), 0U);
        EXPECT_EQ(q.GetRequester().CountUnanswered(), 0U);
        EXPECT_EQ(q.GetRequester().GetDeadline(), kNever);
        EXPECT_EQ(q.GetResponder().CountUnanswered(), 0U);
        EXPECT_FALSE(q.CanSend());
        const bool spoils = m_s.spoilt && (m_s.spoilt == &flow || m_s.spoilt->peer == &flow);
        if (!m_s.cutAt && !spoils)
        {
            EXPECT_EQ(q.GetState(), QpState::Rts);
            EXPECT_FALSE(flow.failure)
                << "request " << *flow.failure << ": " << ToString(flow.failedWith);
        }
        else if (m_s.cutAt)
        {
            ExpectGaveUp(flow);
        }
        else if (m_s.spoilt == &flow)
        {
            ExpectRefused(flow);
        }
        flow.CheckRest(m_s.spoilt == &flow ? m_s.spoiltAt : flow.posted.size());
        m_totals.requests += flow.posted.size();
        m_totals.completions += flow.completions;
        m_totals.failures += flow.failure.has_value();
    }

    /// What was posted and not taken is flushed in order.
    void FlushReceives(VerbsFlow& flow)
    {
        const bool own = flow.receivesOf == &flow.receives;
        EXPECT_TRUE(!own || m_s.faulty || flow.endedReceives == flow.receives.size());
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
        const Wrong wrong = flow.plan[m_s.spoiltAt].wrong;
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
        if (m_s.weather == Weather::Calm || flow.failedWith != WcStatus::RetryExceeded)
        {
            EXPECT_EQ(*flow.failure, m_s.spoiltAt);
            EXPECT_EQ(flow.failedWith, status) << ToString(flow.failedWith);
        }
        else
        {
            // The answer was lost, and who has failed gives no other.
            EXPECT_TRUE(endsPeer);
            EXPECT_LE(*flow.failure, m_s.spoiltAt);
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
        for (std::size_t i = from; i < m_s.flows.size(); i += 2)
        {
            const std::vector<uint64_t>& mine = m_s.flows[i].fetched;
            EXPECT_TRUE(
                std::is_sorted(mine.begin(), mine.end(), [this, from](uint64_t a, uint64_t b) {
                    return a - m_s.firstValue[from] < b - m_s.firstValue[from];
                }));
            all.insert(all.end(), mine.begin(), mine.end());
        }
        for (uint64_t& value : all)
        {
            value -= m_s.firstValue[from];
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            EXPECT_EQ(all[i], i) << "a word that all add to";
        }
    }

    VerbsSetting& m_s;
    Totals& m_totals;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_VERDICT_H
