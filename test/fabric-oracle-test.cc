// SPDX-License-Identifier: GPL-2.0-only
#include "pressed-fabric.h"

namespace ns3::aifabric::test
{
namespace
{

class TwoEventOracle : public ::testing::TestWithParam<Press>
{
};

// One event per hop gives what two events do, to the picosecond, though much happens at one instant.
TEST_P(TwoEventOracle, Agrees)
{
    Press press = GetParam();
    press.incasts = 2;
    press.flows = 80;
    uint64_t happened = 0;
    for (press.seed = 1; press.seed <= 6; ++press.seed)
    {
        const Shown ours = Simulate(press, Departures::Lazy);
        const Shown plain = Simulate(press, Departures::TwoEvents);
        EXPECT_GT(plain.events, 3 * ours.events / 2);
        ExpectSame(ours, plain, false);
        EXPECT_GT(ours.marked, 50U);
        happened += press.lossless ? ours.pauses.size() : ours.dropped;
        if (HasFailure())
        {
            FAIL() << "seed " << press.seed;
        }
    }
    EXPECT_GT(happened, 500U);
}

Press
MarkingEarly(Press press)
{
    press.marking = "enqueue";
    return press;
}

INSTANTIATE_TEST_SUITE_P(
    Pressed,
    TwoEventOracle,
    ::testing::Values(
        Press{"FatTree", "fat_tree", 400000},
        Press{"FatTreeWithLatency", "fat_tree", 400000, "none", true, false, 500 * kNanosecond},
        Press{"FatTreeSharing", "fat_tree", 400000, "dcqcn", true, true, 500 * kNanosecond},
        Press{"FatTreeRefreshing", "fat_tree", 400000, "none", true, false, 0, 100},
        Press{"FatTreeDropping", "fat_tree", 150000, "dcqcn", false, true},
        MarkingEarly({"FatTreeMarkingEarly", "fat_tree", 400000, "dcqcn", true, true}),
        MarkingEarly({"DroppingMarkingEarly", "fat_tree", 150000, "dcqcn", false}),
        Press{"LeafSpine", "leaf_spine", 600000, "dcqcn"},
        Press{"LeafSpineDropping", "leaf_spine", 200000, "none", false, false, 500 * kNanosecond}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace ns3::aifabric::test
