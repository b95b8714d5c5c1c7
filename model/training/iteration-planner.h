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

    /// Parameters of a rank, with the gradients of them, that others hold too.
    struct Buffer
    {
        Groups groups;       ///< ranks with the same ones
        uint64_t share;      ///< parameters of a rank
        uint64_t reduced{0}; ///< bytes of their gradients, so far
        const char* tag;
    };

    /// The ranks that hold the same layers, of all replicas.
    struct Stage
    {
        std::vector<uint32_t> ranks;
        Groups tensorGroups;
        Groups contextGroups;
        Groups expertGroups;
        std::vector<uint32_t> layers; ///< ascending
        Buffer dense;
        Buffer experts;
        std::vector<PipelinePass> passes;
        std::size_t planned{0}; ///< passes
    };

    /// What one stage holds at a stretch: layers from first to before last.
    struct Piece
    {
        uint32_t first;
        uint32_t last;
        uint32_t forwards{0}; ///< passes planned
        /// By micro-batch and rank of the stage: the message that brings its input.
        Groups activations;
        Groups gradients;
    };

    void MakeStages();
    void MakePieces();
    bool Advance(uint32_t s);
    void Forward(uint32_t s, const PipelinePass& pass);
    void Backward(uint32_t s, const PipelinePass& pass);
    void Weights(uint32_t s, const PipelinePass& pass);
    void EndLayer(uint32_t s, const PipelinePass& pass, uint32_t layers);
    void ForwardLayer(const Stage& stage, uint32_t layer);
    void BackwardLayer(const Stage& stage, uint32_t layer);
    void Experts(const Stage& stage, Tick duration, bool backward);
    void Exchange(const Stage& stage, uint32_t elementBytes, bool dispatch);
    void GatherKeys(const Stage& stage);
    void Loss(const Stage& stage);
    void Pass(uint32_t from, uint32_t to, std::vector<uint32_t>& messages);
    void Receive(const Stage& stage, std::vector<uint32_t>& messages);
    void UseParameters(const Stage& stage, uint32_t layer, uint32_t first, uint32_t last);
    void Prefetch(const Stage& stage, uint32_t layer);
    void ReduceGradients(Stage& stage, Buffer& buffer, uint64_t readyBytes, bool last);
    void Gather(const Buffer& buffer, uint64_t bytes, PlanFrontier& frontier);
    void ReduceTiedEmbedding();
    void Compute(const Stage& stage, Tick duration);
    void ReduceActivations(const Stage& stage, const char* tag);
    void Collect(CollectiveOperation operation,
                 const Groups& groups,
                 uint64_t bytes,
                 uint32_t elementBytes,
                 const char* tag,
                 PlanFrontier& frontier);
    void Collect(CollectiveOperation operation, const Stage& stage, uint64_t bytes);

    Tick FfnTime(uint32_t layer) const
    {
        return m_settings.model->HasExperts(layer) ? m_experts : m_ffn;
    }

    const TrainingJob& m_job;
    const TrainingSettings& m_settings;
    const CollectiveSettings& m_collectives;
    std::map<CollectiveOperation, CollectiveChoice> m_choices;
    std::vector<Stage> m_stages;
    std::vector<Piece> m_pieces;
    // Forward; backward takes twice that.
    Tick m_attention;
    Tick m_scores; ///< part of m_attention
    Tick m_ffn;
    Tick m_experts;
    Tick m_head;
    Plan m_plan;
    PlanFrontier m_frontier;         ///< computation, and what it waits for
    PlanFrontier m_gradientFrontier; ///< reduction of gradients beside it
    PlanFrontier m_gatherFrontier;   ///< gathering of parameters beside it
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ITERATION_PLANNER_H
