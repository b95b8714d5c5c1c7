// SPDX-License-Identifier: GPL-2.0-only
#include "iteration-planner.h"

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
      m_frontier(m_plan.Begin())
{
    const double rate = gpu.achievedTflops * 1e12 * m_settings.parallelism->tensor;
    auto ticks = [&](double flops) { return std::llround(flops / rate * 1e12); };
    const TransformerModel& model = *m_settings.model;
    uint32_t sequences = m_settings.batch->microBatchSize;
    m_attention = ticks(model.AttentionFlops(sequences));
    m_ffn = ticks(model.FfnFlops(sequences));
    m_head = ticks(model.HeadFlops(sequences));
    for (auto dimension : {ParallelismSettings::kTensor, ParallelismSettings::kData})
    {
        m_groups[dimension] = m_settings.parallelism->Groups(dimension);
    }
    for (const char* tag : {"tp", "embedding", "loss", "dp"})
    {
        m_plan.Tag(tag);
    }
}

Plan
IterationPlanner::Make()
{
    for (uint32_t m = 0; m < m_job.MicroBatches(); ++m)
    {
        Forward();
        Loss();
        Backward();
    }
    ReduceGradients();
    m_plan.Seal();
    return std::move(m_plan);
}

void
IterationPlanner::Forward()
{
    if (m_settings.parallelism->vocabularyParallel)
    {
        ReduceActivations("embedding", m_job.ActivationBytes());
    }
    for (uint32_t l = 0; l < m_settings.model->layerCount; ++l)
    {
        ForwardLayer();
    }
}

void
IterationPlanner::Backward()
{
    for (uint32_t l = 0; l < m_settings.model->layerCount; ++l)
    {
        if (m_settings.schedule->activationRecomputation == "full")
        {
            ForwardLayer();
        }
        BackwardLayer();
    }
}

void
IterationPlanner::ForwardLayer()
{
    Compute(m_attention);
    ReduceActivations("tp", m_job.ActivationBytes());
    Compute(m_ffn);
    ReduceActivations("tp", m_job.ActivationBytes());
}

void
IterationPlanner::BackwardLayer()
{
    Compute(2 * m_ffn);
    ReduceActivations("tp", m_job.ActivationBytes());
    Compute(2 * m_attention);
    ReduceActivations("tp", m_job.ActivationBytes());
}

void
IterationPlanner::Loss()
{
    Compute(m_head);
    if (m_settings.parallelism->vocabularyParallel)
    {
        // Cross entropy over a divided vocabulary: the maximum, the target's logit, the sum of
        // exponentials, an fp32 number per token each (Megatron-LM).
        constexpr uint32_t kFloat = 4;
        uint64_t tokens =
            uint64_t{m_settings.batch->microBatchSize} * m_settings.model->sequenceLength;
        for (int i = 0; i < 3; ++i)
        {
            Collect(CollectiveOperation::AllReduce,
                    ParallelismSettings::kTensor,
                    tokens * kFloat,
                    kFloat,
                    "loss");
        }
    }
    Compute(2 * m_head);
}

void
IterationPlanner::ReduceGradients()
{
    const PrecisionSettings& precision = *m_settings.precision;
    uint64_t gradients = m_job.ParameterBytes(precision.gradientBytes);
    if (m_settings.parallelism->zeroStage == 0)
    {
        Collect(CollectiveOperation::AllReduce,
                ParallelismSettings::kData,
                gradients,
                precision.gradientBytes,
                "dp");
        return;
    }
    Collect(CollectiveOperation::ReduceScatter,
            ParallelismSettings::kData,
            gradients,
            precision.gradientBytes,
            "dp");
    Collect(CollectiveOperation::AllGather,
            ParallelismSettings::kData,
            m_job.ParameterBytes(precision.parameterBytes),
            precision.parameterBytes,
            "dp");
}

void
IterationPlanner::Compute(Tick duration)
{
    for (uint32_t r = 0; r < m_plan.RankCount(); ++r)
    {
        m_plan.Compute(r, duration, m_frontier);
    }
}

void
IterationPlanner::ReduceActivations(const char* tag, uint64_t bytes)
{
    using Op = CollectiveOperation;
    uint32_t element = m_settings.precision->activationBytes;
    if (!m_settings.parallelism->sequenceParallel)
    {
        Collect(Op::AllReduce, ParallelismSettings::kTensor, bytes, element, tag);
        return;
    }
    Collect(Op::ReduceScatter, ParallelismSettings::kTensor, bytes, element, tag);
    Collect(Op::AllGather, ParallelismSettings::kTensor, bytes, element, tag);
}

void
IterationPlanner::Collect(CollectiveOperation operation,
                          ParallelismSettings::Dimension dimension,
                          uint64_t bytes,
                          uint32_t elementBytes,
                          const char* tag)
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
    for (const auto& group : m_groups[dimension])
    {
        call.ranks = group;
        choice->second.algorithm->Append(call, m_plan, m_frontier);
    }
}

} // namespace ns3::aifabric
