// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_FLOW_H
#define AIFABRIC_VERBS_FLOW_H

#include "verbs-pair.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// What is wrong with a request, deliberately.
enum class Wrong : uint8_t
{
    Nothing,
    Key,              ///< the remote key, or the key to invalidate
    Range,            ///< it goes beyond its region
    Permission,       ///< the region does not give that
    Alignment,        ///< of an atomic
    LocalKey,         ///< no such region here
    ShortReceive,     ///< the message is longer
    ProtectedReceive, ///< the receive's memory may not be written
    NoReceive         ///< none is ever posted
};

/// A request that will be posted.
struct Plan
{
    WrOpcode opcode;
    uint32_t bytes;
    Wrong wrong{Wrong::Nothing};

    bool ConsumesReceive() const
    {
        return opcode == WrOpcode::Send || opcode == WrOpcode::SendWithImmediate ||
               opcode == WrOpcode::SendWithInvalidate || opcode == WrOpcode::WriteWithImmediate;
    }
};

/// A request that was posted, and what it should do.
struct Posted
{
    WorkRequest request;
    Range local;
    Range remote;
    std::vector<std::byte> content; ///< of a SEND
    std::vector<std::byte> before;  ///< what was where a WRITE, a READ or an atomic's answer goes
    MemoryRegion* invalidates{nullptr};
    uint64_t original{0}; ///< an atomic's answer
};

/// A receive that was posted.
struct PostedReceive
{
    Range range;
    bool ended{false};
};

/// One end of a queue pair: what it posts, and what it is told, held against what should be.
class VerbsFlow
{
  public:
    /// How a case wants it.
    struct Habits
    {
        double signaled{0.7};
        double inlined{0.2};
        double fenced{0.1};
        double solicited{0.2};
        bool checksKeys{true};
        bool sharedWord{false}; ///< FETCH ADDs of all queue pairs to one word
        bool faulty{false};     ///< something will go wrong
    };

    VerbsHost* here{nullptr};
    VerbsFlow* peer{nullptr};
    QueuePair* queuePair{nullptr};
    Habits habits;
    uint32_t maxInlineBytes{0};
    Range word; ///< at the peer, of atomics
    std::vector<Plan> plan;
    std::vector<Posted> posted;
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

    static bool IsAtomic(WrOpcode opcode)
    {
        return opcode == WrOpcode::CompareSwap || opcode == WrOpcode::FetchAdd;
    }

  private:
    static uint64_t GetWord(const std::byte* at)
    {
        uint64_t value;
        std::memcpy(&value, at, sizeof(value));
        return value;
    }

    static void SetWord(std::byte* at, uint64_t value)
    {
        std::memcpy(at, &value, sizeof(value));
    }

    /// Gives a request its memory at either end, and does there what it should do, by the book.
    void FindMemory(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        switch (next.opcode)
        {
        case WrOpcode::Read:
            PlanRead(next, p, dice);
            break;
        case WrOpcode::CompareSwap:
        case WrOpcode::FetchAdd:
            PlanAtomic(next, p, dice);
            break;
        case WrOpcode::Write:
        case WrOpcode::WriteWithImmediate:
            PlanWrite(next, p, dice);
            break;
        default:
            p.local = here->memory.Take(next.bytes, 0);
            here->memory.Fill(p.local);
            p.content.assign(p.local.GetBytes(), p.local.GetBytes() + next.bytes);
            if (next.opcode == WrOpcode::SendWithInvalidate)
            {
                p.invalidates = peer->here->domain.RegisterAddresses(64, 64, kRemoteRead);
                p.request.immediate = p.invalidates->GetKey() + (next.wrong == Wrong::Key);
            }
            break;
        }
        p.request.address = p.local.GetAddress();
        p.request.localKey = p.local.GetKey();
        p.request.remoteAddress = p.remote.GetAddress();
        p.request.remoteKey = p.remote.GetKey();
        switch (next.wrong)
        {
        case Wrong::Key:
            ++p.request.remoteKey;
            break;
        case Wrong::Range:
            p.request.remoteAddress += p.remote.region->size - p.remote.offset - next.bytes + 8;
            break;
        case Wrong::Alignment:
            p.request.remoteAddress += 4;
            break;
        case Wrong::LocalKey:
            ++p.request.localKey;
            break;
        default:
            break;
        }
    }

    void PlanWrite(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        constexpr uint32_t kAccess = kLocalWrite | kRemoteWrite;
        p.local = here->memory.Take(next.bytes, 0);
        here->memory.Fill(p.local);
        const bool refused = next.wrong == Wrong::Permission;
        if (m_lastRead && !habits.faulty && posted[*m_lastRead].remote.bytes >= next.bytes &&
            dice() % 2 == 0)
        {
            // What a READ reads may change once it has ended: that is what the fence is for.
            p.remote = posted[*m_lastRead].remote;
            p.remote.bytes = next.bytes;
            p.request.fence = true;
            m_lastRead.reset();
        }
        else
        {
            p.remote = peer->here->memory.Take(
                next.bytes,
                refused ? 0 : kAccess | (dice() % 2 ? 0U : static_cast<uint32_t>(kRemoteRead)),
                refused ? static_cast<uint32_t>(kRemoteWrite) : 0U);
        }
        Remember(p, p.remote);
        if (next.wrong == Wrong::Nothing)
        {
            std::memcpy(p.remote.GetExpected(), p.local.GetBytes(), next.bytes);
        }
        if (p.remote.region->access & kRemoteRead && !refused)
        {
            m_lastWrite = posted.size();
        }
    }

    void PlanRead(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        p.local = here->memory.Take(next.bytes, kLocalWrite);
        const bool refused = next.wrong == Wrong::Permission;
        if (m_lastWrite && posted[*m_lastWrite].remote.bytes >= next.bytes && !refused &&
            dice() % 2 == 0)
        {
            p.remote = posted[*m_lastWrite].remote;
            p.remote.bytes = next.bytes;
        }
        else
        {
            const bool rewritten = dice() % 2 == 0;
            const uint32_t access =
                kRemoteRead | (rewritten ? static_cast<uint32_t>(kLocalWrite | kRemoteWrite) : 0U);
            p.remote = peer->here->memory.Take(next.bytes,
                                               refused ? 0 : access,
                                               refused ? static_cast<uint32_t>(kRemoteRead) : 0U);
            peer->here->memory.Fill(p.remote);
            if (rewritten && !refused)
            {
                m_lastRead = posted.size();
            }
        }
        Remember(p, p.local);
        if (next.wrong == Wrong::Nothing)
        {
            std::memcpy(p.local.GetExpected(), p.remote.GetExpected(), next.bytes);
        }
    }

    void PlanAtomic(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        p.local = here->memory.Take(kAtomicBytes, kLocalWrite);
        p.remote = word;
        WorkRequest& r = p.request;
        const uint64_t value = GetWord(word.GetExpected());
        p.original = value;
        // Half of the swaps meet what they compare with.
        r.compareAdd = next.opcode == WrOpcode::CompareSwap && dice() % 2 ? value : dice();
        r.swap = dice();
        Remember(p, p.local);
        if (next.wrong == Wrong::Permission)
        {
            p.remote = peer->here->memory.Take(kAtomicBytes, 0, kRemoteAtomic);
        }
        if (next.wrong != Wrong::Nothing)
        {
            return;
        }
        if (habits.sharedWord)
        {
            // In which order others' arrive is open: the sum is not.
            r.compareAdd = 1;
            SetWord(word.GetExpected(), value + 1);
            return;
        }
        SetWord(p.local.GetExpected(), value);
        const bool swaps = next.opcode == WrOpcode::CompareSwap;
        SetWord(word.GetExpected(),
                swaps ? (value == r.compareAdd ? r.swap : value) : value + r.compareAdd);
    }

    void Remember(Posted& p, const Range& range) const
    {
        if (habits.faulty)
        {
            p.before.assign(range.GetExpected(), range.GetExpected() + range.bytes);
        }
    }

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

    std::optional<std::size_t> m_lastWrite; ///< that may be read
    std::optional<std::size_t> m_lastRead;  ///< that may be overwritten
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_FLOW_H
