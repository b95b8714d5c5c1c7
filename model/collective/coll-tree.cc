// SPDX-License-Identifier: GPL-2.0-only
#include "collective-tree.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * A tree over the servers and a chain in each, in chunks (NCCL's "tree", with one tree instead of
 * its two). With g ranks in each of N servers an all-reduce of 0 bytes takes
 * 2(g-1) alpha1 + 2 log2(N) alpha2, log2 rounded up; one of many chunks 2(g-1)/g S/B1 or 3S/(g B2),
 * whichever is longer. A broadcast or reduce is half of it.
 */
class Tree : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Tree")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Tree>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation == CollectiveOperation::AllReduce ||
               operation == CollectiveOperation::Broadcast ||
               operation == CollectiveOperation::Reduce;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        CollectiveTree::AppendOverServers(
            call, {CollectiveTree::Binary}, operation, plan, frontier);
    }
};

NS_OBJECT_ENSURE_REGISTERED(Tree);

} // namespace ns3::aifabric
