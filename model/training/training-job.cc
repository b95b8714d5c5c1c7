// SPDX-License-Identifier: GPL-2.0-only
#include "training-job.h"

#include "iteration-planner.h"

#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// Calls f, and puts key before the path of an error.
template <class F>
auto
Under(const char* key, F&& f)
{
    try
    {
        return f();
    }
    catch (const ScenarioError& e)
    {
        throw e.Under(key);
    }
}

} // namespace

TrainingJob::TrainingJob(Ptr<const TrainingSettings> settings,
                         Ptr<const GpuSettings> gpu,
                         Ptr<const CollectiveSettings> collectives,
                         Cluster cluster)
    : m_settings(settings),
      m_gpu(gpu),
      m_collectives(collectives),
      m_cluster(cluster)
{
    const TrainingSettings& s = *m_settings;
    Under("model", [&] { s.model->Check(); });
    Under("parallelism", [&] { s.parallelism->Check(); });
    Under("schedule", [&] { s.schedule->Check(); });
    Under("placement", [&] { s.placement->Check(); });
    Under("checkpoint", [&] { s.checkpoint->Check(); });
    m_microBatches = Under("batch", [&] { return s.batch->MicroBatches(s.parallelism->data); });
    if (s.model->attentionHeadCount % s.parallelism->tensor != 0)
    {
        throw ScenarioError("parallelism.tensor",
                            "found " + std::to_string(s.parallelism->tensor) +
                                ", expected a divisor of attention_head_count = " +
                                std::to_string(s.model->attentionHeadCount));
    }
    const PipelineShape shape = Shape();
    const uint64_t pieces = uint64_t{shape.stages} * shape.chunks;
    if (s.model->layerCount < pieces ||
        (s.model->layerCount % pieces != 0 && !s.parallelism->unevenStages))
    {
        throw ScenarioError(
            "parallelism.pipeline",
            "found " + std::to_string(pieces) + " stages, expected a divisor of layer_count = " +
                std::to_string(s.model->layerCount) + ", or with uneven_stages at most that");
    }
    Under("parallelism", [&] { s.schedule->pipeline->Check(shape); });
    if (s.model->sequenceLength % s.parallelism->context != 0)
    {
        throw ScenarioError("parallelism.context",
                            "found " + std::to_string(s.parallelism->context) +
                                ", expected a divisor of sequence_length = " +
                                std::to_string(s.model->sequenceLength));
    }
    if (s.parallelism->expert > 1 && s.model->expertCount % s.parallelism->expert != 0)
    {
        throw ScenarioError(
            "parallelism.expert",
            "found " + std::to_string(s.parallelism->expert) +
                ", expected a divisor of expert_count = " + std::to_string(s.model->expertCount));
    }
    if (s.parallelism->expert > 1 && s.model->expertCount == 0)
    {
        throw ScenarioError("parallelism.expert",
                            "found " + std::to_string(s.parallelism->expert) +
                                ", expected 1 for a model without experts");
    }
    if (s.iterations == 0)
    {
        throw ScenarioError("iterations", "found 0, expected at least 1");
    }
    uint64_t first = uint64_t{s.placement->firstServer} * cluster.gpusPerServer;
    uint64_t gpus = uint64_t{cluster.serverCount} * cluster.gpusPerServer;
    uint64_t ranks = s.parallelism->RankCount();
    if (first + ranks > gpus)
    {
        const ParallelismSettings& p = *s.parallelism;
        throw ScenarioError(
            "parallelism",
            "tensor x pipeline x data x context = " + std::to_string(p.tensor) + " x " +
                std::to_string(p.pipeline) + " x " + std::to_string(p.data) + " x " +
                std::to_string(p.context) + " = " + std::to_string(ranks) + " GPUs from server " +
                std::to_string(s.placement->firstServer) + " on, expected at most the " +
                std::to_string(gpus > first ? gpus - first : 0) + " that are there");
    }
}

PipelineShape
TrainingJob::Shape() const
{
    const ParallelismSettings& p = *m_settings->parallelism;
    return {p.pipeline, p.virtualPipelineStages, m_microBatches};
}

uint32_t
TrainingJob::FirstLayer(uint32_t piece) const
{
    const PipelineShape shape = Shape();
    const uint32_t pieces = shape.stages * shape.chunks;
    const uint32_t most = (m_settings->model->layerCount + pieces - 1) / pieces;
    const uint32_t shorter = most * pieces - m_settings->model->layerCount;
    const uint32_t last = (shorter + 1) / 2; // of the shorter ones: they have the output layer near
    return piece * most - std::min(piece, shorter - last) -
           (piece > pieces - last ? piece - (pieces - last) : 0);
}

uint64_t
TrainingJob::ActivationBytes() const
{
    return uint64_t{m_settings->batch->microBatchSize} * m_settings->model->sequenceLength /
           m_settings->parallelism->context * m_settings->model->hiddenSize *
           m_settings->precision->activationBytes;
}

uint64_t
TrainingJob::KeyValueBytes() const
{
    return 2 * uint64_t{m_settings->batch->microBatchSize} * m_settings->model->sequenceLength *
           m_settings->model->KeyValueSize() / m_settings->parallelism->tensor *
           m_settings->precision->activationBytes;
}

uint64_t
TrainingJob::TokensPerRank() const
{
    const ParallelismSettings& p = *m_settings->parallelism;
    return uint64_t{m_settings->batch->microBatchSize} * m_settings->model->sequenceLength /
           p.context / (p.sequenceParallel ? p.tensor : 1);
}

uint64_t
TrainingJob::ParameterBytes(uint32_t bytesPerParameter) const
{
    const uint64_t parts =
        uint64_t{m_settings->parallelism->tensor} * m_settings->parallelism->pipeline;
    const TransformerModel& model = *m_settings->model;
    return (model.Parameters() - model.RoutedParameters() + parts - 1) / parts * bytesPerParameter;
}

uint64_t
TrainingJob::ExpertParameterBytes(uint32_t bytesPerParameter) const
{
    const ParallelismSettings& p = *m_settings->parallelism;
    const uint64_t parts = uint64_t{p.tensor} * p.pipeline * p.expert;
    return (m_settings->model->RoutedParameters() + parts - 1) / parts * bytesPerParameter;
}

double
TrainingJob::ComputeTime() const
{
    const TransformerModel& model = *m_settings->model;
    const uint32_t sequences = m_settings->batch->globalBatchSize;
    return (model.IterationFlops(sequences) + RepeatedFlops(sequences)) /
           (RankCount() * m_gpu->achievedTflops * 1e12);
}

double
TrainingJob::RepeatedFlops(uint32_t sequences) const
{
    const TransformerModel& model = *m_settings->model;
    const std::string& kind = m_settings->schedule->activationRecomputation;
    return kind == "full"        ? model.LayerFlops(sequences)
           : kind == "selective" ? model.layerCount * model.ScoreFlops(sequences)
                                 : 0;
}

Plan
TrainingJob::MakePlan() const
{
    return IterationPlanner(*this, *m_gpu, *m_collectives, m_cluster.gpusPerServer).Make();
}

std::map<std::string, double>
TrainingJob::Metrics() const
{
    const PipelineShape shape = Shape();
    const TransformerModel& model = *m_settings->model;
    const double forward = model.LayerFlops(1);
    const double weights = forward - model.layerCount * model.ScoreFlops(1);
    const double passed = double(m_microBatches) * shape.chunks * ActivationBytes();
    return {
        {"parameters", model.Parameters()},
        {"active_parameters", model.ActiveParameters()},
        {"flops_per_iteration", model.IterationFlops(m_settings->batch->globalBatchSize)},
        {"micro_batches_per_pipeline", m_microBatches},
        {"pipeline_bubble_fraction",
         m_settings->schedule->pipeline->Bubble(
             shape, forward, 2 * forward + RepeatedFlops(1), weights)},
        {"pp_bytes_per_gpu_per_direction_per_iteration",
         shape.stages > 1 ? passed / m_settings->parallelism->tensor : 0},
    };
}

double
TrainingJob::ModelFlopsUtilization(double iterationTime) const
{
    return m_settings->model->IterationFlops(m_settings->batch->globalBatchSize) / iterationTime /
           (RankCount() * m_gpu->peakTflops * 1e12);
}

} // namespace ns3::aifabric
