// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Rails whose leaves are all joined by spines. A network of a single leaf needs no spine.
 */
class RailOptimized : public RailTopology
{
  public:
    static TypeId GetTypeId();
    RailOptimized();

  private:
    void DoBuild(FabricGraph& graph) const override;

    uint32_t m_spineCount;
};

NS_OBJECT_ENSURE_REGISTERED(RailOptimized);

TypeId
RailOptimized::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RailOptimized")
            .SetParent<RailTopology>()
            .SetGroupName("AiFabric")
            .AddConstructor<RailOptimized>()
            .AddAttribute("ServersPerSegment",
                          "Most servers in a segment",
                          UintegerValue(32),
                          MakeUintegerAccessor(&RailOptimized::m_serversPerSegment),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("SpineCount",
                          "Spine switches",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimized::m_spineCount),
                          MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("LeafUplinkCount",
                          "Links of each leaf to the spines together: a multiple of SpineCount",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RailOptimized::m_leafUplinkCount),
                          MakeUintegerChecker<uint32_t>(0, 65534));
    return tid;
}

RailOptimized::RailOptimized()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineLink("leaf_to_spine", kFabricLink);
    DefineSwitch("leaf");
    DefineSwitch("spine");
}

void
RailOptimized::DoBuild(FabricGraph& graph) const
{
    const Rails rails = AddRails(graph);
    Require(rails.leaves.size() == 1 || m_spineCount > 0,
            "spine_count",
            "found 0, expected at least 1: the topology has several leaves");
    const uint32_t parallel = m_spineCount ? UplinksTo(m_spineCount, "spines") : 0;
    ConnectAll(
        graph, rails.leaves, AddSwitches(graph, "spine", m_spineCount), "leaf_to_spine", parallel);
}

} // namespace ns3::aifabric
