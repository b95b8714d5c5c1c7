// SPDX-License-Identifier: GPL-2.0-only
#include "training-run.h"

#include "ns3/fabric-registry.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class TrainingParallelism : public TrainingRun
{
  protected:
    TrainingParallelism()
    {
        settings->parallelism->pipeline = 1;
        settings->parallelism->data = 8;
        settings->batch->globalBatchSize = 16;
    }

    void MakeMoe()
    {
        TransformerModel& model = *settings->model;
        model.type = "moe";
        model.expertCount = 16;
        model.expertsPerToken = 4;
        model.sharedExpertCount = 1;
        model.expertFfnHiddenSize = 512;
        model.denseLayerCount = 2;
    }
};

TEST_F(TrainingParallelism, ZeroThreeGathersTwiceAndScattersOnce)
{
    // 3 (d-1)/d of the parameters of a rank for one micro-batch; 5 (d-1)/d for two.
    settings->parallelism->zeroStage = 3;
    for (uint32_t microBatches : {1, 2})
    {
        settings->batch->globalBatchSize = 8 * microBatches;
        auto m = Run(1e12, true);
        const double share = (settings->model->Parameters() + 1) / 2 * 2.0;
        EXPECT_NEAR(m["dp_bytes_sent_per_gpu_per_iteration"],
                    (2 * microBatches + 1) * 7.0 / 8 * share,
                    1e-5 * share);
        EXPECT_EQ(m["dp_allgather_count_per_gpu_per_iteration"], 2 * 8 * microBatches);
        EXPECT_EQ(m["dp_reducescatter_count_per_gpu_per_iteration"], 1);
    }
}

TEST_F(TrainingParallelism, ZeroThreeHidesGatheringBehindTheLayerBefore)
{
    // A layer's parameters take less time than a layer before them: only the first of each pass
    // stand still, with the reduction at the end.
    settings->parallelism->zeroStage = 3;
    settings->parallelism->tensor = 1;
    settings->batch->globalBatchSize = 8;
    settings->model->vocabularySize = 16;
    const double rate = 400e9;
    auto m = Run(rate);
    const double share = settings->model->Parameters() * 2.0;
    const double layer = settings->model->AttentionFlops(1) / 400e12;
    const double gather = 7.0 / 8 * share / 8 / rate;
    ASSERT_LT(gather, layer + settings->model->FfnFlops(1, 0) / 400e12);
    EXPECT_NEAR(m["iteration_time_s"],
                m["compute_time_s"] + 2 * gather + 7.0 / 8 * share / rate,
                1e-3 * m["iteration_time_s"]);
}

TEST_F(TrainingParallelism, ContextGathersKeysAndValues)
{
    // Per layer and micro-batch of 2 b s (kv / t) w bytes: gathered twice, scattered once.
    settings->model->keyValueHeadCount = 4;
    auto whole = Run();
    settings->parallelism->data = 4;
    settings->parallelism->context = 2;
    settings->batch->globalBatchSize = 8;
    auto m = Run(1e12, true);
    const double bytes = 2 * 1024 * (256 / 2) * 2;
    EXPECT_EQ(m["cp_bytes_sent_per_gpu_per_iteration"], 2 * 8 * 3 * bytes / 2);
    EXPECT_EQ(m["cp_allgather_count_per_gpu_per_iteration"], 2 * 8 * 2);
    EXPECT_EQ(m["cp_reducescatter_count_per_gpu_per_iteration"], 2 * 8);
    // Half the sequence: half of the activations and of the computation; gradients over all eight.
    EXPECT_NEAR(m["compute_time_s"], whole["compute_time_s"] / 2, 1e-6 * m["compute_time_s"]);
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"], 4 * 8 * 2 * 1024.0 * 1024);
    EXPECT_NEAR(
        m["dp_bytes_sent_per_gpu_per_iteration"], 2 * 7.0 / 8 * settings->model->Parameters(), 10);
}

TEST_F(TrainingParallelism, ExpertsExchangeTokens)
{
    // Four all-to-alls of T k h w per layer with experts and micro-batch, (e-1)/e of which leave.
    MakeMoe();
    settings->parallelism->tensor = 1;
    settings->parallelism->data = 16;
    for (uint32_t expert : {1, 2, 8, 16})
    {
        settings->parallelism->expert = expert;
        auto m = Run(1e12, true);
        const double payload = 1024 * 4 * 1024 * 2;
        EXPECT_EQ(m["ep_bytes_sent_per_gpu_per_iteration"], 4 * 6 * payload * (expert - 1) / expert)
            << expert;
        const TransformerModel& model = *settings->model;
        const double routed = 6.0 * 16 * 2 * 1024 * 512;
        EXPECT_EQ(model.RoutedParameters(), routed);
        EXPECT_NEAR(m["dp_bytes_sent_per_gpu_per_iteration"],
                    2 * 15.0 / 16 * (model.Parameters() - routed) * 2,
                    100);
        EXPECT_NEAR(m["expert_dp_bytes_sent_per_gpu_per_iteration"],
                    2 * (16.0 / expert - 1) / (16 / expert) * routed / expert * 2,
                    100);
        EXPECT_EQ(m["active_parameters"], model.Parameters() - routed * 12 / 16);
    }
}

TEST_F(TrainingParallelism, ExpertsOfFewServersCrossTheNetworkOnce)
{
    // DeepSeek-V3, 3.2.2: at most M copies of a token leave for other servers; the rest is passed on
    // inside. fp8 out, bf16 back, both in both directions of the model: M h (1 + 2) 2 per token.
    MakeMoe();
    settings->parallelism->tensor = 1;
    settings->parallelism->data = 16;
    settings->parallelism->expert = 16;
    settings->model->serversPerToken = 1;
    settings->precision->dispatchBytes = 1;
    auto m = Run(1e12, true);
    const double across = 1024 * 1024 * 3 * 2 / 2;
    const double within = 1024 * 4 * 1024 * 3 * 2 * 7 / 8;
    EXPECT_EQ(m["ep_bytes_sent_per_gpu_per_iteration"], 6 * (across + within));
}

TEST_F(TrainingParallelism, ExpertsUnderTensorParallelism)
{
    // With sequence parallelism a rank sends its part of the tokens only, and its tensor group gathers
    // and scatters k times as many activations as before attention.
    MakeMoe();
    settings->parallelism->expert = 4;
    settings->batch->globalBatchSize = 8;
    auto plain = Run(1e12, true);
    settings->parallelism->sequenceParallel = true;
    auto m = Run(1e12, true);
    const double a = 1024.0 * 1024 * 2;
    EXPECT_EQ(plain["ep_bytes_sent_per_gpu_per_iteration"], 4 * 6 * 4 * a * 3 / 4);
    EXPECT_EQ(m["ep_bytes_sent_per_gpu_per_iteration"],
              plain["ep_bytes_sent_per_gpu_per_iteration"] / 2);
    // An all-reduce of 2 ranks sends as much as there is: two layers of 4, six of 2 + 2 k.
    EXPECT_EQ(plain["tp_bytes_sent_per_gpu_per_iteration"], (2 * 4 + 6 * (2 + 2 * 4)) * a);
    // The lowest dense layer gathers for nobody.
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"],
              plain["tp_bytes_sent_per_gpu_per_iteration"] + a / 2);
}

TEST_F(TrainingParallelism, SelectiveRecomputationRepeatsScores)
{
    auto plain = Run();
    settings->schedule->activationRecomputation = "selective";
    auto m = Run();
    // 16 sequences over 8 replicas, each on two GPUs.
    EXPECT_NEAR(m["compute_time_s"] - plain["compute_time_s"],
                8 * settings->model->ScoreFlops(2) / (2 * 400e12),
                1e-6 * m["compute_time_s"]);
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"],
              plain["tp_bytes_sent_per_gpu_per_iteration"]);
}

} // namespace
