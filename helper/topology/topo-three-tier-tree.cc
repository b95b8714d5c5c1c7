// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * The classic three-tier tree: in each pod every leaf has a link to every aggregation switch, and
 * every aggregation switch one to every core. It converges upwards as far as the rates of the links
 * say, or as the two ratios say: bandwidth down over bandwidth up, which then sets the rate of the
 * links up.
 *
 * Hosts of different leaves of a pod have 1/o of their rate when all send at once, o the ratio of
 * the leaf; of different pods 1/(o·o'), o' that of the aggregation switches.
 */
class ThreeTierTree : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    ThreeTierTree();

  private:
    void DoBuild(FabricGraph& graph) const override;
    LinkSpec Narrowed(const std::string& layer,
                      const LinkSpec& initial,
                      double ratio,
                      double below,
                      uint32_t upCount,
                      const std::string& key) const;

    uint32_t m_podCount;
    uint32_t m_leavesPerPod;
    uint32_t m_aggregationsPerPod;
    uint32_t m_hostsPerLeaf;
    uint32_t m_coreCount;
    double m_leafOversubscriptionRatio;
    double m_aggregationOversubscriptionRatio;
};

NS_OBJECT_ENSURE_REGISTERED(ThreeTierTree);

TypeId
ThreeTierTree::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ThreeTierTree")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<ThreeTierTree>()
            .AddAttribute("PodCount",
                          "Pods",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ThreeTierTree::m_podCount),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("LeavesPerPod",
                          "Leaves in each pod",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ThreeTierTree::m_leavesPerPod),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("AggregationsPerPod",
                          "Aggregation switches in each pod",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ThreeTierTree::m_aggregationsPerPod),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("HostsPerLeaf",
                          "Hosts on each leaf",
                          UintegerValue(8),
                          MakeUintegerAccessor(&ThreeTierTree::m_hostsPerLeaf),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("CoreCount",
                          "Core switches",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ThreeTierTree::m_coreCount),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute(
                "LeafOversubscriptionRatio",
                "Bandwidth of the hosts of a leaf over that of its links up. 0: as the links are",
                DoubleValue(0),
                MakeDoubleAccessor(&ThreeTierTree::m_leafOversubscriptionRatio),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "AggregationOversubscriptionRatio",
                "Bandwidth down over bandwidth up of an aggregation switch. 0: as the links are",
                DoubleValue(0),
                MakeDoubleAccessor(&ThreeTierTree::m_aggregationOversubscriptionRatio),
                MakeDoubleChecker<double>(0));
    return tid;
}

ThreeTierTree::ThreeTierTree()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_aggregation", kFabricLink);
    DefineLink("aggregation_to_core", kCoreLink);
    DefineSwitch("leaf");
    DefineSwitch("aggregation");
    DefineSwitch("core");
}

LinkSpec
ThreeTierTree::Narrowed(const std::string& layer,
                        const LinkSpec& initial,
                        double ratio,
                        double below,
                        uint32_t upCount,
                        const std::string& key) const
{
    LinkSpec link = GetLink(layer);
    if (ratio > 0)
    {
        Require(link.bandwidth == initial.bandwidth,
                key,
                "sets the bandwidth of links." + layer +
                    ", which is given as well, expected one of the two");
        link.bandwidth = below / ratio / upCount;
    }
    return link;
}

void
ThreeTierTree::DoBuild(FabricGraph& graph) const
{
    LinkSpec toAggregation = Narrowed("leaf_to_aggregation",
                                      kFabricLink,
                                      m_leafOversubscriptionRatio,
                                      m_hostsPerLeaf * GetLink("nic_to_leaf").bandwidth,
                                      m_aggregationsPerPod,
                                      "leaf_oversubscription_ratio");
    LinkSpec toCore = Narrowed("aggregation_to_core",
                               kCoreLink,
                               m_aggregationOversubscriptionRatio,
                               m_leavesPerPod * toAggregation.bandwidth,
                               m_coreCount,
                               "aggregation_oversubscription_ratio");
    Group hosts = AddHosts(graph, uint64_t{m_podCount} * m_leavesPerPod * m_hostsPerLeaf);
    Group leaves = AddSwitches(graph, "leaf", uint64_t{m_podCount} * m_leavesPerPod);
    Group aggregations =
        AddSwitches(graph, "aggregation", uint64_t{m_podCount} * m_aggregationsPerPod);
    Group cores = AddSwitches(graph, "core", m_coreCount);
    ConnectHosts(graph, hosts, leaves, m_hostsPerLeaf, "nic_to_leaf");
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
    {
        std::size_t pod = leaf / m_leavesPerPod;
        for (uint32_t i = 0; i < m_aggregationsPerPod; ++i)
        {
            graph.AddLink(leaves[leaf],
                          aggregations[pod * m_aggregationsPerPod + i],
                          toAggregation,
                          "leaf_to_aggregation");
        }
    }
    graph.CheckRoom(0, uint64_t{aggregations.size()} * cores.size());
    for (GraphNodeIdx aggregation : aggregations)
    {
        for (GraphNodeIdx core : cores)
        {
            graph.AddLink(aggregation, core, toCore, "aggregation_to_core");
        }
    }
}

} // namespace ns3::aifabric
