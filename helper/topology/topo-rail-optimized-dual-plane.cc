// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Rails with a leaf for each port of a NIC, in planes that are disjoint all the way up: Alibaba HPN
 * 7.0 (Qian et al., SIGCOMM 2024, sections 5 and 6). The defaults are its sizes: segments of 128
 * servers, leaves with 60 links up, pods of 15 segments with 60 aggregation switches per plane, of
 * 120 links down and 8 up.
 *
 * Leaf (segment · RailCount + rail) · PlaneCount + plane, aggregation switch (pod · PlaneCount +
 * plane) · AggregationSwitchesPerPlane + i, core plane · cores + i. All leaves of a plane in a pod
 * are joined to all its aggregation switches; these to the cores of the plane, if there are pods to
 * join or cores are asked for. Backup GPUs of a segment are servers like any other.
 */
class RailOptimizedDualPlane : public RailTopology
{
  public:
    static TypeId GetTypeId();
    RailOptimizedDualPlane();

  private:
    void DoBuild(FabricGraph& graph) const override;
    void ConnectCores(FabricGraph& graph, const Group& aggregations, uint32_t downPorts) const;

    bool IsOneNetwork() const override
    {
        return false;
    }

    uint32_t m_planeCount;
    uint32_t m_segmentsPerPod;
    uint32_t m_aggregationSwitchesPerPlane;
    uint32_t m_coreSwitchesPerPlane;
    double m_coreOversubscriptionRatio;
};

NS_OBJECT_ENSURE_REGISTERED(RailOptimizedDualPlane);

TypeId
RailOptimizedDualPlane::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RailOptimizedDualPlane")
            .SetParent<RailTopology>()
            .SetGroupName("AiFabric")
            .AddConstructor<RailOptimizedDualPlane>()
            .AddAttribute("ServersPerSegment",
                          "Most servers in a segment",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RailOptimizedDualPlane::m_serversPerSegment),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("PlaneCount",
                          "Planes; port p of a NIC is on plane p mod PlaneCount",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RailOptimizedDualPlane::m_planeCount),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("LeafUplinkCount",
                          "Links of each leaf to the aggregation switches together: a multiple of "
                          "AggregationSwitchesPerPlane",
                          UintegerValue(60),
                          MakeUintegerAccessor(&RailOptimizedDualPlane::m_leafUplinkCount),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("SegmentsPerPod",
                          "Most segments in a pod",
                          UintegerValue(15),
                          MakeUintegerAccessor(&RailOptimizedDualPlane::m_segmentsPerPod),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute(
                "AggregationSwitchesPerPlane",
                "Aggregation switches of each plane in a pod",
                UintegerValue(60),
                MakeUintegerAccessor(&RailOptimizedDualPlane::m_aggregationSwitchesPerPlane),
                MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("CoreSwitchesPerPlane",
                          "Core switches of each plane. 0: as many as an aggregation switch has "
                          "links up, and none for a single pod",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailOptimizedDualPlane::m_coreSwitchesPerPlane),
                          MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("CoreOversubscriptionRatio",
                          "Bandwidth down over bandwidth up of an aggregation switch of a full pod",
                          DoubleValue(15),
                          MakeDoubleAccessor(&RailOptimizedDualPlane::m_coreOversubscriptionRatio),
                          MakeDoubleChecker<double>(0.001, 10000));
    return tid;
}

RailOptimizedDualPlane::RailOptimizedDualPlane()
{
    DefineLink("nic_to_leaf", {200e9, kHostLink.delay, 0, 0});
    DefineLink("leaf_to_aggregation", kFabricLink);
    DefineLink("aggregation_to_core", kCoreLink);
    DefineSwitch("leaf");
    DefineSwitch("aggregation");
    DefineSwitch("core");
}

void
RailOptimizedDualPlane::DoBuild(FabricGraph& graph) const
{
    const Rails rails = AddRails(graph, m_planeCount);
    const uint32_t perPlane = m_aggregationSwitchesPerPlane;
    const uint32_t parallel = UplinksTo(perPlane, "aggregation switches of a plane");
    const uint32_t pods = (rails.segments + m_segmentsPerPod - 1) / m_segmentsPerPod;
    const Group aggregations =
        AddSwitches(graph, "aggregation", uint64_t{pods} * m_planeCount * perPlane);
    graph.CheckRoom(0, uint64_t{rails.leaves.size()} * m_leafUplinkCount);
    for (std::size_t leaf = 0; leaf < rails.leaves.size(); ++leaf)
    {
        const std::size_t pod = leaf / m_planeCount / m_railCount / m_segmentsPerPod;
        const std::size_t first = (pod * m_planeCount + leaf % m_planeCount) * perPlane;
        for (uint32_t i = 0; i < perPlane; ++i)
        {
            Connect(graph,
                    rails.leaves[leaf],
                    aggregations[first + i],
                    "leaf_to_aggregation",
                    parallel);
        }
    }
    if (pods > 1 || m_coreSwitchesPerPlane > 0)
    {
        ConnectCores(graph, aggregations, m_segmentsPerPod * m_railCount * parallel);
    }
}

void
RailOptimizedDualPlane::ConnectCores(FabricGraph& graph,
                                     const Group& aggregations,
                                     uint32_t downPorts) const
{
    const double exact = downPorts * GetLink("leaf_to_aggregation").bandwidth /
                         GetLink("aggregation_to_core").bandwidth / m_coreOversubscriptionRatio;
    const auto up = static_cast<uint32_t>(std::lround(exact));
    Require(up > 0 && std::abs(up - exact) < 1e-6,
            "core_oversubscription_ratio",
            "gives an aggregation switch with " + std::to_string(downPorts) + " links down " +
                std::to_string(exact) + " links up, expected a whole number");
    // Either all aggregation switches share the cores, or groups of them have cores of their own.
    const uint32_t perPlane = m_coreSwitchesPerPlane ? m_coreSwitchesPerPlane : up;
    const uint32_t each = std::min(perPlane, up);
    const uint32_t groups = perPlane / each;
    Require(up % each == 0 && perPlane % each == 0 && m_aggregationSwitchesPerPlane % groups == 0,
            "core_switches_per_plane",
            "found " + std::to_string(perPlane) + ", expected a divisor of the " +
                std::to_string(up) +
                " links up of an aggregation switch, or their product with a " + "divisor of the " +
                std::to_string(m_aggregationSwitchesPerPlane) + " aggregation switches of a plane");
    const Group cores = AddSwitches(graph, "core", uint64_t{m_planeCount} * perPlane);
    graph.CheckRoom(0, uint64_t{aggregations.size()} * up);
    for (std::size_t i = 0; i < aggregations.size(); ++i)
    {
        const std::size_t plane = i / m_aggregationSwitchesPerPlane % m_planeCount;
        const std::size_t group = i % m_aggregationSwitchesPerPlane % groups;
        for (uint32_t core = 0; core < each; ++core)
        {
            Connect(graph,
                    aggregations[i],
                    cores[plane * perPlane + group * each + core],
                    "aggregation_to_core",
                    up / each);
        }
    }
}

} // namespace ns3::aifabric
