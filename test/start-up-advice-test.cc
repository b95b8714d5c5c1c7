// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"
#include "ns3/start-up-advice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

using Texts = std::vector<std::string>;

/// Four hosts at a switch, 100 Gb/s and 500 ns: a round trip of 2 us and what frames take. Of the
/// buffer 4 x 50 kB are headroom.
const char* const kStar = R"({
  "name": "star",
  "topology": {"type": "star", "host_count": 4,
               "links": {"nic_to_leaf": {"bandwidth_gbps": 100, "propagation_delay_ns": 500}},
               "switches": {"leaf": {"buffer_bytes": 16200000}}},
  "transport": {"congestion_control": "dcqcn"},
  "network": {"pfc": {"headroom_bytes": 50000},
              "ecn": {"kmin_bytes": 100000, "kmax_bytes": 400000, "pmax": 0.2}},
  "traffic": [{"pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": 500000}]}]
})";

ScenarioConfig
Read(const std::vector<ScenarioOverride>& overrides)
{
    return ReadScenarioFile(JsonValue::Parse(kStar), overrides, {}).runs.front();
}

/// @return what is said of the star with some keys changed.
Texts
Advice(const std::vector<ScenarioOverride>& overrides)
{
    const ScenarioConfig config = Read(overrides);
    return ScenarioRun(config).GetWarnings();
}

/// One line is expected, which has these parts.
void
ExpectOne(const Texts& said, const Texts& parts)
{
    ASSERT_EQ(said.size(), 1U) << testing::PrintToString(said);
    for (const std::string& part : parts)
    {
        EXPECT_NE(said[0].find(part), std::string::npos) << said[0];
    }
}

TEST(StartUpAdvice, NothingWhereAllFits)
{
    EXPECT_EQ(Advice({}), Texts());
}

// A lone ingress is paused at alpha P / (1 + alpha) of the pool P (Choudhury and Hahne, ToN 1998): an
// eighth of what is left by it, so a ninth of the pool.
TEST(StartUpAdvice, PausesBeforeMarks)
{
    const char* buffer = "topology.switches.leaf.buffer_bytes";
    ExpectOne(Advice({{buffer, "1000000"}}),
              {"priority 3", "88888 bytes", "before kmin_bytes of 100000"});
    // Halfway from kmin to kmax half of pmax.
    ExpectOne(Advice({{buffer, "2450000"}}), {"250000 bytes", "kmax_bytes of 400000", " 10.0 %"});
    EXPECT_EQ(Advice({{buffer, "3900000"}}), Texts());
    // Where nobody marks nobody can be late; where nobody pauses neither.
    EXPECT_EQ(Advice({{buffer, "1000000"},
                      {"network.ecn.enabled", "false"},
                      {"transport.congestion_control", "none"}}),
              Texts());
    EXPECT_EQ(Advice({{buffer, "1000000"}, {"network.pfc.enabled", "false"}}), Texts());
}

TEST(StartUpAdvice, StaticPauseThreshold)
{
    const char* buffer = "network.buffer";
    ExpectOne(Advice({{buffer, R"({"type": "static_threshold", "limit_bytes": 90000})"}}),
              {"90000 bytes", "before kmin_bytes"});
    ExpectOne(Advice({{buffer, R"({"type": "static_threshold", "limit_bytes": 8000})"},
                      {"network.ecn.enabled", "false"},
                      {"transport.congestion_control", "none"}}),
              {"8000 bytes", "less than two frames"});
    EXPECT_EQ(Advice({{buffer, R"({"type": "static_threshold", "limit_bytes": 500000})"}}),
              Texts());
}

TEST(StartUpAdvice, MarksThatNeverCome)
{
    ExpectOne(Advice({{"network.ecn.enabled", "false"}}),
              {"congestion control dcqcn", "waits for marks"});
    EXPECT_EQ(Advice({{"network.ecn.enabled", "false"}, {"transport.congestion_control", "none"}}),
              Texts());
}

TEST(StartUpAdvice, TimeoutsWithinARoundTrip)
{
    ExpectOne(Advice({{"transport.retransmission_timeout_us", "2"}}),
              {"retransmission_timeout_us: 2 µs", "no longer than a round trip"});
    EXPECT_EQ(Advice({{"transport.retransmission_timeout_us", "20"}}), Texts());
}

TEST(StartUpAdvice, DataThatIsDroppedAndSentAllAgain)
{
    const char* priority = "transport.data_priority";
    ExpectOne(Advice({{priority, "1"}}), {"data_priority 1", "lossless_priorities"});
    EXPECT_EQ(Advice({{priority, "1"}, {"transport.retransmission", "selective_repeat"}}), Texts());
    EXPECT_EQ(Advice({{priority, "1"}, {"network.pfc.enabled", "false"}}), Texts());
}

TEST(StartUpAdvice, FramesOutOfOrderThatAreTakenForLosses)
{
    const char* balancing = "network.load_balancing";
    for (const char* id :
         {"random_spray", "round_robin_spray", "adaptive", "drill", "oblivious_spray", "reps"})
    {
        ExpectOne(Advice({{balancing, id}}), {"load_balancing", "retransmission", "out_of_order"});
        EXPECT_EQ(Advice({{balancing, id}, {"transport.retransmission", "out_of_order"}}), Texts());
    }
    for (const char* id : {"ecmp", "e_ecmp", "letflow", "plb"})
    {
        EXPECT_EQ(Advice({{balancing, id}}), Texts());
    }
}

TEST(StartUpAdvice, FramesLongerThanRdmaHas)
{
    ExpectOne(Advice({{"network.mtu_payload_bytes", "9000"}}), {"9000", "4096"});
    EXPECT_EQ(Advice({{"network.mtu_payload_bytes", "1024"}}), Texts());
}

struct Nothing
{
};

/// Begins with one window, whatever the path, and has something to say about it.
class Narrow final : public CongestionControlFor<Narrow, Nothing>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Narrow").SetParent<CongestionControl>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    void OnBegin(FlowView& flow, Nothing&) const
    {
        flow.window = window;
    }

    Texts Advise(const FlowView& flow) const override
    {
        return window > 1'000'000 ? Texts{"too wide for " + std::to_string(flow.baseRtt)} : Texts();
    }

    uint64_t window{0};
};

// What is paused is not trimmed, and what is no more urgent does not overtake.
TEST(StartUpAdvice, Trimming)
{
    const ScenarioOverride on{"network.trimming.enabled", "true"};
    auto about = [](const Texts& advice) {
        return std::count_if(advice.begin(), advice.end(), [](const std::string& text) {
            return text.find("network.trimming") != std::string::npos;
        });
    };
    EXPECT_EQ(about(Advice({})), 0);
    EXPECT_EQ(about(Advice({on})), 1);
    EXPECT_EQ(about(Advice({on, {"network.trimming.priority", "3"}})), 2);
    EXPECT_EQ(about(Advice({on, {"network.pfc.enabled", "false"}})), 0);
    EXPECT_EQ(about(Advice({on, {"network.trimming.trimmed_priorities", "[1, 2, 3, 7]"}})), 2);
}

// 100 Gb/s and 8 us are 100 kB.
TEST(StartUpAdvice, WindowsBelowTheProduct)
{
    auto control = CreateObject<Narrow>();
    FlowView flow;
    flow.rate = flow.lineRate = 100e9;
    flow.baseRtt = 8 * kMicrosecond;
    control->window = 50000;
    ExpectOne(ControlAdvice(*control, flow),
              {"congestion control narrow", "50000 bytes", "100000 bytes", "8 µs"});
    control->window = 100000;
    EXPECT_EQ(ControlAdvice(*control, flow), Texts());
    control->window = 2000000;
    ExpectOne(ControlAdvice(*control, flow), {"congestion control narrow: too wide for 8000000"});
}

/// @return the warnings of a run.
Texts
Told(const std::vector<ScenarioOverride>& overrides)
{
    const ScenarioConfig config = Read(overrides);
    ScenarioRun run(config);
    run.Run();
    EXPECT_EQ(run.GetFailure(), "");
    return run.TakeResult().warnings;
}

// One flow alone meets nobody: all algorithms come out the same, and each run says why.
TEST(StartUpAdvice, RunsWithoutCongestionSaySo)
{
    for (const std::string& id : PluginIds(CongestionControl::GetTypeId()))
    {
        ExpectOne(Told({{"transport.congestion_control", id}}), {"had nothing to do"});
    }
    const char* incast = R"([{"pattern": "incast", "sources": "1-3", "destinations": [0],
                              "size_bytes": 500000}])";
    EXPECT_EQ(Told({{"traffic", incast}}), Texts());
    EXPECT_EQ(Told({{"traffic", incast}, {"transport.congestion_control", "none"}}), Texts());
    EXPECT_EQ(Told({{"traffic", "[]"}}), Texts());
}

} // namespace
} // namespace ns3::aifabric
