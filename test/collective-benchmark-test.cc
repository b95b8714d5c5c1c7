// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"
#include "error-of.h"

#include "ns3/collective-benchmark.h"
#include "ns3/host-set.h"
#include "ns3/job-metrics.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <set>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr double kNvlink = 370.8e9;
constexpr double kNic = 49.02e9;

class Benchmark : public testing::Test
{
  protected:
    ~Benchmark() override
    {
        Simulator::Destroy();
    }

    static std::vector<uint32_t> Gpus(const std::string& group, uint32_t servers)
    {
        return ParseHostSet(group, servers * 8, "GPU");
    }

    /// Without latencies, on servers of 8 GPUs.
    std::map<std::string, double> Run(const CollectiveBenchmark& job,
                                      uint32_t servers,
                                      uint32_t channels,
                                      double nvlink = kNvlink,
                                      double nic = kNic)
    {
        UsePicoseconds();
        auto collectives = CreateObject<CollectiveSettings>();
        for (const char* latency : {"StepLatencyIntra", "StepLatencyInter", "LaunchLatency"})
        {
            collectives->SetAttribute(latency, TimeValue(Time(0)));
        }
        std::string text =
            R"({"algorithm": "ring", "channel_count": )" + std::to_string(channels) + "}";
        collectives->SetAttribute("AllReduce", StringValue(text));
        AlphaBetaTransport net(nvlink, nic);
        JobRun run(job.MakePlan(*collectives, Gpus(job.group, servers), 8), net, 0, job.iterations);
        run.Start();
        Simulator::Run();
        EXPECT_TRUE(run.IsDone());
        sentScaleOut = net.sent[1];
        Simulator::Destroy();
        return JobMetrics(run);
    }

    std::map<uint32_t, uint64_t> sentScaleOut;
};

TEST_F(Benchmark, OneServerHasTheBusBandwidthOfNvlink)
{
    // NCCL's own figure for 8 H100 with rings: 370 GB/s, all-reduce and all-gather alike.
    auto job = CreateObject<CollectiveBenchmark>();
    job->sizeBytes = 8ULL << 30;
    job->iterations = 3;
    auto m = Run(*job, 1, 16);
    EXPECT_NEAR(m["busbw_gbytes_per_s"], 370.8, 0.01);
    EXPECT_NEAR(m["algbw_gbytes_per_s"], 370.8 / 1.75, 0.01);
    EXPECT_NEAR(m["iteration_time_s"], 1.75 * (8ULL << 30) / kNvlink, 1e-9);
    EXPECT_EQ(m["collective_bytes_sent_per_gpu_per_iteration"], 1.75 * (8ULL << 30));
    EXPECT_EQ(m["communication_share_exposed"], 1);
    job->type = "all_gather";
    EXPECT_NEAR(Run(*job, 1, 16)["busbw_gbytes_per_s"], 370.8, 0.01);
    job->type = "all_to_all";
    EXPECT_NEAR(Run(*job, 1, 16)["busbw_gbytes_per_s"], 370.8, 0.01);
    // Chunks of 512 KiB pass six ranks before the last one has them: S/B (1 + 6 C/S), factor 1.
    for (const char* type : {"broadcast", "reduce"})
    {
        job->type = type;
        m = Run(*job, 1, 16);
        EXPECT_NEAR(m["busbw_gbytes_per_s"], 370.8 / (1 + 6.0 / 16384), 0.01);
        EXPECT_EQ(m["algbw_gbytes_per_s"], m["busbw_gbytes_per_s"]);
        EXPECT_EQ(m["collective_" + job->type + "_count_per_gpu_per_iteration"], 1);
        EXPECT_EQ(m["collective_bytes_sent_per_gpu_per_iteration"], 7.0 * (1ULL << 30));
    }
}

TEST_F(Benchmark, RingsOfSeveralServersUseAsManyNicsAsChannels)
{
    // busbw = min(NVLink, k NICs) for k NICs per server, as measured: 192 GB/s on two DGX A100 with
    // eight 200 Gb/s NICs (NCCL issue 812), 91 with four (nccl-tests issue 100). One of k rings
    // leaves a GPU by its NIC, so that its NVLink carries k-1 of them.
    auto job = CreateObject<CollectiveBenchmark>();
    EXPECT_NEAR(Run(*job, 2, 1)["busbw_gbytes_per_s"], 49.02, 0.01);
    EXPECT_EQ(sentScaleOut.size(), 2u);
    EXPECT_NEAR(Run(*job, 2, 4)["busbw_gbytes_per_s"], 4 * 49.02, 0.01);
    for (uint32_t channels : {8, 16})
    {
        EXPECT_NEAR(Run(*job, 2, channels)["busbw_gbytes_per_s"], 8 * 49.02, 0.01);
        EXPECT_EQ(sentScaleOut.size(), 16u);
        for (auto [rank, bytes] : sentScaleOut)
        {
            EXPECT_EQ(bytes, (1ULL << 30) / 8 * 30 / 16) << rank;
        }
    }
    EXPECT_NEAR(Run(*job, 2, 8, 240e9, 24.5e9)["busbw_gbytes_per_s"], 196, 0.01);
    EXPECT_NEAR(Run(*job, 2, 4, 240e9, 24.5e9)["busbw_gbytes_per_s"], 98, 0.01);
    EXPECT_NEAR(Run(*job, 5, 4)["busbw_gbytes_per_s"], 196, 0.1);
}

TEST_F(Benchmark, RingsStayOnTheirRails)
{
    // Each enters a server by the NIC of the rank whose like it left the one before by, and every NIC
    // serves one ring.
    auto job = CreateObject<CollectiveBenchmark>();
    for (uint32_t servers : {2, 3, 4, 5, 6, 7})
    {
        const Plan plan =
            job->MakePlan(*CreateObject<CollectiveSettings>(), Gpus("all", servers), 8);
        std::set<uint32_t> senders;
        for (const PlanConnection& c : plan.Connections())
        {
            if (c.scope == NetworkScope::ScaleOut)
            {
                EXPECT_EQ(c.from % 8, c.to % 8) << servers << " servers";
                EXPECT_EQ((c.from / 8 + 1) % servers, c.to / 8);
                senders.insert(c.from);
            }
        }
        EXPECT_EQ(senders.size(), servers * 8);
    }
}

TEST_F(Benchmark, EverySizeOnEveryNumberOfGpusEnds)
{
    // Bytes sent in all: 2 (n-1) S of an all-reduce, whatever does not divide.
    for (uint64_t bytes : {0, 1, 8, 1023})
    {
        for (uint32_t n : {2, 3, 7, 8, 9, 16, 24, 35, 36})
        {
            auto job = CreateObject<CollectiveBenchmark>();
            job->sizeBytes = bytes;
            job->group = "0-" + std::to_string(n - 1);
            auto m = Run(*job, 5, 8);
            EXPECT_NEAR(
                m["collective_bytes_sent_per_gpu_per_iteration"] * n, 2.0 * (n - 1) * bytes, 1e-6)
                << bytes << " bytes on " << n;
            EXPECT_EQ(m["iterations_completed"], 1);
        }
    }
}

TEST_F(Benchmark, OddSizesOverSeveralRingsLoseNoByte)
{
    auto job = CreateObject<CollectiveBenchmark>();
    job->group = "0-15";
    job->elementBytes = 2;
    job->sizeBytes = 1000003;
    auto m = Run(*job, 3, 3);
    EXPECT_EQ(m["collective_bytes_sent_per_gpu_per_iteration"] * 16, 30.0 * 1000003);
    job->group = "0-10"; // not the same number in each server: one ring
    m = Run(*job, 3, 3);
    EXPECT_EQ(m["collective_bytes_sent_per_gpu_per_iteration"] * 11, 20.0 * 1000003);
    EXPECT_EQ(sentScaleOut.size(), 2u);
}

TEST_F(Benchmark, RefusesWhatIsNotThere)
{
    auto settings = CreateObject<CollectiveSettings>();
    auto refusal = [&](const char* attribute, const AttributeValue& value) {
        auto job = CreateObject<CollectiveBenchmark>();
        job->SetAttribute(attribute, value);
        return ErrorOf([&] { job->MakePlan(*settings, Gpus(job->group, 2), 8); });
    };
    EXPECT_EQ(refusal("Group", StringValue("0-16")), "there is no GPU 16, expected 0 to 15");
    EXPECT_EQ(refusal("Type", StringValue("all_reduc")),
              "type: found 'all_reduc', did you mean 'all_reduce'?");
    EXPECT_EQ(refusal("Algorithm", StringValue("rin")),
              "algorithm: unknown collective_algorithm 'rin', did you mean 'ring'?");
    EXPECT_EQ(refusal("Algorithm", StringValue("bruck")), "algorithm: 'bruck' does no all_reduce");
    EXPECT_EQ(refusal("Group", StringValue("0-15")), "no error");
}

} // namespace
