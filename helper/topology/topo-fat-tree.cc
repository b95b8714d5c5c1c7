// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * k-ary fat-tree of switches with k ports (Al-Fares et al., SIGCOMM 2008): k pods of k/2 leaves and
 * k/2 aggregation switches, (k/2)² cores, k³/4 hosts, full bisection.
 *
 * Core i·k/2 + j has a link to aggregation switch i of each pod, where it is up-port j; its port p
 * leads to pod p.
 */
class FatTree : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    FatTree();

  private:
    void DoBuild(FabricGraph& graph) const override;

    uint32_t m_k;
};

NS_OBJECT_ENSURE_REGISTERED(FatTree);

TypeId
FatTree::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FatTree")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<FatTree>()
            .AddAttribute("K",
                          "Ports of a switch, an even number; also the number of pods",
                          UintegerValue(4),
                          MakeUintegerAccessor(&FatTree::m_k),
                          MakeUintegerChecker<uint32_t>(2, 128));
    return tid;
}

FatTree::FatTree()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_aggregation", kFabricLink);
    DefineLink("aggregation_to_core", kCoreLink);
    DefineSwitch("leaf");
    DefineSwitch("aggregation");
    DefineSwitch("core");
}

void
FatTree::DoBuild(FabricGraph& graph) const
{
    Require(m_k % 2 == 0, "k", "found " + std::to_string(m_k) + ", expected an even number");
    uint32_t half = m_k / 2;
    Group hosts = AddHosts(graph, uint64_t{m_k} * half * half);
    Group leaves = AddSwitches(graph, "leaf", m_k * half);
    Group aggregations = AddSwitches(graph, "aggregation", m_k * half);
    Group cores = AddSwitches(graph, "core", half * half);
    ConnectHosts(graph, hosts, leaves, half, "nic_to_leaf");
    for (uint32_t pod = 0; pod < m_k; ++pod)
    {
        for (uint32_t leaf = 0; leaf < half; ++leaf)
        {
            for (uint32_t i = 0; i < half; ++i)
            {
                Connect(graph,
                        leaves[pod * half + leaf],
                        aggregations[pod * half + i],
                        "leaf_to_aggregation");
            }
        }
    }
    for (uint32_t pod = 0; pod < m_k; ++pod)
    {
        for (uint32_t core = 0; core < half * half; ++core)
        {
            Connect(
                graph, aggregations[pod * half + core / half], cores[core], "aggregation_to_core");
        }
    }
}

} // namespace ns3::aifabric
