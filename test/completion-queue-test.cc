// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-queue.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

using namespace ns3::aifabric;

namespace
{

using Ids = std::vector<uint64_t>;

WorkCompletion
Completion(uint64_t wrId, WcStatus status = WcStatus::Success, bool solicited = false)
{
    WorkCompletion c{wrId, 2, 0, status, WcOpcode::Receive};
    c.solicited = solicited;
    return c;
}

/// Takes up to so many. @return which.
Ids
Poll(CompletionQueue& queue, std::size_t count = 1000)
{
    std::vector<WorkCompletion> out(count);
    out.resize(queue.Poll(out.data(), count));
    Ids ids;
    for (const WorkCompletion& c : out)
    {
        ids.push_back(c.wrId);
    }
    return ids;
}

TEST(CompletionQueue, PollGivesTheOldestFirst)
{
    CompletionQueue queue;
    for (uint64_t i = 0; i < 5; ++i)
    {
        queue.Push({i, 2, 0, WcStatus::Success, WcOpcode::Write});
    }
    WorkCompletion out[4];
    EXPECT_EQ(queue.Poll(out, 2), 2U);
    EXPECT_EQ(out[1].wrId, 1U);
    EXPECT_EQ(queue.Poll(out, 4), 3U);
    EXPECT_EQ(out[2].wrId, 4U);
    EXPECT_EQ(queue.Poll(out, 4), 0U);
}

TEST(CompletionQueue, PollTakesNoMoreThanThereIsRoomFor)
{
    CompletionQueue queue;
    WorkCompletion none{77, 0, 0, WcStatus::Success, WcOpcode::Send};
    EXPECT_EQ(queue.Poll(&none, 1), 0U);
    queue.Push(Completion(1));
    EXPECT_EQ(queue.Poll(&none, 0), 0U);
    EXPECT_EQ(none.wrId, 77U);
    EXPECT_EQ(queue.GetSize(), 1U);
}

TEST(CompletionQueue, OrderHoldsWhilePushingAndPolling)
{
    CompletionQueue queue;
    uint64_t pushed = 0;
    uint64_t polled = 0;
    for (int round = 1; round < 50; ++round)
    {
        for (int i = 0; i < round; ++i)
        {
            ASSERT_TRUE(queue.Push(Completion(pushed++)));
        }
        for (uint64_t id : Poll(queue, round - 1))
        {
            ASSERT_EQ(id, polled++);
        }
        EXPECT_EQ(queue.GetSize(), pushed - polled);
    }
    EXPECT_EQ(pushed - polled, 49U);
}

TEST(CompletionQueue, EveryFieldComesThrough)
{
    CompletionQueue queue;
    WorkCompletion in{9, 8, 7, WcStatus::RemoteAccessError, WcOpcode::ReceiveWriteWithImmediate};
    in.hasImmediate = true;
    in.invalidated = true;
    in.solicited = true;
    in.immediate = 6;
    in.sourceNumber = 5;
    in.sourceAddress = 4;
    queue.Push(in);
    WorkCompletion out{};
    ASSERT_EQ(queue.Poll(&out, 1), 1U);
    EXPECT_EQ(out.wrId, 9U);
    EXPECT_EQ(out.queuePair, 8U);
    EXPECT_EQ(out.bytes, 7U);
    EXPECT_EQ(out.status, WcStatus::RemoteAccessError);
    EXPECT_EQ(out.opcode, WcOpcode::ReceiveWriteWithImmediate);
    EXPECT_TRUE(out.hasImmediate && out.invalidated && out.solicited);
    EXPECT_EQ(out.immediate, 6U);
    EXPECT_EQ(out.sourceNumber, 5U);
    EXPECT_EQ(out.sourceAddress, 4U);
}

TEST(CompletionQueue, ACallbackTakesAtOnceAndPlacesAreFreeByThen)
{
    Ids ids;
    uint32_t freed = 0;
    std::vector<uint32_t> seen;
    CompletionQueue queue([&](const WorkCompletion& c) {
        ids.push_back(c.wrId);
        seen.push_back(freed);
    });
    int told = 0;
    queue.RequestNotify(false, [&told] { ++told; });
    EXPECT_TRUE(queue.Push(Completion(3), {&freed, 1}));
    EXPECT_TRUE(queue.Push(Completion(4), {&freed, 5}));
    EXPECT_TRUE(queue.Push(Completion(5)));
    EXPECT_EQ(ids, (Ids{3, 4, 5}));
    EXPECT_EQ(seen, (std::vector<uint32_t>{1, 5, 5}));
    EXPECT_EQ(queue.GetSize(), 0U);
    EXPECT_EQ(told, 0);
}

TEST(CompletionQueue, PlacesAreFreedByPolling)
{
    CompletionQueue queue;
    uint32_t sends = 0;
    uint32_t receives = 0;
    queue.Push(Completion(0), {&sends, 4});
    queue.Push(Completion(1), {&receives, 1});
    queue.Push(Completion(2));
    queue.Push(Completion(3), {&sends, 9});
    EXPECT_EQ(sends, 0U);
    Poll(queue, 1);
    EXPECT_EQ(sends, 4U);
    EXPECT_EQ(receives, 0U);
    Poll(queue, 2);
    EXPECT_EQ(sends, 4U);
    EXPECT_EQ(receives, 1U);
    Poll(queue, 1);
    EXPECT_EQ(sends, 9U);
}

/// A queue with room for three; notes what it is told.
class BoundedQueue : public ::testing::Test
{
  protected:
    BoundedQueue()
    {
        queue.OnAsyncEvent([this](const AsyncEvent& event) {
            EXPECT_EQ(event.type, AsyncEventType::CqError);
            EXPECT_EQ(event.queue, &queue);
            EXPECT_TRUE(queue.HasOverflowed());
            ++errors;
        });
    }

    void Fill()
    {
        for (uint64_t i = 0; i < 3; ++i)
        {
            ASSERT_TRUE(queue.Push(Completion(i)));
        }
        ASSERT_FALSE(queue.HasOverflowed());
        ASSERT_EQ(errors, 0);
    }

    CompletionQueue queue{3};
    int errors{0};
};

TEST_F(BoundedQueue, PollingMakesRoom)
{
    for (int round = 0; round < 3; ++round)
    {
        Fill();
        EXPECT_EQ(Poll(queue), (Ids{0, 1, 2}));
    }
    EXPECT_EQ(errors, 0);
}

TEST_F(BoundedQueue, OneMoreIsAnOverflowForEver)
{
    Fill();
    uint32_t freed = 0;
    EXPECT_FALSE(queue.Push(Completion(3), {&freed, 1}));
    EXPECT_TRUE(queue.HasOverflowed());
    EXPECT_EQ(errors, 1);
    EXPECT_FALSE(queue.Push(Completion(4), {&freed, 2}));
    // What was there can be taken, but room does not help any more.
    EXPECT_EQ(Poll(queue), (Ids{0, 1, 2}));
    EXPECT_FALSE(queue.Push(Completion(5), {&freed, 3}));
    EXPECT_EQ(queue.GetSize(), 0U);
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(freed, 0U);
}

TEST_F(BoundedQueue, WhatIsLostNotifiesNobody)
{
    Fill();
    int told = 0;
    queue.RequestNotify(false, [&told] { ++told; });
    queue.Push(Completion(3));
    EXPECT_EQ(told, 0);
}

TEST_F(BoundedQueue, TheHandlerOfAnOverflowMayReportMore)
{
    // As queue pairs do, whose requests are flushed then.
    int handled = 0;
    queue.OnAsyncEvent([&](const AsyncEvent&) {
        ++handled;
        EXPECT_FALSE(queue.Push(Completion(9, WcStatus::WrFlushError)));
        EXPECT_EQ(Poll(queue), (Ids{0, 1, 2}));
        EXPECT_FALSE(queue.Push(Completion(9, WcStatus::WrFlushError)));
    });
    Fill();
    EXPECT_FALSE(queue.Push(Completion(3)));
    EXPECT_EQ(handled, 1);
}

TEST(CompletionQueue, NoRoomAtAll)
{
    CompletionQueue queue(std::size_t{0});
    EXPECT_FALSE(queue.Push(Completion(1)));
    EXPECT_TRUE(queue.HasOverflowed());
}

/// A queue that is asked to tell of completions; notes of which it does.
class NotifyingQueue : public ::testing::Test
{
  protected:
    void Ask(bool solicitedOnly)
    {
        queue.RequestNotify(solicitedOnly, [this] { told.push_back(m_last); });
    }

    void Push(WcStatus status = WcStatus::Success, bool solicited = false)
    {
        queue.Push(Completion(++m_last, status, solicited));
    }

    CompletionQueue queue;
    Ids told;

  private:
    uint64_t m_last{0};
};

TEST_F(NotifyingQueue, TellsOnce)
{
    Ask(false);
    EXPECT_TRUE(told.empty());
    Push();
    Push();
    EXPECT_EQ(told, Ids{1});
    Ask(false);
    // What waits already does not count.
    EXPECT_EQ(told, Ids{1});
    Push();
    EXPECT_EQ(told, (Ids{1, 3}));
}

TEST_F(NotifyingQueue, SolicitedOnesAndFailures)
{
    Ask(true);
    Push();
    EXPECT_TRUE(told.empty());
    Push(WcStatus::Success, true);
    EXPECT_EQ(told, Ids{2});
    Ask(true);
    Push();
    Push(WcStatus::WrFlushError);
    EXPECT_EQ(told, (Ids{2, 4}));
    Push(WcStatus::Success, true);
    EXPECT_EQ(told, (Ids{2, 4}));
}

TEST_F(NotifyingQueue, AskedForAllAfterSolicited)
{
    Ask(true);
    Ask(false);
    Push();
    EXPECT_EQ(told, Ids{1});
}

TEST_F(NotifyingQueue, AskedForSolicitedAfterAll)
{
    Ask(false);
    Ask(true);
    Push();
    EXPECT_EQ(told, Ids{1});
    // It was for that once only.
    Ask(true);
    Push();
    EXPECT_EQ(told, Ids{1});
    Push(WcStatus::Success, true);
    EXPECT_EQ(told, (Ids{1, 3}));
}

TEST_F(NotifyingQueue, AskedForNothing)
{
    Ask(false);
    queue.RequestNotify(false, nullptr);
    Push();
    EXPECT_TRUE(told.empty());
    Ask(true);
    Push();
    EXPECT_TRUE(told.empty());
}

TEST(CompletionQueue, WhoIsToldMayPollAndAskAgain)
{
    CompletionQueue queue;
    Ids polled;
    std::function<void()> notify = [&] {
        for (uint64_t id : Poll(queue))
        {
            polled.push_back(id);
        }
        queue.RequestNotify(false, notify);
    };
    queue.RequestNotify(false, notify);
    for (uint64_t i = 0; i < 4; ++i)
    {
        queue.Push(Completion(i));
        EXPECT_EQ(queue.GetSize(), 0U);
    }
    EXPECT_EQ(polled, (Ids{0, 1, 2, 3}));
}

TEST(CompletionQueue, PurgeTakesOneOwnersOnly)
{
    CompletionQueue queue;
    uint32_t one = 0;
    uint32_t two = 0;
    queue.Push(Completion(0), {&one, 1});
    queue.Push(Completion(1), {&two, 1});
    queue.Push(Completion(2));
    queue.Push(Completion(3), {&one, 2});
    queue.Push(Completion(4), {&two, 2});
    Poll(queue, 1);
    queue.Push(Completion(5), {&one, 3});
    queue.Purge(&one);
    EXPECT_EQ(one, 1U);
    EXPECT_EQ(queue.GetSize(), 3U);
    queue.Push(Completion(6), {&one, 4});
    EXPECT_EQ(Poll(queue), (Ids{1, 2, 4, 6}));
    EXPECT_EQ(one, 4U);
    EXPECT_EQ(two, 2U);
    queue.Purge(&two);
    EXPECT_EQ(queue.GetSize(), 0U);
}

TEST(CompletionQueue, PurgeMakesRoom)
{
    CompletionQueue queue(std::size_t{2});
    uint32_t owner = 0;
    queue.Push(Completion(0), {&owner, 1});
    queue.Push(Completion(1), {&owner, 2});
    queue.Purge(&owner);
    EXPECT_TRUE(queue.Push(Completion(2)));
    EXPECT_TRUE(queue.Push(Completion(3)));
    EXPECT_EQ(Poll(queue), (Ids{2, 3}));
}

} // namespace
