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
    uint64_t failures{0};  ///< of queue pairs
    uint64_t drains{0};    ///< that were told
    uint64_t overflows{0}; ///< of completion queues, at either end of a queue pair
    uint64_t refusals{0};  ///< of requests that found their queue full
    uint64_t limits{0};    ///< of shared receives, that were told
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

    /// What has to hold once nothing more will happen.
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
    }

    /// Ends all queue pairs.
    void Flush()
    {
        for (VerbsFlow& flow : m_s.flows)
        {
            const bool own = flow.receivesOf == &flow.receives;
            EXPECT_TRUE(!own || m_s.faulty || flow.endedReceives == flow.receives.size());
            EXPECT_EQ(flow.queuePair->Modify(QpState::Err), Status::Ok);
        }
    }

    /// And what has to hold then: what was posted and not taken is flushed in order, and nothing is
    /// left anywhere.
    void CheckFlushed()
    {
        for (VerbsFlow& flow : m_s.flows)
        {
            const bool own = flow.receivesOf == &flow.receives;
            EXPECT_TRUE(!own || flow.here->HasOverflowed() ||
                        flow.endedReceives == flow.receives.size());
            EXPECT_EQ(flow.events[AsyncEventType::QpLastWqeReached], own ? 0U : 1U);
            EXPECT_TRUE(flow.here->HasOverflowed() || flow.events[AsyncEventType::QpFatal] == 0);
            for (const PostedReceive& receive : *flow.receivesOf)
            {
                if (flow.here->HasOverflowed() && !receive.ended)
                {
                    // Whatever came, nobody tells of it.
                    receive.range.Accept();
                }
            }
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
        const bool lost = flow.here->HasOverflowed();
        EXPECT_TRUE(lost || flow.posted.size() == flow.plan.size());
        EXPECT_EQ(q.GetRequester().CountPending(), 0U);
        EXPECT_EQ(q.GetRequester().CountUnanswered(), 0U);
        EXPECT_EQ(q.GetRequester().GetDeadline(), kNever);
        EXPECT_EQ(q.GetResponder().CountUnanswered(), 0U);
        EXPECT_FALSE(q.CanSend());
        if (lost || flow.there->HasOverflowed())
        {
            EXPECT_TRUE(q.GetState() == QpState::Err || q.GetState() == QpState::Rts);
            EXPECT_TRUE(q.GetState() == QpState::Err || !flow.failure);
        }
        else if (m_s.cutAt)
        {
            ExpectGaveUp(flow);
        }
        else if (flow.wrongAt && flow.peer->wrongAt)
        {
            ExpectBothRefused(flow);
        }
        else if (flow.wrongAt)
        {
            ExpectRefused(flow);
        }
        else if (!flow.peer->wrongAt)
        {
            EXPECT_EQ(q.GetState(), QpState::Rts);
            EXPECT_FALSE(flow.failure)
                << "request " << *flow.failure << ": " << ToString(flow.failedWith);
            ExpectEvents(flow, 0, 0);
        }
        flow.CheckRest(flow.wrongAt.value_or(flow.posted.size()), !lost);
        m_totals.requests += flow.posted.size();
        m_totals.completions += flow.completions;
        m_totals.failures += flow.failure.has_value();
        m_totals.drains += flow.events[AsyncEventType::SqDrained];
        m_totals.overflows += lost;
        m_totals.refusals += flow.refusals;
    }

    static void ExpectEvents(VerbsFlow& flow, uint32_t invalid, uint32_t refused)
    {
        EXPECT_EQ(flow.events[AsyncEventType::QpRequestError], invalid);
        EXPECT_EQ(flow.events[AsyncEventType::QpAccessError], refused);
        EXPECT_EQ(flow.events[AsyncEventType::QpFatal], 0U);
        EXPECT_EQ(flow.events[AsyncEventType::SqDrained],
                  flow.drainer ? flow.drainer->CountTold() : 0U);
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

    /// How a wrong request ends, here and at the peer.
    struct Refusal
    {
        WcStatus status{WcStatus::RemoteAccessError};
        std::optional<WcStatus> ofReceive;
        bool endsPeer{true};
    };

    static Refusal RefusalOf(Wrong wrong)
    {
        switch (wrong)
        {
        case Wrong::Alignment:
        case Wrong::NoAccess:
            return {WcStatus::RemoteInvalidRequest, {}, true};
        case Wrong::ShortReceive:
            return {WcStatus::RemoteInvalidRequest, WcStatus::LocalLengthError, true};
        case Wrong::ProtectedReceive:
            return {WcStatus::RemoteOperationError, WcStatus::LocalProtectionError, true};
        case Wrong::LocalKey:
            return {WcStatus::LocalProtectionError, {}, false};
        case Wrong::NoReceive:
            return {WcStatus::RnrRetryExceeded, {}, false};
        default:
            return {};
        }
    }

    /// The wrong request and all behind it fail, and the peer with it where it is the peer's to say.
    void ExpectRefused(VerbsFlow& flow)
    {
        VerbsFlow& peer = *flow.peer;
        const Wrong wrong = flow.plan[*flow.wrongAt].wrong;
        const Refusal refusal = RefusalOf(wrong);
        EXPECT_EQ(flow.queuePair->GetState(), QpState::Err);
        ASSERT_TRUE(flow.failure);
        if (m_s.weather == Weather::Calm || flow.failedWith != WcStatus::RetryExceeded)
        {
            EXPECT_EQ(*flow.failure, *flow.wrongAt);
            EXPECT_EQ(flow.failedWith, refusal.status) << ToString(flow.failedWith);
        }
        else
        {
            // The answer was lost, and who has failed gives no other.
            EXPECT_TRUE(refusal.endsPeer);
            EXPECT_LE(*flow.failure, *flow.wrongAt);
        }
        if (refusal.endsPeer)
        {
            EXPECT_EQ(peer.queuePair->GetState(), QpState::Err);
            EXPECT_TRUE(!peer.failure || peer.failedWith == WcStatus::WrFlushError);
            EXPECT_TRUE(!refusal.ofReceive || peer.receiveFailed == refusal.ofReceive);
        }
        else
        {
            ExpectGaveUp(peer);
        }
        ExpectEvents(flow, 0, 0);
        ExpectEvents(peer,
                     wrong == Wrong::Alignment || wrong == Wrong::NoAccess,
                     refusal.status == WcStatus::RemoteAccessError);
    }

    /// Both have a wrong request: whoever comes first ends the other.
    static void ExpectBothRefused(const VerbsFlow& flow)
    {
        EXPECT_EQ(flow.queuePair->GetState(), QpState::Err);
        const WcStatus own = RefusalOf(flow.plan[*flow.wrongAt].wrong).status;
        if (flow.failure)
        {
            EXPECT_LE(*flow.failure, *flow.wrongAt);
            EXPECT_TRUE(flow.failedWith == own || flow.failedWith == WcStatus::WrFlushError ||
                        flow.failedWith == WcStatus::RetryExceeded)
                << ToString(flow.failedWith);
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
