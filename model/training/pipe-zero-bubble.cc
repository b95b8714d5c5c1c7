// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include <algorithm>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * ZB-H1 (Qi et al., ICLR 2024; ZB1P in DeepSeek-V3's report): 1F1B, but the gradients of the weights,
 * for which no other stage waits, are put off. Stage s is s of them behind, and does them where 1F1B
 * would wait. As many activations are alive as with 1F1B. With F, B and W of a forward pass, of the
 * whole backward pass and of its part for the weights, a stage waits for (p-1)(F + B - 2W).
 */
class ZeroBubble : public PipelineSchedule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::ZeroBubble")
                                .SetParent<PipelineSchedule>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<ZeroBubble>();
        return tid;
    }

    bool IsSplit() const override
    {
        return true;
    }

    std::vector<PipelinePass> Order(uint32_t stage, const PipelineShape& shape) const override
    {
        const uint32_t all = shape.microBatches;
        const uint32_t warmUp = std::min(all, shape.stages - 1 - stage);
        std::vector<PipelinePass> order;
        uint32_t weights = 0;
        for (uint32_t i = 0; i < all + warmUp; ++i)
        {
            if (i < all)
            {
                order.push_back({PipelinePass::kForward, 0, i});
            }
            if (i < warmUp)
            {
                continue;
            }
            const uint32_t backward = i - warmUp;
            order.push_back({PipelinePass::kBackward, 0, backward});
            if (backward >= stage)
            {
                order.push_back({PipelinePass::kWeights, 0, weights++});
            }
        }
        while (weights < all)
        {
            order.push_back({PipelinePass::kWeights, 0, weights++});
        }
        return order;
    }

    double Bubble(const PipelineShape& shape,
                  double forward,
                  double backward,
                  double weights) const override
    {
        return (shape.stages - 1.0) * (forward + backward - 2 * weights) /
               (shape.microBatches * (forward + backward));
    }
};

NS_OBJECT_ENSURE_REGISTERED(ZeroBubble);

} // namespace ns3::aifabric
