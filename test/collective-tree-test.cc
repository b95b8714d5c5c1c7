// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"

#include "ns3/collective-tree.h"
#include "ns3/fabric-registry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Op = CollectiveOperation;

std::vector<uint32_t>
Range(uint32_t n)
{
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

std::vector<uint32_t>
Sizes()
{
    std::vector<uint32_t> sizes{64};
    for (uint32_t n = 2; n <= 17; ++n)
    {
        sizes.push_back(n);
    }
    return sizes;
}

uint32_t
Log2(uint32_t n)
{
    uint32_t log = 0;
    while ((1u << log) < n)
    {
        ++log;
    }
    return log;
}

/**
 * Children in NCCL's tree by its rule for children (trees.cc); the library has that for parents: half
 * the lowest bit away on either side, and half of that again while there is no such rank.
 */
std::vector<uint32_t>
NcclChildren(uint32_t rank, uint32_t n)
{
    if (rank == 0)
    {
        return n > 1 ? std::vector<uint32_t>{1u << (Log2(n) - 1)} : std::vector<uint32_t>{};
    }
    std::vector<uint32_t> children;
    uint32_t low = (rank & -rank) >> 1;
    if (low > 0)
    {
        children.push_back(rank - low);
    }
    while (low > 0 && rank + low >= n)
    {
        low >>= 1;
    }
    if (low > 0)
    {
        children.push_back(rank + low);
    }
    return children;
}

/// Where NCCL's second tree has what the first has at a rank.
uint32_t
InSecond(uint32_t rank, uint32_t n)
{
    return n % 2 == 0 ? n - 1 - rank : (rank + 1) % n;
}

/// Parents by rank, as NcclChildren() has them; the root's is n.
std::vector<uint32_t>
NcclParents(uint32_t n, bool second)
{
    std::vector<uint32_t> parents(n, n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (uint32_t child : NcclChildren(rank, n))
        {
            parents[second ? InSecond(child, n) : child] = second ? InSecond(rank, n) : rank;
        }
    }
    return parents;
}

/**
 * Messages that carry numbers and take random times, in order on each connection. Each rank of a reduce
 * begins with a number of its own for each chunk; a sum that lacks one, or has one twice, is another.
 */
class SummingTransport : public PlanTransport
{
  public:
    SummingTransport(Op operation, uint32_t ranks, uint32_t seed)
        : m_random(seed),
          m_own(ranks)
    {
        UsePicoseconds();
        for (uint64_t& own : m_own)
        {
            own = operation == Op::Broadcast && &own != m_own.data() ? 0 : m_random();
        }
        sum = std::accumulate(m_own.begin(), m_own.end(), uint64_t{0});
    }

    void
    Send(PlanRunner& runner, uint32_t step, const PlanConnection& c, uint64_t /* bytes */) override
    {
        const uint64_t chunk = m_chunks[{c.from, c.to}]++;
        const uint64_t value = Value(c.from, chunk);
        Tick& last = m_last[{c.from, c.to}];
        last = std::max<Tick>(last, Simulator::Now().GetTimeStep() + m_random() % 1000000);
        Simulator::Schedule(FromTick(last - Simulator::Now().GetTimeStep()),
                            [this, &runner, step, to = c.to, chunk, value] {
                                uint64_t& held = Value(to, chunk);
                                held = value == sum ? sum : held + value;
                                runner.Complete(step);
                            });
    }

    Tick ZeroByteLatency(const PlanConnection& /* c */) override
    {
        return 0;
    }

    /// What a rank holds of a chunk.
    uint64_t& Value(uint32_t rank, uint64_t chunk)
    {
        return m_values.try_emplace({rank, chunk}, m_own[rank]).first->second;
    }

    uint64_t sum;

  private:
    std::mt19937_64 m_random;
    std::vector<uint64_t> m_own;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_chunks;
    std::map<std::pair<uint32_t, uint32_t>, Tick> m_last;
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> m_values;
};

class TreeOfRanks : public testing::Test
{
  protected:
    TreeOfRanks()
    {
        UsePicoseconds();
    }

    ~TreeOfRanks() override
    {
        Simulator::Destroy();
    }

    /// A plan of one collective over one tree, each rank on a server of its own.
    static Plan MakePlan(const CollectiveTree& tree, Op operation, uint64_t bytes, uint64_t chunk)
    {
        const uint32_t n = tree.Parents().size();
        Plan plan(Range(n));
        PlanFrontier begin = plan.Begin();
        PlanFrontier ends = plan.Begin();
        const CollectiveCall call{operation, Range(n), bytes, 2, chunk, 1, {0, 0, 0}, "test"};
        tree.Append(call,
                    call.ranks,
                    bytes,
                    plan.Add({bytes, n, plan.Tag("test"), operation}),
                    plan,
                    begin,
                    ends);
        // What a rank does with its result waits for what it needs.
        for (uint32_t r = 0; r < n; ++r)
        {
            plan.Compute(r, 1, ends);
        }
        plan.Seal();
        return plan;
    }

    /// Seconds that an algorithm takes. @param servers the server of each rank.
    double Run(const std::string& id,
               Op operation,
               const std::vector<uint32_t>& servers,
               uint64_t bytes,
               uint64_t chunk,
               AlphaBetaTransport& net,
               StepLatency latency,
               uint32_t channels = 64)
    {
        Plan plan(servers);
        PlanFrontier frontier = plan.Begin();
        const auto n = static_cast<uint32_t>(servers.size());
        MakePlugin<CollectiveAlgorithm>(id)->Append(
            {operation, Range(n), bytes, 2, chunk, channels, latency, "test"}, plan, frontier);
        plan.Seal();
        PlanRunner runner(plan, net);
        runner.Run({});
        Simulator::Run();
        EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
        const Tick end = runner.Timings()[0].end;
        Simulator::Destroy();
        return end / 1e12;
    }

    static std::vector<uint32_t> Servers(uint32_t count, uint32_t gpus)
    {
        std::vector<uint32_t> servers;
        for (uint32_t r = 0; r < count * gpus; ++r)
        {
            servers.push_back(r / gpus);
        }
        return servers;
    }
};

TEST_F(TreeOfRanks, ShapesAreThoseOfNccl)
{
    for (uint32_t n : Sizes())
    {
        for (bool second : {false, true})
        {
            const CollectiveTree tree =
                second ? CollectiveTree::Second(n) : CollectiveTree::Binary(n);
            const std::vector<uint32_t> expected = NcclParents(n, second);
            uint32_t depth = 0;
            for (uint32_t r = 0; r < n; ++r)
            {
                EXPECT_EQ(std::min<std::size_t>(tree.Parents()[r], n), expected[r]) << n;
                uint32_t above = 0;
                for (uint32_t i = r; expected[i] != n; i = expected[i])
                {
                    ++above;
                }
                depth = std::max(depth, above);
            }
            EXPECT_EQ(depth, Log2(n)) << n;
        }
    }
}

TEST_F(TreeOfRanks, NobodyIsBetweenOthersInBothTrees)
{
    // Sanders et al.: what makes two trees as fast as a ring. NCCL's shift leaves rank 0 of an odd
    // number in both: as root with one child, and with one child.
    for (uint32_t n : Sizes())
    {
        std::vector<uint32_t> neighbours(n);
        for (bool second : {false, true})
        {
            const CollectiveTree tree =
                second ? CollectiveTree::Second(n) : CollectiveTree::Binary(n);
            for (uint32_t r = 0; r < n; ++r)
            {
                if (tree.Parents()[r] != CollectiveTree::kNone)
                {
                    ++neighbours[r];
                    ++neighbours[tree.Parents()[r]];
                }
            }
        }
        for (uint32_t r = 0; r < n; ++r)
        {
            EXPECT_LE(neighbours[r], 4u) << r << " of " << n;
        }
    }
}

TEST_F(TreeOfRanks, BytesOfEachRank)
{
    // Up to the parent once, down to each child once; counted by the rules above.
    for (uint32_t n : Sizes())
    {
        for (bool second : {false, true})
        {
            const std::vector<uint32_t> parents = NcclParents(n, second);
            std::vector<uint64_t> children(n);
            for (uint32_t r = 0; r < n; ++r)
            {
                if (parents[r] != n)
                {
                    ++children[parents[r]];
                }
            }
            for (uint64_t bytes : {0, 1, 8, 1023, 1000003})
            {
                for (Op op : {Op::AllReduce, Op::Broadcast, Op::Reduce})
                {
                    const Plan plan =
                        MakePlan(second ? CollectiveTree::Second(n) : CollectiveTree::Binary(n),
                                 op,
                                 bytes,
                                 1000);
                    AlphaBetaTransport net(1, 1e9);
                    PlanRunner runner(plan, net);
                    runner.Run({});
                    Simulator::Run();
                    EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
                    for (uint32_t r = 0; r < n; ++r)
                    {
                        const uint64_t up = op == Op::Broadcast ? 0 : bytes;
                        const uint64_t down = op == Op::Reduce ? 0 : bytes;
                        const uint64_t above = parents[r] == n ? 0 : 1;
                        EXPECT_EQ(net.sent[1][r], above * up + children[r] * down) << r;
                        EXPECT_EQ(net.received[1][r], above * down + children[r] * up) << r;
                    }
                    Simulator::Destroy();
                }
            }
        }
    }
}

TEST_F(TreeOfRanks, SumsAreComplete)
{
    uint32_t seed = 1;
    for (uint32_t n : Sizes())
    {
        for (const CollectiveTree& tree : {CollectiveTree::Chain(n),
                                           CollectiveTree::Binary(n),
                                           CollectiveTree::Second(n),
                                           CollectiveTree::Binary(n / 2).OverServers(2, 1),
                                           CollectiveTree::Second(n).From(n / 2)})
        {
            const auto& parents = tree.Parents();
            const uint32_t ranks = parents.size();
            const auto root = static_cast<uint32_t>(
                std::find(parents.begin(), parents.end(), CollectiveTree::kNone) - parents.begin());
            for (Op op : {Op::AllReduce, Op::Broadcast, Op::Reduce})
            {
                if (op == Op::Broadcast && root != 0)
                {
                    continue; // SummingTransport has it from rank 0
                }
                const Plan plan = MakePlan(tree, op, 20001, 1000);
                SummingTransport net(op, ranks, seed++);
                PlanRunner runner(plan, net);
                runner.Run({});
                Simulator::Run();
                EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
                for (uint32_t r = 0; r < ranks; ++r)
                {
                    for (uint64_t chunk = 0; chunk < 21; ++chunk)
                    {
                        EXPECT_EQ(net.Value(r, chunk) == net.sum, op != Op::Reduce || r == root)
                            << ToString(op) << " " << r << " of " << ranks;
                    }
                }
                Simulator::Destroy();
            }
        }
    }
}

TEST_F(TreeOfRanks, ResultsWaitForWhoIsLate)
{
    // With 0 bytes a sum is alpha per level up and down after the launch of whoever begins last.
    const uint32_t n = 13;
    const std::vector<uint32_t> parents = NcclParents(n, false);
    for (uint32_t late = 0; late < n; ++late)
    {
        Plan plan(Range(n));
        PlanFrontier frontier = plan.Begin();
        plan.Compute(late, kMillisecond, frontier);
        MakePlugin<CollectiveAlgorithm>("tree")->Append(
            {Op::AllReduce, Range(n), 0, 2, 0, 1, {0, 1000, 300}, "tp"}, plan, frontier);
        plan.Seal();
        AlphaBetaTransport net(1, 1);
        PlanRunner runner(plan, net);
        runner.Run({});
        Simulator::Run();
        uint32_t above = 0;
        for (uint32_t i = late; parents[i] != n; i = parents[i])
        {
            ++above;
        }
        EXPECT_EQ(runner.Timings()[0].end, kMillisecond + 300 + (above + Log2(n)) * 1000) << late;
        EXPECT_EQ(runner.ComputeTimes()[late], kMillisecond);
        Simulator::Destroy();
    }
}

TEST_F(TreeOfRanks, LatencyIsThatOfNcclsModel)
{
    // NCCL's tuning.cc: base + 2 ((n/N - 1) alpha_intra + log2(N) alpha_inter), log2 rounded up. LL
    // of one server of 8: 6.8 + 2 * 7 * 0.6 = 15.2 us.
    for (const char* id : {"tree", "double_binary_tree"})
    {
        for (uint32_t servers : {1, 2, 3, 4, 5, 8, 13})
        {
            for (uint32_t gpus : {1, 2, 8})
            {
                if (servers * gpus == 1)
                {
                    continue;
                }
                AlphaBetaTransport net(370e9, 48e9, 500000, 2000000);
                const double t = Run(id,
                                     Op::AllReduce,
                                     Servers(servers, gpus),
                                     0,
                                     1024,
                                     net,
                                     {600000, 5000000, 6800000});
                const double expected = 6.8e-6 + 2 * ((gpus - 1) * 0.6e-6 + Log2(servers) * 5e-6);
                EXPECT_NEAR(t, expected, 1e-13) << id << " " << servers << " x " << gpus;
            }
        }
        AlphaBetaTransport net(370e9, 48e9);
        const double t =
            Run(id, Op::AllReduce, Servers(1, 8), 0, 0, net, {600000, 5000000, 6800000});
        EXPECT_NEAR(t, 15.2e-6, 1e-13);
    }
}

TEST_F(TreeOfRanks, ChainsArePipelines)
{
    // n-1 hops of the first chunk, and the others behind it: (n-1)(alpha + C/B) + (S-C)/B. With one
    // chunk that is (n-2+k)(alpha + C/B), k = 1, of a chain that waits for each chunk.
    const double alpha = 3e-6;
    const double rate = 100e9;
    for (Op op : {Op::Broadcast, Op::Reduce})
    {
        for (uint32_t n : {2, 3, 8, 17})
        {
            for (uint64_t chunks : {1, 2, 8, 100})
            {
                const uint64_t chunk = 100000; // 1 us; 8 slots hide alpha
                AlphaBetaTransport net(rate, 1, 1000000);
                const double t =
                    Run("ring", op, Servers(1, n), chunks * chunk, chunk, net, {3000000, 0, 0});
                EXPECT_NEAR(t, (n - 1) * (alpha + 1e-6) + (chunks - 1) * 1e-6, 1e-12) << n;
                for (uint32_t r = 0; r < n; ++r)
                {
                    const bool last = op == Op::Broadcast ? r == n - 1 : r == 0;
                    EXPECT_EQ(net.sent[0][r], last ? 0 : chunks * chunk);
                }
            }
        }
    }
    // A longer alpha: eight chunks arrive, one behind the other, then the next eight leave.
    for (uint64_t chunks : {1, 8, 9, 23, 24})
    {
        AlphaBetaTransport net(rate, 1);
        const double t = Run(
            "ring", Op::Broadcast, Servers(1, 2), chunks * 100000, 100000, net, {20000000, 0, 0});
        const double expected = (chunks + 7) / 8 * 21e-6 + (chunks - 1) % 8 * 1e-6;
        EXPECT_NEAR(t, expected, 1e-12) << chunks;
    }
}

TEST_F(TreeOfRanks, LargeSizesTakeWhatTheBusiestRankSends)
{
    // An all-reduce leaves each rank once for each of its neighbours in the tree: no time is shorter,
    // and a pipeline of C bytes needs no more than filling and draining it beside. Three neighbours,
    // so 3S/B, but of two trees with half the bytes 3 and 1: 2S/B.
    const double rate = 50e9;
    const uint64_t bytes = 64 << 20;
    const uint64_t chunk = 64 << 10;
    const double alpha = 2e-6;
    for (uint32_t n : Sizes())
    {
        std::vector<double> load(n);
        for (const char* id : {"tree", "double_binary_tree"})
        {
            const bool both = std::string(id) != "tree";
            std::fill(load.begin(), load.end(), 0);
            for (bool second : {false, true})
            {
                const std::vector<uint32_t> parents = NcclParents(n, second);
                for (uint32_t r = 0; r < n && (both || !second); ++r)
                {
                    if (parents[r] != n)
                    {
                        load[r] += both ? 0.5 : 1;
                        load[parents[r]] += both ? 0.5 : 1;
                    }
                }
            }
            const double most = *std::max_element(load.begin(), load.end());
            EXPECT_LE(most, both ? 2 : 3) << n;
            AlphaBetaTransport net(1, rate);
            const double t =
                Run(id, Op::AllReduce, Servers(n, 1), bytes, chunk, net, {0, 2000000, 0});
            const double least = most * bytes / rate;
            const double fill = 2 * Log2(n) * (alpha + 4 * chunk / rate);
            EXPECT_GE(t, least) << id << " " << n;
            EXPECT_LE(t, least + fill) << id << " " << n;
            for (uint32_t r = 0; r < n; ++r)
            {
                EXPECT_EQ(net.sent[1][r], load[r] * bytes) << id << " " << r << " of " << n;
            }
        }
    }
}

TEST_F(TreeOfRanks, TwoServersExchangeTheBufferOnce)
{
    // Two nodes send S each with NCCL's two trees, 2(n-1)/n S with rings: the bus bandwidth is
    // 2(n-1)/n times that of all NICs (NCCL issue 812, nccl-tests issue 196). NVLink is fast enough
    // not to count, but for filling and draining chains: 14 hops of a few chunks.
    const uint64_t bytes = 256 << 20;
    for (uint32_t channels : {1, 4, 8})
    {
        AlphaBetaTransport net(900e9, 24.5e9);
        const double t = Run("double_binary_tree",
                             Op::AllReduce,
                             Servers(2, 8),
                             bytes,
                             16384,
                             net,
                             {0, 0, 0},
                             channels);
        EXPECT_EQ(net.sent[1].size(), 2 * channels);
        for (auto [rank, sent] : net.sent[1])
        {
            EXPECT_EQ(sent, bytes / channels) << rank;
        }
        const double expected = 2 * 15.0 / 16 * channels * 24.5e9;
        EXPECT_NEAR(BusBandwidthFactor(Op::AllReduce, 16) * bytes / t, expected, 0.01 * expected);
    }
}

TEST_F(TreeOfRanks, BroadcastsAndReducesUseAllNics)
{
    // Each of g channels enters and leaves a server by its own NIC, whose root is rank 0 all the same:
    // a server of a tree receives S/g by each, and sends that to two servers at most.
    for (uint32_t servers : {2, 5, 8})
    {
        for (const char* id : {"ring", "tree"})
        {
            for (Op op : {Op::Broadcast, Op::Reduce})
            {
                const uint64_t bytes = 8 << 20;
                AlphaBetaTransport net(370e9, 48e9);
                Run(id, op, Servers(servers, 8), bytes, 65536, net, {0, 0, 0});
                uint64_t crossed = 0;
                for (auto [rank, sent] : net.sent[1])
                {
                    crossed += sent;
                    EXPECT_LE(sent, bytes / 8 * 2) << id << " " << rank;
                }
                // A ring passes through the first server again, to its ranks before the root.
                const uint64_t again = id == std::string("ring") ? 7 * bytes / 8 : 0;
                EXPECT_EQ(crossed, (servers - 1) * bytes + again) << id << " " << servers;
                uint64_t all = 0;
                for (int scope : {0, 1})
                {
                    for (auto [rank, received] : net.received[scope])
                    {
                        all += received;
                        EXPECT_TRUE(op == Op::Reduce || rank != 0 || received == 0);
                    }
                }
                EXPECT_EQ(all, (servers * 8 - 1) * bytes) << id << " " << servers;
            }
        }
    }
}

TEST_F(TreeOfRanks, EverySizeOnEveryNumberOfRanksEnds)
{
    for (auto [id, op, factor] : {std::tuple{"tree", Op::AllReduce, 2},
                                  std::tuple{"double_binary_tree", Op::AllReduce, 2},
                                  std::tuple{"tree", Op::Broadcast, 1},
                                  std::tuple{"tree", Op::Reduce, 1},
                                  std::tuple{"ring", Op::Broadcast, 1},
                                  std::tuple{"ring", Op::Reduce, 1}})
    {
        for (uint32_t n = 2; n <= 36; ++n)
        {
            for (uint64_t bytes : {0, 1, 8, 1023})
            {
                std::vector<uint32_t> servers = Servers(5, 8);
                servers.resize(n);
                AlphaBetaTransport net(370e9, 48e9);
                Run(id, op, servers, bytes, 64, net, {1, 1, 1}, 8);
                uint64_t sent = 0;
                for (int scope : {0, 1})
                {
                    for (auto [rank, s] : net.sent[scope])
                    {
                        sent += s;
                    }
                }
                EXPECT_EQ(sent, factor * (n - 1) * bytes) << id << " " << n << " " << bytes;
            }
        }
    }
}

TEST_F(TreeOfRanks, PlansStaySmall)
{
    // A chunk of a byte asks for 2^30 messages per edge; there are 2^16, and every element is whole.
    const Plan plan = MakePlan(CollectiveTree::Chain(2), Op::Broadcast, 1 << 30, 1);
    EXPECT_EQ(plan.StepCount(), 65536u + 2);
    for (const PlanStep& step : plan.Steps())
    {
        EXPECT_EQ(step.bytes % 2, 0u);
    }
}

} // namespace
