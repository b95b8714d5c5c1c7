// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-fabric.h"

#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/host-set.h"
#include "ns3/network-settings.h"
#include "ns3/nic-settings.h"
#include "ns3/pcie-settings.h"
#include "ns3/scale-up-settings.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

namespace
{

/// @return GPUs of a server: the topology's own number, else one for each NIC.
uint32_t
CountGpusPerServer(const ScenarioConfig& config)
{
    const TypeId type = config.topology->GetInstanceTypeId();
    TypeId::AttributeInformation attribute;
    if (type.LookupAttributeByName("GpusPerServer", &attribute))
    {
        UintegerValue value;
        config.topology->GetAttribute("GpusPerServer", value);
        return static_cast<uint32_t>(value.Get());
    }
    uint32_t nics = 0;
    for (const GraphNode& node : config.graph->Nodes())
    {
        if (node.kind == NodeKind::Host && node.server == 0)
        {
            nics = std::max(nics, node.unit + 1);
        }
    }
    return nics;
}

} // namespace

uint64_t
CountGpus(const ScenarioConfig& config)
{
    const FabricGraph& graph = *config.graph;
    const uint64_t own = graph.EndpointCount() - graph.HostCount();
    return own > 0 ? own : uint64_t{graph.ServerCount()} * CountGpusPerServer(config);
}

FabricSettings
ReadFabricSettings(const ScenarioConfig& config)
{
    FabricSettings settings;
    if (auto network = config.network.Get<NetworkSettings>("settings"))
    {
        settings.headers =
            network->headerProfile == NetworkSettings::kHpcc ? kHpccHeaders : kRoceV2Headers;
        settings.mtuPayloadBytes = network->mtuPayloadBytes;
        settings.dwrrWeights = network->GetQuanta();
    }
    settings.ecn = config.network.Get<EcnSettings>("ecn");
    settings.pfc = config.network.Get<PfcSettings>("pfc");
    settings.trimming = config.network.Get<TrimmingSettings>("trimming");
    if (auto buffer = config.network.Get<BufferManager>("buffer"))
    {
        settings.buffer = buffer;
    }
    if (auto balancer = config.network.Get<LoadBalancer>("load_balancing"))
    {
        settings.balancer = balancer;
    }
    if (auto nic = config.node.Get<NicSettings>("nic"))
    {
        settings.nicLatency = ToTick(nic->processingLatency);
        settings.receive.rateBps = static_cast<double>(nic->receiveRate.GetBitRate());
        settings.receive.bytes = nic->receiveBufferBytes;
        settings.receive.xoffBytes = nic->receiveXoffBytes;
        settings.receive.xonBytes = nic->receiveXonBytes;
        try
        {
            settings.slowReceivers = ParseHostSet(nic->receiveRateHosts, config.graph->HostCount());
        }
        catch (const ScenarioError& error)
        {
            throw error.Under("node.nic.receive_rate_hosts");
        }
    }
    if (auto pcie = config.node.Get<PcieSettings>("pcie"))
    {
        settings.nicBusBps = std::min(pcie->GetReadRate(), pcie->GetWriteRate());
    }
    return settings;
}

FlowTransport
ReadFlowTransport(const BlockSet& transport)
{
    return FlowTransport(transport.Get<TransportSettings>("settings"),
                         transport.Get<CongestionControl>("congestion_control"),
                         transport.Get<LossRecovery>("retransmission"));
}

GpuCluster
MakeGpuCluster(const ScenarioConfig& config, const Fabric& fabric)
{
    const FabricGraph& graph = *config.graph;
    GpuCluster cluster;
    cluster.gpusPerServer = CountGpusPerServer(config);
    auto scaleUp = config.node.Get<ScaleUpSettings>("scale_up");
    if (graph.ServerCount() == 0 || cluster.gpusPerServer == 0 || !scaleUp)
    {
        throw ScenarioError("jobs",
                            "found jobs, but no servers with GPUs to run them: expected a topology "
                            "with servers (nics_per_server) and a node template with GPUs");
    }
    // GPU g of a server sends by the NIC of its own number, or shares evenly where there are fewer.
    std::vector<std::vector<NodeIdx>> nics(graph.ServerCount());
    for (NodeIdx host = 0; host < graph.HostCount(); ++host)
    {
        const GraphNode& node = graph.Nodes()[graph.NodeOf(host)];
        if (node.nicPort == 0)
        {
            nics[node.server].push_back(host);
        }
    }
    for (uint32_t server = 0; server < graph.ServerCount(); ++server)
    {
        const std::size_t count = nics[server].size();
        if (count == 0 || cluster.gpusPerServer % count != 0)
        {
            throw ScenarioError("topology",
                                "found " + std::to_string(cluster.gpusPerServer) + " GPUs and " +
                                    std::to_string(count) + " NICs in server" +
                                    std::to_string(server) +
                                    ", expected as many GPUs for each NIC");
        }
        for (uint32_t gpu = 0; gpu < cluster.gpusPerServer; ++gpu)
        {
            cluster.hosts.push_back(nics[server][gpu * count / cluster.gpusPerServer]);
        }
        cluster.domains.push_back(std::make_unique<ScaleUpDomain>(
            scaleUp, cluster.gpusPerServer, fabric.GetHostNode(nics[server].front())->GetId()));
    }
    return cluster;
}

} // namespace ns3::aifabric
