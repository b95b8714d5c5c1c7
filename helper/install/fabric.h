// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_H
#define AIFABRIC_FABRIC_H

#include "fabric-settings.h"

#include "ns3/egress-port.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-routes.h"
#include "ns3/fabric-switch.h"
#include "ns3/node-container.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
class Ipv4InterfaceContainer;
}

namespace ns3::aifabric
{

class PcapCapture;
class RdmaNic;

/**
 * @defgroup ai-fabric-install Installation
 * @ingroup ai-fabric
 *
 * From a graph to a network that runs.
 */

/**
 * @ingroup ai-fabric-install
 * The scale-out network of a cluster: nodes, NICs, switches and links, made from a graph.
 *
 * Every switch and every server (every host that is in none) is an ns-3 node; every port of a link
 * has a FabricNetDevice there, and every link is a FabricChannel. Nodes and devices are known to
 * ns3::Names by their name in the graph.
 *
 * Must live until Simulator::Destroy.
 */
class Fabric
{
  public:
    /**
     * Builds the network.
     * @throws ScenarioError where graph and settings contradict each other.
     */
    Fabric(std::shared_ptr<const FabricGraph> graph, const FabricSettings& settings);
    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    const FabricGraph& GetGraph() const
    {
        return *m_graph;
    }

    const std::vector<SwitchRoutes>& GetRoutes() const
    {
        return m_routes;
    }

    const FabricSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return the NIC of a host, which may have more than one port.
    RdmaNic& GetNic(NodeIdx host) const
    {
        return *m_nicOf[host].nic;
    }

    /// @return which port of its NIC the host is.
    PortIdx GetNicPort(NodeIdx host) const
    {
        return m_nicOf[host].port;
    }

    /// @return the way out of a host.
    EgressPort& GetHostPort(NodeIdx host) const
    {
        return m_hostPorts[host];
    }

    /// @return what a host that is slow in receiving has before its NIC; null for others.
    const ReceiveBuffer* GetReceiveBuffer(NodeIdx host) const
    {
        return m_receiveBuffers.empty() ? nullptr : m_receiveBuffers[host].get();
    }

    /// @return the switch that a node of the graph is; null for hosts.
    Ptr<FabricSwitch> GetSwitch(GraphNodeIdx node) const
    {
        return m_switches[node];
    }

    /// @return a port of a node of the graph.
    EgressPort& GetPort(GraphNodeIdx node, PortIdx port) const;

    /// Records what a port sends and receives. @param capture must outlive the simulation.
    void Capture(GraphNodeIdx node, PortIdx port, PcapCapture& capture) const;

    /// @return the ns-3 node of a node of the graph.
    Ptr<Node> GetNode(GraphNodeIdx node) const
    {
        return m_nodes[node];
    }

    /// @return the ns-3 node of a host.
    Ptr<Node> GetHostNode(NodeIdx host) const
    {
        return m_nodes[m_graph->NodeOf(host)];
    }

    /// @return the device of a host.
    Ptr<FabricNetDevice> GetHostDevice(NodeIdx host) const
    {
        return m_hostDevices[host];
    }

    /**
     * Gives every host that has an internet stack on its node an IPv4 address, in the order of the
     * hosts.
     * @param network "10.0.0.0". @param mask "255.0.0.0".
     */
    Ipv4InterfaceContainer AssignIpv4(const std::string& network, const std::string& mask);

    /// @return what was noticed while building, one line each.
    const std::vector<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

    /// @return what is not as it has to be once nothing is under way; empty if all is well.
    std::vector<std::string> FindLeftovers() const;

  private:
    struct NicPort
    {
        RdmaNic* nic;
        PortIdx port;
    };

    void MakeNodes();
    void MakeSwitches();
    void WireLinks();
    void WireEnd(const GraphLink& link, bool forward);
    /// @return who receives what arrives at a port, and the receiver's number of that port.
    std::pair<FrameSink*, PortIdx> SinkOf(GraphNodeIdx node, PortIdx port) const;
    void MakeNics();
    void MakeReceiveBuffers();
    void MakeReceiveBuffer(NodeIdx host, const GraphLink& link, bool isFrom);
    uint32_t GetLongestFrame() const;
    void CheckMarks(double rate) const;
    void CheckPauses() const;
    /// @return what the port of a node that leads to another has to do with pauses.
    PfcEnd GetPauses(GraphNodeIdx at, GraphNodeIdx toward) const;
    void SealSwitches();
    void MakeDevices();

    std::shared_ptr<const FabricGraph> m_graph;
    FabricSettings m_settings;
    std::vector<SwitchRoutes> m_routes;
    std::vector<Ptr<Node>> m_nodes;            ///< by node of the graph
    std::vector<Ptr<FabricSwitch>> m_switches; ///< by node of the graph
    std::unique_ptr<EgressPort[]> m_hostPorts; ///< by host
    std::vector<std::unique_ptr<RdmaNic>> m_nics;
    std::vector<NicPort> m_nicOf; ///< by host
    std::vector<std::unique_ptr<ReceiveBuffer>>
        m_receiveBuffers; ///< by host; empty if none is slow
    std::vector<Ptr<FabricNetDevice>> m_hostDevices;
    std::shared_ptr<FabricAddresses> m_addresses;
    std::vector<std::string> m_warnings;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_H
