// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PARALLELISM_SETTINGS_H
#define AIFABRIC_PARALLELISM_SETTINGS_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "parallelism" of a job: how the model and its batch are divided over ranks.
 */
class ParallelismSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// The dimensions of a rank's coordinates, a bit each.
    enum Dimension : uint32_t
    {
        kTensor = 1,
        kContext = 2,
        kData = 4,
        kPipeline = 8,
    };

    /// @throws ScenarioError for what is not simulated, or a bad rank order.
    void Check() const;

    /// @return ranks of the job.
    uint64_t RankCount() const
    {
        return uint64_t{tensor} * pipeline * data * context;
    }

    /**
     * @param dimensions one or several.
     * @return the groups along them: ranks that differ in these only, ascending.
     * @throws ScenarioError for a bad rank order.
     */
    std::vector<std::vector<uint32_t>> Groups(uint32_t dimensions) const;

    uint32_t tensor;                ///< attribute Tensor
    uint32_t pipeline;              ///< attribute Pipeline
    uint32_t data;                  ///< attribute Data
    uint32_t context;               ///< attribute Context
    uint32_t expert;                ///< attribute Expert
    bool sequenceParallel;          ///< attribute SequenceParallel
    bool vocabularyParallel;        ///< attribute VocabularyParallel
    uint32_t virtualPipelineStages; ///< attribute VirtualPipelineStages
    bool unevenStages;              ///< attribute UnevenStages
    uint32_t zeroStage;             ///< attribute ZeroStage
    std::string rankOrder;          ///< attribute RankOrder
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PARALLELISM_SETTINGS_H
