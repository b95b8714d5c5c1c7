// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_SENDER_H
#define AIFABRIC_VERBS_SENDER_H

#include "send-drainer.h"
#include "send-watch.h"
#include "verbs-flow-memory.h"

#include "ns3/transport-profile.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// The sending half of one end of a queue pair: what it posts, and what it is told, held against what
/// should be.
class VerbsSender : public VerbsFlowMemory
{
  public:
    QueuePair* queuePair{nullptr};
    uint32_t maxInlineBytes{0};
    uint32_t maxSends{0}; ///< posted at one time; 0 is unlimited
    std::vector<Plan> plan;
    std::optional<std::size_t> wrongAt; ///< the first request that is wrong
    SendWatch watch;
    std::unique_ptr<SendDrainer> drainer; ///< null: it stays in RTS
    std::vector<uint64_t> fetched;        ///< from a word that is shared

    // What has happened.
    std::size_t ended{0};               ///< requests posted here
    std::size_t delivered{0};           ///< those before have been seen by the peer
    std::optional<std::size_t> failure; ///< the first request that failed
    WcStatus failedWith{WcStatus::Success};
    uint64_t completions{0};
    std::size_t freedSends{0}; ///< those before have been taken from their completion queue
    uint32_t owedSends{0};     ///< that found no room, and wait
    uint32_t refusals{0};      ///< that found no room

    bool IsDone() const
    {
        return posted.size() == plan.size();
    }

    bool IsFull() const
    {
        return maxSends > 0 && posted.size() - freedSends >= maxSends;
    }

    /// Posts what is planned next, or finds no room for it.
    void PostNext(std::mt19937_64& dice)
    {
        if (IsFull())
        {
            EXPECT_EQ(queuePair->PostSend({~uint64_t{0}, 0, WrOpcode::Send}), Status::QueueFull);
            ++owedSends;
            ++refusals;
            return;
        }
        const Plan& next = plan[posted.size()];
        Posted p;
        WorkRequest& r = p.request;
        auto chance = [&dice](double probability) {
            return std::generate_canonical<double, 32>(dice) < probability;
        };
        r.wrId = posted.size();
        r.opcode = next.opcode;
        r.bytes = next.bytes;
        // Who fills a queue waits for completions, so that there has to be one.
        r.signaled = chance(habits.signaled) || next.wrong != Wrong::Nothing ||
                     posted.size() - freedSends + 1 == maxSends;
        r.fence = chance(habits.fenced);
        r.solicited = chance(habits.solicited);
        r.immediate = static_cast<uint32_t>(dice());
        const bool answered = next.opcode == WrOpcode::Read || IsAtomic(next.opcode);
        r.inlined = !answered && next.wrong != Wrong::LocalKey && r.bytes <= maxInlineBytes &&
                    chance(habits.inlined);
        if (habits.checksKeys)
        {
            FindMemory(next, p, dice);
        }
        else if (IsAtomic(next.opcode))
        {
            r.compareAdd = dice();
        }
        posted.push_back(std::move(p));
        watch.Post(r.bytes == 0 || IsAtomic(next.opcode)
                       ? 1
                       : (r.bytes - 1) / queuePair->GetProfile().mtu + 1);
        std::vector<std::byte> scratch;
        WorkRequest given = r = posted.back().request;
        if (given.inlined && given.address != 0)
        {
            // Inline bytes are taken at once: what happens to them afterwards does not matter.
            const auto* from = reinterpret_cast<const std::byte*>(given.address);
            scratch.assign(from, from + given.bytes);
            given.address = reinterpret_cast<uintptr_t>(scratch.data());
            given.localKey = 0;
        }
        ASSERT_EQ(queuePair->PostSend(given), Status::Ok);
        std::fill(scratch.begin(), scratch.end(), std::byte{0});
    }

    /// The send queue has drained: what has begun has ended.
    void CheckDrained() const
    {
        for (std::size_t i = ended; i < watch.GetBegun(); ++i)
        {
            EXPECT_FALSE(posted[i].request.signaled) << "request " << i << " not reported";
        }
    }

    /// A request ended.
    void OnSent(const WorkCompletion& c)
    {
        ++completions;
        ASSERT_LT(c.wrId, posted.size());
        const auto at = static_cast<std::size_t>(c.wrId);
        if (c.status != WcStatus::Success)
        {
            OnFailed(c, at);
            return;
        }
        ASSERT_FALSE(failure) << "a success behind a failure";
        ASSERT_GE(at, ended);
        for (; ended < at; ++ended)
        {
            ASSERT_FALSE(posted[ended].request.signaled) << "request " << ended << " not reported";
            CheckDone(ended);
        }
        ASSERT_TRUE(posted[at].request.signaled);
        EXPECT_EQ(c.opcode, CompletionOf(posted[at].request.opcode));
        EXPECT_EQ(c.bytes, posted[at].request.bytes);
        CheckDone(ended++);
    }

    /// At the end of a case: what was posted has been done; from a request that failed on its memory
    /// is as it was or as it should have become. @param undone the request from which on nothing may
    /// have been done. @param all whether all completions are here.
    void CheckRest(std::size_t undone, bool all)
    {
        for (; all && !failure && ended < posted.size(); ++ended)
        {
            EXPECT_FALSE(posted[ended].request.signaled) << "request " << ended << " not reported";
            CheckDone(ended);
        }
        EXPECT_TRUE(!all || ended == posted.size());
        for (std::size_t i = failure.value_or(ended); i < posted.size(); ++i)
        {
            const Posted& p = posted[i];
            const bool atomic = IsAtomic(p.request.opcode);
            const bool writes = p.request.opcode == WrOpcode::Write ||
                                p.request.opcode == WrOpcode::WriteWithImmediate;
            const Range range = writes ? p.remote : p.local;
            if (!range.region || p.before.empty())
            {
                continue;
            }
            for (uint32_t k = 0; k < range.bytes; ++k)
            {
                const bool asBefore = range.GetBytes()[k] == p.before[k];
                const bool done = range.GetBytes()[k] == range.GetExpected()[k];
                ASSERT_TRUE(asBefore || (done && i < undone))
                    << "request " << i << ", byte " << k << (atomic ? " of an atomic" : "");
            }
            range.Accept();
        }
        if (failure || !all)
        {
            word.Accept();
        }
    }

  private:
    /// A request has ended well: its work is done.
    void CheckDone(std::size_t at)
    {
        const Posted& p = posted[at];
        if (plan[at].ConsumesReceive() && !there->HasOverflowed())
        {
            EXPECT_GT(delivered, at) << "request " << at << " ended before its receive";
        }
        switch (p.request.opcode)
        {
        case WrOpcode::Write:
        case WrOpcode::WriteWithImmediate:
            EXPECT_TRUE(p.remote.IsAsExpected()) << "WRITE " << at;
            break;
        case WrOpcode::Read:
            EXPECT_TRUE(p.local.IsAsExpected()) << "READ " << at;
            break;
        case WrOpcode::CompareSwap:
        case WrOpcode::FetchAdd:
            if (habits.sharedWord && p.local.region)
            {
                fetched.push_back(GetWord(p.local.GetBytes()));
                p.local.Accept();
            }
            EXPECT_TRUE(p.local.IsAsExpected()) << "atomic " << at;
            break;
        default:
            EXPECT_TRUE(!p.invalidates || !p.invalidates->Allows(64, 1, 0));
            break;
        }
    }

    void OnFailed(const WorkCompletion& c, std::size_t at)
    {
        EXPECT_EQ(queuePair->GetState(), QpState::Err);
        if (failure)
        {
            EXPECT_EQ(at, ended) << "a flush out of order";
            EXPECT_EQ(c.status, WcStatus::WrFlushError);
            ended = at + 1;
            return;
        }
        ASSERT_GE(at, ended);
        for (std::size_t i = ended; i < at; ++i)
        {
            ASSERT_FALSE(posted[i].request.signaled) << "request " << i << " not reported";
            CheckDone(i);
        }
        failure = at;
        failedWith = c.status;
        ended = at + 1;
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_SENDER_H
