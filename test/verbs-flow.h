// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_FLOW_H
#define AIFABRIC_VERBS_FLOW_H

#include "verbs-flow-memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// One end of a queue pair: what it posts, and what it is told, held against what should be.
class VerbsFlow : public VerbsFlowMemory
{
  public:
    VerbsFlow* peer{nullptr};
    QueuePair* queuePair{nullptr};
    uint32_t maxInlineBytes{0};
    std::vector<Plan> plan;
    std::vector<PostedReceive> receives;             ///< own ones
    std::vector<PostedReceive>* receivesOf{nullptr}; ///< own ones, or the host's
    std::vector<uint64_t> fetched;                   ///< from a word that is shared

    // What has happened.
    std::size_t ended{0};               ///< requests posted here
    std::size_t endedReceives{0};       ///< own ones
    std::size_t messages{0};            ///< of the peer's requests, those before have been seen
    std::optional<std::size_t> failure; ///< the first request that failed
    WcStatus failedWith{WcStatus::Success};
    std::optional<WcStatus> receiveFailed; ///< the first receive that failed, and how
    uint64_t completions{0};

    bool IsDone() const
    {
        return posted.size() == plan.size();
    }

    /// Posts what is planned next.
    void PostNext(std::mt19937_64& dice)
    {
        const Plan& next = plan[posted.size()];
        Posted p;
        WorkRequest& r = p.request;
        auto chance = [&dice](double probability) {
            return std::generate_canonical<double, 32>(dice) < probability;
        };
        r.wrId = posted.size();
        r.opcode = next.opcode;
        r.bytes = next.bytes;
        r.signaled = chance(habits.signaled) || next.wrong != Wrong::Nothing;
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

    /// A receive ended.
    void OnReceived(const WorkCompletion& c)
    {
        ++completions;
        ASSERT_LT(c.wrId, receivesOf->size());
        PostedReceive& receive = (*receivesOf)[static_cast<std::size_t>(c.wrId)];
        ASSERT_FALSE(receive.ended);
        receive.ended = true;
        if (receivesOf == &receives)
        {
            ASSERT_EQ(c.wrId, endedReceives) << "a receive out of order";
        }
        ++endedReceives;
        if (c.status != WcStatus::Success)
        {
            if (receiveFailed)
            {
                EXPECT_EQ(queuePair->GetState(), QpState::Err);
                EXPECT_EQ(c.status, WcStatus::WrFlushError);
            }
            receiveFailed = receiveFailed.value_or(c.status);
            receive.range.Accept();
            return;
        }
        ASSERT_FALSE(receiveFailed) << "a receive behind one that failed";
        while (messages < peer->posted.size() && !peer->plan[messages].ConsumesReceive())
        {
            ++messages;
        }
        ASSERT_LT(messages, peer->posted.size()) << "nobody sent that";
        CheckMessage(c, receive, peer->posted[messages++]);
    }

    /// At the end of a case: what was posted has been done; from a request that failed on its memory
    /// is as it was or as it should have become. @param undone the request from which on nothing may
    /// have been done.
    void CheckRest(std::size_t undone)
    {
        for (; !failure && ended < posted.size(); ++ended)
        {
            EXPECT_FALSE(posted[ended].request.signaled) << "request " << ended << " not reported";
            CheckDone(ended);
        }
        EXPECT_EQ(ended, posted.size());
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
        if (failure)
        {
            word.Accept();
        }
    }

  private:
    /// A request has ended well: its work is done.
    void CheckDone(std::size_t at)
    {
        const Posted& p = posted[at];
        if (plan[at].ConsumesReceive())
        {
            EXPECT_GT(peer->messages, at) << "request " << at << " ended before its receive";
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

    void CheckMessage(const WorkCompletion& c, const PostedReceive& receive, const Posted& sent)
    {
        const WrOpcode opcode = sent.request.opcode;
        const bool write = opcode == WrOpcode::WriteWithImmediate;
        const bool immediate = write || opcode == WrOpcode::SendWithImmediate;
        const bool invalidates = opcode == WrOpcode::SendWithInvalidate;
        EXPECT_EQ(c.opcode, write ? WcOpcode::ReceiveWriteWithImmediate : WcOpcode::Receive);
        EXPECT_EQ(c.bytes, sent.request.bytes);
        EXPECT_EQ(c.hasImmediate, immediate);
        EXPECT_EQ(c.invalidated, invalidates);
        EXPECT_EQ(c.solicited, sent.request.solicited);
        if (immediate || invalidates)
        {
            EXPECT_EQ(c.immediate, sent.request.immediate);
        }
        if (!habits.checksKeys)
        {
            return;
        }
        if (!write)
        {
            std::copy(sent.content.begin(), sent.content.end(), receive.range.GetExpected());
        }
        EXPECT_TRUE(receive.range.IsAsExpected()) << "bytes of a receive";
        EXPECT_TRUE(!write || sent.remote.IsAsExpected()) << "bytes of a WRITE with immediate data";
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_FLOW_H
