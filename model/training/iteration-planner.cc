// SPDX-License-Identifier: GPL-2.0-only
#include "iteration-planner.h"

#include "ns3/abort.h"
#include "ns3/collective-rounds.h"

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
      m_gradientFrontier(m_plan.Begin()),
      m_gatherFrontier(m_plan.Begin())
{
    const ParallelismSettings& parallelism = *m_settings.parallelism;
    const double rate = gpu.achievedTflops * 1e12 * parallelism.tensor * parallelism.context;
    auto ticks = [&](double flops) { return std::llround(flops / rate * 1e12); };
    const TransformerModel& model = *m_settings.model;
    const uint32_t sequences = m_settings.batch->microBatchSize;
    m_attention = ticks(model.AttentionFlops(sequences));
    m_scores = ticks(model.ScoreFlops(sequences));
    m_ffn = model.HasExperts(0) ? 0 : ticks(model.FfnFlops(sequences, 0));
    m_experts = ticks(model.FfnFlops(sequences, model.layerCount - 1));
    m_head = ticks(model.HeadFlops(sequences));
    for (const char* tag : {"tp", "embedding", "loss", "dp"})
    {
        m_plan.Tag(tag);
    }
    MakeStages();
    MakePieces();
}

void
IterationPlanner::MakeStages()
{
    using P = ParallelismSettings;
    const P& parallelism = *m_settings.parallelism;
    std::vector<uint32_t> stageOf(m_job.RankCount());
    m_stages.resize(parallelism.pipeline);
    for (const auto& group : parallelism.Groups(P::kPipeline))
    {
        for (uint32_t s = 0; s < group.size(); ++s)
        {
            stageOf[group[s]] = s;
            m_stages[s].ranks.push_back(group[s]);
        }
    }
    for (uint32_t s = 0; s < m_stages.size(); ++s)
    {
        Stage& stage = m_stages[s];
        stage.passes = m_settings.schedule->pipeline->Order(s, m_job.Shape());
        stage.dense = {{}, m_job.ParameterBytes(1), 0, "dp"};
        stage.experts = {{}, m_job.ExpertParameterBytes(1), 0, "expert_dp"};
    }
    for (auto& group : parallelism.Groups(P::kTensor))
    {
        m_stages[stageOf[group[0]]].tensorGroups.push_back(group);
    }
    for (auto& group : parallelism.Groups(P::kContext))
    {
        m_stages[stageOf[group[0]]].contextGroups.push_back(group);
    }
    const uint32_t expert = parallelism.expert;
    for (auto& group : parallelism.Groups(P::kContext | P::kData))
    {
        Stage& stage = m_stages[stageOf[group[0]]];
        stage.dense.groups.push_back(group);
        for (std::size_t first = 0; first < group.size(); first += expert)
        {
            stage.expertGroups.emplace_back(group.begin() + first, group.begin() + first + expert);
        }
        for (std::size_t part = 0; part < expert; ++part)
        {
            auto& replicas = stage.experts.groups.emplace_back();
            for (std::size_t i = part; i < group.size(); i += expert)
            {
                replicas.push_back(group[i]);
            }
        }
    }
}

void
IterationPlanner::MakePieces()
{
    const uint32_t count = m_stages.size() * m_job.Shape().chunks;
    for (uint32_t piece = 0; piece < count; ++piece)
    {
        m_pieces.push_back({m_job.FirstLayer(piece),
                            m_job.FirstLayer(piece + 1),
                            0,
                            Groups(m_job.MicroBatches()),
                            Groups(m_job.MicroBatches())});
        for (uint32_t l = m_pieces.back().first; l < m_pieces.back().last; ++l)
        {
            m_stages[piece % m_stages.size()].layers.push_back(l);
        }
    }
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
    const uint32_t gradient = m_settings.precision->gradientBytes;
    for (Stage& stage : m_stages)
    {
        NS_ABORT_MSG_IF(stage.planned < stage.passes.size(), "a stage waits for ever");
        for (Buffer* buffer : {&stage.dense, &stage.experts})
        {
            ReduceGradients(stage, *buffer, buffer->share * gradient, true);
        }
    }
    if (m_stages.size() > 1 && m_settings.model->tiedEmbeddings)
    {
        ReduceTiedEmbedding();
    }
    const uint32_t zero = m_settings.parallelism->zeroStage;
    const uint64_t parameter = zero == 1 || zero == 2 ? m_settings.precision->parameterBytes : 0;
    for (const Stage& stage : m_stages)
    {
        Gather(stage.dense, stage.dense.share * parameter, m_frontier);
        Gather(stage.experts, stage.experts.share * parameter, m_frontier);
    }
    m_plan.Seal();
    return std::move(m_plan);
}

/// Plans the next pass of a stage. @return whether there is one that has what it needs.
bool
IterationPlanner::Advance(uint32_t s)
{
    Stage& stage = m_stages[s];
    if (stage.planned == stage.passes.size())
    {
        return false;
    }
    const PipelinePass pass = stage.passes[stage.planned];
    const uint32_t number = pass.chunk * m_stages.size() + s;
    const Piece& piece = m_pieces[number];
    switch (pass.kind)
    {
    case PipelinePass::kForward:
        if (number > 0 && piece.activations[pass.microBatch].empty())
        {
            return false;
        }
        Forward(s, pass);
        break;
    case PipelinePass::kBackward:
        if (number + 1 < m_pieces.size() ? piece.gradients[pass.microBatch].empty()
                                         : piece.forwards <= pass.microBatch)
        {
            return false;
        }
        Backward(s, pass);
        break;
    case PipelinePass::kWeights:
        Weights(s, pass);
        break;
    }
    ++stage.planned;
    return true;
}

void
IterationPlanner::Forward(uint32_t s, const PipelinePass& pass)
{
    const Stage& stage = m_stages[s];
    const uint32_t number = pass.chunk * m_stages.size() + s;
    Piece& piece = m_pieces[number];
    if (number > 0)
    {
        Receive(stage, piece.activations[pass.microBatch]);
    }
    else if (m_settings.parallelism->vocabularyParallel)
    {
        ReduceActivations(stage, "embedding");
    }
    for (uint32_t l = piece.first; l < piece.last; ++l)
    {
        UseParameters(stage, l, piece.first, piece.last - 1);
        ForwardLayer(stage, l);
    }
    ++piece.forwards;
    if (number + 1 < m_pieces.size())
    {
        Pass(s, (s + 1) % m_stages.size(), m_pieces[number + 1].activations[pass.microBatch]);
        return;
    }
    Loss(stage);
}

void
IterationPlanner::Backward(uint32_t s, const PipelinePass& pass)
{
    const Stage& stage = m_stages[s];
    const bool split = m_settings.schedule->pipeline->IsSplit();
    const uint32_t number = pass.chunk * m_stages.size() + s;
    Piece& piece = m_pieces[number];
    if (number + 1 < m_pieces.size())
    {
        Receive(stage, piece.gradients[pass.microBatch]);
    }
    else
    {
        Compute(stage, (split ? 1 : 2) * m_head);
    }
    for (uint32_t l = piece.last; l-- > piece.first;)
    {
        UseParameters(stage, l, piece.last - 1, piece.first);
        if (m_settings.schedule->activationRecomputation == "full")
        {
            ForwardLayer(stage, l);
        }
        BackwardLayer(stage, l);
        if (!split)
        {
            EndLayer(s, pass, piece.last - l);
        }
    }
    if (number > 0)
    {
        Pass(s,
             (s + m_stages.size() - 1) % m_stages.size(),
             m_pieces[number - 1].gradients[pass.microBatch]);
    }
}

/// The gradients of the weights, where they are a pass of their own.
void
IterationPlanner::Weights(uint32_t s, const PipelinePass& pass)
{
    const Piece& piece = m_pieces[pass.chunk * m_stages.size() + s];
    if (&piece == &m_pieces.back())
    {
        Compute(m_stages[s], m_head);
    }
    for (uint32_t l = piece.last; l-- > piece.first;)
    {
        Compute(m_stages[s], m_attention - m_scores + FfnTime(l));
        EndLayer(s, pass, piece.last - l);
    }
}

/// The gradients of so many layers of a piece are there. They add up over micro-batches, and are
/// complete in the last one only.
void
IterationPlanner::EndLayer(uint32_t s, const PipelinePass& pass, uint32_t layers)
{
    if (!m_settings.schedule->overlapDataParallel || pass.microBatch + 1 < m_job.MicroBatches())
    {
        return;
    }
    // The later chunk comes first.
    const PipelineShape shape = m_job.Shape();
    const Piece& piece = m_pieces[pass.chunk * shape.stages + s];
    const uint32_t all = (piece.last - piece.first) * shape.chunks;
    const uint32_t done = (piece.last - piece.first) * (shape.chunks - 1 - pass.chunk) + layers;
    Stage& stage = m_stages[s];
    for (Buffer* buffer : {&stage.dense, &stage.experts})
    {
        const uint64_t bytes = buffer->share * m_settings.precision->gradientBytes;
        ReduceGradients(stage, *buffer, bytes / all * done, false);
    }
}

void
IterationPlanner::ForwardLayer(const Stage& stage, uint32_t layer)
{
    GatherKeys(stage);
    Compute(stage, m_attention);
    if (m_settings.model->HasExperts(layer))
    {
        Experts(stage, m_experts, false);
        return;
    }
    ReduceActivations(stage, "tp");
    Compute(stage, m_ffn);
    ReduceActivations(stage, "tp");
}

void
IterationPlanner::BackwardLayer(const Stage& stage, uint32_t layer)
{
    const bool split = m_settings.schedule->pipeline->IsSplit();
    const Tick ffn = (split ? 1 : 2) * FfnTime(layer);
    if (m_settings.model->HasExperts(layer))
    {
        Experts(stage, ffn, true);
    }
    else
    {
        Compute(stage, ffn);
        ReduceActivations(stage, "tp");
    }
    GatherKeys(stage);
    const bool again = m_settings.schedule->activationRecomputation == "selective";
    Compute(stage, 2 * m_attention - (split ? m_attention - m_scores : 0) + (again ? m_scores : 0));
    if (m_settings.parallelism->context > 1)
    {
        Collect(CollectiveOperation::ReduceScatter,
                stage.contextGroups,
                m_job.KeyValueBytes(),
                m_settings.precision->activationBytes,
                "cp",
                m_frontier);
    }
    if (m_settings.parallelism->sequenceParallel && layer > 0 &&
        m_settings.model->HasExperts(layer - 1))
    {
        // The experts below take them as they are.
        Collect(CollectiveOperation::ReduceScatter, stage, m_job.ActivationBytes());
        return;
    }
    ReduceActivations(stage, "tp");
}

/// Keys and values of the whole sequence, for the queries of a part of it (Llama 3, 3.3.2).
void
IterationPlanner::GatherKeys(const Stage& stage)
{
    if (m_settings.parallelism->context > 1)
    {
        Collect(CollectiveOperation::AllGather,
                stage.contextGroups,
                m_job.KeyValueBytes(),
                m_settings.precision->activationBytes,
                "cp",
                m_frontier);
    }
}

/// The experts of a layer, after the attention, or before it on the way back: tokens go to their
/// experts, whose tensor groups take in and give back as many activations as tokens have experts.
void
IterationPlanner::Experts(const Stage& stage, Tick duration, bool backward)
{
    using Op = CollectiveOperation;
    const uint64_t bytes = m_job.ActivationBytes();
    const uint64_t routed = bytes * m_settings.model->expertsPerToken;
    const bool scattered = m_settings.parallelism->sequenceParallel;
    if (!backward)
    {
        Collect(scattered ? Op::ReduceScatter : Op::AllReduce, stage, bytes);
    }
    Exchange(stage, m_settings.precision->dispatchBytes, true);
    if (scattered)
    {
        Collect(Op::AllGather, stage, routed);
    }
    Compute(stage, duration);
    Collect(scattered ? Op::ReduceScatter : Op::AllReduce, stage, routed);
    Exchange(stage, m_settings.precision->combineBytes, false);
    if (scattered)
    {
        Collect(Op::AllGather, stage, bytes);
    }
}

/// All tokens go to their experts, or what became of them comes back.
void
IterationPlanner::Exchange(const Stage& stage, uint32_t elementBytes, bool dispatch)
{
    const TransformerModel& model = *m_settings.model;
    const uint64_t bytes = m_job.TokensPerRank() * model.hiddenSize * elementBytes;
    const std::vector<uint32_t>& group = stage.expertGroups.front();
    const bool together = m_plan.Scope(group.front(), group.back()) == NetworkScope::ScaleUp;
    auto exchange = [&](const Groups& groups, uint32_t copies) {
        Collect(
            CollectiveOperation::AllToAll, groups, bytes * copies, elementBytes, "ep", m_frontier);
    };
    if (model.serversPerToken == 0 || together)
    {
        exchange(stage.expertGroups, model.expertsPerToken);
        return;
    }
    // To the like of a rank on each server, and from there on to others of it.
    const std::size_t inside = CollectiveRounds::RanksPerServer(group, m_plan);
    Groups across;
    Groups within;
    for (const auto& ranks : stage.expertGroups)
    {
        for (std::size_t first = 0; first < ranks.size(); first += inside)
        {
            within.emplace_back(ranks.begin() + first, ranks.begin() + first + inside);
        }
        for (std::size_t i = 0; i < inside; ++i)
        {
            auto& likes = across.emplace_back();
            for (std::size_t k = i; k < ranks.size(); k += inside)
            {
                likes.push_back(ranks[k]);
            }
        }
    }
    const uint32_t servers = std::min(model.serversPerToken, model.expertsPerToken);
    if (dispatch)
    {
        exchange(across, servers);
    }
    exchange(within, model.expertsPerToken);
    if (!dispatch)
    {
        exchange(across, servers);
    }
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
    const uint64_t tokens = uint64_t{m_settings.batch->microBatchSize} *
                            m_settings.model->sequenceLength / m_settings.parallelism->context;
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
IterationPlanner::Pass(uint32_t from, uint32_t to, std::vector<uint32_t>& messages)
{
    // Each rank of a tensor group sends its part to its like (SC'21, 4.1), while it computes on.
    // Gathering the parts over NVLink at the other end is not counted.
    const uint64_t bytes = m_job.ActivationBytes() / m_settings.parallelism->tensor;
    const StepLatency latency = m_collectives.Latency();
    for (std::size_t i = 0; i < m_stages[from].ranks.size(); ++i)
    {
        uint32_t a = m_stages[from].ranks[i];
        uint32_t b = m_stages[to].ranks[i];
        uint32_t operation = m_plan.Add({bytes, 1, m_plan.Tag("pp"), CollectiveOperation::Send});
        uint32_t message = m_plan.Send(a, b, bytes, latency.Of(m_plan.Scope(a, b)), operation);
        m_plan.After(m_frontier[a], message);
        messages.push_back(message);
    }
}

void
IterationPlanner::Receive(const Stage& stage, std::vector<uint32_t>& messages)
{
    for (std::size_t i = 0; i < stage.ranks.size(); ++i)
    {
        m_frontier[stage.ranks[i]].push_back(messages[i]);
    }
}

/// With ZeRO 3: the parameters of a layer of a pass from first to last are there, and those of the
/// next one under way.
void
IterationPlanner::UseParameters(const Stage& stage, uint32_t layer, uint32_t first, uint32_t last)
{
    if (m_settings.parallelism->zeroStage < 3)
    {
        return;
    }
    if (layer == first)
    {
        Prefetch(stage, layer);
    }
    PlanFrontier there;
    for (uint32_t rank : stage.ranks)
    {
        there.push_back(m_gatherFrontier[rank]);
    }
    if (layer != last)
    {
        Prefetch(stage, first < last ? layer + 1 : layer - 1);
    }
    for (std::size_t i = 0; i < there.size(); ++i)
    {
        auto& waits = m_frontier[stage.ranks[i]];
        waits.insert(waits.end(), there[i].begin(), there[i].end());
    }
}

void
IterationPlanner::Prefetch(const Stage& stage, uint32_t layer)
{
    for (uint32_t rank : stage.ranks)
    {
        auto& waits = m_gatherFrontier[rank];
        waits.insert(waits.end(), m_frontier[rank].begin(), m_frontier[rank].end());
    }
    const auto& layers = stage.layers;
    auto gather = [&](const Buffer& buffer, std::size_t parts, std::size_t index) {
        Gather(buffer,
               CollectiveRounds::Part(buffer.share * m_settings.precision->parameterBytes,
                                      parts,
                                      index,
                                      m_settings.precision->parameterBytes),
               m_gatherFrontier);
    };
    gather(stage.dense,
           layers.size(),
           std::lower_bound(layers.begin(), layers.end(), layer) - layers.begin());
    if (m_settings.model->HasExperts(layer))
    {
        const auto first =
            std::lower_bound(layers.begin(), layers.end(), m_settings.model->denseLayerCount);
        gather(stage.experts,
               layers.end() - first,
               std::lower_bound(first, layers.end(), layer) - first);
    }
}

void
IterationPlanner::ReduceGradients(Stage& stage, Buffer& buffer, uint64_t readyBytes, bool last)
{
    const bool overlap = m_settings.schedule->overlapDataParallel;
    const uint32_t element = m_settings.precision->gradientBytes;
    const uint64_t bucket =
        std::max<uint64_t>(1, m_settings.schedule->gradientBucketBytes / element) * element;
    while (buffer.groups[0].size() > 1 && buffer.reduced < readyBytes)
    {
        uint64_t bytes = readyBytes - buffer.reduced;
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
                buffer.groups,
                bytes,
                element,
                buffer.tag,
                m_gradientFrontier);
        buffer.reduced += bytes;
    }
    for (uint32_t rank : last ? stage.ranks : std::vector<uint32_t>())
    {
        auto& waits = m_gradientFrontier[rank];
        m_frontier[rank].insert(m_frontier[rank].end(), waits.begin(), waits.end());
    }
}

/// Parameters of which each of a group has a part.
void
IterationPlanner::Gather(const Buffer& buffer, uint64_t bytes, PlanFrontier& frontier)
{
    if (buffer.groups[0].size() > 1 && bytes > 0)
    {
        Collect(CollectiveOperation::AllGather,
                buffer.groups,
                bytes,
                m_settings.precision->parameterBytes,
                buffer.tag,
                frontier);
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

/// Of activations in the tensor groups.
void
IterationPlanner::Collect(CollectiveOperation operation, const Stage& stage, uint64_t bytes)
{
    Collect(operation,
            stage.tensorGroups,
            bytes,
            m_settings.precision->activationBytes,
            "tp",
            m_frontier);
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
