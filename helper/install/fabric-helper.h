// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_HELPER_H
#define AIFABRIC_FABRIC_HELPER_H

#include "fabric.h"
#include "flow-transport.h"
#include "path-model.h"

#include "ns3/topology-builder.h"

#include <map>
#include <memory>
#include <string>

namespace ns3
{
class AttributeValue;
class Ipv4InterfaceContainer;
} // namespace ns3

namespace ns3::aifabric
{

class CompletionQueue;
class RdmaConnectionManager;
struct QueuePairInit;

/**
 * @ingroup ai-fabric-install
 * Builds a fabric in an ns-3 script: choose a topology, change what is not to be the default, install,
 * connect queue pairs.
 *
 * The object must live until Simulator::Destroy. Ids that don't exist and values that don't fit end
 * in a ScenarioError.
 */
class FabricHelper
{
  public:
    /// @param topology id: "star", "fat_tree", …; `aifabric list topologies` names them.
    explicit FabricHelper(const std::string& topology);
    ~FabricHelper();

    /// Sets an attribute of the topology: SetTopology("K", UintegerValue(8)).
    void SetTopology(const std::string& name, const AttributeValue& value);
    /// Sets all its links. @param lossProbability per frame.
    void SetLinks(DataRate bandwidth, Time delay, double lossProbability = 0);
    /// Sets all its switches. @param latency of forwarding.
    void SetSwitches(uint64_t bufferBytes, Time latency);
    /// @param id of a congestion control; by default "dcqcn".
    void SetCongestionControl(const std::string& id);
    /// Sets an attribute of the congestion control chosen last.
    void SetCongestionControlAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of TransportSettings.
    void SetTransport(const std::string& name, const AttributeValue& value);

    /// @return what else there is to choose, before Install().
    FabricSettings& Settings()
    {
        return m_settings;
    }

    /// Makes nodes, NICs, switches and links.
    Fabric& Install();

    /**
     * Installs ns-3's internet stack on all hosts and gives them addresses, 10.0.0.1 and up in the
     * order of the hosts.
     */
    Ipv4InterfaceContainer InstallInternet();

    /**
     * Makes a connected pair of queue pairs.
     * @param from,to numbers of two hosts.
     * @param completions where both report; outlives them.
     */
    QueuePairs Connect(NodeIdx from, NodeIdx to, CompletionQueue& completions);

    /**
     * @param completions of sends and receives; outlives the queue pair.
     * @return how a reliable connection of a host is made, with the settings given here: may be
     * changed before RdmaNic::CreateQueuePair.
     */
    QueuePairInit GetQueuePairInit(NodeIdx host, CompletionQueue& completions);

    /// Makes a queue pair like that, in Reset.
    QueuePair& CreateQueuePair(NodeIdx host, CompletionQueue& completions);

    /// Connects two queue pairs in Reset, at any two hosts, with each other.
    void Connect(QueuePair& a, QueuePair& b);

    /// @return what connects queue pairs of a host's NIC over the network; made when it is first
    /// asked for, lives as long as this.
    RdmaConnectionManager& GetConnectionManager(NodeIdx host);

  private:
    Ptr<TopologyBuilder> m_topology;
    FabricSettings m_settings;
    Ptr<TransportSettings> m_transportSettings;
    Ptr<CongestionControl> m_control;
    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<PathModel> m_paths;
    std::unique_ptr<FlowTransport> m_transport;
    std::map<const RdmaNic*, Ptr<RdmaConnectionManager>> m_managers;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_HELPER_H
