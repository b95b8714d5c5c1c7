// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ITERATION_PLANNER_H
#define AIFABRIC_ITERATION_PLANNER_H

#include "training-job.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * Writes the plan of one iteration, see TrainingJob.
 */
class IterationPlanner
{
  public:
    IterationPlanner(const TrainingJob& job,
                     const GpuSettings& gpu,
                     const CollectiveSettings& collectives,
                     uint32_t gpusPerServer);

    /// @return the plan, sealed.
    Plan Make();

  private:
    using Groups = std::vector<std::vector<uint32_t>>;

    /// The ranks that hold the same layers, of all replicas.
    struct Stage
    {
        std::vector<uint32_t> ranks;
        Groups tensorGroups;
        Groups dataGroups;
        uint32_t forwards{0};    ///< passes planned
        uint32_t backwards{0};   ///< passes planned
        uint32_t activations{0}; ///< forward passes that have what they need
        uint32_t gradients{0};   ///< backward passes that have what they need
        /// By pass and rank of the stage: the message that brings its input.
        std::vector<std::vector<uint32_t>> activationMessages;
        std::vector<std::vector<uint32_t>> gradientMessages;
        uint64_t reducedBytes{0}; ///< of the gradient buffer of a rank
    };

    bool Advance(uint32_t s);
    void Forward(uint32_t s);
    void Backward(uint32_t s);
    void ForwardLayer(const Stage& stage);
    void BackwardLayer(const Stage& stage);
    void Loss(const Stage& stage);
    void Pass(const Stage& from, std::vector<std::vector<uint32_t>>& to, const Stage& toStage);
    void Receive(const Stage& stage, const std::vector<uint32_t>& messages);
    void ReduceGradients(Stage& stage, uint64_t readyBytes, bool last);
    void GatherParameters(const Stage& stage);
    void ReduceTiedEmbedding();
    void Compute(const Stage& stage, Tick duration);
    void ReduceActivations(const Stage& stage, const char* tag);
    void Collect(CollectiveOperation operation,
                 const Groups& groups,
                 uint64_t bytes,
                 uint32_t elementBytes,
                 const char* tag,
                 PlanFrontier& frontier);

    const TrainingJob& m_job;
    const TrainingSettings& m_settings;
    const CollectiveSettings& m_collectives;
    std::map<CollectiveOperation, CollectiveChoice> m_choices;
    std::vector<Stage> m_stages;
    Tick m_attention; ///< forward; backward takes twice that
    Tick m_ffn;
    Tick m_head;
    Plan m_plan;
    PlanFrontier m_frontier;         ///< computation, and what it waits for
    PlanFrontier m_gradientFrontier; ///< reduction of gradients beside it
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ITERATION_PLANNER_H
