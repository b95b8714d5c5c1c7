// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include "ns3/scenario-error.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PipelineSchedule);

TypeId
PipelineSchedule::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PipelineSchedule").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
PipelineSchedule::Check(const PipelineShape& shape) const
{
    if (shape.chunks != 1)
    {
        throw ScenarioError("virtual_pipeline_stages",
                            "found " + std::to_string(shape.chunks) +
                                ", expected 1, or a schedule.pipeline of 1f1b");
    }
}

} // namespace ns3::aifabric
