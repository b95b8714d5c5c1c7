// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_GRAPH_H
#define AIFABRIC_FABRIC_GRAPH_H

#include "ns3/fabric-time.h"
#include "ns3/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-topology Topologies
 * @ingroup ai-fabric
 *
 * A topology builder turns parameters into a FabricGraph, which is a plain value; FindRoutes
 * finds the shortest paths in it. Nothing here makes ns-3 objects: that is the installer's part.
 */

/// Index into FabricGraph::Nodes().
using GraphNodeIdx = uint32_t;
/// Index into FabricGraph::Links().
using GraphLinkIdx = uint32_t;

/// No such node or link of a graph, no server.
inline constexpr uint32_t kNoIndex = 0xFFFFFFFF;

/// The largest graph that is accepted: beyond, a parameter was mistyped.
inline constexpr uint32_t kMostNodes = 1 << 21;
inline constexpr uint32_t kMostLinks = 1 << 22;

/// Propagation in fibre, per km.
inline constexpr Tick kDelayPerKm = 5 * kMicrosecond;

/// What a node is; the names in scenarios are host, switch, gpu, nvswitch.
enum class NodeKind : uint8_t
{
    Host,    ///< one NIC port that faces the network: has exactly one link, never forwards
    Switch,  ///< forwards
    Gpu,     ///< endpoint with any number of links, never forwards
    NvSwitch ///< forwards, in a scale-up network
};

/// @return whether traffic begins and ends at such nodes, and never passes through them.
inline bool
IsEndpoint(NodeKind kind)
{
    return kind == NodeKind::Host || kind == NodeKind::Gpu;
}

/// What a link is like, the same in both directions.
struct LinkSpec
{
    double bandwidth{400e9};   ///< bit/s per direction
    Tick delay{0};             ///< propagation, ps
    double lossProbability{0}; ///< per frame
    double bitErrorRate{0};    ///< per bit
};

/// What a switch is like.
struct SwitchSpec
{
    uint32_t radix{0};                         ///< most ports it may have; 0 is no limit
    uint64_t bufferBytes{64 << 20};            ///< packet memory shared by its ports
    Tick forwardingLatency{500 * kNanosecond}; ///< from the arrival of a frame to its output queue
};

/**
 * @ingroup ai-fabric-topology
 * Throws what is wrong with a link.
 * @param path JSON path of the object that describes it.
 * @throws ScenarioError with the path of the key (bandwidth_gbps, propagation_delay_ns, …).
 */
void CheckLinkSpec(const LinkSpec& link, const std::string& path);

/// A node of a FabricGraph.
struct GraphNode
{
    std::string name;
    NodeKind kind{NodeKind::Host};
    uint16_t layer{0};         ///< index into FabricGraph::Layers(): "leaf", "spine", "nic", …
    uint32_t number{0};        ///< counts hosts (it is the NodeIdx), GPUs, and all switches
    uint32_t server{kNoIndex}; ///< the server it is part of
    uint32_t unit{0};          ///< number of the NIC (host) or of the GPU within the server
    uint32_t nicPort{0};       ///< host: number of the port within its NIC
    uint32_t ports{0};         ///< how many links end here
    SwitchSpec spec;           ///< switches only
};

/// A link of a FabricGraph, both directions; ports count per node in the order of the links.
struct GraphLink
{
    GraphNodeIdx from{0};
    GraphNodeIdx to{0};
    PortIdx fromPort{0};
    PortIdx toPort{0};
    uint16_t layer{0}; ///< index into FabricGraph::Layers(): "nic_to_leaf", …
    uint8_t cost{1};   ///< see FabricGraph::SetCost
    uint8_t rank{0};   ///< see FabricGraph::SetRank
    LinkSpec spec;
};

/**
 * @ingroup ai-fabric-topology
 * Nodes and links of a network, as a plain value.
 *
 * Endpoints have dense numbers, which are the addresses of frames: hosts first, in the order in
 * which they were added (host i has NodeIdx i), then GPUs. Nodes may be added in any order; a link
 * comes after its ends. Parallel links are allowed.
 *
 * Names: hosts are "host3", or "server0.nic3.port0" where they belong to a server, GPUs are
 * "server0.gpu5" (the numbers are read back into GraphNode::server, unit and nicPort), switches
 * "leaf2"; the port of a switch is "leaf2.port17", the port of a host is the host.
 *
 * Errors are ScenarioErrors with paths relative to the topology object ("nodes[3].name",
 * "links[7].to"), counted in the order of adding.
 */
class FabricGraph
{
  public:
    /**
     * Adds a node.
     * @param name unique; letters, digits and any of . _ - only.
     * @param kind what it is.
     * @param layer name of its layer.
     * @param spec of a switch; ignored for endpoints.
     * @return its index.
     * @throws ScenarioError for a name that is taken or malformed, and for a node too many.
     */
    GraphNodeIdx AddNode(const std::string& name,
                         NodeKind kind,
                         const std::string& layer,
                         const SwitchSpec& spec = {});

    /**
     * Adds a link; it takes the next free port of each end.
     * @return its index.
     * @throws ScenarioError for an end that does not exist, two ends that are the same node, a host
     * that has a link already, a spec that CheckLinkSpec refuses, and for a link too many.
     */
    GraphLinkIdx
    AddLink(GraphNodeIdx from, GraphNodeIdx to, const LinkSpec& spec, const std::string& layer);

    /**
     * Makes routes avoid a link between switches: it counts as so many links.
     * @param cost 1 or more; 1 unless it is set.
     */
    void SetCost(GraphLinkIdx link, uint8_t cost)
    {
        m_links[link].cost = cost;
    }

    /**
     * Restricts routes: of several shortest ways on, only those over links of the lowest rank are
     * taken. With the dimensions of a torus as ranks this is routing in dimension order.
     * @param rank 0 unless it is set.
     */
    void SetRank(GraphLinkIdx link, uint8_t rank)
    {
        m_links[link].rank = rank;
    }

    /**
     * Adds all nodes and links of another graph.
     * @param prefix put before their names. Servers, hosts, GPUs and switches count on from what is
     * here already.
     * @return what its first node has become here; the others follow in order.
     */
    GraphNodeIdx Add(const FabricGraph& other, const std::string& prefix);

    /**
     * Refuses what is too large before anything of it is made.
     * @param nodes how many more are to come.
     * @param links likewise.
     * @throws ScenarioError beyond kMostNodes or kMostLinks.
     */
    void CheckRoom(uint64_t nodes, uint64_t links) const;

    /**
     * Checks what can only be seen in the end.
     * @param isOneNetwork whether all hosts have to reach each other.
     * @throws ScenarioError for a host without a link, two hosts that cannot reach each other, a
     * switch with more ports than its radix; a graph without hosts and GPUs.
     */
    void Validate(bool isOneNetwork = true) const;

    const std::vector<GraphNode>& Nodes() const
    {
        return m_nodes;
    }

    const std::vector<GraphLink>& Links() const
    {
        return m_links;
    }

    const std::vector<std::string>& Layers() const
    {
        return m_layers;
    }

    /// @return name of a node's or link's layer.
    const std::string& LayerOf(const GraphNode& node) const
    {
        return m_layers[node.layer];
    }

    const std::string& LayerOf(const GraphLink& link) const
    {
        return m_layers[link.layer];
    }

    uint32_t HostCount() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// @return hosts and GPUs together: their numbers are below this.
    uint32_t EndpointCount() const
    {
        return static_cast<uint32_t>(m_hosts.size() + m_gpus.size());
    }

    /// @return the node that is endpoint number endpoint (hosts first, then GPUs).
    GraphNodeIdx NodeOf(NodeIdx endpoint) const
    {
        return endpoint < m_hosts.size() ? m_hosts[endpoint] : m_gpus[endpoint - m_hosts.size()];
    }

    /// @return number of the endpoint that node is; kNoNode for switches.
    NodeIdx EndpointOf(GraphNodeIdx node) const;

    /// @return the node of that name, or kNoIndex.
    GraphNodeIdx Find(const std::string& name) const;

    /// @return name of a port: "leaf2.port17"; of a host's only port, the host's name.
    std::string PortName(GraphNodeIdx node, PortIdx port) const;

    /// @return one more than the highest server of any node; 0 without servers.
    uint32_t ServerCount() const
    {
        return m_servers;
    }

  private:
    uint16_t LayerIndex(const std::string& layer);
    GraphNodeIdx AddNode(GraphNode node, const std::string& layer);

    std::vector<GraphNode> m_nodes;
    std::vector<GraphLink> m_links;
    std::vector<std::string> m_layers;
    std::vector<GraphNodeIdx> m_hosts;
    std::vector<GraphNodeIdx> m_gpus;
    std::unordered_map<std::string, GraphNodeIdx> m_byName;
    uint32_t m_forwarders{0};
    uint32_t m_servers{0};
};

/**
 * @ingroup ai-fabric-topology
 * Two hosts without a path between them; hosts and GPUs do not forward.
 * @return a pair of hosts, the lower number first, or nothing when all reach each other.
 */
std::optional<std::pair<NodeIdx, NodeIdx>> FindUnreachablePair(const FabricGraph& graph);

/**
 * @ingroup ai-fabric-topology
 * What each port of each node leads to: the links of a graph sorted by their ends.
 */
class GraphPorts
{
  public:
    /// The far side of a port.
    struct Port
    {
        GraphNodeIdx peer;
        GraphLinkIdx link;
        PortIdx peerPort;
    };

    /// The ports of one node, in order: a range to loop over.
    struct Range
    {
        const Port* first;
        const Port* last;

        const Port* begin() const
        {
            return first;
        }

        const Port* end() const
        {
            return last;
        }

        const Port& operator[](PortIdx port) const
        {
            return first[port];
        }
    };

    explicit GraphPorts(const FabricGraph& graph);

    Range Of(GraphNodeIdx node) const
    {
        return {m_ports.data() + m_first[node], m_ports.data() + m_first[node + 1]};
    }

  private:
    std::vector<Port> m_ports;
    std::vector<uint32_t> m_first;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_GRAPH_H
