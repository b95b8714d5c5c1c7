// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TOPOLOGY_BUILDER_H
#define AIFABRIC_TOPOLOGY_BUILDER_H

#include "fabric-graph.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Family of the topologies: parameters in, a graph out.
 *
 * Attributes are the keys of `topology.parameters` in a scenario. What links and switches are like
 * is set per layer; a layer that nobody sets keeps the default that its topology gives it: 400
 * Gb/s, no loss, and 20 m of cable to the host (100 ns), 60 m between switches (300 ns), 100 m to
 * the highest of three tiers (500 ns), at 5 ns/m; switches with 64 MiB of buffer, 500 ns of
 * forwarding latency, and as many ports as it takes.
 *
 * A topology is one file topo-x.cc: a class below this one that names its layers in its constructor
 * (DefineLink, DefineSwitch), has its parameters as attributes, and overrides DoBuild.
 */
class TopologyBuilder : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return layers of links whose properties can be set, from the hosts upwards.
    std::vector<std::string> LinkLayers() const;
    /// @return layers of switches whose properties can be set, from the hosts upwards.
    std::vector<std::string> SwitchLayers() const;

    /**
     * @param layer one of LinkLayers().
     * @return what its links are like so far.
     * @throws ScenarioError "links.LAYER" that names the valid ones.
     */
    const LinkSpec& GetLink(const std::string& layer) const;
    /// As GetLink, for "switches.LAYER".
    const SwitchSpec& GetSwitch(const std::string& layer) const;

    /**
     * @param layer one of LinkLayers().
     * @param spec what its links are to be like.
     * @throws ScenarioError as GetLink, and as CheckLinkSpec below "links.LAYER".
     */
    void SetLink(const std::string& layer, const LinkSpec& spec);
    /// As SetLink, for switches.
    void SetSwitch(const std::string& layer, const SwitchSpec& spec);

    /**
     * Builds the graph and validates it.
     * @throws ScenarioError with a path relative to the topology object ("parameters.k",
     * "switches.leaf.radix").
     */
    FabricGraph Build() const;

    /**
     * Where to cut what Build() made into two halves, to tell its bisection.
     * @return by host: whether it is in the first half. Unless a topology knows better, these are
     * the first half of the hosts.
     */
    virtual std::vector<bool> Halve(const FabricGraph& graph) const;

    /// @return what belongs to the topology without being a node or a link, as (key, number).
    virtual std::vector<std::pair<std::string, uint64_t>> CountOthers() const
    {
        return {};
    }

  protected:
    /// One end or several of what Connect joins.
    using Group = std::vector<GraphNodeIdx>;

    void DefineLink(const std::string& layer, const LinkSpec& spec);
    void DefineSwitch(const std::string& layer, const SwitchSpec& spec = {});

    /**
     * Adds hosts, as ports of the NICs of servers where NicsPerServer says so.
     * @param graph where to.
     * @param count how many in all.
     * @param nicsPerServer what to take where the attribute NicsPerServer is 0; 0: the hosts stand
     * alone.
     * @param nicPorts ports of each NIC in place of the attribute NicPortCount; 0: as that says.
     * @return them in order.
     */
    Group AddHosts(FabricGraph& graph,
                   uint64_t count,
                   uint32_t nicsPerServer = 0,
                   uint32_t nicPorts = 0) const;

    /// Adds all switches of a layer, named layer0, layer1, ….
    Group AddSwitches(FabricGraph& graph, const std::string& layer, uint64_t count) const;

    /// Joins from and to by so many links.
    void Connect(FabricGraph& graph,
                 GraphNodeIdx from,
                 GraphNodeIdx to,
                 const std::string& layer,
                 uint32_t parallel = 1) const;

    /// Joins hosts, in order, to switches, hostsPerSwitch to each.
    void ConnectHosts(FabricGraph& graph,
                      const Group& hosts,
                      const Group& switches,
                      uint32_t hostsPerSwitch,
                      const std::string& layer) const;

    /// Joins each of lower to each of upper.
    void ConnectAll(FabricGraph& graph,
                    const Group& lower,
                    const Group& upper,
                    const std::string& layer,
                    uint32_t parallel = 1) const;

    /// @throws ScenarioError at "parameters.KEY" unless that holds.
    static void Require(bool holds, const std::string& key, const std::string& message);

    /// @return number of NICs per server that was asked for; 0 is the topology's own choice.
    uint32_t GetNicsPerServer() const
    {
        return m_nicsPerServer;
    }

    /// @return network ports of each NIC.
    uint32_t GetNicPortCount() const
    {
        return m_nicPortCount;
    }

  private:
    /// Adds all nodes and links. @throws ScenarioError for parameters that do not fit together.
    virtual void DoBuild(FabricGraph& graph) const = 0;

    /// @return false for topologies of disjoint networks, such as rails without spines: that two
    /// hosts cannot reach each other is no error then.
    virtual bool IsOneNetwork() const
    {
        return true;
    }

    std::vector<std::pair<std::string, LinkSpec>> m_links;
    std::vector<std::pair<std::string, SwitchSpec>> m_switches;
    uint32_t m_nicsPerServer;
    uint32_t m_nicPortCount;
};

/// Default links of the topologies, by length.
inline constexpr LinkSpec kHostLink{400e9, 100 * kNanosecond, 0, 0};
inline constexpr LinkSpec kFabricLink{400e9, 300 * kNanosecond, 0, 0};
inline constexpr LinkSpec kCoreLink{400e9, 500 * kNanosecond, 0, 0};

} // namespace ns3::aifabric

#endif // AIFABRIC_TOPOLOGY_BUILDER_H
