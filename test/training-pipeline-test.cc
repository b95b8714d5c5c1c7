// SPDX-License-Identifier: GPL-2.0-only
#include "training-run.h"

#include "ns3/fabric-registry.h"

#include <cmath>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using TrainingPipeline = TrainingRun;

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
            double t = 3 * 8 / pipeline * (model.AttentionFlops(1) + model.FfnFlops(1, 0)) / rate;
            double h = 3 * model.HeadFlops(1) / rate;
            EXPECT_NEAR(m["iteration_time_s"],
                        (pipeline - 1) * t + microBatches * (t + h),
                        1e-6 * m["iteration_time_s"]);
            EXPECT_NEAR(m["pipeline_bubble_fraction"], (pipeline - 1.0) / microBatches, 1e-12);
        }
    }
}

TEST_F(TrainingPipeline, GpipeTakesAsLongAs1F1B)
{
    auto usual = Run();
    settings->schedule->pipeline = MakePlugin<PipelineSchedule>("gpipe");
    auto m = Run();
    EXPECT_NEAR(m["iteration_time_s"], usual["iteration_time_s"], 1e-9 * m["iteration_time_s"]);
    EXPECT_EQ(m["pipeline_bubble_fraction"], usual["pipeline_bubble_fraction"]);
}

TEST_F(TrainingPipeline, InterleavingDividesTheBubble)
{
    // (p-1)/(v m) of the ideal time (SC'21, 2.2), and v times the messages: an output layer of next to
    // no operations, for it would make the last stage longer.
    settings->model->vocabularySize = 1;
    for (uint32_t microBatches : {4, 8, 16})
    {
        for (uint32_t chunks : {1, 2})
        {
            settings->parallelism->virtualPipelineStages = chunks;
            settings->batch->globalBatchSize = 2 * microBatches;
            auto m = Run();
            const TransformerModel& model = *settings->model;
            const double t =
                3 * 2 * (model.AttentionFlops(1) + model.FfnFlops(1, 0)) / (2 * 400e12);
            EXPECT_NEAR(m["iteration_time_s"],
                        (microBatches + 3.0 / chunks) * t,
                        1e-4 * m["iteration_time_s"])
                << microBatches << " micro-batches, " << chunks << " chunks";
            EXPECT_NEAR(m["pipeline_bubble_fraction"], 3.0 / chunks / microBatches, 1e-12);
            // Seven boundaries of eight pieces, or three of four.
            EXPECT_EQ(m["pp_bytes_sent_per_gpu_per_iteration"],
                      2.0 * microBatches * (1 << 20) * (4 * chunks - 1) / 4);
        }
    }
}

TEST_F(TrainingPipeline, ZeroBubbleHidesTheGradientsOfWeights)
{
    // (p-1)(F + B - 2W), B with W in it (DeepSeek-V3, table 2); the scores have no weights.
    settings->schedule->pipeline = MakePlugin<PipelineSchedule>("zero_bubble");
    settings->model->vocabularySize = 1;
    for (uint32_t microBatches : {4, 8, 16})
    {
        settings->batch->globalBatchSize = 2 * microBatches;
        auto m = Run();
        const TransformerModel& model = *settings->model;
        const double rate = 2 * 400e12;
        const double f = 2 * (model.AttentionFlops(1) + model.FfnFlops(1, 0)) / rate;
        const double w = f - 2 * model.ScoreFlops(1) / rate;
        EXPECT_NEAR(m["iteration_time_s"],
                    microBatches * 3 * f + 3 * (3 * f - 2 * w),
                    1e-3 * m["iteration_time_s"])
            << microBatches;
        EXPECT_NEAR(
            m["pipeline_bubble_fraction"], 3 * (3 * f - 2 * w) / (microBatches * 3 * f), 1e-9);
        EXPECT_NEAR(m["compute_time_s"], microBatches * 3 * f, 1e-3 * m["compute_time_s"]);
    }
}

TEST_F(TrainingPipeline, EndsOfAnUnevenPipelineHaveALayerLess)
{
    // Llama 3, 3.3.2: 126 layers on 16 stages, one less on the first and on the last.
    auto s = CreateObject<TrainingSettings>();
    s->model->layerCount = 126;
    s->model->hiddenSize = 16384;
    s->model->attentionHeadCount = 128;
    s->model->keyValueHeadCount = 8;
    s->model->ffnHiddenSize = 53248;
    s->model->ffnType = "swiglu";
    s->model->tiedEmbeddings = false;
    s->model->attentionMask = "causal";
    s->model->sequenceLength = 8192;
    s->model->vocabularySize = 128256;
    s->parallelism->tensor = 8;
    s->parallelism->pipeline = 16;
    s->parallelism->data = 128;
    s->parallelism->unevenStages = true;
    s->parallelism->sequenceParallel = true;
    s->batch->globalBatchSize = 2048;
    TrainingJob job(s, CreateObject<GpuSettings>(), CreateObject<CollectiveSettings>(), {2048, 8});
    EXPECT_EQ(job.FirstLayer(0), 0U);
    EXPECT_EQ(job.FirstLayer(1), 7U);
    EXPECT_EQ(job.FirstLayer(2), 15U);
    EXPECT_EQ(job.FirstLayer(15), 119U);
    EXPECT_EQ(job.FirstLayer(16), 126U);
    // 6.49 s at 400 TFLOP/s with a causal mask; tensors of 268,435,456 B; 33.55 MB between stages;
    // 6.341 GB of parameters.
    EXPECT_NEAR(job.ComputeTime(), 6.49, 0.01 * 6.49);
    EXPECT_EQ(job.ActivationBytes(), 268435456U);
    EXPECT_EQ(job.ActivationBytes() / 8, 33554432U);
    EXPECT_NEAR(job.ParameterBytes(2), 6.341e9, 1e-3 * 6.341e9);
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
