// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Two tiers: every leaf has links to every spine. Host i is on leaf i / HostsPerLeaf; the first
 * ports of a leaf are its hosts', the first port of a spine is leaf0's.
 */
class LeafSpine : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    LeafSpine();

  private:
    void DoBuild(FabricGraph& graph) const override;

    uint32_t m_leafCount;
    uint32_t m_spineCount;
    uint32_t m_hostsPerLeaf;
    uint32_t m_parallelLinks;
};

NS_OBJECT_ENSURE_REGISTERED(LeafSpine);

TypeId
LeafSpine::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::LeafSpine")
                            .SetParent<TopologyBuilder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<LeafSpine>()
                            .AddAttribute("LeafCount",
                                          "Leaf switches",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&LeafSpine::m_leafCount),
                                          MakeUintegerChecker<uint32_t>(1, 65534))
                            .AddAttribute("SpineCount",
                                          "Spine switches",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&LeafSpine::m_spineCount),
                                          MakeUintegerChecker<uint32_t>(1, 65534))
                            .AddAttribute("HostsPerLeaf",
                                          "Hosts on each leaf",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&LeafSpine::m_hostsPerLeaf),
                                          MakeUintegerChecker<uint32_t>(1, 65534))
                            .AddAttribute("ParallelLinks",
                                          "Links between each leaf and each spine",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&LeafSpine::m_parallelLinks),
                                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

LeafSpine::LeafSpine()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_spine", kFabricLink);
    DefineSwitch("leaf");
    DefineSwitch("spine");
}

void
LeafSpine::DoBuild(FabricGraph& graph) const
{
    Group hosts = AddHosts(graph, uint64_t{m_leafCount} * m_hostsPerLeaf);
    Group leaves = AddSwitches(graph, "leaf", m_leafCount);
    Group spines = AddSwitches(graph, "spine", m_spineCount);
    ConnectHosts(graph, hosts, leaves, m_hostsPerLeaf, "nic_to_leaf");
    ConnectAll(graph, leaves, spines, "leaf_to_spine", m_parallelLinks);
}

} // namespace ns3::aifabric
