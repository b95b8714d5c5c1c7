// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-benchmark.h"
#include "ns3/fabric.h"
#include "ns3/job-metrics.h"
#include "ns3/job-run.h"
#include "ns3/job-transport.h"
#include "ns3/names.h"
#include "ns3/path-model.h"
#include "ns3/scenario-fabric.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ns3::aifabric
{
namespace
{

std::string
Servers(uint32_t count, uint32_t gpus, uint32_t rails, uint32_t perSegment = 32)
{
    return R"({"type": "rail_optimized", "server_count": )" + std::to_string(count) +
           R"(, "gpus_per_server": )" + std::to_string(gpus) + R"(, "nics_per_server": )" +
           std::to_string(gpus) + R"(, "rail_count": )" + std::to_string(rails) +
           R"(, "servers_per_segment": )" + std::to_string(perSegment) + "}";
}

RunResult
RunText(const std::string& text)
{
    const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(text));
    ScenarioRun run(file.runs.front());
    run.Run();
    EXPECT_EQ(run.GetFailure(), "");
    return run.TakeResult();
}

/**
 * One all-reduce over all GPUs of a cluster, without latencies of the library: links decide.
 * @return metrics, "wire_s" beside them: 2(n-1) times what a ring's part takes between NICs.
 */
std::map<std::string, double>
AllReduce(const std::string& topology,
          uint64_t bytes,
          uint32_t channels,
          const std::string& algorithm = "ring")
{
    const ScenarioFile file = ReadScenarioFile(
        JsonValue::Parse(R"({"node": {"template": "hgx_h100"}, "topology": )" + topology + "}"));
    const ScenarioConfig& config = file.runs.front();
    UseSequentialSimulator();
    auto collectives = CreateObject<CollectiveSettings>();
    for (const char* latency : {"StepLatencyIntra", "StepLatencyInter", "LaunchLatency"})
    {
        collectives->SetAttribute(latency, TimeValue(Time(0)));
    }
    collectives->SetAttribute("AllReduce",
                              StringValue(R"({"algorithm": ")" + algorithm +
                                          R"(", "channel_count": )" + std::to_string(channels) +
                                          "}"));
    auto job = CreateObject<CollectiveBenchmark>();
    job->sizeBytes = bytes;
    job->iterations = 1;
    Fabric fabric(config.graph, ReadFabricSettings(config));
    GpuCluster cluster = MakeGpuCluster(config, fabric);
    FlowTransport transport = ReadFlowTransport(config.transport);
    std::vector<uint32_t> gpus(cluster.hosts.size());
    std::iota(gpus.begin(), gpus.end(), 0);
    JobTransport messages(fabric, cluster, transport, algorithm, gpus);
    JobRun run(
        job->MakePlan(*collectives, gpus, cluster.gpusPerServer), messages, 0, job->iterations);
    run.Start();
    Simulator::Run();
    EXPECT_TRUE(run.IsDone()) << run.Failure();
    auto metrics = JobMetrics(run);
    if (config.graph->ServerCount() > 1)
    {
        const uint64_t n = gpus.size();
        const uint64_t part = bytes / n / channels;
        const double acks = 86.0 * (part / 4096) * 8 / 400e9;
        const double alone = 1.0 * PathModel(fabric).DeliveryTime(0, 1, part) / kSecond;
        metrics["wire_s"] = 2.0 * (n - 1) * (alone + acks);
    }
    Simulator::Destroy();
    Names::Clear();
    return metrics;
}

TEST(ClusterCollective, RingInsideAServer)
{
    // 2(n-1)/n S/B, 1 GiB, 8 GPUs, B = 370 GB/s: 5.0785 ms (nccl-tests, PERFORMANCE.md).
    auto m = AllReduce(Servers(1, 8, 8), 1 << 30, 16);
    EXPECT_NEAR(m["iteration_time_s"], 5.0785e-3, 0.03 * 5.0785e-3);
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 370, 0.03 * 370);
}

TEST(ClusterCollective, RingBetweenServers)
{
    // As above with one GPU and NIC per server: B is what 400 Gb/s carry in frames of 4096 B of
    // payload and 82 B around it, 49.02 GB/s. Step by step it is the time of one part alone, and of
    // the acknowledgements (86 B each) that share the way with it.
    for (uint32_t n : {2, 4, 16})
    {
        const uint64_t bytes = n << 23;
        auto m = AllReduce(Servers(n, 1, 1), bytes, 1);
        const double expected = 2.0 * (n - 1) / n * bytes / (400e9 / 8 * 4096 / 4178);
        EXPECT_NEAR(m["iteration_time_s"], expected, 0.03 * expected) << n;
        EXPECT_NEAR(m["iteration_time_s"], m["wire_s"], 0.005 * expected) << n;
    }
}

TEST(ClusterCollective, RingsOfTwoServersUseAllNics)
{
    // Eight rings, each through a NIC of its own: 8 * 49.02 GB/s, were it not for NVLink, whose
    // 370.8 GB/s carry seven of eight.
    auto m = AllReduce(Servers(2, 8, 1), 1 << 30, 8);
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 8 * 49.02, 0.03 * 8 * 49.02);
    EXPECT_NEAR(m["iteration_time_s"], m["wire_s"], 0.005 * m["wire_s"]);
}

TEST(ClusterCollective, TreesOfTwoServers)
{
    // Two ranks send S each, by NICs of 49.02 GB/s. Of 16 each sends 2(g-1)/g S by NVLink, 370.8 GB/s,
    // while eight NICs have room: busbw = 2(n-1)/n over that, 397.3 GB/s.
    auto m = AllReduce(Servers(2, 1, 1), 256 << 20, 1, "double_binary_tree");
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 49.02, 0.03 * 49.02);
    m = AllReduce(Servers(2, 8, 8), 256 << 20, 8, "double_binary_tree");
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 397.3, 0.03 * 397.3);
}

TEST(ClusterCollective, DenseJobsStayOnTheirRails)
{
    // With tensor parallelism inside servers all other groups have their members on one rail.
    const std::string job = R"(, "node": {"template": "hgx_h100"},
        "jobs": [{"iterations": 1,
                  "model": {"layer_count": 2, "hidden_size": 1024, "ffn_hidden_size": 3584,
                            "attention_head_count": 16, "vocabulary_size": 32000,
                            "sequence_length": 1024},
                  "parallelism": {"tensor": 8, "data": 4},
                  "batch": {"global_batch_size": 8, "micro_batch_size": 1}}]})";
    // In two segments they cross spines, but not from rail to rail.
    for (uint32_t perSegment : {4, 2})
    {
        const RunResult run = RunText(R"({"topology": )" + Servers(4, 8, 8, perSegment) + job);
        EXPECT_EQ(run.metrics.at("spine_cross_rail_bytes"), 0);
        uint64_t sent = 0;
        for (const FlowResult& flow : run.flows)
        {
            sent += flow.deliveredBytes;
        }
        EXPECT_GT(sent, 1'000'000U);
        uint64_t crossed = 0;
        for (const LinkResult& link : run.links)
        {
            crossed += link.from.substr(0, 5) == "spine" ? link.payloadBytes : 0;
        }
        EXPECT_EQ(crossed > 0, perSegment == 2);
    }
    // What does leave its rail is counted once: host 8 is the first NIC of the second server.
    const std::string flows = R"(, "traffic": [{"pattern": "flows", "flows": [
        {"source": 0, "destination": 8, "size_bytes": 1000},
        {"source": 0, "destination": 9, "size_bytes": 30000}]}]})";
    const auto mixed =
        RunText(R"({"topology": )" + Servers(4, 8, 8) + job.substr(0, job.size() - 1) + flows);
    EXPECT_EQ(mixed.metrics.at("spine_cross_rail_bytes"), 30000);
}

} // namespace
} // namespace ns3::aifabric
