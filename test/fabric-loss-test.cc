// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include <cmath>
#include <set>

namespace ns3::aifabric::test
{
namespace
{

constexpr Tick kTimeout = 100 * kMicrosecond;

/// WRITEs from host 0 to host 1 through one switch, before whose ends something may go missing.
class FabricLoss : public ::testing::Test
{
  protected:
    FabricLoss()
        : m_bed("star"),
          m_completions(
              [this](const WorkCompletion& completion) { m_completed.push_back(completion); })
    {
        m_bed.Set("HostCount", 3);
        m_bed.settings.nicLatency = 500 * kNanosecond;
        m_bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(FromTick(kTimeout)));
    }

    void Build()
    {
        m_bed.Build();
        const GraphNodeIdx leaf = m_bed.Find("leaf0");
        m_bed.Intercept(leaf, 1, m_toReceiver);
        m_bed.Intercept(leaf, 0, m_toSender);
    }

    /// Loses the given transmissions (from 0) of data frame psn on the last link.
    void LoseData(uint32_t psn, std::set<int> transmissions)
    {
        m_toReceiver.lose = [=, seen = 0](Frame& f, Tick) mutable {
            const bool lose =
                CarriesPayload(f.op) && f.psn == psn && transmissions.count(seen++) > 0;
            m_bed.tampered += lose;
            return lose;
        };
    }

    /// Loses the given answers (from 0), of all or of NAKs only, on the last link.
    void LoseAnswer(std::set<int> which, bool naks)
    {
        m_toSender.lose = [=, seen = 0](Frame& f, Tick) mutable {
            const bool nak = f.aeth >> 29 == 3;
            return f.op == Opcode::Acknowledge && nak == naks && which.count(seen++) > 0;
        };
    }

    void Write(uint64_t bytes)
    {
        m_pair = m_bed.Connect(0, 1, m_completions);
        m_pair.sender->PostSend({7, bytes});
        Simulator::Run();
    }

    /// @return how long the flow took.
    Tick Flow(uint64_t bytes)
    {
        m_bed.AddFlow(0, 1, bytes);
        const FlowResult& flow = m_bed.Run()[0];
        EXPECT_EQ(flow.deliveredBytes, bytes);
        return flow.fct;
    }

    Tick Ideal(uint64_t bytes) const
    {
        return m_bed.GetPaths().IdealFct(0, 1, bytes);
    }

    // The tamperers outlive the fabric.
    Tamper m_toReceiver;
    Tamper m_toSender;
    FabricBed m_bed;
    CompletionQueue m_completions;
    std::vector<WorkCompletion> m_completed;
    QueuePairs m_pair;
};

TEST_F(FabricLoss, LastDataFrameLostEndsByTimeout)
{
    LoseData(9, {0});
    Build();
    const Tick fct = Flow(40960);
    EXPECT_GE(fct, kTimeout);
    EXPECT_LT(fct, kTimeout + 2 * Ideal(40960));
    EXPECT_EQ(m_bed.results[0].retransmittedBytes, 4096U);
}

TEST_F(FabricLoss, LastAcknowledgementLostEndsByTimeout)
{
    LoseAnswer({9}, false);
    Build();
    const Tick fct = Flow(40960);
    EXPECT_GE(fct, kTimeout);
    EXPECT_LT(fct, kTimeout + 2 * Ideal(40960));
    EXPECT_EQ(m_bed.results[0].retransmittedBytes, 4096U);
}

TEST_F(FabricLoss, LostFrameIsAskedForWithoutTimeout)
{
    LoseData(4, {0});
    Build();
    EXPECT_LT(Flow(409600), kTimeout);
    EXPECT_GT(m_bed.results[0].retransmittedBytes, 0U);
}

TEST_F(FabricLoss, NakLostEndsByTimeout)
{
    LoseData(4, {0});
    LoseAnswer({0}, true);
    Build();
    EXPECT_GE(Flow(40960), kTimeout);
}

TEST_F(FabricLoss, RetransmissionLostEndsByTimeout)
{
    LoseData(4, {0, 1});
    Build();
    const Tick fct = Flow(40960);
    EXPECT_GE(fct, kTimeout);
    EXPECT_LT(fct, kTimeout + 3 * Ideal(40960));
}

// Seven retries by default: eight timeouts, and then the others are flushed.
TEST_F(FabricLoss, EveryFrameLostEndsInAnError)
{
    m_toReceiver.lose = [this](Frame& f, Tick) {
        m_bed.tampered += CarriesPayload(f.op);
        return true;
    };
    Build();
    m_pair = m_bed.Connect(0, 1, m_completions);
    m_pair.sender->PostSend({7, 4096});
    m_pair.sender->PostSend({8, 4096});
    Simulator::Run();
    ASSERT_EQ(m_completed.size(), 2U);
    EXPECT_EQ(m_completed[0].wrId, 7U);
    EXPECT_EQ(m_completed[0].status, WcStatus::RetryExceeded);
    EXPECT_EQ(m_completed[1].wrId, 8U);
    EXPECT_EQ(m_completed[1].status, WcStatus::WrFlushError);
}

// Seven failures in a row are survived; the frame is the last, so each of them is a timeout.
TEST_F(FabricLoss, SevenTimeoutsInARowAreSurvived)
{
    LoseData(9, {0, 1, 2, 3, 4, 5, 6});
    Build();
    const Tick fct = Flow(40960);
    EXPECT_GE(fct, 7 * kTimeout);
    EXPECT_LT(fct, 7 * kTimeout + 8 * Ideal(40960));
    EXPECT_EQ(m_bed.results[0].retransmittedBytes, 7 * 4096U);
}

TEST_F(FabricLoss, AllAcknowledgementsOfTheFirstTimeLost)
{
    LoseAnswer({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false);
    Build();
    const Tick fct = Flow(40960);
    EXPECT_GE(fct, kTimeout);
    EXPECT_LT(fct, kTimeout + 2 * Ideal(40960));
}

// A black hole behind the switch, timeout code 8 (4.096 us x 2^8) and 3 retries: the first message
// fails after 4 timeouts, 4.194 ms, the others are flushed in order (IBA vol. 1, 9.9.2.4.1, 10.3.1).
TEST_F(FabricLoss, BlackHoleFailsAfterFourTimeouts)
{
    m_bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(NanoSeconds(1048576)));
    m_bed.transport->SetAttribute("RetryCount", UintegerValue(3));
    m_toReceiver.lose = [this](Frame& f, Tick) {
        m_bed.tampered += CarriesPayload(f.op);
        return true;
    };
    Build();
    Tick failedAt = 0;
    CompletionQueue completions([&](const WorkCompletion& completion) {
        failedAt = failedAt ? failedAt : Simulator::Now().GetTimeStep();
        m_completed.push_back(completion);
    });
    m_pair = m_bed.Connect(0, 1, completions);
    for (uint64_t i = 0; i < 3; ++i)
    {
        m_pair.sender->PostSend({i, 1000});
    }
    Simulator::Run();
    EXPECT_NEAR(failedAt, 4194304000, kMicrosecond);
    ASSERT_EQ(m_completed.size(), 3U);
    EXPECT_EQ(m_completed[0].status, WcStatus::RetryExceeded);
    for (uint64_t i = 1; i < 3; ++i)
    {
        EXPECT_EQ(m_completed[i].wrId, i);
        EXPECT_EQ(m_completed[i].status, WcStatus::WrFlushError);
    }
    EXPECT_EQ(m_pair.sender->GetState(), QpState::Err);
}

/// Bit error rates of all links.
class FabricBitErrors : public ::testing::TestWithParam<double>
{
};

// Whatever goes missing - data, acknowledgements, NAKs - every flow ends and delivers all.
TEST_P(FabricBitErrors, EveryFlowEnds)
{
    FabricBed bed("leaf_spine");
    bed.Set("LeafCount", 2);
    bed.Set("SpineCount", 2);
    bed.Set("HostsPerLeaf", 4);
    bed.SetLinks({100e9, kMicrosecond, 0, GetParam()});
    bed.settings.mtuPayloadBytes = 1024;
    bed.transport->SetAttribute("RetransmissionTimeout", TimeValue(FromTick(kTimeout)));
    Fabric& fabric = bed.Build();
    for (NodeIdx host = 0; host < 8; ++host)
    {
        bed.AddFlow(host, (host + 3) % 8, 2000000);
        bed.AddFlow(host, (host + 5) % 8, 300000, 50 * kMicrosecond);
    }
    uint64_t again = 0;
    for (const FlowResult& flow : bed.Run())
    {
        EXPECT_EQ(flow.deliveredBytes, flow.bytes);
        EXPECT_GE(flow.fct, flow.idealFct);
        again += flow.retransmittedBytes;
    }
    EXPECT_GT(again, 0U);
    double expected = 0;
    uint64_t lost = 0;
    for (const GraphLink& link : fabric.GetGraph().Links())
    {
        for (bool forward : {true, false})
        {
            const PortCounters& counters =
                fabric.GetPort(forward ? link.from : link.to, forward ? link.fromPort : link.toPort)
                    .GetCounters();
            expected += 8.0 * GetParam() * counters.bytes;
            lost += counters.lost;
        }
    }
    // Poisson, four standard deviations; that a frame has several errors is rare.
    EXPECT_NEAR(lost, expected, 4 * std::sqrt(expected) + 0.01 * expected);
}

INSTANTIATE_TEST_SUITE_P(Rates, FabricBitErrors, ::testing::Values(1e-7, 1e-6));

} // namespace
} // namespace ns3::aifabric::test
