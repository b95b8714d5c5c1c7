// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"
#include "error-of.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-settings.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

std::vector<uint32_t>
Range(uint32_t n)
{
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

class Collective : public testing::Test
{
  protected:
    Collective()
    {
        UsePicoseconds();
    }

    ~Collective() override
    {
        Simulator::Destroy();
    }

    /// Duration in s of one collective of n ranks of one server.
    double Run(const std::string& id,
               CollectiveOperation operation,
               uint32_t n,
               uint64_t bytes,
               AlphaBetaTransport& net,
               StepLatency latency,
               uint32_t element = 2)
    {
        Plan plan(std::vector<uint32_t>(n, 0));
        PlanFrontier frontier = plan.Begin();
        MakePlugin<CollectiveAlgorithm>(id)->Append(
            {operation, Range(n), bytes, element, 0, 1, latency, "test"}, plan, frontier);
        plan.Seal();
        PlanRunner runner(plan, net);
        Tick end = 0;
        runner.Run([&] { end = Simulator::Now().GetTimeStep(); });
        Simulator::Run();
        EXPECT_FALSE(runner.IsRunning());
        EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
        if (n > 1)
        {
            EXPECT_EQ(runner.Timings()[0].end, end);
        }
        return end / 1e12;
    }
};

constexpr auto kAllReduce = CollectiveOperation::AllReduce;

TEST_F(Collective, RingAllReduceIsItsClosedForm)
{
    // T = 2(n-1) alpha + 2(n-1)/n S/B (Thakur et al., IJHPCA 2005); S/B is a multiple of n ps.
    for (uint32_t n : {2, 3, 4, 7, 8, 16, 33})
    {
        for (uint64_t part : {0, 2, 4096, 8388608})
        {
            AlphaBetaTransport net(250e9, 1, 1000, 0);
            double t = Run("ring", kAllReduce, n, n * part, net, {3400000, 1, 0});
            EXPECT_NEAR(t, 2 * (n - 1) * (3.4e-6 + part / 250e9), 1e-13) << n << " " << part;
            for (uint32_t r = 0; r < n; ++r)
            {
                EXPECT_EQ(net.sent[0][r], 2 * (n - 1) * part);
                EXPECT_EQ(net.received[0][r], 2 * (n - 1) * part);
            }
            Simulator::Destroy();
        }
    }
}

TEST_F(Collective, PublishedRingFigures)
{
    // nccl-tests doc/PERFORMANCE.md with S = 1 GiB, n = 8, B = 370 GB/s: 5.0785 ms, busbw = B;
    // n = 16, B = 48 GB/s: 41.943 ms; S = 16 MiB with alpha = 3.4 us: 126.95 us, 231.3 GB/s.
    AlphaBetaTransport nvlink(370e9, 1);
    double t = Run("ring", kAllReduce, 8, 1 << 30, nvlink, {0, 0, 0});
    EXPECT_NEAR(t, 5.0785e-3, 5e-8);
    EXPECT_NEAR(BusBandwidthFactor(kAllReduce, 8) * (1 << 30) / t, 370e9, 1e6);
    Simulator::Destroy();
    AlphaBetaTransport nic(48e9, 1);
    EXPECT_NEAR(Run("ring", kAllReduce, 16, 1 << 30, nic, {0, 0, 0}), 41.943e-3, 5e-7);
    Simulator::Destroy();
    AlphaBetaTransport small(370e9, 1);
    t = Run("ring", kAllReduce, 8, 1 << 24, small, {3400000, 0, 0});
    EXPECT_NEAR(t, 126.95e-6, 1e-8);
    EXPECT_NEAR(1.75 * (1 << 24) / t / 1e9, 231.3, 0.05);
}

TEST_F(Collective, SizesThatDoNotDivideLoseNoByte)
{
    using Op = CollectiveOperation;
    for (uint32_t n : {2, 3, 5, 8})
    {
        for (uint64_t bytes : {1, 7, 1000, 1000003})
        {
            for (auto [op, id, factor] : {std::tuple{Op::AllReduce, "ring", 2u},
                                          std::tuple{Op::ReduceScatter, "ring", 1u},
                                          std::tuple{Op::AllGather, "ring", 1u},
                                          std::tuple{Op::AllToAll, "pairwise", 1u}})
            {
                AlphaBetaTransport net(1e9, 1);
                Run(id, op, n, bytes, net, {1, 1, 1}, 4);
                uint64_t sent = 0;
                uint64_t received = 0;
                for (uint32_t r = 0; r < n; ++r)
                {
                    sent += net.sent[0][r];
                    received += net.received[0][r];
                }
                EXPECT_EQ(sent, factor * (n - 1) * bytes) << id << " " << n << " " << bytes;
                EXPECT_EQ(received, sent);
                Simulator::Destroy();
            }
        }
    }
}

TEST_F(Collective, PairwiseIsItsClosedForm)
{
    AlphaBetaTransport net(100e9, 1, 500, 0);
    double t = Run("pairwise", CollectiveOperation::AllToAll, 8, 8 * 1000000, net, {2000000, 0, 0});
    EXPECT_NEAR(t, 7 * (2e-6 + 1e6 / 100e9), 1e-13);
}

TEST_F(Collective, ExchangesAreTheirClosedForms)
{
    // Thakur et al., IJHPCA 2005; Bruck et al., TPDS 1997; for 8 ranks log2 n = 3. Both ways of a
    // ring share the one port that a rank has here, and hide each other's alpha.
    const double alpha = 2e-6;
    const double s = 8e6 / 100e9;
    for (auto [id, op, expected] :
         {std::tuple{"recursive_doubling", kAllReduce, 3 * (alpha + s)},
          std::tuple{"halving_doubling", kAllReduce, 6 * alpha + 1.75 * s},
          std::tuple{"bidirectional_ring", kAllReduce, alpha + 1.75 * s},
          std::tuple{"bruck", CollectiveOperation::AllToAll, 3 * (alpha + s / 2)},
          std::tuple{"hierarchical", kAllReduce, 14 * alpha + 1.75 * s}})
    {
        AlphaBetaTransport net(100e9, 1, 500, 0);
        EXPECT_NEAR(Run(id, op, 8, 8000000, net, {2000000, 0, 0}), expected, 1e-12) << id;
        Simulator::Destroy();
    }
}

TEST_F(Collective, AllAlgorithmsConserveBytes)
{
    for (uint32_t n : {2, 3, 4, 5, 6, 7, 8, 12})
    {
        uint64_t power = 1;
        uint64_t log = 0;
        for (; 2 * power <= n; power *= 2)
        {
            ++log;
        }
        uint64_t ways = 0; // bits set in 1 to n-1
        for (uint32_t way = 1; way < n; ++way)
        {
            ways += __builtin_popcount(way);
        }
        uint64_t extra = 2 * (n - power);
        for (uint64_t bytes : {0, 3, 1000003})
        {
            for (auto [id, op, buffers] :
                 {std::tuple{"recursive_doubling", kAllReduce, power * log + extra},
                  std::tuple{"halving_doubling", kAllReduce, 2 * (power - 1) + extra},
                  std::tuple{"bidirectional_ring", kAllReduce, uint64_t{2 * (n - 1)}},
                  std::tuple{"hierarchical", kAllReduce, uint64_t{2 * (n - 1)}},
                  std::tuple{"bruck", CollectiveOperation::AllToAll, ways}})
            {
                AlphaBetaTransport net(1e9, 1);
                Run(id, op, n, bytes, net, {1, 1, 1});
                uint64_t sent = 0;
                for (auto [rank, b] : net.sent[0])
                {
                    sent += b;
                }
                EXPECT_EQ(sent, buffers * bytes) << id << " " << n << " " << bytes;
                Simulator::Destroy();
            }
        }
    }
}

TEST_F(Collective, TwoLevelsOfH100Servers)
{
    // 2(g-1)/g S/B1 + 2(N-1)/N (S/g)/B2: S = 1 GiB, g = 8, B1 = 370, B2 = 48 GB/s.
    for (auto [servers, expected] :
         {std::pair{2u, 7.875e-3}, std::pair{4u, 9.273e-3}, std::pair{16u, 10.321e-3}})
    {
        std::vector<uint32_t> domains;
        for (uint32_t r = 0; r < 8 * servers; ++r)
        {
            domains.push_back(r / 8);
        }
        Plan plan(domains);
        PlanFrontier frontier = plan.Begin();
        MakePlugin<CollectiveAlgorithm>("hierarchical")
            ->Append({kAllReduce, Range(8 * servers), 1 << 30, 2, 0, 1, {0, 0, 0}, "dp"},
                     plan,
                     frontier);
        plan.Seal();
        AlphaBetaTransport net(370e9, 48e9);
        PlanRunner runner(plan, net);
        runner.Run({});
        Simulator::Run();
        EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
        EXPECT_NEAR(Simulator::Now().GetSeconds(), expected, 1e-6);
        EXPECT_EQ(net.sent[1][0], 2 * (servers - 1) * ((1 << 30) / 8 / servers));
        Simulator::Destroy();
    }
}

TEST_F(Collective, RailForwardingKeepsToTheRail)
{
    // 4 servers of 8: (g-1) S/g over NVLink, (N-1) S/N over the NIC in N-1 messages, none of which
    // changes its rail. Pairwise has (n-g)/n S over the NIC, too, but in n-g messages.
    std::vector<uint32_t> domains;
    for (uint32_t r = 0; r < 32; ++r)
    {
        domains.push_back(r / 8);
    }
    for (const char* id : {"pairwise", "rail_pairwise"})
    {
        bool rail = std::string(id) == "rail_pairwise";
        Plan plan(domains);
        PlanFrontier frontier = plan.Begin();
        MakePlugin<CollectiveAlgorithm>(id)->Append(
            {CollectiveOperation::AllToAll, Range(32), 32 << 20, 2, 0, 1, {0, 0, 0}, "ep"},
            plan,
            frontier);
        plan.Seal();
        for (const PlanConnection& c : plan.Connections())
        {
            EXPECT_TRUE(!rail || c.scope == NetworkScope::ScaleUp || c.from % 8 == c.to % 8);
        }
        AlphaBetaTransport net(370e9, 49e9);
        PlanRunner runner(plan, net);
        runner.Run({});
        Simulator::Run();
        EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
        EXPECT_EQ(plan.StepCount(), 32u * (rail ? 7 + 3 : 31));
        for (uint32_t r = 0; r < 32; ++r)
        {
            EXPECT_EQ(net.sent[0][r], (rail ? 28u : 7u) << 20);
            EXPECT_EQ(net.sent[1][r], 24u << 20);
        }
        if (rail)
        {
            EXPECT_NEAR(Simulator::Now().GetSeconds(), (28 / 370e9 + 24 / 49e9) * (1 << 20), 1e-10);
        }
        Simulator::Destroy();
    }
}

TEST_F(Collective, LaunchAndLatencyOfTheWireCountOnce)
{
    // NCCL's ring, protocol Simple, 8 GPUs: 8.4 + 14 x 3.4 = 56 us, whatever the wire takes of it.
    for (Tick wire : {0, 1000, 3399999, 3400000})
    {
        AlphaBetaTransport net(370e9, 1, wire);
        EXPECT_NEAR(Run("ring", kAllReduce, 8, 0, net, {3400000, 14000000, 8400000}), 56e-6, 1e-13);
        Simulator::Destroy();
    }
    // A wire slower than alpha is as slow as it is.
    AlphaBetaTransport slow(370e9, 1, 5000000);
    EXPECT_NEAR(Run("ring", kAllReduce, 8, 0, slow, {3400000, 0, 0}), 14 * 5e-6, 1e-13);
}

TEST_F(Collective, NothingForwardsBeforeItHasBegunItself)
{
    // Rank 1 computes for 1 ms more than the others: nobody can have the sum before.
    Plan plan({0, 0, 1, 1});
    PlanFrontier frontier = plan.Begin();
    plan.Compute(1, kMillisecond, frontier);
    MakePlugin<CollectiveAlgorithm>("ring")->Append(
        {kAllReduce, Range(4), 4000, 2, 0, 1, {1, 1, 0}, "tp"}, plan, frontier);
    std::vector<uint32_t> after;
    for (uint32_t r = 0; r < 4; ++r)
    {
        after.push_back(plan.Compute(r, 10, frontier));
    }
    plan.Seal();
    AlphaBetaTransport net(1e12, 1e12);
    PlanRunner runner(plan, net);
    runner.SetComputeFactor(1, 2.0);
    bool done = false;
    runner.Run([&] { done = true; });
    Simulator::Run();
    EXPECT_TRUE(done);
    EXPECT_EQ(Simulator::Now().GetTimeStep(), 2 * kMillisecond + 6 * 1001 + 20);
    EXPECT_EQ(runner.ComputeTimes()[1], 2 * kMillisecond + 20);
    EXPECT_EQ(runner.Timings()[0].start, 0);
    EXPECT_EQ(plan.Connections().size(), 4u);
    EXPECT_EQ(plan.Connections()[0].scope, NetworkScope::ScaleUp);
    EXPECT_EQ(plan.Connections()[1].scope, NetworkScope::ScaleOut);
}

TEST_F(Collective, APlanRunsAgainAndAgain)
{
    Plan plan({0, 0});
    PlanFrontier frontier = plan.Begin();
    MakePlugin<CollectiveAlgorithm>("ring")->Append(
        {kAllReduce, Range(2), 2000, 2, 0, 1, {100, 100, 0}, "tp"}, plan, frontier);
    plan.Seal();
    AlphaBetaTransport net(1e12, 1e12);
    PlanRunner runner(plan, net);
    int runs = 0;
    std::function<void()> again = [&] {
        if (++runs < 3)
        {
            runner.Run(again);
        }
    };
    runner.Run(again);
    Simulator::Run();
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(Simulator::Now().GetTimeStep(), 3 * 2 * 1100);
}

TEST_F(Collective, AFailedMessageEndsTheRunByName)
{
    Plan plan({0, 0, 0});
    PlanFrontier frontier = plan.Begin();
    MakePlugin<CollectiveAlgorithm>("ring")->Append(
        {kAllReduce, Range(3), 3000, 2, 0, 1, {100, 100, 0}, "tp"}, plan, frontier);
    plan.Seal();
    AlphaBetaTransport net(1e12, 1e12);
    net.failAt = 5;
    PlanRunner runner(plan, net);
    bool done = false;
    runner.Run([&] { done = true; });
    Simulator::Run();
    EXPECT_TRUE(done);
    EXPECT_EQ(runner.Failure(), "message of 1000 B from rank 0 to rank 1: retry_exceeded");
    EXPECT_LT(runner.FinishedSteps(), plan.StepCount());
    EXPECT_EQ(net.messages, 6u);
}

TEST_F(Collective, EmptyPlansAndGroupsOfOneEnd)
{
    AlphaBetaTransport net(1e12, 1e12);
    EXPECT_EQ(Run("ring", kAllReduce, 1, 1000, net, {100, 100, 100}), 0);
    EXPECT_EQ(net.messages, 0u);
}

TEST_F(Collective, CirclesAreRefused)
{
    Plan plan({0, 0});
    uint32_t a = plan.Send(0, 1, 1, 0, PlanStep::kNone);
    uint32_t b = plan.Send(1, 0, 1, 0, PlanStep::kNone);
    plan.After(a, b);
    plan.After(b, a);
    EXPECT_THROW(plan.Seal(), ScenarioError);
}

TEST_F(Collective, AMillionStepsFit)
{
    Plan plan(std::vector<uint32_t>(8, 0));
    PlanFrontier frontier = plan.Begin();
    auto ring = MakePlugin<CollectiveAlgorithm>("ring");
    for (int i = 0; i < 9000; ++i)
    {
        ring->Append({kAllReduce, Range(8), 1 << 20, 2, 0, 1, {1, 1, 0}, "tp"}, plan, frontier);
    }
    plan.Seal();
    EXPECT_EQ(plan.StepCount(), 9000u * 14 * 8);
    EXPECT_EQ(plan.Connections().size(), 8u);
    std::size_t successors = 0;
    for (uint32_t s = 0; s < plan.StepCount(); ++s)
    {
        plan.ForEachSuccessor(s, [&](uint32_t) { ++successors; });
    }
    std::size_t bytes = plan.StepCount() * (sizeof(PlanStep) + 2 * sizeof(uint32_t)) +
                        successors * sizeof(uint32_t);
    EXPECT_LT(bytes, 64u * plan.StepCount());
}

TEST(CollectiveSettings, AcceptsIdsAndObjects)
{
    auto settings = CreateObject<CollectiveSettings>();
    EXPECT_EQ(settings->Choose(kAllReduce).channels, kEveryChannel);
    settings->SetAttribute(
        "AllReduce",
        StringValue(R"({"algorithm": "ring", "protocol": "simple", "channel_count": 16})"));
    CollectiveChoice choice = settings->Choose(kAllReduce);
    EXPECT_EQ(choice.channels, 16u);
    EXPECT_EQ(PluginId(choice.algorithm->GetInstanceTypeId()), "ring");
    settings->SetAttribute(
        "AllToAll", StringValue(R"({"algorithm": "pairwise", "use_rail_forwarding": true})"));
    choice = settings->Choose(CollectiveOperation::AllToAll);
    EXPECT_EQ(PluginId(choice.algorithm->GetInstanceTypeId()), "rail_pairwise");
    settings->SetAttribute("AllToAll",
                           StringValue(R"({"algorithm": "bruck", "use_rail_forwarding": true})"));
    EXPECT_THROW(settings->Choose(CollectiveOperation::AllToAll), ScenarioError);
    EXPECT_EQ(
        PluginId(settings->Choose(CollectiveOperation::Reduce).algorithm->GetInstanceTypeId()),
        "ring");
    settings->SetAttribute("Broadcast", StringValue("tree"));
    choice = settings->Choose(CollectiveOperation::Broadcast);
    EXPECT_EQ(PluginId(choice.algorithm->GetInstanceTypeId()), "tree");
    settings->SetAttribute("Reduce", StringValue("double_binary_tree"));
    EXPECT_EQ(ErrorOf([&] { settings->Choose(CollectiveOperation::Reduce); }),
              "reduce.algorithm: 'double_binary_tree' does no reduce");
    UsePicoseconds();
    StepLatency latency = settings->Latency();
    EXPECT_EQ(latency.scaleUp, 3400 * kNanosecond);
    EXPECT_EQ(latency.scaleOut, 14000 * kNanosecond);
    EXPECT_EQ(latency.launch, 8400 * kNanosecond);
}

TEST(CollectiveSettings, RefusesByPath)
{
    for (auto [text, what] : {
             std::pair{"rign",
                       "all_reduce.algorithm: unknown collective_algorithm 'rign', did you "
                       "mean 'ring'?"},
             std::pair{"pairwise", "all_reduce.algorithm: 'pairwise' does no all_reduce"},
             std::pair{"{", "all_reduce: found '{', expected an id or a JSON object"},
             std::pair{"{}", "all_reduce.algorithm: missing"},
             std::pair{R"({"algorithm": 7})", "all_reduce.algorithm: found 7, expected an id"},
             std::pair{R"({"algorithm": "ring", "chanel_count": 2})",
                       "all_reduce.chanel_count: unknown key, did you mean 'channel_count'?"},
             std::pair{R"({"algorithm": "ring", "channel_count": 0})",
                       "all_reduce.channel_count: found 0, expected a whole number from 1 to 64"},
         })
    {
        auto settings = CreateObject<CollectiveSettings>();
        settings->SetAttribute("AllReduce", StringValue(text));
        EXPECT_EQ(ErrorOf([&] { settings->Choose(kAllReduce); }), what) << text;
    }
}

} // namespace
