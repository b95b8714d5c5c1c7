// SPDX-License-Identifier: GPL-2.0-only
#include "held-switch.h"

#include "ns3/double.h"
#include "ns3/scenario-error.h"

#include <random>

namespace ns3::aifabric::test
{
namespace
{

constexpr uint32_t kFrame = 1000;
constexpr uint64_t kPool = 1000000;

SwitchSettings
Settings(const std::string& policy, const AttributeTexts& attributes, bool lossless = false)
{
    SwitchSettings settings;
    settings.buffer = With(MakePlugin<BufferManager>(policy), attributes);
    settings.bufferBytes = kPool;
    if (lossless)
    {
        settings.pfc = Make<PfcSettings>({{"HeadroomBytes", "10000"}});
    }
    return settings;
}

// One hot queue takes alpha / (1 + alpha) of the pool, N of them alpha / (1 + alpha N) each
// (Choudhury and Hahne, ToN 1998).
TEST(DynamicThreshold, HotLossyQueues)
{
    for (double alpha : {0.125, 0.5, 1.0, 2.0, 8.0})
    {
        for (PortIdx hot : {1, 2, 4})
        {
            HeldSwitch held(Settings("dynamic_threshold", {{"LossyAlpha", std::to_string(alpha)}}),
                            {100, 100, 100, 100, 100});
            bool any = true;
            while (any)
            {
                any = false;
                for (PortIdx out = 0; out < hot; ++out)
                {
                    any |= held.Send(kFrame, 0, 4, out);
                }
            }
            for (PortIdx out = 0; out < hot; ++out)
            {
                EXPECT_NEAR(
                    held.Port(out).GetQueuedBytes(0), alpha * kPool / (1 + alpha * hot), kFrame)
                    << alpha << ", " << hot;
            }
            EXPECT_GE(held.Switch().GetDropped(DropReason::BufferFull), hot);
        }
    }
}

// T* = alpha B / (1 + alpha N) for each of N ingresses that are stopped one after the other with as
// much as the others have.
TEST(DynamicThreshold, LosslessIngresses)
{
    SwitchSettings settings = Settings("dynamic_threshold", {}, true);
    settings.bufferBytes = 32000000 + 5 * 10000;
    HeldSwitch held(settings, {100, 100, 100, 100, 100});
    while (held.Switch().GetPfc().GetStopped() == 0)
    {
        for (PortIdx in = 1; in <= 4; ++in)
        {
            EXPECT_TRUE(held.Send(kFrame, HeldSwitch::kData, in));
        }
    }
    for (PortIdx in = 1; in <= 4; ++in)
    {
        EXPECT_NEAR(held.Buffer().GetIngressBytes(in, HeldSwitch::kData), 2666667, 2 * kFrame);
    }
    // What still comes has the headroom, and no more.
    for (uint32_t more = kFrame; more <= 10000; more += kFrame)
    {
        EXPECT_TRUE(held.Send(kFrame));
        EXPECT_EQ(held.Buffer().GetHeadroomBytes(1, HeldSwitch::kData), more);
    }
    EXPECT_FALSE(held.Send(kFrame));
    EXPECT_EQ(held.Switch().GetDropped(DropReason::HeadroomFull), 1U);
    held.Drain();
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 0U);
    EXPECT_EQ(held.Switch().GetPfc().GetStopped(), 0U);
}

// A lossless priority has no limit at its egress: the queue of many ingresses is longer than what any
// of them may have.
TEST(DynamicThreshold, LosslessEgressHasNoLimit)
{
    HeldSwitch held(Settings("dynamic_threshold", {{"LossyAlpha", "0.01"}}, true),
                    {100, 100, 100, 100, 100});
    uint64_t sum = 0;
    for (PortIdx in = 1; in <= 4; ++in)
    {
        sum += held.FillUntilStopped(kFrame, in);
    }
    EXPECT_EQ(held.Port().GetQueuedBytes(HeldSwitch::kData), sum);
    EXPECT_EQ(held.Port().GetCounters().dropped, 0U);
}

// A queue's reserve is its own, whatever the others do, and counts on top of its threshold.
TEST(DynamicThreshold, ReservesOfLossyQueues)
{
    SwitchSettings settings = Settings("dynamic_threshold", {{"ReservedBytes", "5000"}});
    settings.bufferBytes = kPool + 2 * 8 * 5000;
    HeldSwitch held(settings);
    EXPECT_NEAR(held.Fill(kFrame, 0), 5000 + kPool / 2, kFrame);
    EXPECT_NEAR(held.Fill(kFrame, 1), 5000 + kPool / 4, kFrame);
    HeldSwitch greedy(Settings(
        "dynamic_threshold",
        {{"LossyAlpha", "1024"}, {"Priorities", R"([{"priority": 1, "reserved_bytes": 5000},
                                                   {"priority": 2, "alpha": 0}])"}}));
    const uint64_t pool = kPool - 2 * 5000;
    EXPECT_GT(greedy.Fill(kFrame, 0), pool - 2 * kFrame);
    EXPECT_EQ(greedy.Fill(kFrame, 1), 5000U);
    EXPECT_EQ(greedy.Fill(kFrame, 2), 0U);
}

TEST(DynamicThreshold, ReservesOfLosslessIngresses)
{
    SwitchSettings settings =
        Settings("dynamic_threshold",
                 {{"LossyAlpha", "1024"},
                  {"Priorities", R"([{"priority": 3, "reserved_bytes": 20000, "alpha": 1}])"}},
                 true);
    settings.bufferBytes = kPool + 2 * 20000 + 2 * 10000;
    HeldSwitch held(settings);
    EXPECT_NEAR(held.FillUntilStopped(kFrame), 20000 + kPool / 2, kFrame);
    // Others take the rest of the pool; this ingress has its reserve, and is stopped behind it.
    EXPECT_GT(held.Fill(kFrame, 0), kPool / 2 - 2 * kFrame);
    EXPECT_NEAR(held.FillUntilStopped(kFrame, 0, 1), 20000, kFrame);
    held.Drain();
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 0U);
    EXPECT_EQ(held.Switch().GetPfc().GetStopped(), 0U);
}

// HPCC's simulator: 1/8 for ports as fast as the slowest, 1/2 for four times that.
TEST(DynamicThreshold, AlphaGrowsWithRate)
{
    const AttributeTexts scale{{"ScaleWithRate", "true"}};
    const std::vector<double> gbps{100, 100, 400};
    SwitchSettings settings = Settings("dynamic_threshold", scale, true);
    settings.bufferBytes = kPool + 3 * 10000;
    EXPECT_NEAR(HeldSwitch(settings, gbps).FillUntilStopped(kFrame, 1), kPool / 9, kFrame);
    settings.buffer = Settings("dynamic_threshold", scale).buffer;
    EXPECT_NEAR(HeldSwitch(settings, gbps).FillUntilStopped(kFrame, 2), kPool / 3, kFrame);
}

TEST(DynamicThreshold, AlphaByPriority)
{
    const char* list = R"([{"priority": 0, "alpha": 8}, {"priority": 3, "alpha": 0.5}])";
    SwitchSettings settings = Settings("dynamic_threshold", {{"Priorities", list}}, true);
    settings.bufferBytes = kPool + 2 * 10000;
    EXPECT_NEAR(HeldSwitch(settings).FillUntilStopped(kFrame), kPool / 3, kFrame);
    for (auto [priority, share] : {std::pair{0, 8.0 / 9}, {1, 1.0 / 2}})
    {
        settings.buffer = Settings("dynamic_threshold", {{"Priorities", list}}).buffer;
        EXPECT_NEAR(HeldSwitch(settings).Fill(kFrame, priority), share * kPool, kFrame);
    }
}

// A product of a large pool and a large alpha is still right.
TEST(DynamicThreshold, LargestBufferAndAlpha)
{
    SwitchSettings settings = Settings("dynamic_threshold", {{"LossyAlpha", "1024"}});
    settings.bufferBytes = 1ULL << 40;
    EXPECT_TRUE(HeldSwitch(settings).Send(1 << 30, 0));
}

TEST(StaticThreshold, LimitsInBytes)
{
    const AttributeTexts limit{
        {"LimitBytes", "100000"},
        {"Priorities", R"([{"priority": 1, "limit_bytes": 30000, "reserved_bytes": 10000}])"}};
    HeldSwitch held(Settings("static_threshold", limit, true));
    EXPECT_EQ(held.Fill(kFrame, 0), 100000U);
    EXPECT_EQ(held.Fill(kFrame, 1), 30000U);
    // The frame that is above is taken, and stops its sender.
    EXPECT_EQ(held.FillUntilStopped(kFrame), 101000U);
    held.Drain();
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 0U);
    EXPECT_EQ(held.Switch().GetPfc().GetStopped(), 0U);
}

TEST(StaticThreshold, LimitsByRate)
{
    HeldSwitch held(
        Settings("static_threshold", {{"LimitBytes", "100000"}, {"ScaleWithRate", "true"}}),
        {100, 400});
    EXPECT_EQ(held.Fill(kFrame, 0, 1, 0), 100000U);
    EXPECT_EQ(held.Fill(kFrame, 0, 0, 1), 400000U);
}

TEST(StaticThreshold, NoMoreThanThePool)
{
    HeldSwitch lossy(Settings("static_threshold", {{"LimitBytes", "10000000"}}));
    EXPECT_EQ(lossy.Fill(kFrame, 0), kPool);
    SwitchSettings settings = Settings("static_threshold", {{"LimitBytes", "10000000"}}, true);
    settings.bufferBytes = kPool + 2 * 10000;
    HeldSwitch lossless(settings);
    EXPECT_EQ(lossless.FillUntilStopped(kFrame), kPool);
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(lossless.Send(kFrame));
    }
    EXPECT_FALSE(lossless.Send(kFrame));
    lossless.Drain();
    EXPECT_EQ(lossless.Buffer().GetUsedBytes(), 0U);
}

TEST(SharedBuffer, HasRoomForHeadroomsAndReserves)
{
    SwitchSettings settings = Settings("dynamic_threshold", {{"ReservedBytes", "2000"}}, true);
    settings.bufferBytes = 2 * 10000 + 2 * 8 * 2000;
    try
    {
        HeldSwitch held(settings);
        ADD_FAILURE();
    }
    catch (const ScenarioError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "buffer_bytes: found 52000, expected more than the headrooms of all lossless "
                  "ingresses, 20000, and the reserves of all queues, 32000");
    }
}

/// Traffic of all priorities through a small buffer whose ways out come and go at random.
class BufferViews : public testing::TestWithParam<const char*>
{
  protected:
    BufferViews()
        : held(Press(GetParam()), {100, 100, 200, 400})
    {
    }

    static SwitchSettings Press(const std::string& policy)
    {
        SwitchSettings settings = Settings(policy, {{"ReservedBytes", "1500"}});
        settings.bufferBytes = 300000;
        settings.pfc =
            Make<PfcSettings>({{"LosslessPriorities", "[2, 3]"}, {"HeadroomBytes", "8000"}});
        return settings;
    }

    /// What is stored, by where it came in and by where it waits.
    void Compare()
    {
        held.Switch().CatchUpAll(ToTick(Simulator::Now()));
        uint64_t stored = 0;
        for (uint8_t priority = 0; priority < EgressPort::kPriorities; ++priority)
        {
            uint64_t in = 0;
            uint64_t out = 0;
            for (PortIdx port = 0; port < 4; ++port)
            {
                const uint64_t shared = held.Buffer().GetIngressBytes(port, priority);
                const uint64_t headroom = held.Buffer().GetHeadroomBytes(port, priority);
                // Below 0 they were larger than all.
                ASSERT_LE(shared, 300000U);
                ASSERT_LE(headroom, 8000U);
                in += shared + headroom;
                out += held.Port(port).GetQueuedBytes(priority);
            }
            ASSERT_EQ(in, out) << int{priority};
            stored += in;
        }
        ASSERT_EQ(held.Buffer().GetUsedBytes(), stored);
        ASSERT_LE(stored, 300000U);
        most = std::max(most, stored);
    }

    HeldSwitch held;
    uint64_t most{0};
};

TEST_P(BufferViews, AgreeAndEndAtZero)
{
    std::mt19937 random(1);
    for (int step = 0; step < 20000 && !HasFatalFailure(); ++step)
    {
        const PortIdx port = random() % 4;
        const uint8_t priority = random() % 5;
        const Tick now = ToTick(Simulator::Now());
        if (random() % 20 == 0)
        {
            held.Port(port).Pause(priority, random() % 2 ? kNever : now, now);
        }
        else if (random() % 8 == 0)
        {
            Simulator::Stop(NanoSeconds(random() % 300));
            Simulator::Run();
        }
        else
        {
            held.Send(64 + random() % 4000, priority, random() % 4, port);
        }
        Compare();
    }
    EXPECT_GT(most, 200000U);
    EXPECT_GT(held.Switch().GetDropped(DropReason::BufferFull), 100U);
    EXPECT_GT(held.Buffer().GetPeakHeadroomBytes(), 0U);
    held.Drain();
    Compare();
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 0U);
    EXPECT_EQ(held.Switch().GetPfc().GetStopped(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         BufferViews,
                         testing::Values("abm", "dynamic_threshold", "static_threshold"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
} // namespace ns3::aifabric::test
