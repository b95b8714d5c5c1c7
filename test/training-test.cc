// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-beta-transport.h"
#include "error-of.h"

#include "ns3/fabric-registry.h"
#include "ns3/job-metrics.h"
#include "ns3/pointer.h"
#include "ns3/scenario-error.h"
#include "ns3/training-job.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr double kNvlink = 370.8e9; // what NCCL's planner expects of H100: 18 links x 20.6 GB/s
constexpr double kNic = 49.02e9;    // 400 Gb/s with 82 B of headers per 4096 B

/// Llama-3-8B on 2 servers, sequences of 8192 tokens.
Ptr<TrainingSettings>
Llama()
{
    auto s = CreateObject<TrainingSettings>();
    s->model->layerCount = 32;
    s->model->hiddenSize = 4096;
    s->model->ffnHiddenSize = 14336;
    s->model->ffnType = "swiglu";
    s->model->attentionHeadCount = 32;
    s->model->keyValueHeadCount = 8;
    s->model->vocabularySize = 128256;
    s->model->tiedEmbeddings = false;
    s->model->sequenceLength = 8192;
    s->batch->globalBatchSize = 8;
    s->parallelism->tensor = 8;
    s->parallelism->data = 2;
    return s;
}

/// GPT of 13e9 parameters on 2 servers.
Ptr<TrainingSettings>
Gpt13()
{
    auto s = CreateObject<TrainingSettings>();
    s->model->layerCount = 40;
    s->model->hiddenSize = 5120;
    s->model->ffnHiddenSize = 20480;
    s->model->attentionHeadCount = 40;
    s->model->sequenceLength = 2048;
    s->model->vocabularySize = 51200;
    s->batch->globalBatchSize = 16;
    s->parallelism->tensor = 8;
    s->parallelism->data = 2;
    return s;
}

/// A GPT small enough for all that is not about its size.
Ptr<TrainingSettings>
Tiny()
{
    auto s = Gpt13();
    s->model->layerCount = 3;
    s->model->hiddenSize = 512;
    s->model->ffnHiddenSize = 0;
    s->model->attentionHeadCount = 8;
    s->model->vocabularySize = 1000;
    s->batch->globalBatchSize = 4;
    return s;
}

class Training : public testing::Test
{
  protected:
    Training()
    {
        UsePicoseconds();
    }

    ~Training() override
    {
        Simulator::Destroy();
    }

    TrainingJob Job(Ptr<TrainingSettings> settings) const
    {
        return {settings, CreateObject<GpuSettings>(), CreateObject<CollectiveSettings>(), {2, 8}};
    }

    std::map<std::string, double> Run(Ptr<TrainingSettings> settings)
    {
        TrainingJob job = Job(settings);
        AlphaBetaTransport net(kNvlink, kNic, 1872 * kNanosecond, 2 * kMicrosecond);
        JobRun run(job.MakePlan(), net, ToTick(settings->startTime), settings->iterations);
        bool done = false;
        run.Start([&] { done = true; });
        Simulator::Run();
        EXPECT_TRUE(done && run.IsDone());
        EXPECT_EQ(run.Progress(), 1.0);
        return JobMetrics(job, run);
    }

    std::string Refusal(Ptr<TrainingSettings> settings) const
    {
        return ErrorOf([&] { Job(settings); });
    }
};

TEST_F(Training, ParametersOfKnownModels)
{
    // Llama-3-8B as published; GPT: 12 l h^2 (1 + 13/(12h) + (V+s)/(12lh)), SC'21 eq. 2.
    EXPECT_EQ(Llama()->model->Parameters(), 8030261248u);
    EXPECT_NEAR(Llama()->model->MatrixParameters(), 8.030e9, 0.5e6);
    auto gpt3 = CreateObject<TransformerModel>();
    gpt3->layerCount = 96;
    gpt3->hiddenSize = 12288;
    gpt3->attentionHeadCount = 96;
    gpt3->sequenceLength = 2048;
    gpt3->vocabularySize = 51200;
    EXPECT_NEAR(gpt3->Parameters(), 174.616e9, 0.001e9);
    // Llama-3-405B: 405.85e9.
    auto llama = Llama()->model;
    llama->layerCount = 126;
    llama->hiddenSize = 16384;
    llama->ffnHiddenSize = 53248;
    llama->attentionHeadCount = 128;
    EXPECT_EQ(llama->Parameters(), 405853388800u);
    // Operations of GPT-3, 6144 sequences, on 8192 GPUs of 400 TFLOP/s: 4.1299 s by SC'21 eq. 3
    // less recomputation, which counts 4.5 instead of 6 operations per element of the output layer.
    EXPECT_NEAR(gpt3->IterationFlops(6144) / 8192 / 400e12, 4.1299, 0.001 * 4.1299);
    // A causal mask halves the scores: 12 l h s per token become 6 l h s.
    double full = gpt3->IterationFlops(1);
    gpt3->attentionMask = "causal";
    EXPECT_NEAR(full - gpt3->IterationFlops(1), 6.0 * 96 * 12288 * 2048 * 2048, 1e6);
}

TEST_F(Training, Llama8BOnTwoServers)
{
    auto m = Run(Llama());
    EXPECT_EQ(m["parameters"], 8030261248);
    EXPECT_NEAR(m["compute_time_s"], 0.6253, 0.0001);
    EXPECT_EQ(m["micro_batches_per_pipeline"], 4);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 512);
    EXPECT_EQ(m["tp_payload_bytes_per_gpu_per_iteration"], 512.0 * 8192 * 4096 * 2);
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"], 512 * 1.75 * 8192 * 4096 * 2);
    EXPECT_EQ(m["embedding_allreduce_count_per_gpu_per_iteration"], 4);
    EXPECT_EQ(m["loss_allreduce_count_per_gpu_per_iteration"], 12);
    EXPECT_EQ(m["dp_allreduce_count_per_gpu_per_iteration"], 1);
    // 8,030,261,248 parameters x 2 B / 8, times 2 (n-1)/n = 1.
    EXPECT_EQ(m["dp_bytes_sent_per_gpu_per_iteration"], 2007565312);
    EXPECT_NEAR(m["dp_allreduce_time_s"], 2007565312 / kNic + 2 * 14e-6 + 8.4e-6, 1e-9);
    double tp = 512 * (1.75 * 67108864 / kNvlink + 56e-6);
    EXPECT_NEAR(m["tp_allreduce_time_s"], tp, 1e-8);
    EXPECT_NEAR(tp, 0.162 + 512 * 56e-6, 5e-4);
    EXPECT_NEAR(m["tp_busbw_gbytes_per_s"], 1.75 * 67108864 / (tp / 512) / 1e9, 1e-3);
    EXPECT_NEAR(m["iteration_time_s"], 0.857, 0.005 * 0.857);
    EXPECT_NEAR(m["communication_share_exposed"], 1 - 0.6253 / 0.8593, 0.0005);
    EXPECT_NEAR(m["communication_share_raw"], m["communication_share_exposed"], 1e-6);
    EXPECT_NEAR(m["model_flops_utilization_ratio"], 0.6253 / 0.8593 * 400 / 989, 0.0005);
}

TEST_F(Training, NothingElseThanTheSumWithoutVocabularyCollectives)
{
    auto s = Llama();
    s->parallelism->vocabularyParallel = false;
    auto m = Run(s);
    double sum = Job(s).ComputeTime() + 512 * (1.75 * 67108864 / kNvlink + 56e-6) +
                 2007565312 / kNic + 2 * 14e-6 + 8.4e-6;
    EXPECT_NEAR(m["iteration_time_s"], sum, 1e-8);
    EXPECT_NEAR(sum, 0.857, 0.0005);
    EXPECT_EQ(m["embedding_allreduce_count_per_gpu_per_iteration"], 0);
}

TEST_F(Training, Gpt13BOnTwoServers)
{
    // 0.418 compute + 0.127 TP + 1280 x 56 us + 0.066 DP = 0.682 s; SC'21 without recomputation
    // counts the output layer 0.5 % of the whole short.
    auto s = Gpt13();
    s->iterations = 2;
    s->startTime = Seconds(1);
    auto m = Run(s);
    EXPECT_EQ(m["iterations_completed"], 2);
    EXPECT_NEAR(m["compute_time_per_iteration_s"], 0.418, 0.006 * 0.418);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 1280);
    EXPECT_EQ(m["tp_payload_bytes_per_gpu_per_iteration"], 26843545600);
    EXPECT_EQ(m["tp_bytes_sent_per_gpu_per_iteration"], 46976204800);
    EXPECT_EQ(m["dp_bytes_sent_per_gpu_per_iteration"], 3214551040);
    EXPECT_NEAR(m["tp_allreduce_time_s"], 0.1267 + 1280 * 56e-6, 0.0002);
    EXPECT_NEAR(m["dp_allreduce_time_s"], 0.0656, 0.005 * 0.0656);
    EXPECT_NEAR(m["iteration_time_s"], 0.682, 0.01 * 0.682);
    EXPECT_NEAR(Simulator::Now().GetSeconds(), 1 + 2 * m["iteration_time_s"], 1e-9);
}

TEST_F(Training, GroupsAndDomainsFollowTheRankOrder)
{
    auto s = Tiny();
    s->parallelism->tensor = 4;
    s->parallelism->data = 2;
    EXPECT_EQ(s->parallelism->Groups(ParallelismSettings::kTensor),
              (std::vector<std::vector<uint32_t>>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    EXPECT_EQ(s->parallelism->Groups(ParallelismSettings::kData),
              (std::vector<std::vector<uint32_t>>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    s->parallelism->rankOrder = R"(["data", "tensor", "context", "pipeline"])";
    EXPECT_EQ(s->parallelism->Groups(ParallelismSettings::kTensor),
              (std::vector<std::vector<uint32_t>>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
    EXPECT_EQ(s->parallelism->Groups(ParallelismSettings::kData),
              (std::vector<std::vector<uint32_t>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    s->placement->firstServer = 1;
    EXPECT_EQ(Job(s).Gpu(3), 11u);
    Plan plan = Job(s).MakePlan();
    for (const PlanConnection& c : plan.Connections())
    {
        EXPECT_EQ(c.scope, NetworkScope::ScaleUp);
    }
}

TEST_F(Training, BlocksAreReachedByAttributes)
{
    auto s = CreateObject<TrainingSettings>();
    PointerValue block;
    s->GetAttribute("Parallelism", block);
    block.GetObject()->SetAttribute("Tensor", UintegerValue(4));
    EXPECT_EQ(s->parallelism->tensor, 4u);
    EXPECT_FALSE(s->parallelism->SetAttributeFailSafe("Tensor", UintegerValue(0)));
    s->SetAttribute("StartTime", TimeValue(MilliSeconds(2)));
    EXPECT_EQ(ToTick(s->startTime), 2 * kMillisecond);
    EXPECT_EQ(ToSnakeCase("HbmBandwidthGbytesPerS"), "hbm_bandwidth_gbytes_per_s");
}

TEST_F(Training, DenseJobsStayOnTheirRail)
{
    // Tensor parallelism as wide as a server: between servers each GPU talks to its like only.
    Plan plan = Job(Tiny()).MakePlan();
    EXPECT_EQ(plan.Connections().size(), 16u + 16u);
    for (const PlanConnection& c : plan.Connections())
    {
        EXPECT_EQ(c.scope == NetworkScope::ScaleOut, c.from / 8 != c.to / 8);
        EXPECT_TRUE(c.scope == NetworkScope::ScaleUp || c.from % 8 == c.to % 8);
    }
}

TEST_F(Training, SequenceParallelismAndZeroSendTheSameBytes)
{
    auto plain = Run(Tiny());
    Simulator::Destroy();
    auto s = Tiny();
    s->parallelism->sequenceParallel = true;
    s->parallelism->zeroStage = 1;
    auto m = Run(s);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 0);
    EXPECT_EQ(m["tp_reducescatter_count_per_gpu_per_iteration"], 4 * 3 * 2);
    EXPECT_EQ(m["tp_allgather_count_per_gpu_per_iteration"], 4 * 3 * 2);
    EXPECT_EQ(m["dp_reducescatter_count_per_gpu_per_iteration"], 1);
    for (const char* name :
         {"tp_bytes_sent_per_gpu_per_iteration", "dp_bytes_sent_per_gpu_per_iteration"})
    {
        EXPECT_EQ(m[name], plain[name]);
    }
    // Each all-reduce of the tensor group became two collectives, with a launch each.
    EXPECT_NEAR(
        m["iteration_time_s"] - plain["iteration_time_s"], (4 * 3 * 2 + 2 + 1) * 8.4e-6, 1e-9);
}

TEST_F(Training, FullRecomputationRepeatsTheForwardPass)
{
    // SC'21: six all-reduces per layer and micro-batch instead of four, 4/3 of the operations of
    // the layers.
    auto s = Tiny();
    s->schedule->activationRecomputation = "full";
    auto m = Run(s);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 6 * 3 * 2);
    double layers = 3 * (s->model->AttentionFlops(4) + s->model->FfnFlops(4, 0));
    EXPECT_NEAR(m["compute_time_s"], (4 * layers + 3 * s->model->HeadFlops(4)) / 16 / 400e12, 1e-9);
    EXPECT_NEAR(m["compute_time_s"], Job(s).ComputeTime(), 1e-9);
}

TEST_F(Training, WithoutGroupsThereIsOnlyComputation)
{
    auto s = Tiny();
    s->parallelism->tensor = 1;
    s->parallelism->data = 1;
    auto m = Run(s);
    EXPECT_NEAR(m["iteration_time_s"], m["compute_time_s"], 1e-12);
    EXPECT_EQ(m["communication_share_exposed"], 0);
    EXPECT_EQ(m["tp_allreduce_count_per_gpu_per_iteration"], 0);
    EXPECT_EQ(m.count("busbw_gbytes_per_s"), 0u);
}

TEST_F(Training, AStragglerHoldsUpEverybody)
{
    auto s = Tiny();
    TrainingJob job = Job(s);
    AlphaBetaTransport net(kNvlink, kNic);
    JobRun run(job.MakePlan(), net, 0, 1);
    run.Start();
    Simulator::Run();
    double even = run.Iterations()[0].end;
    Simulator::Destroy();
    AlphaBetaTransport again(kNvlink, kNic);
    JobRun slow(job.MakePlan(), again, 0, 1);
    slow.Runner().SetComputeFactor(5, 1.5);
    slow.Start();
    Simulator::Run();
    EXPECT_NEAR(slow.Iterations()[0].end - even, 0.5 * job.ComputeTime(), 0.1 * even);
    EXPECT_GT(slow.Iterations()[0].end, even + 0.4 * job.ComputeTime());
}

TEST_F(Training, AFailureEndsTheRun)
{
    TrainingJob job = Job(Tiny());
    AlphaBetaTransport net(kNvlink, kNic);
    net.failAt = 100;
    JobRun run(job.MakePlan(), net, 0, 3);
    bool done = false;
    run.Start([&] { done = true; });
    Simulator::Run();
    EXPECT_TRUE(done);
    EXPECT_FALSE(run.IsDone());
    EXPECT_NE(run.Failure().find("retry_exceeded"), std::string::npos);
    auto m = JobMetrics(job, run);
    EXPECT_EQ(m["iterations_completed"], 0);
    EXPECT_EQ(m.count("iteration_time_s"), 0u);
}

TEST_F(Training, RefusesByPathAndNamesWhatWorks)
{
    struct Case
    {
        std::function<void(TrainingSettings&)> change;
        std::string error;
    };

    const Case cases[] = {
        {[](auto& s) { s.parallelism->pipeline = 2; },
         "parallelism.pipeline: found 2 stages, expected a divisor of layer_count = 3, or with "
         "uneven_stages at most that"},
        {[](auto& s) { s.parallelism->virtualPipelineStages = 3; },
         "parallelism.virtual_pipeline_stages: found 3, expected 1 for 2 micro-batches on 1 "
         "stages: "
         "interleaving needs a multiple of the stages, two or more of them"},
        {[](auto& s) {
             s.parallelism->virtualPipelineStages = 3;
             s.schedule->pipeline = MakePlugin<PipelineSchedule>("gpipe");
         },
         "parallelism.virtual_pipeline_stages: found 3, expected 1, or a schedule.pipeline of "
         "1f1b"},
        {[](auto& s) { s.parallelism->context = 3; },
         "parallelism.context: found 3, expected a divisor of sequence_length = 2048"},
        {[](auto& s) { s.parallelism->expert = 2; },
         "parallelism.expert: found 2, expected 1 for a model without experts"},
        {[](auto& s) { s.parallelism->expert = 3; },
         "parallelism.expert: found 3, expected a divisor of data x context = 2"},
        {[](auto& s) {
             s.model->type = "moe";
             s.model->expertCount = 3;
             s.parallelism->expert = 2;
         },
         "parallelism.expert: found 2, expected a divisor of expert_count = 3"},
        {[](auto& s) { s.parallelism->rankOrder = "tensor,dta"; },
         "parallelism.rank_order: found 'dta', did you mean 'data'?"},
        {[](auto& s) { s.parallelism->rankOrder = "tensor,data,tensor"; },
         "parallelism.rank_order: 'tensor' stands twice"},
        {[](auto& s) { s.parallelism->rankOrder = "tensor"; },
         "parallelism.rank_order: found 1 dimensions, expected tensor, context, data and pipeline"},
        {[](auto& s) { s.parallelism->data = 4; },
         "parallelism: tensor x pipeline x data x context = 8 x 1 x 4 x 1 = 32 GPUs from server 0 "
         "on, expected at most the 16 that are there"},
        {[](auto& s) { s.placement->firstServer = 7; },
         "parallelism: tensor x pipeline x data x context = 8 x 1 x 2 x 1 = 16 GPUs from server 7 "
         "on, expected at most the 0 that are there"},
        {[](auto& s) { s.batch->globalBatchSize = 5; },
         "batch.global_batch_size: found 5, expected a multiple of data x micro_batch_size = 2 x "
         "1"},
        {[](auto& s) { s.parallelism->tensor = 3; },
         "parallelism.tensor: found 3, expected a divisor of attention_head_count = 8"},
        {[](auto& s) { s.model->hiddenSize = 0; },
         "model.hidden_size: missing or 0, expected at least 1"},
        {[](auto& s) { s.model->attentionHeadCount = 24; },
         "model.attention_head_count: found 24, expected a divisor of hidden_size = 512"},
        {[](auto& s) { s.model->keyValueHeadCount = 3; },
         "model.key_value_head_count: found 3, expected a divisor of attention_head_count = 8"},
        {[](auto& s) { s.model->type = "mo"; }, "model.type: found 'mo', did you mean 'moe'?"},
        {[](auto& s) { s.model->type = "moe"; },
         "model.expert_count: found 0, expected 1 to 1048576"},
        {[](auto& s) { s.model->expertCount = 8; }, "model.expert_count: found 8, expected 0 to 0"},
        {[](auto& s) {
             s.model->type = "moe";
             s.model->expertCount = 4;
             s.model->expertsPerToken = 5;
         },
         "model.experts_per_token: found 5, expected 1 to 4"},
        {[](auto& s) { s.model->ffnType = "swigul"; },
         "model.ffn_type: found 'swigul', did you mean 'swiglu'?"},
        {[](auto& s) { s.schedule->activationRecomputation = "ful"; },
         "schedule.activation_recomputation: found 'ful', did you mean 'full'?"},
        {[](auto& s) { s.placement->policy = "scattered"; },
         "placement.policy: found 'scattered', expected one of contiguous"},
        {[](auto& s) { s.checkpoint->intervalIterations = 50; },
         "checkpoint.interval_iterations: found 50, only 0 is simulated: no checkpoints"},
        {[](auto& s) { s.iterations = 0; }, "iterations: found 0, expected at least 1"},
    };
    for (const Case& c : cases)
    {
        auto s = Tiny();
        c.change(*s);
        EXPECT_EQ(Refusal(s), c.error);
    }
    EXPECT_EQ(Refusal(Tiny()), "no error");
    auto gpu = CreateObject<GpuSettings>();
    gpu->achievedTflops = 1200;
    EXPECT_THROW(gpu->Check(), ScenarioError);
}

TEST_F(Training, PlansConserveBytesAndAllRanksFinish)
{
    for (uint32_t tensor : {1, 2, 4, 8})
    {
        for (uint32_t data : {1, 2, 3})
        {
            for (const char* order :
                 {"tensor,context,data,pipeline", "data,tensor,context,pipeline"})
            {
                auto s = Tiny();
                s->parallelism->tensor = tensor;
                s->parallelism->data = tensor == 8 ? std::min(data, 2u) : data;
                s->parallelism->rankOrder = order;
                s->batch->globalBatchSize = 2 * s->parallelism->data;
                TrainingJob job = Job(s);
                AlphaBetaTransport net(kNvlink, kNic);
                JobRun run(job.MakePlan(), net, 0, 2);
                run.Start();
                Simulator::Run();
                ASSERT_TRUE(run.IsDone());
                auto m = JobMetrics(job, run);
                double sent = 0;
                double received = 0;
                for (int scope : {0, 1})
                {
                    for (auto [rank, bytes] : net.sent[scope])
                    {
                        sent += bytes;
                    }
                    for (auto [rank, bytes] : net.received[scope])
                    {
                        received += bytes;
                    }
                }
                EXPECT_EQ(sent, received);
                double perGpu = 0;
                for (const char* tag : {"tp", "embedding", "loss", "dp"})
                {
                    perGpu += m[std::string(tag) + "_bytes_sent_per_gpu_per_iteration"];
                }
                EXPECT_NEAR(perGpu * 2 * job.RankCount(), sent, 1e-9 * sent);
                double ring = tensor > 1 ? 2 * (tensor - 1.0) / tensor : 0;
                EXPECT_NEAR(m["tp_bytes_sent_per_gpu_per_iteration"],
                            4.0 * 3 * job.MicroBatches() * ring * job.ActivationBytes(),
                            1e-6);
                EXPECT_NEAR(m["compute_time_s"], job.ComputeTime(), 1e-9);
                Simulator::Destroy();
            }
        }
    }
}

} // namespace
