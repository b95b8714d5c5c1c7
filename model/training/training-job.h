// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRAINING_JOB_H
#define AIFABRIC_TRAINING_JOB_H

#include "gpu-settings.h"
#include "training-settings.h"

#include "ns3/collective-settings.h"
#include "ns3/plan.h"

#include <map>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * A training job on a cluster, checked as a whole: its closed forms, its place, and the plan of one
 * iteration.
 *
 * Per layer and direction two computations (attention, FFN), each followed by a collective of the
 * tensor group (SC'21, 2.3). Stages of a pipeline follow 1F1B (2.2) and pass a t-th of the
 * activations per GPU, beside their computations; the last stage has the output layer on top. After
 * the last backward pass each data-parallel group reduces its part of the gradients in one
 * collective, or, with overlap, by buckets during that pass, for which the buffer counts as filled
 * evenly by the layers of a stage.
 */
class TrainingJob
{
  public:
    /// What there is to run on. GPU number g is the (g mod gpusPerServer)-th one of server g div
    /// gpusPerServer.
    struct Cluster
    {
        uint32_t serverCount;
        uint32_t gpusPerServer;
    };

    /**
     * @param settings the job; kept, and not to be changed.
     * @param gpu what a GPU computes; checked by its own Check().
     * @param collectives how collectives are done; checked by its own Check().
     * @param cluster what there is.
     * @throws ScenarioError with a path within the job ("parallelism.tensor") for what does not fit
     * together or is not simulated.
     */
    TrainingJob(Ptr<const TrainingSettings> settings,
                Ptr<const GpuSettings> gpu,
                Ptr<const CollectiveSettings> collectives,
                Cluster cluster);

    const TrainingSettings& Settings() const
    {
        return *m_settings;
    }

    uint32_t RankCount() const
    {
        return m_settings->parallelism->RankCount();
    }

    /// @return the number of a rank's GPU in the cluster.
    uint32_t Gpu(uint32_t rank) const
    {
        return m_settings->placement->firstServer * m_cluster.gpusPerServer + rank;
    }

    /// @return micro-batches of each replica per iteration.
    uint32_t MicroBatches() const
    {
        return m_microBatches;
    }

    /// @return stages, chunks of each, micro-batches.
    PipelineShape Shape() const;

    /**
     * @param piece of the model, in order: stages x chunks of them; that number, too.
     * @return its first layer. Where they do not divide evenly, the last piece and then the first
     * ones have a layer less.
     */
    uint32_t FirstLayer(uint32_t piece) const;

    /// @return bytes of an activation tensor of a rank: micro-batch x its part of the sequence x
    /// hidden size.
    uint64_t ActivationBytes() const;

    /// @return bytes of keys and values of a layer, for the whole sequence, of a tensor rank.
    uint64_t KeyValueBytes() const;

    /// @return tokens of a micro-batch that a rank sends to experts.
    uint64_t TokensPerRank() const;

    /// @return bytes of a rank's part of the parameters without routed experts, a whole number of
    /// them.
    uint64_t ParameterBytes(uint32_t bytesPerParameter) const;

    /// @return bytes of a rank's part of the routed experts, a whole number of parameters.
    uint64_t ExpertParameterBytes(uint32_t bytesPerParameter) const;

    /// @return time in s that each GPU computes per iteration.
    double ComputeTime() const;

    /// @return the plan of one iteration, sealed; its ranks are those of the job, its tags "tp",
    /// "embedding", "loss", "dp", with a pipeline "pp" and (tied) "embedding_gradient", "cp" with
    /// context parallelism, "ep" and "expert_dp" with expert parallelism.
    Plan MakePlan() const;

    /**
     * @return what is known without a run: `parameters`, `flops_per_iteration`,
     * `micro_batches_per_pipeline`, `pipeline_bubble_fraction`, `pp_bytes_per_gpu_per_direction_per_iteration`.
     */
    std::map<std::string, double> Metrics() const;

    /**
     * @param iterationTime time of an iteration in s.
     * @return operations of the model per second and GPU over the GPU's peak (without recomputation).
     */
    double ModelFlopsUtilization(double iterationTime) const;

  private:
    double RepeatedFlops(uint32_t sequences) const;

    Ptr<const TrainingSettings> m_settings;
    Ptr<const GpuSettings> m_gpu;
    Ptr<const CollectiveSettings> m_collectives;
    Cluster m_cluster;
    uint32_t m_microBatches;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRAINING_JOB_H
