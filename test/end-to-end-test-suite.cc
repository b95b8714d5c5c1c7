// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"
#include "fabric-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/collective-algorithm.h"
#include "ns3/fabric-compat.h"
#include "ns3/fabric-registry.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <numeric>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Ordinary traffic of ns-3 and RDMA share links, and both get through.
class OrdinaryTrafficCase : public FabricCase
{
  public:
    OrdinaryTrafficCase()
        : FabricCase("TCP beside RDMA")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper& helper = UseStar(3);
        Fabric& fabric = Install();
        const Ipv4InterfaceContainer addresses = helper.InstallInternet();
        PacketSinkHelper sinks("ns3::TcpSocketFactory",
                               InetSocketAddress(Ipv4Address::GetAny(), 9));
        const ApplicationContainer sink = sinks.Install(fabric.GetHostNode(2));
        BulkSendHelper source("ns3::TcpSocketFactory",
                              InetSocketAddress(addresses.GetAddress(2), 9));
        source.SetAttribute("MaxBytes", UintegerValue(2000000));
        source.Install(fabric.GetHostNode(0));
        Write(1, 2, 10 << 20);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            DynamicCast<PacketSink>(sink.Get(0))->GetTotalRx(), 2000000, "bytes by TCP");
        NS_TEST_EXPECT_MSG_EQ(DeliveredTo(2), 10 << 20, "bytes by RDMA");
    }
};

/// All-reduce by a ring: T = 2 (n - 1) alpha + 2 (n - 1) / n S / B (Thakur et al., IJHPCA 2005).
class RingCase : public TestCase
{
  public:
    RingCase()
        : TestCase("a ring takes its closed form")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t kPart = 4096;
        constexpr Tick kAlpha = 3400 * kNanosecond;
        for (uint32_t n : {2, 3, 8})
        {
            AlphaBetaTransport network(250e9, 1);
            Plan plan(std::vector<uint32_t>(n, 0));
            PlanFrontier frontier = plan.Begin();
            std::vector<uint32_t> ranks(n);
            std::iota(ranks.begin(), ranks.end(), 0);
            MakePlugin<CollectiveAlgorithm>("ring")->Append(
                {CollectiveOperation::AllReduce, ranks, n * kPart, 2, 0, 1, {kAlpha, 0, 0}, "t"},
                plan,
                frontier);
            plan.Seal();
            PlanRunner runner(plan, network);
            Tick end = 0;
            runner.Run([&] { end = Simulator::Now().GetTimeStep(); });
            Simulator::Run();
            // 4096 B at 250 GB/s are 16384 ps.
            NS_TEST_EXPECT_MSG_EQ(end, 2 * (n - 1) * (kAlpha + 16384), n << " ranks");
            Simulator::Destroy();
        }
    }
};

/// A scenario as a user writes it: flows that are alone take their ideal time, by any
/// scheduler of events.
class ScenarioCase : public TestCase
{
  public:
    explicit ScenarioCase(const std::string& scheduler)
        : TestCase("a scenario runs by " + scheduler),
          m_scheduler(scheduler)
    {
    }

  private:
    void DoRun() override
    {
        const ScenarioFile file =
            ReadScenarioFile(JsonValue::Parse(R"({"topology": {"type": "fat_tree", "k": 4},
                "traffic": [{"pattern": "flows", "flows": [
                    {"source": 0, "destination": 15, "size_bytes": 1000000},
                    {"source": 0, "destination": 1, "size_bytes": 0, "start_time_s": 0.001}]}]})"),
                             {{"simulation.scheduler", m_scheduler}});
        ScenarioRun run(file.runs.front());
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.GetFailure(), "", "it runs");
        const RunResult result = run.TakeResult();
        NS_TEST_ASSERT_MSG_EQ(result.flows.size(), 2, "flows");
        for (const FlowResult& flow : result.flows)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.status, "done", "status");
            NS_TEST_EXPECT_MSG_EQ(flow.fct, flow.idealFct, "completion time");
        }
    }

    std::string m_scheduler;
};

class EndToEndSuite : public TestSuite
{
  public:
    EndToEndSuite()
        : TestSuite("ai-fabric-end-to-end", compat::SuiteType<TestSuite>::kSystem)
    {
        AddTestCase(new OrdinaryTrafficCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new RingCase, compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new ScenarioCase("radix"), compat::CaseDuration<TestCase>::kQuick);
        AddTestCase(new ScenarioCase("map"), compat::CaseDuration<TestCase>::kQuick);
    }
};

EndToEndSuite g_endToEndSuite;

} // namespace
