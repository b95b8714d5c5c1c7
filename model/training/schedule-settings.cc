// SPDX-License-Identifier: GPL-2.0-only
#include "schedule-settings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-registry.h"
#include "ns3/pointer.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ScheduleSettings);

ScheduleSettings::ScheduleSettings()
    : pipeline(MakePlugin<PipelineSchedule>("1f1b"))
{
}

TypeId
ScheduleSettings::GetTypeId()
{
    using S = ScheduleSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::ScheduleSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Pipeline",
                          "Schedule of the pipeline.",
                          TypeId::ATTR_GET | TypeId::ATTR_SET,
                          PointerValue(),
                          MakePointerAccessor(&S::pipeline),
                          MakePointerChecker<PipelineSchedule>())
            .AddAttribute("ActivationRecomputation",
                          "none; selective: the scores of the attention again; full: each layer's "
                          "forward pass, collectives included, again before its backward pass.",
                          StringValue("none"),
                          MakeStringAccessor(&S::activationRecomputation),
                          MakeStringChecker())
            .AddAttribute(
                "OverlapDataParallel",
                "Whether gradients are reduced by buckets while the last backward pass goes on; "
                "otherwise in one collective over the whole buffer after it.",
                BooleanValue(false),
                MakeBooleanAccessor(&S::overlapDataParallel),
                MakeBooleanChecker())
            .AddAttribute("GradientBucketBytes",
                          "Bucket of gradients with overlap (PyTorch's DDP: 25 MiB).",
                          UintegerValue(26214400),
                          MakeUintegerAccessor(&S::gradientBucketBytes),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

void
ScheduleSettings::Check() const
{
    auto expect = [](const char* key, const std::string& found, std::vector<std::string> valid) {
        if (std::find(valid.begin(), valid.end(), found) == valid.end())
        {
            throw ScenarioError(key, "found '" + found + "'" + SuggestFrom(found, valid));
        }
    };
    expect("activation_recomputation", activationRecomputation, {"none", "selective", "full"});
}

} // namespace ns3::aifabric
