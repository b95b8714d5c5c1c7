// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reorder-buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace ns3::aifabric;

namespace
{

Frame*
MakeFrame(uint32_t psn)
{
    Frame* f = FramePool::Take();
    *f = Frame();
    f->psn = psn;
    return f;
}

class ReorderBufferLimit : public ::testing::TestWithParam<uint32_t>
{
};

TEST_P(ReorderBufferLimit, GivesBackInOrderWhatItKept)
{
    const uint32_t limit = GetParam();
    std::mt19937 random(limit);
    {
        ReorderBuffer buffer(limit);
        std::map<uint32_t, Frame*> model;
        uint32_t expected = 0;
        std::size_t peak = 0;
        for (int step = 0; step < 50000; ++step)
        {
            const uint32_t distance = random() % (limit + 3);
            const bool wanted = distance <= limit && !model.count(expected + distance);
            ASSERT_EQ(buffer.Wants(distance), wanted);
            ASSERT_EQ(buffer.Has(distance), model.count(expected + distance) > 0);
            // The expected one is never kept, but taken.
            if (wanted && distance > 0)
            {
                buffer.Keep(model[expected + distance] = MakeFrame(expected + distance), distance);
            }
            peak = std::max(peak, model.size());
            ASSERT_EQ(buffer.GetPeak(), peak);
            if (random() % 3 == 0)
            {
                Frame* f = buffer.Take();
                ASSERT_EQ(f != nullptr, model.count(expected) > 0);
                if (f)
                {
                    ASSERT_EQ(f, model.begin()->second);
                    ASSERT_EQ(f->psn, expected);
                    model.erase(model.begin());
                    FramePool::Return(f);
                }
                // A READ takes as many numbers as its answer has frames.
                uint32_t numbers = 1;
                while (random() % 4 == 0 && !model.count(expected + numbers))
                {
                    ++numbers;
                }
                buffer.Advance(numbers);
                expected += numbers;
            }
        }
        EXPECT_EQ(FramePool::Out(), model.size());
    }
    EXPECT_EQ(FramePool::Out(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Limits,
                         ReorderBufferLimit,
                         ::testing::Values(1, 2, 14, 15, 16, 17, 100, 1000));

TEST(ReorderBuffer, DropsWhatIsPassedOver)
{
    ReorderBuffer buffer(100);
    buffer.Keep(MakeFrame(3), 3);
    buffer.Keep(MakeFrame(40), 40);
    buffer.Advance(20);
    EXPECT_EQ(FramePool::Out(), 1U);
    EXPECT_TRUE(buffer.Has(20));
    buffer.Advance(1000);
    EXPECT_EQ(FramePool::Out(), 0U);
}

TEST(ReorderBuffer, GrowsAroundWhatItHolds)
{
    ReorderBuffer buffer(1 << 20);
    EXPECT_FALSE(buffer.Wants((1 << 20) + 1));
    EXPECT_EQ(buffer.Take(), nullptr);
    buffer.Advance(5);
    buffer.Keep(MakeFrame(9), 9);
    buffer.Advance(8);
    // The ring of 16 has turned by now; each of these makes it longer.
    for (uint32_t distance : {16U, 1000U, 1U << 20})
    {
        EXPECT_TRUE(buffer.Wants(distance));
        buffer.Keep(MakeFrame(distance + 8), distance);
    }
    EXPECT_FALSE(buffer.Wants(1));
    EXPECT_EQ(buffer.Take(), nullptr);
    uint32_t at = 8;
    for (uint32_t psn : {9U, 24U, 1008U, (1U << 20) + 8})
    {
        buffer.Advance(psn - at);
        at = psn;
        Frame* f = buffer.Take();
        ASSERT_NE(f, nullptr);
        EXPECT_EQ(f->psn, psn);
        FramePool::Return(f);
    }
    EXPECT_EQ(buffer.GetPeak(), 4U);
}

} // namespace
