// SPDX-License-Identifier: GPL-2.0-only
#include "held-switch.h"

#include <functional>

namespace ns3::aifabric::test
{
namespace
{

constexpr uint32_t kFrame = 1000;
constexpr Tick kFrameTime = 80 * kNanosecond; ///< at 100 Gb/s
constexpr double kPool = 1000000;

/// Queues that get more than they can send, or less.
class AbmSwitch : public HeldSwitch
{
  public:
    explicit AbmSwitch(const std::string& policy = "abm", const AttributeTexts& more = {})
        : HeldSwitch(Settings(policy, more), {100, 100, 100})
    {
        Drain();
    }

    /// From now on a frame for that queue comes every so often.
    void Feed(PortIdx out, uint8_t priority, Tick period)
    {
        m_feeds.push_back({out, priority, period});
        Next(m_feeds.size() - 1);
    }

    void RunFor(Tick time)
    {
        Simulator::Stop(FromTick(time));
        Simulator::Run();
        for (PortIdx port = 0; port < 3; ++port)
        {
            Port(port).Sync(ToTick(Simulator::Now()));
        }
    }

    double Queue(PortIdx out, uint8_t priority)
    {
        return Port(out).GetQueuedBytes(priority);
    }

    /// @return of what is free of the pool, how much a queue has.
    double ShareOfFree(PortIdx out, uint8_t priority)
    {
        return Queue(out, priority) / (kPool - Buffer().GetUsedBytes());
    }

  private:
    struct Source
    {
        PortIdx out;
        uint8_t priority;
        Tick period;
    };

    static SwitchSettings Settings(const std::string& policy, const AttributeTexts& more)
    {
        SwitchSettings settings;
        settings.bufferBytes = kPool;
        settings.buffer = With(MakePlugin<BufferManager>(policy), {{"LossyAlpha", "1"}});
        With(settings.buffer, more);
        return settings;
    }

    void Next(std::size_t source)
    {
        const Source& s = m_feeds[source];
        Send(kFrame, s.priority, 2, s.out);
        Simulator::Schedule(FromTick(s.period), [this, source] { Next(source); });
    }

    std::vector<Source> m_feeds;
};

constexpr Tick kLong = kMillisecond;
/// Of a share: a frame more or less of the 625 that a port sends between two updates, and one of the
/// queue.
constexpr double kTolerance = 0.006;

// T = alpha_p / n_p * mu / b * (B - Q) (Addanki et al., SIGCOMM 2022): one queue that has its port for
// itself is as with a dynamic threshold, half of the pool for alpha = 1.
TEST(Abm, QueueAlone)
{
    AbmSwitch one;
    one.Feed(0, 1, kFrameTime / 2);
    one.RunFor(kLong);
    EXPECT_NEAR(one.Queue(0, 1), kPool / 2, kTolerance * kPool / 2);
}

// Two congested queues of one priority share what one would have: a quarter of the pool each. With
// dynamic thresholds they have a third each.
TEST(Abm, QueuesOfOnePriorityShare)
{
    for (auto [policy, expected] : {std::pair{"abm", kPool / 4}, {"dynamic_threshold", kPool / 3}})
    {
        AbmSwitch two(policy);
        two.Feed(0, 1, kFrameTime / 2);
        two.Feed(1, 1, kFrameTime / 2);
        two.RunFor(kLong);
        EXPECT_NEAR(two.Queue(0, 1), expected, kTolerance * expected) << policy;
        EXPECT_NEAR(two.Queue(1, 1), expected, kTolerance * expected) << policy;
    }
}

// Queues of different priorities do not: on ports of their own, a third each as with dynamic thresholds.
TEST(Abm, PrioritiesAreApart)
{
    AbmSwitch two;
    two.Feed(0, 1, kFrameTime / 2);
    two.Feed(1, 2, kFrameTime / 2);
    two.RunFor(kLong);
    EXPECT_NEAR(two.Queue(0, 1), kPool / 3, kTolerance * kPool / 3);
    EXPECT_NEAR(two.Queue(1, 2), kPool / 3, kTolerance * kPool / 3);
}

// A queue that does not come near its threshold takes no share from another.
TEST(Abm, OnlyCongestedQueuesCount)
{
    AbmSwitch two;
    two.Feed(0, 1, kFrameTime / 2);
    two.Feed(1, 1, 2 * kFrameTime);
    two.RunFor(kLong);
    EXPECT_NEAR(two.ShareOfFree(0, 1), 1, kTolerance);
}

// Half of the rate gives half of the threshold: the port's other half goes to a priority that just
// fits.
TEST(Abm, ThresholdFollowsTheDrainRate)
{
    AbmSwitch shared;
    shared.Port().SetDwrr({0, kFrame, kFrame, 0, 0, 0, 0, 0});
    shared.Feed(0, 1, kFrameTime / 2);
    shared.RunFor(kLong);
    EXPECT_NEAR(shared.ShareOfFree(0, 1), 1, kTolerance);
    shared.Feed(0, 2, 2 * kFrameTime);
    shared.RunFor(kLong);
    EXPECT_LE(shared.Queue(0, 2), 2 * kFrame);
    EXPECT_NEAR(shared.ShareOfFree(0, 1), 0.5, kTolerance);
}

// Three to one: 3/4 and 1/4 of the rate, of what is free, and so of the time to drain the same.
TEST(Abm, WeightsShareTheBuffer)
{
    AbmSwitch shared;
    shared.Port().SetDwrr({0, 3 * kFrame, kFrame, 0, 0, 0, 0, 0});
    shared.Feed(0, 1, kFrameTime / 2);
    shared.Feed(0, 2, kFrameTime / 2);
    shared.RunFor(2 * kLong);
    EXPECT_NEAR(shared.ShareOfFree(0, 1), 0.75, kTolerance);
    EXPECT_NEAR(shared.ShareOfFree(0, 2), 0.25, kTolerance);
}

TEST(Abm, AlphaOfThePriority)
{
    AbmSwitch two("abm", {{"Priorities", R"([{"priority": 1, "alpha": 0.25}])"}});
    two.Feed(0, 1, kFrameTime / 2);
    two.Feed(1, 2, kFrameTime / 2);
    two.RunFor(kLong);
    EXPECT_NEAR(two.ShareOfFree(0, 1), 0.25, kTolerance);
    EXPECT_NEAR(two.ShareOfFree(1, 2), 1, kTolerance);
}

} // namespace
} // namespace ns3::aifabric::test
