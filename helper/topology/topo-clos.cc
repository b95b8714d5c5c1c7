// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Folded Clos network of switches with Radix ports, in two tiers (leaf, spine) or three (leaf,
 * aggregation, core), as large as the radix allows or smaller.
 *
 * Leaves of two tiers have down-ports and up-ports in the ratio OversubscriptionRatio. In three
 * tiers they have as many up as down, and the ratio is that of the aggregation switches: a pod has
 * one of them for each up-port of a leaf, and as many leaves as an aggregation switch has ports
 * down; the cores are in planes, one for each aggregation switch of a pod. Without
 * oversubscription, the full size is R²/2 or R³/4 hosts.
 *
 * Where there are fewer leaves or pods than ports on a switch above them, there are fewer switches
 * above, and parallel links to each: the least number that has the ports and divides the up-ports
 * evenly.
 *
 * HostsPerLeaf is for leaves that break out their ports down: where hosts have a quarter of the
 * rate of a port, four take its place. It changes neither the switches nor the links between them.
 */
class Clos : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    Clos();

  private:
    void DoBuild(FabricGraph& graph) const override;
    /// @return switches above `lower` switches that have so many up-ports each.
    uint32_t Above(uint32_t lower, uint32_t upPorts) const;
    /// @return hosts of each leaf, which has so many ports down.
    uint32_t HostsOn(uint32_t downPorts) const;
    void BuildTwoTiers(FabricGraph& graph, uint32_t up) const;
    void BuildThreeTiers(FabricGraph& graph, uint32_t up) const;

    uint32_t m_radix;
    uint32_t m_tierCount;
    uint32_t m_leafCount;
    uint32_t m_podCount;
    uint32_t m_hostsPerLeaf;
    double m_oversubscriptionRatio;
};

NS_OBJECT_ENSURE_REGISTERED(Clos);

TypeId
Clos::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Clos")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<Clos>()
            .AddAttribute("Radix",
                          "Ports of every switch",
                          UintegerValue(8),
                          MakeUintegerAccessor(&Clos::m_radix),
                          MakeUintegerChecker<uint32_t>(2, 1024))
            .AddAttribute("TierCount",
                          "Tiers of switches",
                          UintegerValue(2),
                          MakeUintegerAccessor(&Clos::m_tierCount),
                          MakeUintegerChecker<uint32_t>(2, 3))
            .AddAttribute("LeafCount",
                          "Leaves of a network of two tiers. 0: as many as a spine has ports",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Clos::m_leafCount),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("PodCount",
                          "Pods of a network of three tiers. 0: as many as a core has ports",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Clos::m_podCount),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("HostsPerLeaf",
                          "Hosts of each leaf, whatever ports down the radix leaves it: hosts of a "
                          "lower rate share one. 0: as many as those ports",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Clos::m_hostsPerLeaf),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("OversubscriptionRatio",
                          "Ports down over ports up of the switches below the highest tier",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Clos::m_oversubscriptionRatio),
                          MakeDoubleChecker<double>(0.001, 1000));
    return tid;
}

Clos::Clos()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_spine", kFabricLink);
    DefineLink("leaf_to_aggregation", kFabricLink);
    DefineLink("aggregation_to_core", kCoreLink);
    DefineSwitch("leaf");
    DefineSwitch("spine");
    DefineSwitch("aggregation");
    DefineSwitch("core");
}

uint32_t
Clos::Above(uint32_t lower, uint32_t upPorts) const
{
    uint32_t upper = (lower * upPorts + m_radix - 1) / m_radix;
    while (upPorts % upper != 0)
    {
        ++upper;
    }
    return upper;
}

uint32_t
Clos::HostsOn(uint32_t downPorts) const
{
    return m_hostsPerLeaf ? m_hostsPerLeaf : downPorts;
}

void
Clos::DoBuild(FabricGraph& graph) const
{
    double exact = m_radix / (1 + m_oversubscriptionRatio);
    auto up = static_cast<uint32_t>(std::lround(exact));
    Require(up > 0 && up < m_radix && std::abs(up - exact) < 1e-6,
            "oversubscription_ratio",
            "splits the " + std::to_string(m_radix) + " ports of a switch into " +
                std::to_string(m_radix - exact) + " down and " + std::to_string(exact) +
                " up, expected whole numbers");
    m_tierCount == 2 ? BuildTwoTiers(graph, up) : BuildThreeTiers(graph, up);
}

void
Clos::BuildTwoTiers(FabricGraph& graph, uint32_t up) const
{
    Require(m_podCount == 0, "pod_count", "needs three tiers, expected leaf_count");
    uint32_t leafCount = m_leafCount ? m_leafCount : m_radix;
    Require(leafCount <= m_radix,
            "leaf_count",
            "found " + std::to_string(leafCount) + ", expected no more than the radix of " +
                std::to_string(m_radix));
    uint32_t spineCount = Above(leafCount, up);
    uint32_t hostsPerLeaf = HostsOn(m_radix - up);
    Group hosts = AddHosts(graph, uint64_t{leafCount} * hostsPerLeaf);
    Group leaves = AddSwitches(graph, "leaf", leafCount);
    Group spines = AddSwitches(graph, "spine", spineCount);
    ConnectHosts(graph, hosts, leaves, hostsPerLeaf, "nic_to_leaf");
    ConnectAll(graph, leaves, spines, "leaf_to_spine", up / spineCount);
}

void
Clos::BuildThreeTiers(FabricGraph& graph, uint32_t up) const
{
    Require(m_leafCount == 0, "leaf_count", "needs two tiers, expected pod_count");
    Require(m_radix % 2 == 0,
            "radix",
            "found " + std::to_string(m_radix) + ", expected an even number for three tiers");
    uint32_t podCount = m_podCount ? m_podCount : m_radix;
    Require(podCount <= m_radix,
            "pod_count",
            "found " + std::to_string(podCount) + ", expected no more than the radix of " +
                std::to_string(m_radix));
    uint32_t half = m_radix / 2;
    uint32_t perPod = m_radix - up; // leaves
    uint32_t perPlane = Above(podCount, up);
    uint32_t hostsPerLeaf = HostsOn(half);
    Group hosts = AddHosts(graph, uint64_t{podCount} * perPod * hostsPerLeaf);
    Group leaves = AddSwitches(graph, "leaf", podCount * perPod);
    Group aggregations = AddSwitches(graph, "aggregation", podCount * half);
    Group cores = AddSwitches(graph, "core", half * perPlane);
    ConnectHosts(graph, hosts, leaves, hostsPerLeaf, "nic_to_leaf");
    for (uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
    {
        for (uint32_t i = 0; i < half; ++i)
        {
            Connect(
                graph, leaves[leaf], aggregations[leaf / perPod * half + i], "leaf_to_aggregation");
        }
    }
    for (uint32_t i = 0; i < aggregations.size(); ++i)
    {
        for (uint32_t core = 0; core < perPlane; ++core)
        {
            Connect(graph,
                    aggregations[i],
                    cores[i % half * perPlane + core],
                    "aggregation_to_core",
                    up / perPlane);
        }
    }
}

} // namespace ns3::aifabric
