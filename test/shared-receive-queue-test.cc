// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shared-receive-queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace ns3::aifabric;

namespace
{

/// Posts receives with consecutive numbers; notes at which counts the limit is told of.
class SharedReceives : public ::testing::Test
{
  protected:
    SharedReceives()
    {
        queue.OnAsyncEvent([this](const AsyncEvent& event) {
            EXPECT_EQ(event.type, AsyncEventType::SrqLimitReached);
            EXPECT_EQ(event.queue, &queue);
            EXPECT_EQ(event.queuePair, 0U);
            EXPECT_EQ(queue.GetLimit(), 0U);
            told.push_back(queue.GetSize());
        });
    }

    void Post(int count)
    {
        for (int i = 0; i < count; ++i)
        {
            ASSERT_EQ(queue.PostReceive({m_posted++, 100}), Status::Ok);
        }
    }

    void Take(int count)
    {
        for (int i = 0; i < count; ++i)
        {
            EXPECT_EQ(queue.Take().wrId, m_taken++);
        }
    }

    SharedReceiveQueue queue{8};
    std::vector<uint32_t> told;

  private:
    uint64_t m_posted{0};
    uint64_t m_taken{0};
};

TEST_F(SharedReceives, HoldsItsCapacity)
{
    Post(8);
    EXPECT_EQ(queue.GetSize(), 8U);
    EXPECT_EQ(queue.PostReceive({99, 100}), Status::QueueFull);
    EXPECT_EQ(queue.GetSize(), 8U);
    Take(3);
    Post(3);
    EXPECT_EQ(queue.PostReceive({99, 100}), Status::QueueFull);
    Take(8);
    EXPECT_EQ(queue.GetSize(), 0U);
    Post(1);
    Take(1);
}

TEST_F(SharedReceives, GivesBackWhatWasPosted)
{
    ASSERT_EQ(queue.PostReceive({1, 4096, 0x1000, 77}), Status::Ok);
    const ReceiveRequest request = queue.Take();
    EXPECT_EQ(request.wrId, 1U);
    EXPECT_EQ(request.bytes, 4096U);
    EXPECT_EQ(request.address, 0x1000U);
    EXPECT_EQ(request.localKey, 77U);
}

TEST_F(SharedReceives, NothingIsToldUnasked)
{
    Post(8);
    Take(8);
    EXPECT_EQ(queue.GetLimit(), 0U);
    EXPECT_TRUE(told.empty());
}

TEST_F(SharedReceives, TheLimitIsToldOfOnceWhenFewerAreLeft)
{
    Post(8);
    ASSERT_EQ(queue.SetLimit(5), Status::Ok);
    EXPECT_EQ(queue.GetLimit(), 5U);
    Take(3);
    EXPECT_TRUE(told.empty());
    Take(1);
    EXPECT_EQ(told, std::vector<uint32_t>{4});
    // Disarmed: neither the next nor another fall through it counts.
    Take(4);
    Post(8);
    Take(8);
    EXPECT_EQ(told, std::vector<uint32_t>{4});
}

TEST_F(SharedReceives, PostingRaisesTheCountAgain)
{
    Post(5);
    ASSERT_EQ(queue.SetLimit(4), Status::Ok);
    Take(1);
    Post(1);
    Take(1);
    EXPECT_TRUE(told.empty());
    Take(1);
    EXPECT_EQ(told, std::vector<uint32_t>{3});
}

TEST_F(SharedReceives, ArmedAgain)
{
    Post(8);
    ASSERT_EQ(queue.SetLimit(7), Status::Ok);
    Take(2);
    ASSERT_EQ(queue.SetLimit(2), Status::Ok);
    Take(6);
    EXPECT_EQ(told, (std::vector<uint32_t>{6, 1}));
}

TEST_F(SharedReceives, ArmedAboveTheCountTellsWhenTheNextIsTaken)
{
    Post(2);
    ASSERT_EQ(queue.SetLimit(5), Status::Ok);
    EXPECT_TRUE(told.empty());
    Post(1);
    EXPECT_TRUE(told.empty());
    Take(1);
    EXPECT_EQ(told, std::vector<uint32_t>{2});
}

TEST_F(SharedReceives, LimitsAndHowToDisarm)
{
    Post(8);
    EXPECT_EQ(queue.SetLimit(9), Status::InvalidAttribute);
    EXPECT_EQ(queue.GetLimit(), 0U);
    EXPECT_EQ(queue.SetLimit(8), Status::Ok);
    EXPECT_EQ(queue.SetLimit(9), Status::InvalidAttribute);
    EXPECT_EQ(queue.GetLimit(), 8U);
    EXPECT_EQ(queue.SetLimit(0), Status::Ok);
    Take(8);
    EXPECT_TRUE(told.empty());
}

TEST_F(SharedReceives, TheHandlerMayPostAndArmAgain)
{
    std::vector<uint32_t> left;
    queue.OnAsyncEvent([&](const AsyncEvent&) {
        left.push_back(queue.GetSize());
        Post(4);
        ASSERT_EQ(queue.SetLimit(3), Status::Ok);
    });
    Post(4);
    ASSERT_EQ(queue.SetLimit(3), Status::Ok);
    Take(12);
    EXPECT_EQ(left, (std::vector<uint32_t>{2, 2, 2}));
    EXPECT_EQ(queue.GetSize(), 4U);
}

TEST_F(SharedReceives, WithoutAHandlerTheLimitIsSpentAllTheSame)
{
    queue.OnAsyncEvent(nullptr);
    Post(2);
    ASSERT_EQ(queue.SetLimit(2), Status::Ok);
    Take(1);
    EXPECT_EQ(queue.GetLimit(), 0U);
}

TEST_F(SharedReceives, NoneToTakeIsABrokenPromise)
{
    EXPECT_DEATH(queue.Take(), "empty shared queue");
}

} // namespace
