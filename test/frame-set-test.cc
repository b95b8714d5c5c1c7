// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace ns3::aifabric;

namespace
{

/// Windows of so many frames, against std::set.
class FrameSetWindow : public ::testing::TestWithParam<uint32_t>
{
};

TEST_P(FrameSetWindow, IsASetThatMoves)
{
    const uint32_t span = GetParam();
    std::mt19937_64 random(span);
    FrameSet set(span);
    std::set<uint64_t> model;
    uint64_t first = (1ULL << 40) - span / 2;
    for (int step = 0; step < 20000; ++step)
    {
        const uint64_t frame = first + random() % span;
        set.Add(frame);
        model.insert(frame);
        const uint64_t asked = first + random() % span;
        ASSERT_EQ(set.Has(asked), model.count(asked) > 0);

        const uint64_t from = first + random() % span;
        const uint64_t to = from + random() % (first + span - from + 1);
        uint64_t missing = from;
        while (missing < to && model.count(missing))
        {
            ++missing;
        }
        ASSERT_EQ(set.FindMissing(from, to), missing) << from << " to " << to;

        if (random() % 4 == 0)
        {
            const uint64_t next = first + random() % (span / 4 + 2);
            set.Remove(first, next);
            model.erase(model.begin(), model.lower_bound(next));
            first = next;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Spans,
                         FrameSetWindow,
                         ::testing::Values(1, 2, 63, 64, 65, 100, 128, 1000));

TEST(FrameSet, FullWindowsHaveNothingMissing)
{
    FrameSet set(256);
    const uint64_t first = 1000;
    for (uint64_t frame = first; frame < first + 256; ++frame)
    {
        EXPECT_EQ(set.FindMissing(first, first + 256), frame);
        set.Add(frame);
    }
    EXPECT_EQ(set.FindMissing(first, first + 256), first + 256);
    EXPECT_EQ(set.FindMissing(first + 7, first + 7), first + 7);
    set.Remove(first, first + 256);
    EXPECT_EQ(set.FindMissing(first + 256, first + 512), first + 256);
}

} // namespace
