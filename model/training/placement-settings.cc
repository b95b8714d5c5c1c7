// SPDX-License-Identifier: GPL-2.0-only
#include "placement-settings.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PlacementSettings);

TypeId
PlacementSettings::GetTypeId()
{
    using S = PlacementSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::PlacementSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Policy",
                          "contiguous: rank r on the r-th GPU from the first server on.",
                          StringValue("contiguous"),
                          MakeStringAccessor(&S::policy),
                          MakeStringChecker())
            .AddAttribute("FirstServer",
                          "Number of the server that has rank 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::firstServer),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
PlacementSettings::Check() const
{
    if (policy != "contiguous")
    {
        throw ScenarioError("policy",
                            "found '" + policy + "'" + SuggestFrom(policy, {"contiguous"}));
    }
}

} // namespace ns3::aifabric
