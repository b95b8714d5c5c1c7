// SPDX-License-Identifier: GPL-2.0-only
#include "iteration-planner.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

namespace
{

std::vector<uint32_t>
Servers(const TrainingJob& job, uint32_t gpusPerServer)
{
    std::vector<uint32_t> servers(job.RankCount());
    for (uint32_t r = 0; r < servers.size(); ++r)
    {
        servers[r] = job.Gpu(r) / gpusPerServer;
    }
    return servers;
}

} // namespace

IterationPlanner::IterationPlanner(const TrainingJob& job,
                                   const GpuSettings& gpu,
                                   const CollectiveSettings& collectives,
                                   uint32_t gpusPerServer)
    : m_job(job),
      m_settings(job.Settings()),
      m_collectives(collectives),
      m_plan(Servers(job, gpusPerServer)),
      m_frontier(m_plan.Begin()),
      m_gradientFrontier(m_plan.Begin())
{
    const double rate = gpu.achievedTflops * 1e12 * m_settings.parallelism->tensor;
    auto ticks = [&](double flops) { return std::llround(flops / rate * 1e12); };
    const TransformerModel& model = *m_settings.model;
    uint32_t sequences = m_settings.batch->microBatchSize;
    m_attention = ticks(model.AttentionFlops(sequences));
    m_ffn = ticks(model.FfnFlops(sequences));
    m_head = ticks(model.HeadFlops(sequences));
    for (const char* tag : {"tp", "embedding", "loss", "dp"})
    {
        m_plan.Tag(tag);
    }
    const ParallelismSettings& parallelism = *m_settings.parallelism;
    std::vector<uint32_t> stageOf(job.RankCount());
    m_stages.resize(parallelism.pipeline);
    for (const auto& group : parallelism.Groups(ParallelismSettings::kPipeline))
    {
        for (uint32_t s = 0; s < group.size(); ++s)
        {
            stageOf[group[s]] = s;
            m_stages[s].ranks.push_back(group[s]);
        }
    }
    for (auto& group : parallelism.Groups(ParallelismSettings::kTensor))
    {
        m_stages[stageOf[group[0]]].tensorGroups.push_back(group);
    }
    for (auto& group : parallelism.Groups(ParallelismSettings::kData))
    {
        m_stages[stageOf[group[0]]].dataGroups.push_back(group);
    }
    m_stages.front().activations = job.MicroBatches();
}

Plan
IterationPlanner::Make()
{
    // A stage goes on as far as its input is planned, until no stage can: the order in which they
    // are planned is no order in time.
    bool advanced = true;
    while (advanced)
    {
        advanced = false;
        for (uint32_t s = 0; s < m_stages.size(); ++s)
        {
            while (Advance(s))
            {
                advanced = true;
            }
        }
    }
    for (Stage& stage : m_stages)
    {
        NS_ABORT_MSG_IF(stage.backwards < m_job.MicroBatches(), "a stage waits for ever");
        ReduceGradients(stage, m_job.ParameterBytes(m_settings.precision->gradientBytes), true);
    }
    if (m_stages.size() > 1 && m_settings.model->tiedEmbeddings)
    {
        ReduceTiedEmbedding();
    }
    for (Stage& stage : m_stages)
    {
        GatherParameters(stage);
    }
    m_plan.Seal();
    return std::move(m_plan);
}

bool
IterationPlanner::Advance(uint32_t s)
{
    // 1F1B (SC'21, 2.2): p-1-s forward passes to warm up, then one of each kind in turn.
    Stage& stage = m_stages[s];
    const uint32_t all = m_job.MicroBatches();
    const uint32_t warmUp = std::min<uint32_t>(all, m_stages.size() - 1 - s);
    if (stage.forwards < all && stage.forwards <= stage.backwards + warmUp)
    {
        bool ready = stage.forwards < stage.activations;
        if (ready)
        {
            Forward(s);
        }
        return ready;
    }
    bool ready = stage.backwards < stage.gradients;
    if (ready)
    {
        Backward(s);
    }
    return ready;
}

void
IterationPlanner::Forward(uint32_t s)
{
    Stage& stage = m_stages[s];
    if (s > 0)
    {
        Receive(stage, stage.activationMessages[stage.forwards]);
    }
    else if (m_settings.parallelism->vocabularyParallel)
    {
        ReduceActivations(stage, "embedding");
    }
    for (uint32_t l = 0; l < m_settings.model->layerCount / m_stages.size(); ++l)
    {
        ForwardLayer(stage);
    }
    ++stage.forwards;
    if (s + 1 < m_stages.size())
    {
        Pass(stage, m_stages[s + 1].activationMessages, m_stages[s + 1]);
        ++m_stages[s + 1].activations;
        return;
    }
    Loss(stage);
    ++stage.gradients;
}

void
IterationPlanner::Backward(uint32_t s)
{
    Stage& stage = m_stages[s];
    if (s + 1 < m_stages.size())
    {
        Receive(stage, stage.gradientMessages[stage.backwards]);
    }
    else
    {
        Compute(stage, 2 * m_head);
    }
    ++stage.backwards;
    const uint64_t gradients = m_job.ParameterBytes(m_settings.precision->gradientBytes);
    const uint32_t layers = m_settings.model->layerCount / m_stages.size();
    for (uint32_t l = 0; l < layers; ++l)
    {
        if (m_settings.schedule->activationRecomputation == "full")
        {
            ForwardLayer(stage);
        }
        BackwardLayer(stage);
        // Gradients add up over micro-batches, and are complete in the last one only.
        if (m_settings.schedule->overlapDataParallel && stage.backwards == m_job.MicroBatches())
        {
            ReduceGradients(stage, gradients / layers * (l + 1), false);
        }
    }
    if (s > 0)
    {
        Pass(stage, m_stages[s - 1].gradientMessages, m_stages[s - 1]);
        ++m_stages[s - 1].gradients;
    }
}

void
IterationPlanner::ForwardLayer(const Stage& stage)
{
    Compute(stage, m_attention);
    ReduceActivations(stage, "tp");
    Compute(stage, m_ffn);
    ReduceActivations(stage, "tp");
}

void
IterationPlanner::BackwardLayer(const Stage& stage)
{
    Compute(stage, 2 * m_ffn);
    ReduceActivations(stage, "tp");
    Compute(stage, 2 * m_attention);
    ReduceActivations(stage, "tp");
}

void
IterationPlanner::Loss(const Stage& stage)
{
    Compute(stage, m_head);
    if (!m_settings.parallelism->vocabularyParallel)
    {
        return;
    }
    // Cross entropy over a divided vocabulary: the maximum, the target's logit, the sum of
    // exponentials, an fp32 number per token each (Megatron-LM).
    constexpr uint32_t kFloat = 4;
    uint64_t tokens = uint64_t{m_settings.batch->microBatchSize} * m_settings.model->sequenceLength;
    for (int i = 0; i < 3; ++i)
    {
        Collect(CollectiveOperation::AllReduce,
                stage.tensorGroups,
                tokens * kFloat,
                kFloat,
                "loss",
                m_frontier);
    }
}

void
IterationPlanner::Pass(const Stage& from,
                       std::vector<std::vector<uint32_t>>& to,
                       const Stage& toStage)
{
    // Each rank of a tensor group sends its part to its like (SC'21, 4.1), while it computes on.
    // Gathering the parts over NVLink at the other end is not counted.
    const uint64_t bytes = m_job.ActivationBytes() / m_settings.parallelism->tensor;
    const StepLatency latency = m_collectives.Latency();
    auto& messages = to.emplace_back();
    for (std::size_t i = 0; i < from.ranks.size(); ++i)
    {
        uint32_t a = from.ranks[i];
        uint32_t b = toStage.ranks[i];
        uint32_t operation = m_plan.Add({bytes, 1, m_plan.Tag("pp"), CollectiveOperation::Send});
        uint32_t message = m_plan.Send(a, b, bytes, latency.Of(m_plan.Scope(a, b)), operation);
        m_plan.After(m_frontier[a], message);
        messages.push_back(message);
    }
}

void
IterationPlanner::Receive(const Stage& stage, const std::vector<uint32_t>& messages)
{
    for (std::size_t i = 0; i < stage.ranks.size(); ++i)
    {
        m_frontier[stage.ranks[i]].push_back(messages[i]);
    }
}

void
IterationPlanner::ReduceGradients(Stage& stage, uint64_t readyBytes, bool last)
{
    if (m_settings.parallelism->data == 1)
    {
        return;
    }
    const bool overlap = m_settings.schedule->overlapDataParallel;
    const uint32_t element = m_settings.precision->gradientBytes;
    const uint64_t bucket =
        std::max<uint64_t>(1, m_settings.schedule->gradientBucketBytes / element) * element;
    while (stage.reducedBytes < readyBytes)
    {
        uint64_t bytes = readyBytes - stage.reducedBytes;
        if (overlap && bytes >= bucket)
        {
            bytes = bucket;
        }
        else if (!last)
        {
            return;
        }
        for (uint32_t rank : stage.ranks)
        {
            auto& waits = m_gradientFrontier[rank];
            waits.insert(waits.end(), m_frontier[rank].begin(), m_frontier[rank].end());
        }
        Collect(m_settings.parallelism->zeroStage == 0 ? CollectiveOperation::AllReduce
                                                       : CollectiveOperation::ReduceScatter,
                stage.dataGroups,
                bytes,
                element,
                "dp",
                m_gradientFrontier);
        stage.reducedBytes += bytes;
    }
    for (uint32_t rank : last ? stage.ranks : std::vector<uint32_t>())
    {
        auto& waits = m_gradientFrontier[rank];
        m_frontier[rank].insert(m_frontier[rank].end(), waits.begin(), waits.end());
    }
}

void
IterationPlanner::GatherParameters(const Stage& stage)
{
    if (m_settings.parallelism->zeroStage > 0)
    {
        uint32_t element = m_settings.precision->parameterBytes;
        Collect(CollectiveOperation::AllGather,
                stage.dataGroups,
                m_job.ParameterBytes(element),
                element,
                "dp",
                m_frontier);
    }
}

void
IterationPlanner::ReduceTiedEmbedding()
{
    // The first stage has the embedding, the last uses it too: their gradients add up.
    const uint32_t element = m_settings.precision->gradientBytes;
    const TransformerModel& model = *m_settings.model;
    Groups pairs;
    for (std::size_t i = 0; i < m_stages.front().ranks.size(); ++i)
    {
        pairs.push_back({m_stages.front().ranks[i], m_stages.back().ranks[i]});
    }
    Collect(CollectiveOperation::AllReduce,
            pairs,
            uint64_t{model.vocabularySize} * model.hiddenSize / m_settings.parallelism->tensor *
                element,
            element,
            "embedding_gradient",
            m_frontier);
}

void
IterationPlanner::Compute(const Stage& stage, Tick duration)
{
    for (uint32_t rank : stage.ranks)
    {
        m_plan.Compute(rank, duration, m_frontier);
    }
}

void
IterationPlanner::ReduceActivations(const Stage& stage, const char* tag)
{
    using Op = CollectiveOperation;
    const uint64_t bytes = m_job.ActivationBytes();
    const uint32_t element = m_settings.precision->activationBytes;
    if (!m_settings.parallelism->sequenceParallel)
    {
        Collect(Op::AllReduce, stage.tensorGroups, bytes, element, tag, m_frontier);
        return;
    }
    Collect(Op::ReduceScatter, stage.tensorGroups, bytes, element, tag, m_frontier);
    Collect(Op::AllGather, stage.tensorGroups, bytes, element, tag, m_frontier);
}

void
IterationPlanner::Collect(CollectiveOperation operation,
                          const Groups& groups,
                          uint64_t bytes,
                          uint32_t elementBytes,
                          const char* tag,
                          PlanFrontier& frontier)
{
    auto [choice, isNew] = m_choices.try_emplace(operation);
    if (isNew)
    {
        choice->second = m_collectives.Choose(operation);
    }
    CollectiveCall call = m_collectives.Call(operation, choice->second);
    call.bytes = bytes;
    call.elementBytes = elementBytes;
    call.tag = tag;
    for (const auto& group : groups)
    {
        call.ranks = group;
        choice->second.algorithm->Append(call, m_plan, frontier);
    }
}

} // namespace ns3::aifabric
