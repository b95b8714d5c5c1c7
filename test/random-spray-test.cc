// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-registry.h"
#include "ns3/load-balancer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

Ptr<LoadBalancer>
MakeSpray(uint32_t id)
{
    Ptr<LoadBalancer> spray = MakePlugin<LoadBalancer>("random_spray");
    spray->Begin(id, nullptr);
    return spray;
}

TEST(RandomSpray, IsUniformForAnyCount)
{
    const std::array<PortIdx, 7> ports{3, 1, 4, 15, 9, 2, 6};
    Ptr<LoadBalancer> spray = MakeSpray(5);
    for (uint32_t count = 2; count <= ports.size(); ++count)
    {
        constexpr int kPicks = 70000;
        std::array<int, 16> seen{};
        Frame f{};
        for (int i = 0; i < kPicks; ++i)
        {
            ++seen[spray->Pick(f, 0, {ports.data(), count}, 0)];
        }
        int total = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            const double mean = 1.0 * kPicks / count;
            EXPECT_NEAR(seen[ports[i]], mean, 5 * std::sqrt(mean));
            total += seen[ports[i]];
        }
        EXPECT_EQ(total, kPicks);
    }
}

TEST(RandomSpray, SwitchesDrawForThemselves)
{
    const std::array<PortIdx, 4> ports{0, 1, 2, 3};
    auto draw = [&ports](uint32_t id) {
        Ptr<LoadBalancer> spray = MakeSpray(id);
        std::vector<PortIdx> picks;
        for (int i = 0; i < 1000; ++i)
        {
            picks.push_back(spray->Pick(Frame{}, 0, {ports.data(), 4}, 0));
        }
        return picks;
    };
    const auto one = draw(1);
    EXPECT_EQ(one, draw(1));
    const auto two = draw(2);
    int equal = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
    {
        equal += one[i] == two[i];
    }
    EXPECT_NEAR(equal, 250, 5 * std::sqrt(1000 * 0.25 * 0.75));
}

TEST(RandomSpray, QueuesAreThoseOfRandomArrivals)
{
    // Eight inputs with a frame each at load r, eight outputs that send one per slot: arrivals A of an
    // output are binomial, and its mean queue is r + E[A (A - 1)] / (2 (1 - r)), the discrete form of
    // Pollaczek and Khinchine's: 0.719, 2.2 and 4.44 frames.
    std::array<PortIdx, 8> ports{0, 1, 2, 3, 4, 5, 6, 7};
    Ptr<LoadBalancer> spray = MakeSpray(9);
    std::mt19937 random(1);
    for (const double load : {0.5, 0.8, 0.9})
    {
        std::bernoulli_distribution arrives(load);
        std::array<int, 8> queue{};
        double sum = 0;
        constexpr int kSlots = 100000;
        for (int slot = 0; slot < kSlots; ++slot)
        {
            for (int& q : queue)
            {
                q -= q > 0;
            }
            for (int input = 0; input < 8; ++input)
            {
                if (arrives(random))
                {
                    ++queue[spray->Pick(Frame{}, 0, {ports.data(), 8}, 0)];
                }
            }
            for (const int q : queue)
            {
                sum += q;
            }
        }
        const double expected = load + 7.0 / 8 * load * load / (2 * (1 - load));
        EXPECT_NEAR(sum / kSlots / 8, expected, 0.05 * expected) << load;
    }
}

} // namespace
