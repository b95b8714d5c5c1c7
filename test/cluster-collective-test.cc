// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric.h"
#include "ns3/path-model.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

/// A collective without latencies of the library, so that links alone decide.
std::string
AllReduce(const std::string& topology, uint64_t bytes, uint32_t channels)
{
    return R"({"topology": )" + topology + R"(, "node": {"template": "hgx_h100"},
      "collectives": {"step_latency_intra_us": 0, "step_latency_inter_us": 0,
                      "launch_latency_us": 0,
                      "all_reduce": {"algorithm": "ring", "channel_count": )" +
           std::to_string(channels) + R"(}},
      "jobs": [{"type": "collective_benchmark", "operation": "all_reduce", "size_bytes": )" +
           std::to_string(bytes) + R"(, "iterations": 1}]})";
}

std::string
Servers(uint32_t count, uint32_t gpus)
{
    const std::string g = std::to_string(gpus);
    return R"({"type": "rail_optimized", "server_count": )" + std::to_string(count) +
           R"(, "gpus_per_server": )" + g + R"(, "nics_per_server": )" + g +
           R"(, "rail_count": )" + g + R"(, "servers_per_segment": 32})";
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

TEST(ClusterCollective, RingInsideAServer)
{
    // 2(n-1)/n S/B, 1 GiB, 8 GPUs, B = 370 GB/s: 5.0785 ms (nccl-tests, PERFORMANCE.md).
    auto m = RunText(AllReduce(Servers(1, 8), 1 << 30, 16)).metrics;
    std::printf("%.4f ms %.2f\n", m["iteration_time_s"] * 1e3, m["busbw_gbytes_per_s"]);
    EXPECT_NEAR(m["iteration_time_s"], 5.0785e-3, 0.03 * 5.0785e-3);
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 370, 0.03 * 370);
}

TEST(ClusterCollective, RingBetweenServers)
{
    // As above with one GPU and NIC per server: B is what 400 Gb/s carry in frames of 4096 B of
    // payload and 82 B around it, 49.02 GB/s.
    for (uint32_t n : {2, 4, 16})
    {
        const uint64_t bytes = 64 << 20;
        auto m = RunText(AllReduce(Servers(n, 1), bytes, 1)).metrics;
        const double expected = 2.0 * (n - 1) / n * bytes / (400e9 / 8 * 4096 / 4178);
        std::printf("%u %.4f %.4f\n", n, m["iteration_time_s"] * 1e3, expected * 1e3);
        EXPECT_NEAR(m["iteration_time_s"], expected, 0.03 * expected) << n;
    }
}

TEST(ClusterCollective, RingsOfTwoServersUseAllNics)
{
    // Eight rings, each through a NIC of its own: 8 * 49.02 GB/s, were it not for NVLink, which
    // carries seven of eight: 370.8 * 8 / 7 is above.
    auto m = RunText(AllReduce(Servers(2, 8), 256 << 20, 8)).metrics;
    std::printf("%.4f\n", m["busbw_gbytes_per_s"]);
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 8 * 49.02, 0.03 * 8 * 49.02);
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
    auto dense = RunText(R"({"topology": )" + Servers(4, 8) + job);
    EXPECT_EQ(dense.metrics.at("spine_cross_rail_bytes"), 0);
    uint64_t sent = 0;
    for (const FlowResult& flow : dense.flows)
    {
        sent += flow.deliveredBytes;
    }
    EXPECT_GT(sent, 1'000'000U);
}

} // namespace
} // namespace ns3::aifabric
