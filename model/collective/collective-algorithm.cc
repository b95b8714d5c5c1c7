// SPDX-License-Identifier: GPL-2.0-only
#include "collective-algorithm.h"

#include "ns3/abort.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveAlgorithm);

TypeId
CollectiveAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CollectiveAlgorithm").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
CollectiveAlgorithm::Append(const CollectiveCall& call, Plan& plan, PlanFrontier& frontier) const
{
    NS_ABORT_MSG_IF(!Does(call.operation),
                    GetInstanceTypeId().GetName() << " does no " << ToString(call.operation));
    if (call.ranks.size() < 2)
    {
        return;
    }
    uint32_t operation = plan.Add(
        {call.bytes, static_cast<uint32_t>(call.ranks.size()), plan.Tag(call.tag), call.operation});
    if (call.latency.launch > 0)
    {
        for (uint32_t rank : call.ranks)
        {
            plan.Launch(rank, call.latency.launch, operation, frontier);
        }
    }
    DoAppend(call, operation, plan, frontier);
}

} // namespace ns3::aifabric
