// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * All hosts on one switch, leaf0.
 */
class Star : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    Star();

  private:
    void DoBuild(FabricGraph& graph) const override;

    uint32_t m_hostCount;
};

NS_OBJECT_ENSURE_REGISTERED(Star);

TypeId
Star::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::Star")
                            .SetParent<TopologyBuilder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<Star>()
                            .AddAttribute("HostCount",
                                          "Hosts on the switch",
                                          UintegerValue(16),
                                          MakeUintegerAccessor(&Star::m_hostCount),
                                          MakeUintegerChecker<uint32_t>(1, 65534));
    return tid;
}

Star::Star()
{
    DefineLink("nic_to_leaf", kHostLink);
    DefineSwitch("leaf");
}

void
Star::DoBuild(FabricGraph& graph) const
{
    Group hosts = AddHosts(graph, m_hostCount);
    Group leaf = AddSwitches(graph, "leaf", 1);
    ConnectAll(graph, hosts, leaf, "nic_to_leaf");
}

} // namespace ns3::aifabric
