// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PIPELINE_SCHEDULE_H
#define AIFABRIC_PIPELINE_SCHEDULE_H

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * What a pipeline has to get through in an iteration.
 */
struct PipelineShape
{
    uint32_t stages;       ///< ranks one behind the other
    uint32_t chunks;       ///< pieces of the model on each: virtual stages
    uint32_t microBatches; ///< of each replica
};

/**
 * @ingroup ai-fabric-training
 * One pass of one micro-batch through one piece of the model.
 */
struct PipelinePass
{
    enum Kind : uint8_t
    {
        kForward,
        kBackward, ///< gradients of the input; of the weights too, unless the schedule splits
        kWeights,  ///< gradients of the weights, of a schedule that splits
    };

    Kind kind;
    uint32_t chunk;
    uint32_t microBatch;
};

/**
 * @ingroup ai-fabric-training
 * Family of the schedules of a pipeline: in which order each stage does its passes. A stage does one
 * after the other, each as soon as its input is there. Piece number chunk · stages + stage of the model
 * is chunk number chunk of that stage.
 *
 * A schedule is one file pipe-x.cc. A constant object: all jobs share one.
 */
class PipelineSchedule : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError ("virtual_pipeline_stages") for a shape that it cannot do: more than one
    /// chunk, unless the schedule can.
    virtual void Check(const PipelineShape& shape) const;

    /// @return whether gradients of the weights are passes of their own.
    virtual bool IsSplit() const
    {
        return false;
    }

    /**
     * @param stage from 0, where the input comes in.
     * @return all passes of that stage: each micro-batch forward and backward through each chunk.
     * For each chunk the micro-batches come in order.
     */
    virtual std::vector<PipelinePass> Order(uint32_t stage, const PipelineShape& shape) const = 0;

    /**
     * @param shape what there is to do.
     * @param forward time of a forward pass through all chunks of a stage, any unit.
     * @param backward the same of the backward pass, weights included.
     * @param weights the part of backward that is for gradients of the weights.
     * @return time that a stage waits per iteration, over the time that it works, with stages that are
     * equal and a network that takes no time.
     */
    virtual double
    Bubble(const PipelineShape& shape, double forward, double backward, double weights) const = 0;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PIPELINE_SCHEDULE_H
