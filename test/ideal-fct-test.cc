// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-profile.h"
#include "ns3/ideal-fct.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace ns3::aifabric
{
namespace
{

std::vector<IdealHop>
Path(std::vector<double> gbps, Tick delay, uint32_t gap)
{
    std::vector<IdealHop> hops;
    for (double rate : gbps)
    {
        hops.push_back({ByteTime(rate * 1e9), ByteTime(rate * 1e9), delay, delay, gap});
    }
    return hops;
}

// Two hops of 100 Gb/s and 1 us in the frames of HPCC's simulator: 2 x 83.84 ns for 1048 B, 2 x 4.8
// for the ACK of 60 B, 4 us of propagation; 999 more frames of 83.84 ns.
TEST(IdealFct, HpccFramesOverTwoHops)
{
    auto path = Path({100, 100}, kMicrosecond, 0);
    EXPECT_EQ(IdealFct(path, {1000, 1000, 1U << 31, 0}, kHpccHeaders), 4177280);
    EXPECT_EQ(IdealFct(path, {1000000, 1000, 1U << 31, 0}, kHpccHeaders), 87933440);
}

TEST(IdealFct, SkippingFramesChangesNothing)
{
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i)
    {
        std::vector<double> rates;
        for (unsigned n = 1 + random() % 5; n > 0; --n)
        {
            rates.push_back(10 * (1 + random() % 40));
        }
        auto path = Path(rates, random() % 2000, 20);
        const uint64_t bytes = random() % 20000;
        const uint32_t mtu = random() % 2 ? 1024 : 4;
        const double bus = random() % 2 ? 0 : 1e9 * (5 + random() % 200);
        // The recursion itself, frame by frame.
        std::vector<Tick> free(path.size());
        std::vector<Tick> freeBack(path.size());
        Tick arrival = 0;
        Tick answered = 0;
        const uint64_t frames = std::max<uint64_t>((bytes + mtu - 1) / mtu, 1);
        for (uint64_t f = 0; f < frames; ++f)
        {
            const auto payload = static_cast<uint32_t>(f + 1 < frames ? mtu : bytes - f * mtu);
            const uint32_t size = kRoceV2Headers.DataFrame(payload, f == 0);
            arrival = 0;
            for (std::size_t h = 0; h < path.size(); ++h)
            {
                const Tick start = std::max(arrival, free[h]);
                const Tick wire = path[h].forward(size + 20);
                free[h] = start + wire;
                if (h == 0 && bus > 0)
                {
                    free[h] = std::max(free[h], start + ByteTime(bus)(payload));
                }
                arrival = start + wire + path[h].forwardDelay;
            }
            answered = arrival;
            for (std::size_t h = path.size(); h-- > 0;)
            {
                const Tick start = std::max(answered, freeBack[h]);
                freeBack[h] = start + path[h].back(66 + 20);
                answered = freeBack[h] + path[h].backDelay;
            }
        }
        EXPECT_EQ(IdealFct(path, {bytes, mtu, 1U << 31, bus}, kRoceV2Headers), answered) << bytes;
        EXPECT_EQ(DeliveryTime(path, {bytes, mtu, 1U << 31, bus}, kRoceV2Headers), arrival);
        for (const IdealHop& hop : path)
        {
            arrival += hop.back(66 + 20) + hop.backDelay;
        }
        EXPECT_EQ(IdealFct(path, {bytes, mtu, 1U << 31, bus, 4}, kRoceV2Headers), arrival);
    }
}

TEST(IdealFct, SkippingMessagesChangesNothing)
{
    std::mt19937 random(4);
    for (int i = 0; i < 500; ++i)
    {
        std::vector<double> rates;
        for (unsigned n = 1 + random() % 5; n > 0; --n)
        {
            rates.push_back(10 * (1 + random() % 40));
        }
        auto path = Path(rates, random() % 2000, 20);
        const uint32_t mtu = random() % 2 ? 1024 : 4;
        const uint64_t message = 1 + random() % (5 * mtu);
        const uint64_t bytes = random() % (60 * message);
        const double bus = random() % 2 ? 0 : 1e9 * (5 + random() % 200);
        // The recursion, frame by frame; each message has its own first frame.
        std::vector<Tick> free(path.size());
        std::vector<Tick> freeBack(path.size());
        Tick answered = 0;
        for (uint64_t at = 0; at == 0 || at < bytes;)
        {
            const uint64_t of = std::min(message, bytes - at / message * message);
            const auto payload = static_cast<uint32_t>(std::min<uint64_t>(mtu, of - at % message));
            const uint32_t size = kRoceV2Headers.DataFrame(payload, at % message == 0) + 20;
            Tick arrival = 0;
            for (std::size_t h = 0; h < path.size(); ++h)
            {
                const Tick start = std::max(arrival, free[h]);
                const Tick wire = path[h].forward(size);
                free[h] = start + std::max(wire, h == 0 && bus > 0 ? ByteTime(bus)(payload) : 0);
                arrival = start + wire + path[h].forwardDelay;
            }
            answered = arrival;
            for (std::size_t h = path.size(); h-- > 0;)
            {
                freeBack[h] = std::max(answered, freeBack[h]) + path[h].back(66 + 20);
                answered = freeBack[h] + path[h].backDelay;
            }
            at += std::max(payload, 1U);
        }
        EXPECT_EQ(IdealFct(path, {bytes, mtu, message, bus}, kRoceV2Headers), answered)
            << bytes << " bytes in messages of " << message << ", MTU " << mtu;
    }
}

// 400 Gb/s: a message of 2^31 B is 524288 frames of 4158 B and 20 B of preamble and gap, and 16 B of
// RETH; the propagation is 1 us each way, and the ACK takes 86 B.
TEST(IdealFct, LongFlowsCostNoTime)
{
    auto path = Path({400}, kMicrosecond, 20);
    const Tick message = 524288LL * 4178 * 20 + 16 * 20;
    const Tick rest = 2 * kMicrosecond + 86 * 20;
    EXPECT_EQ(kRoceV2Headers.DataFrame(4096, false), 4158);
    const uint64_t messages = 1ULL << 27; // 2^58 B, 67 days
    EXPECT_EQ(IdealFct(path, {messages << 31, 4096, 1ULL << 31, 0}, kRoceV2Headers),
              static_cast<Tick>(messages) * message + rest);
    EXPECT_EQ(DeliveryTime(path, {messages << 31, 4096, 1ULL << 31, 0}, kRoceV2Headers),
              static_cast<Tick>(messages) * message + kMicrosecond);
    // 106 days are all the time that there is.
    for (uint32_t ackInterval : {1U, 4U})
    {
        EXPECT_EQ(IdealFct(path,
                           {std::numeric_limits<uint64_t>::max(), 4096, 1ULL << 31, 0, ackInterval},
                           kRoceV2Headers),
                  kNever);
    }
}

TEST(IdealFct, GoodputOfLongFlows)
{
    // 1 MiB messages at 4096 B: 98.036 % of the line is payload (IBA headers; one RETH per message).
    auto path = Path({100}, 0, 20);
    const uint64_t bytes = 100ULL << 20;
    const double seconds = IdealFct(path, {bytes, 4096, 1U << 20, 0}, kRoceV2Headers) / 1e12;
    EXPECT_NEAR(bytes * 8 / seconds / 1e9, 98.036, 0.01);
}

} // namespace
} // namespace ns3::aifabric
