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
    void Forward();
    void Backward();
    void ForwardLayer();
    void BackwardLayer();
    void Loss();
    void ReduceGradients();
    void Compute(Tick duration);
    void ReduceActivations(const char* tag, uint64_t bytes);
    void Collect(CollectiveOperation operation,
                 ParallelismSettings::Dimension dimension,
                 uint64_t bytes,
                 uint32_t elementBytes,
                 const char* tag);

    const TrainingJob& m_job;
    const TrainingSettings& m_settings;
    const CollectiveSettings& m_collectives;
    std::map<CollectiveOperation, CollectiveChoice> m_choices;
    std::map<ParallelismSettings::Dimension, std::vector<std::vector<uint32_t>>> m_groups;
    Tick m_attention; ///< forward; backward takes twice that
    Tick m_ffn;
    Tick m_head;
    Plan m_plan;
    PlanFrontier m_frontier;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ITERATION_PLANNER_H
