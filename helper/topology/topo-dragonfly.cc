// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Dragonfly (Kim et al., ISCA 2008): groups of A routers, all joined to each other, each with P hosts
 * and H links to other groups. At its full size of A·H + 1 groups each pair of them has exactly one
 * link; balanced is A = 2P = 2H.
 *
 * Host i is on router i / P, router i in group i / A. Global link j = r·H + x of a group is port x
 * of its router r, and leads to the group that is j-th without the group itself, there to the port
 * that leads back. Fewer groups have more links to each other, as many between each pair; what is
 * left of the A·H stays free.
 *
 * Routes are minimal: local, global, local, with one global link between two groups. Pauses on them can end in a deadlock, for there are no
 * virtual lanes.
 */
class Dragonfly : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    Dragonfly();

  private:
    void DoBuild(FabricGraph& graph) const override;

    uint32_t m_p;
    uint32_t m_a;
    uint32_t m_h;
    uint32_t m_groupCount;
};

NS_OBJECT_ENSURE_REGISTERED(Dragonfly);

namespace
{

/// More than the two local links that a way with one global link may have: else two global links in
/// a row, through a third group, would count as shorter.
constexpr uint8_t kGlobalCost = 3;

} // namespace

TypeId
Dragonfly::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::Dragonfly")
                            .SetParent<TopologyBuilder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<Dragonfly>()
                            .AddAttribute("P",
                                          "Hosts on each router",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&Dragonfly::m_p),
                                          MakeUintegerChecker<uint32_t>(1, 1024))
                            .AddAttribute("A",
                                          "Routers in each group",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&Dragonfly::m_a),
                                          MakeUintegerChecker<uint32_t>(1, 1024))
                            .AddAttribute("H",
                                          "Global links of each router",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&Dragonfly::m_h),
                                          MakeUintegerChecker<uint32_t>(0, 1024))
                            .AddAttribute("GroupCount",
                                          "Groups. 0: A·H + 1, which is the most",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Dragonfly::m_groupCount),
                                          MakeUintegerChecker<uint32_t>(0, 1048577));
    return tid;
}

Dragonfly::Dragonfly()
{
    DefineLink("nic_to_router", kHostLink);
    DefineLink("local", kFabricLink);
    DefineLink("global", kCoreLink);
    DefineSwitch("router");
}

void
Dragonfly::DoBuild(FabricGraph& graph) const
{
    const uint32_t ports = m_a * m_h; // global ones of a group
    const uint32_t groups = m_groupCount ? m_groupCount : ports + 1;
    Require(groups <= ports + 1,
            "group_count",
            "found " + std::to_string(groups) +
                ", expected no more than a·h + 1 = " + std::to_string(ports + 1));
    const Group hosts = AddHosts(graph, uint64_t{groups} * m_a * m_p);
    const Group routers = AddSwitches(graph, "router", uint64_t{groups} * m_a);
    ConnectHosts(graph, hosts, routers, m_p, "nic_to_router");
    graph.CheckRoom(0, routers.size() * (uint64_t{m_a} - 1 + m_h) / 2);
    for (std::size_t first = 0; first < routers.size(); first += m_a)
    {
        for (uint32_t i = 0; i < m_a; ++i)
        {
            for (uint32_t j = i + 1; j < m_a; ++j)
            {
                Connect(graph, routers[first + i], routers[first + j], "local");
            }
        }
    }
    const uint32_t perPair = groups > 1 ? ports / (groups - 1) : 0;
    for (uint32_t group = 0; group < groups; ++group)
    {
        for (uint32_t peer = group + 1; peer < groups; ++peer)
        {
            for (uint32_t i = 0; i < perPair; ++i)
            {
                const uint32_t there = i * (groups - 1) + peer - 1;
                const uint32_t back = i * (groups - 1) + group;
                const GraphLinkIdx link = graph.AddLink(routers[group * m_a + there / m_h],
                                                        routers[peer * m_a + back / m_h],
                                                        GetLink("global"),
                                                        "global");
                graph.SetCost(link, kGlobalCost);
            }
        }
    }
}

} // namespace ns3::aifabric
