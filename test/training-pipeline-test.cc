// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"

#include "ns3/job-metrics.h"
#include "ns3/training-job.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class TrainingPipeline : public testing::Test
{
  protected:
    TrainingPipeline()
    {
        UsePicoseconds();
        settings->model->layerCount = 8;
        settings->model->hiddenSize = 1024;
        settings->model->attentionHeadCount = 16;
        settings->model->sequenceLength = 1024;
        settings->model->vocabularySize = 32000;
        settings->parallelism->tensor = 2;
        settings->parallelism->pipeline = 4;
        settings->parallelism->data = 2;
        settings->batch->globalBatchSize = 12;
    }

    ~TrainingPipeline() override
    {
        Simulator::Destroy();
    }

    std::map<std::string, double> Run(double rate = 1e18, bool latencies = false)
    {
        auto collectives = CreateObject<CollectiveSettings>();
        for (const char* latency : {"StepLatencyIntra", "StepLatencyInter", "LaunchLatency"})
        {
            if (!latencies)
            {
                collectives->SetAttribute(latency, TimeValue(Time(0)));
            }
        }
        TrainingJob job(settings, CreateObject<GpuSettings>(), collectives, {2, 8});
        AlphaBetaTransport net(rate, rate);
        JobRun run(job.MakePlan(), net, 0, 2);
        run.Start();
        Simulator::Run();
        EXPECT_TRUE(run.IsDone());
        Simulator::Destroy();
        return JobMetrics(job, run);
    }

    Ptr<TrainingSettings> settings = CreateObject<TrainingSettings>();
};

TEST_F(TrainingPipeline, TheBubbleIsThatOf1F1B)
{
    // With a network that takes no time: (p-1) t + m (t + h), t of a stage without and h of the
    // output layer: (p-1)/m of the ideal time are lost (SC'21, 2.2). Less warm-up than 1F1B's would
    // leave gaps, another order would be slower.
    for (uint32_t pipeline : {1, 2, 4})
    {
        for (uint32_t microBatches : {1, 2, 3, 6, 9})
        {
            settings->parallelism->pipeline = pipeline;
            settings->batch->globalBatchSize = 2 * microBatches;
            auto m = Run();
            const TransformerModel& model = *settings->model;
            double rate = 2 * 400e12;
            double t = 3 * 8 / pipeline * (model.AttentionFlops(1) + model.FfnFlops(1)) / rate;
            double h = 3 * model.HeadFlops(1) / rate;
            EXPECT_NEAR(m["iteration_time_s"],
                        (pipeline - 1) * t + microBatches * (t + h),
                        1e-6 * m["iteration_time_s"]);
            EXPECT_NEAR(m["pipeline_bubble_fraction"], (pipeline - 1.0) / microBatches, 1e-12);
        }
    }
}

TEST_F(TrainingPipeline, BytesOfAllDimensions)
{
    auto m = Run(100e9, true);
    const double a = 1024 * 1024 * 2;
    EXPECT_EQ(m["micro_batches_per_pipeline"], 6);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 4 * 2 * 6);
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"], 4 * 2 * 6 * a);
    EXPECT_EQ(m["pp_bytes_per_gpu_per_direction_per_iteration"], 6 * a / 2);
    // Three boundaries of four stages, in both directions.
    EXPECT_EQ(m["pp_bytes_sent_per_gpu_per_iteration"], 2 * 6 * a / 2 * 3 / 4);
    EXPECT_EQ(m["pp_send_count_per_gpu_per_iteration"], 2 * 6 * 3 / 4.0);
    // First and last of four stages.
    EXPECT_EQ(m["embedding_gradient_bytes_sent_per_gpu_per_iteration"], 32000.0 * 1024 / 2 * 2 / 2);
    EXPECT_EQ(m["embedding_allreduce_count_per_gpu_per_iteration"], 6 / 4.0);
    EXPECT_EQ(m["loss_allreduce_count_per_gpu_per_iteration"], 18 / 4.0);
    EXPECT_EQ(m["dp_bytes_sent_per_gpu_per_iteration"], settings->model->Parameters() / 8 * 2);
    EXPECT_GT(m["communication_share_exposed"], 0);
}

TEST_F(TrainingPipeline, Gpt3AsPublished)
{
    // SIGCOMM'24 HPN, table 3: 5.5 GB of gradients and 6 MB per pass with TP 8, PP 8. The same on
    // 1024 servers: 4.130 s, 48 micro-batches, a bubble of 7/48.
    auto s = CreateObject<TrainingSettings>();
    s->model->layerCount = 96;
    s->model->hiddenSize = 12288;
    s->model->attentionHeadCount = 96;
    s->model->sequenceLength = 2048;
    s->model->vocabularySize = 51200;
    s->parallelism->tensor = 8;
    s->parallelism->pipeline = 8;
    s->parallelism->data = 128;
    s->batch->globalBatchSize = 6144;
    TrainingJob job(s, CreateObject<GpuSettings>(), CreateObject<CollectiveSettings>(), {1024, 8});
    auto m = job.Metrics();
    EXPECT_EQ(job.ActivationBytes(), 50331648u);
    EXPECT_EQ(m["micro_batches_per_pipeline"], 48);
    EXPECT_EQ(m["pp_bytes_per_gpu_per_direction_per_iteration"], 301989888);
    EXPECT_NEAR(m["pipeline_bubble_fraction"], 0.14583333, 1e-8);
    EXPECT_NEAR(job.ComputeTime(), 4.1299, 0.001 * 4.1299);
    EXPECT_EQ(job.ParameterBytes(2) * 2 * 127 / 128, 10828227264u);
    EXPECT_NEAR(job.ParameterBytes(2), 5.457e9, 0.001e9);
}

TEST_F(TrainingPipeline, OverlapHidesTheReductionOfGradients)
{
    settings->parallelism->pipeline = 1;
    auto plain = Run(2e9);
    settings->schedule->overlapDataParallel = true;
    settings->schedule->gradientBucketBytes = 4 << 20;
    auto m = Run(2e9);
    double bytes = settings->model->Parameters() / 2 * 2;
    EXPECT_EQ(m["dp_bytes_sent_per_gpu_per_iteration"],
              plain["dp_bytes_sent_per_gpu_per_iteration"]);
    EXPECT_EQ(m["dp_allreduce_count_per_gpu_per_iteration"], std::ceil(bytes / (4 << 20)));
    EXPECT_LT(m["iteration_time_s"], plain["iteration_time_s"]);
    // What remains exposed: at least the time of all reductions less that of the last micro-batch.
    EXPECT_GT(m["iteration_time_s"], plain["iteration_time_s"] - plain["dp_allreduce_time_s"]);
    EXPECT_GT(m["communication_share_raw"], 0);
    // Buckets as large as the buffer leave nothing to overlap.
    settings->schedule->gradientBucketBytes = 1ULL << 40;
    EXPECT_NEAR(Run(2e9)["iteration_time_s"], plain["iteration_time_s"], 1e-9);
    settings->parallelism->zeroStage = 1;
    settings->schedule->gradientBucketBytes = 4 << 20;
    EXPECT_EQ(Run(2e9)["dp_bytes_sent_per_gpu_per_iteration"],
              plain["dp_bytes_sent_per_gpu_per_iteration"]);
}

} // namespace
