// SPDX-License-Identifier: GPL-2.0-only
#include "collective-tree.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-collective
 * All-reduce of one half of the buffer over a tree, of the other over its complement, in which the
 * ranks between are leaves (Sanders et al., Parallel Computing 2009; NCCL's "tree"). As Tree, but no
 * server sends more than 2S: with g ranks in each of N servers and many chunks it takes
 * 2(g-1)/g S/B1 or 2S/(g B2), whichever is longer.
 */
class DoubleBinaryTree : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::DoubleBinaryTree")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<DoubleBinaryTree>();
        return tid;
    }

    bool Does(CollectiveOperation operation) const override
    {
        return operation == CollectiveOperation::AllReduce;
    }

  private:
    void DoAppend(const CollectiveCall& call,
                  uint32_t operation,
                  Plan& plan,
                  PlanFrontier& frontier) const override
    {
        CollectiveTree::AppendOverServers(
            call, {CollectiveTree::Binary, CollectiveTree::Second}, operation, plan, frontier);
    }
};

NS_OBJECT_ENSURE_REGISTERED(DoubleBinaryTree);

} // namespace ns3::aifabric
