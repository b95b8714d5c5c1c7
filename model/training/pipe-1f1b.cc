// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * One forward, one backward (SC'21, 2.2): stage s of p starts with p-1-s forward passes, then does one
 * of each kind in turn. With v chunks it is interleaved: p micro-batches go through a chunk, then the
 * same through the next; 2(p-1-s) + (v-1)p forward passes come first, and the number of micro-batches
 * is a multiple of p (Megatron-LM). A stage waits for (p-1)/(v m) of its work.
 */
class OneForwardOneBackward : public PipelineSchedule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::1f1b")
                                .SetParent<PipelineSchedule>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<OneForwardOneBackward>();
        return tid;
    }

    void Check(const PipelineShape& shape) const override
    {
        if (shape.chunks > 1 && (shape.stages == 1 || shape.microBatches % shape.stages != 0))
        {
            throw ScenarioError("virtual_pipeline_stages",
                                "found " + std::to_string(shape.chunks) + ", expected 1 for " +
                                    std::to_string(shape.microBatches) + " micro-batches on " +
                                    std::to_string(shape.stages) +
                                    " stages: interleaving needs a multiple of the stages, two or "
                                    "more of them");
        }
    }

    std::vector<PipelinePass> Order(uint32_t stage, const PipelineShape& shape) const override
    {
        const uint32_t all = shape.chunks * shape.microBatches;
        const uint32_t later = shape.stages - 1 - stage;
        uint32_t warmUp = later;
        if (shape.chunks > 1)
        {
            warmUp = 2 * later + (shape.chunks - 1) * shape.stages;
        }
        warmUp = std::min(all, warmUp);
        std::vector<PipelinePass> order;
        for (uint32_t i = 0; i < all + warmUp; ++i)
        {
            if (i < all)
            {
                order.push_back(Pass(i, PipelinePass::kForward, shape));
            }
            if (i >= warmUp)
            {
                order.push_back(Pass(i - warmUp, PipelinePass::kBackward, shape));
            }
        }
        return order;
    }

    double Bubble(const PipelineShape& shape,
                  double /* forward */,
                  double /* backward */,
                  double /* weights */) const override
    {
        return (shape.stages - 1.0) / shape.chunks / shape.microBatches;
    }

  private:
    /// @return the i-th pass of that kind.
    static PipelinePass Pass(uint32_t i, PipelinePass::Kind kind, const PipelineShape& shape)
    {
        if (shape.chunks == 1)
        {
            return {kind, 0, i};
        }
        const uint32_t turn = shape.stages * shape.chunks;
        const uint32_t chunk = i % turn / shape.stages;
        return {kind,
                kind == PipelinePass::kForward ? chunk : shape.chunks - 1 - chunk,
                i / turn * shape.stages + i % shape.stages};
    }
};

NS_OBJECT_ENSURE_REGISTERED(OneForwardOneBackward);

} // namespace ns3::aifabric
