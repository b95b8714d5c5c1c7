// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Rails that nothing joins but the scale-up networks of the servers (Wang et al., Rail-only, arXiv
 * 2307.12169): each rail, and in it each plane, is a network of its own, of a single leaf or of
 * leaves and spines. With as many rails as NICs, and a server for each GPU of a plane, it is a
 * multi-plane fat-tree as well (DeepSeek-V3, arXiv 2505.09343, section 5.1).
 *
 * Spine (rail · PlaneCount + plane) · SpinesPerRail + i is the i-th of its network.
 */
class RailOnly : public RailTopology
{
  public:
    static TypeId GetTypeId();
    RailOnly();

  private:
    void DoBuild(FabricGraph& graph) const override;

    bool IsOneNetwork() const override
    {
        return false;
    }

    uint32_t m_planeCount;
    uint32_t m_spinesPerRail;
};

NS_OBJECT_ENSURE_REGISTERED(RailOnly);

TypeId
RailOnly::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RailOnly")
            .SetParent<RailTopology>()
            .SetGroupName("AiFabric")
            .AddConstructor<RailOnly>()
            .AddAttribute("ServersPerSegment",
                          "Most servers in a segment: hosts on each leaf where rails are as many "
                          "as NICs",
                          UintegerValue(32),
                          MakeUintegerAccessor(&RailOnly::m_serversPerSegment),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("PlaneCount",
                          "Networks of each rail; port p of a NIC is on plane p mod PlaneCount",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RailOnly::m_planeCount),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("SpinesPerRail",
                          "Spine switches of each plane of a rail. 0: a single leaf",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailOnly::m_spinesPerRail),
                          MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("LeafUplinkCount",
                          "Links of each leaf to its spines together: a multiple of SpinesPerRail. "
                          "0: one to each",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailOnly::m_leafUplinkCount),
                          MakeUintegerChecker<uint32_t>(0, 65534));
    return tid;
}

RailOnly::RailOnly()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_spine", kFabricLink);
    DefineSwitch("leaf");
    DefineSwitch("spine");
}

void
RailOnly::DoBuild(FabricGraph& graph) const
{
    const Rails rails = AddRails(graph, m_planeCount);
    Require(rails.segments == 1 || m_spinesPerRail > 0,
            "spines_per_rail",
            "found 0, expected at least 1: each rail has " + std::to_string(rails.segments) +
                " leaves");
    const uint32_t networks = m_railCount * m_planeCount;
    const Group spines = AddSwitches(graph, "spine", uint64_t{networks} * m_spinesPerRail);
    if (spines.empty())
    {
        return;
    }
    const uint32_t parallel = m_leafUplinkCount ? UplinksTo(m_spinesPerRail, "spines") : 1;
    graph.CheckRoom(0, uint64_t{rails.leaves.size()} * m_spinesPerRail * parallel);
    for (std::size_t leaf = 0; leaf < rails.leaves.size(); ++leaf)
    {
        const std::size_t first = leaf % networks * m_spinesPerRail;
        for (std::size_t spine = first; spine < first + m_spinesPerRail; ++spine)
        {
            Connect(graph, rails.leaves[leaf], spines[spine], "leaf_to_spine", parallel);
        }
    }
}

} // namespace ns3::aifabric
