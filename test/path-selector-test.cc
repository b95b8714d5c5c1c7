// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include "ns3/path-selector.h"

#include <map>
#include <set>

namespace ns3::aifabric::test
{
namespace
{

constexpr Tick kRtt = 10 * kMicrosecond;

/// Load balancers that choose at the sender.
class PathSelectors : public testing::Test
{
  protected:
    std::unique_ptr<PathSelector> Make(const std::string& id, const AttributeTexts& attributes = {})
    {
        UsePicoseconds();
        m_balancer = With(MakePlugin<LoadBalancer>(id), attributes);
        return m_balancer->GetPathSelection()->MakeSelector(0xFFF0, kRtt);
    }

    Ptr<LoadBalancer> m_balancer;
};

TEST_F(PathSelectors, ObliviousSprayTakesEachOnceARound)
{
    for (const uint32_t paths : {1, 5, 64, 16384})
    {
        auto selector = Make("oblivious_spray", {{"PathCount", std::to_string(paths)}});
        std::set<std::vector<uint16_t>> orders;
        for (int round = 0; round < 8; ++round)
        {
            std::vector<uint16_t> order;
            for (uint32_t i = 0; i < paths; ++i)
            {
                order.push_back(selector->Next(0));
                EXPECT_GE(order.back(), 0xC000);
            }
            EXPECT_EQ(std::set<uint16_t>(order.begin(), order.end()).size(), paths);
            orders.insert(order);
        }
        EXPECT_GT(orders.size(), paths > 5 ? 4U : 0U);
    }
}

TEST_F(PathSelectors, RepsUsesAgainWhatWasGood)
{
    auto selector = Make("reps", {{"PathCount", "16384"}});
    const std::vector<uint16_t> good{0xC001, 0xC002, 0xC003};
    for (const uint16_t entropy : good)
    {
        selector->OnAcknowledged(entropy, false, 0);
        selector->OnAcknowledged(0xC111, true, 0);
    }
    std::vector<uint16_t> taken;
    std::generate_n(std::back_inserter(taken), 3, [&] { return selector->Next(0); });
    EXPECT_EQ(taken, good);
    // Each once: then it is others by lot, of 16384 seldom one twice.
    std::set<uint16_t> explored;
    for (int i = 0; i < 100; ++i)
    {
        explored.insert(selector->Next(0));
    }
    EXPECT_GT(explored.size(), 95U);
    // Of more than the cache has the newest eight are left.
    for (uint16_t i = 0; i < 12; ++i)
    {
        selector->OnAcknowledged(0xD000 + i, false, 0);
    }
    for (uint16_t i = 4; i < 12; ++i)
    {
        EXPECT_EQ(selector->Next(0), 0xD000 + i);
    }
}

TEST_F(PathSelectors, RepsFreezesAfterATimeout)
{
    auto selector = Make("reps", {{"PathCount", "16384"}});
    std::set<uint16_t> known;
    for (uint16_t i = 0; i < 8; ++i)
    {
        selector->OnAcknowledged(0xD000 + i, false, 0);
        known.insert(0xD000 + i);
    }
    selector->OnTimeout(0);
    std::map<uint16_t, int> taken;
    for (int i = 0; i < 8 + 80; ++i)
    {
        ++taken[selector->Next(kMicrosecond)];
    }
    EXPECT_EQ(taken.size(), known.size());
    for (const auto& [entropy, times] : taken)
    {
        EXPECT_EQ(known.count(entropy), 1U);
        EXPECT_EQ(times, 11);
    }
    // It thaws by what it hears once 10 ms have passed, and then looks round with 16 frames.
    selector->OnAcknowledged(0xD000, false, 10 * kMillisecond - 1);
    EXPECT_EQ(selector->Next(0), 0xD000);
    selector->OnAcknowledged(0xD000, false, 10 * kMillisecond);
    std::set<uint16_t> explored;
    for (int i = 0; i < 16; ++i)
    {
        explored.insert(selector->Next(0));
    }
    EXPECT_GE(explored.size(), 15U);
    EXPECT_EQ(selector->Next(0), 0xD000);
}

TEST_F(PathSelectors, PlbMovesAfterCongestedRounds)
{
    // A round trip with more than half of its frames marked counts; twelve in a row move it.
    auto selector = Make("plb");
    Tick now = 0;
    auto round = [&](int marked) {
        const uint16_t entropy = selector->Next(now);
        for (int i = 0; i < 10; ++i)
        {
            now += kRtt / 10;
            selector->OnAcknowledged(entropy, i < marked, now);
        }
    };
    const uint16_t first = selector->Next(now);
    round(10); // the first round has begun with the first acknowledgement
    for (int i = 0; i < 100; ++i)
    {
        round(5);
        EXPECT_EQ(selector->Next(now), first);
    }
    int rounds = 0;
    while (selector->Next(now) == first && rounds < 100)
    {
        round(10);
        ++rounds;
    }
    EXPECT_NEAR(rounds, 12, 1);
    // When it has been silent three will do.
    const uint16_t second = selector->Next(now);
    for (int i = 0; i < 4; ++i)
    {
        round(10);
    }
    EXPECT_EQ(selector->Next(now), second);
    now += 2 * kRtt;
    EXPECT_NE(selector->Next(now), second);
    // After a timeout it moves at once, and then stays for a minute at least.
    const uint16_t third = selector->Next(now);
    selector->OnTimeout(now);
    const uint16_t fourth = selector->Next(now);
    EXPECT_NE(fourth, third);
    const Tick until = now + 60'000 * kMillisecond;
    for (int i = 0; i < 1000; ++i)
    {
        round(10);
        EXPECT_EQ(selector->Next(now), fourth);
    }
    now = until + 61'000 * kMillisecond;
    for (int i = 0; i < 14; ++i)
    {
        round(10);
    }
    EXPECT_NE(selector->Next(now), fourth);
}

TEST_F(PathSelectors, EntropiesComeBackWithAcknowledgements)
{
    // Two leaves, eight spines, one flow: with one entropy it takes one spine, sprayed it takes all in
    // equal parts. REPS goes on with the entropies of the first round trip, a dozen by lot: by
    // coupon-collecting they leave out a spine or two.
    auto spines = [](const std::string& id, const AttributeTexts& attributes = {}) {
        FabricBed bed("leaf_spine");
        bed.Set("LeafCount", 2);
        bed.Set("SpineCount", 8);
        bed.Set("HostsPerLeaf", 1);
        bed.settings.balancer = With(MakePlugin<LoadBalancer>(id), attributes);
        bed.settings.mtuPayloadBytes = 1000;
        bed.recovery = MakePlugin<LossRecovery>("out_of_order");
        bed.Build();
        bed.AddFlow(0, 1, 8'000'000);
        EXPECT_EQ(bed.Run()[0].retransmittedBytes, 0U) << id;
        std::multiset<uint64_t> frames;
        for (int i = 0; i < 8; ++i)
        {
            frames.insert(bed.CountersOf(bed.Find("spine" + std::to_string(i)), 1).dataFrames);
        }
        return frames;
    };
    EXPECT_EQ(spines("ecmp").count(0), 7U);
    EXPECT_EQ(spines("plb").count(0), 7U);
    EXPECT_LE(spines("reps").count(0), 4U);
    const auto frames = spines("oblivious_spray", {{"PathCount", "1024"}});
    EXPECT_GT(*frames.begin(), 800U);
    EXPECT_LT(*frames.rbegin(), 1200U);
}

} // namespace
} // namespace ns3::aifabric::test
