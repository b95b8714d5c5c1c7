// SPDX-License-Identifier: GPL-2.0-only
#include "scale-up-fixture.h"

#include "ns3/collective-algorithm.h"
#include "ns3/double.h"
#include "ns3/fabric-registry.h"
#include "ns3/plan-runner.h"
#include "ns3/plan-transport.h"
#include "ns3/plan.h"

#include <cmath>
#include <numeric>

namespace ns3::aifabric
{
namespace
{

/// Carries a plan whose ranks are the GPUs of one domain.
class DomainTransport : public PlanTransport, public ScaleUpReceiver
{
  public:
    explicit DomainTransport(ScaleUpDomain& domain)
        : m_domain(domain)
    {
    }

    void Send(PlanRunner& runner, uint32_t step, const PlanConnection& c, uint64_t bytes) override
    {
        m_runner = &runner;
        m_domain.Send(c.from, c.to, bytes, this, step);
    }

    Tick ZeroByteLatency(const PlanConnection& /* c */) override
    {
        return m_domain.ZeroByteLatency();
    }

    void OnScaleUpMessage(uint64_t id) override
    {
        m_runner->Complete(id);
    }

  private:
    ScaleUpDomain& m_domain;
    PlanRunner* m_runner{nullptr};
};

class ScaleUpCollective : public ScaleUpFixture
{
  protected:
    void SetCells(uint32_t maxBytes)
    {
        settings->SetAttribute("MaxCellBytes", UintegerValue(maxBytes));
    }

    /// @return seconds that a collective of n GPUs takes.
    double Run(CollectiveOperation operation, uint64_t bytes, Tick alpha, uint32_t n = 8)
    {
        return Run(operation == CollectiveOperation::AllToAll ? "pairwise" : "ring",
                   operation,
                   bytes,
                   0,
                   alpha,
                   n);
    }

    double Run(const std::string& id,
               CollectiveOperation operation,
               uint64_t bytes,
               uint64_t chunk,
               Tick alpha,
               uint32_t n = 8)
    {
        std::vector<uint32_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), 0);
        Plan plan(std::vector<uint32_t>(n, 0));
        PlanFrontier frontier = plan.Begin();
        MakePlugin<CollectiveAlgorithm>(id)->Append(
            {operation, ranks, bytes, 2, chunk, 1, {alpha, 0, 0}, "test"}, plan, frontier);
        plan.Seal();
        Make(n);
        for (const PlanStep& step : plan.Steps())
        {
            if (step.IsSend())
            {
                sent[plan.Connections()[step.connection].from] += step.bytes;
                received[plan.Connections()[step.connection].to] += step.bytes;
            }
        }
        DomainTransport transport(*domain);
        PlanRunner runner(plan, transport);
        runner.Run([] {});
        Simulator::Run();
        EXPECT_EQ(runner.FinishedSteps(), plan.StepCount());
        const double seconds = runner.Timings()[0].end / 1e12;
        Clear();
        return seconds;
    }
};

constexpr auto kAllReduce = CollectiveOperation::AllReduce;
constexpr Tick kAlpha = 3400 * kNanosecond;

TEST_F(ScaleUpCollective, RingAllReduceIsItsClosedForm)
{
    // T = 2(n-1) alpha + 2(n-1)/n S/B, B = 370.8 GB/s; alpha of NCCL's ring, protocol Simple.
    for (uint32_t n : {2, 3, 8, 16})
    {
        for (uint64_t bytes : {0ULL, 1ULL << 12, 1ULL << 20, 1ULL << 26})
        {
            const double t = Run(kAllReduce, bytes * n, kAlpha, n);
            const double expected = 2 * (n - 1) * (3.4e-6 + bytes / 370.8e9);
            EXPECT_NEAR(t, expected, 1e-3 * expected) << n << " " << bytes;
        }
    }
}

TEST_F(ScaleUpCollective, ChainsArePipelines)
{
    // A broadcast takes (n-1)(alpha + C/B) + (S-C)/B, a tree's all-reduce passes each rank between two
    // others twice: 2S/B, and filling the chain and draining it, 2(n-1)(alpha + 2C/B) at most. Behind
    // short buffers cells of one way would wait for those of the other.
    settings->SetAttribute("CreditBufferBytes", StringValue("16777216"));
    const double rate = 370.8e9;
    const uint64_t chunk = 524288;
    for (uint32_t n : {4, 8})
    {
        const uint64_t bytes = 128 << 20;
        const double hop = 3.4e-6 + chunk / rate;
        double expected = (n - 1) * hop + (bytes - chunk) / rate;
        EXPECT_NEAR(Run("ring", CollectiveOperation::Broadcast, bytes, chunk, kAlpha, n),
                    expected,
                    1e-2 * expected);
        expected = 2 * bytes / rate;
        const double t = Run("tree", kAllReduce, bytes, chunk, kAlpha, n);
        EXPECT_GT(t, expected) << n;
        EXPECT_LT(t, expected + 2 * (n - 1) * (hop + chunk / rate)) << n;
    }
}

TEST_F(ScaleUpCollective, PublishedRingFigures)
{
    // 1 GiB, 8 GPUs, 370 GB/s, no latency: 5.0785 ms, busbw 370 GB/s (nccl-tests PERFORMANCE.md).
    settings->SetAttribute("Efficiency", DoubleValue(370.0 / 450));
    settings->SetAttribute("HopLatency", TimeValue(Time(0)));
    EXPECT_NEAR(Run(kAllReduce, 1 << 30, 0), 5.0785e-3, 0.5e-2 * 5.0785e-3);
    // 16 MiB with 3.4 us a step: 126.95 us.
    EXPECT_NEAR(Run(kAllReduce, 16 << 20, kAlpha), 126.95e-6, 0.5e-2 * 126.95e-6);
    // 8 x A100 at 4 GiB: 232.5 GB/s measured (nccl-tests issue 175).
    settings->SetAttribute("LinksPerGpu", UintegerValue(12));
    settings->SetAttribute("Efficiency", DoubleValue(0.8));
    const uint64_t bytes = 4ULL << 30;
    const double busBandwidth = 1.75 * bytes / Run(kAllReduce, bytes, kAlpha);
    EXPECT_NEAR(busBandwidth, 232.5e9, 0.05 * 232.5e9);
}

TEST_F(ScaleUpCollective, CoarseCellsAreAsGoodAsPackets)
{
    // All sizes at which cells are longer than the shortest, against cells of 4 KiB throughout.
    for (uint64_t bytes : {1ULL << 16, 1ULL << 20, 1ULL << 24, 1ULL << 28})
    {
        for (auto operation : {kAllReduce, CollectiveOperation::AllToAll})
        {
            if (bytes == 1 << 28 && operation != kAllReduce)
            {
                continue;
            }
            SetCells(65536);
            const double coarse = Run(operation, bytes, kAlpha);
            SetCells(4096);
            const double fine = Run(operation, bytes, kAlpha);
            EXPECT_NEAR(coarse, fine, 0.01 * fine) << ToString(operation) << " " << bytes;
        }
    }
}

} // namespace
} // namespace ns3::aifabric
