// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * All forward passes, then all backward passes (Huang et al., NeurIPS 2019): as long as 1F1B, with
 * the activations of all micro-batches alive at once.
 */
class Gpipe : public PipelineSchedule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Gpipe")
                                .SetParent<PipelineSchedule>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Gpipe>();
        return tid;
    }

    std::vector<PipelinePass> Order(uint32_t /* stage */, const PipelineShape& shape) const override
    {
        std::vector<PipelinePass> order;
        for (auto kind : {PipelinePass::kForward, PipelinePass::kBackward})
        {
            for (uint32_t i = 0; i < shape.microBatches; ++i)
            {
                order.push_back({kind, 0, i});
            }
        }
        return order;
    }

    double Bubble(const PipelineShape& shape,
                  double /* forward */,
                  double /* backward */,
                  double /* weights */) const override
    {
        return (shape.stages - 1.0) / shape.microBatches;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Gpipe);

} // namespace ns3::aifabric
