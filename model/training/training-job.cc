// SPDX-License-Identifier: GPL-2.0-only
#include "training-job.h"

#include "iteration-planner.h"

#include "ns3/scenario-error.h"

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
    if (s.model->layerCount % s.parallelism->pipeline != 0)
    {
        throw ScenarioError(
            "parallelism.pipeline",
            "found " + std::to_string(s.parallelism->pipeline) +
                ", expected a divisor of layer_count = " + std::to_string(s.model->layerCount));
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

uint64_t
TrainingJob::ActivationBytes() const
{
    return uint64_t{m_settings->batch->microBatchSize} * m_settings->model->sequenceLength *
           m_settings->model->hiddenSize * m_settings->precision->activationBytes;
}

uint64_t
TrainingJob::ParameterBytes(uint32_t bytesPerParameter) const
{
    uint64_t parts = uint64_t{m_settings->parallelism->tensor} * m_settings->parallelism->pipeline;
    return (m_settings->model->Parameters() + parts - 1) / parts * bytesPerParameter;
}

double
TrainingJob::ComputeTime() const
{
    const TransformerModel& model = *m_settings->model;
    double flops = model.IterationFlops(m_settings->batch->globalBatchSize);
    if (m_settings->schedule->activationRecomputation == "full")
    {
        uint32_t sequences = m_settings->batch->globalBatchSize;
        flops += model.layerCount * (model.AttentionFlops(sequences) + model.FfnFlops(sequences));
    }
    return flops / (RankCount() * m_gpu->achievedTflops * 1e12);
}

Plan
TrainingJob::MakePlan() const
{
    return IterationPlanner(*this, *m_gpu, *m_collectives, m_cluster.gpusPerServer).Make();
}

std::map<std::string, double>
TrainingJob::Metrics() const
{
    const uint32_t pipeline = m_settings->parallelism->pipeline;
    return {
        {"parameters", m_settings->model->Parameters()},
        {"flops_per_iteration",
         m_settings->model->IterationFlops(m_settings->batch->globalBatchSize)},
        {"micro_batches_per_pipeline", m_microBatches},
        {"pipeline_bubble_fraction", (pipeline - 1.0) / m_microBatches},
        {"pp_bytes_per_gpu_per_direction_per_iteration",
         pipeline > 1 ? double(m_microBatches) * ActivationBytes() / m_settings->parallelism->tensor
                      : 0},
    };
}

double
TrainingJob::ModelFlopsUtilization(double iterationTime) const
{
    return m_settings->model->IterationFlops(m_settings->batch->globalBatchSize) / iterationTime /
           (RankCount() * m_gpu->peakTflops * 1e12);
}

} // namespace ns3::aifabric
