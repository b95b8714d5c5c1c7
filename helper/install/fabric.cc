// SPDX-License-Identifier: GPL-2.0-only
#include "fabric.h"

#include "ns3/ethernet-frame.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-pool.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/link-frames.h"
#include "ns3/names.h"
#include "ns3/nic-loop.h"
#include "ns3/node.h"
#include "ns3/pcap-capture.h"
#include "ns3/rdma-nic.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace ns3::aifabric
{

namespace
{

/// One end of a link.
struct LinkEnd
{
    GraphNodeIdx node;
    PortIdx port;
};

} // namespace

Fabric::Fabric(std::shared_ptr<const FabricGraph> graph, const FabricSettings& settings)
    : m_graph(std::move(graph)),
      m_settings(settings),
      m_routes(FindRoutes(*m_graph)),
      m_addresses(std::make_shared<FabricAddresses>())
{
    UsePicoseconds();
    CheckPauses();
    MakeNodes();
    MakeSwitches();
    MakeNics();
    WireLinks();
    SealSwitches();
    if (m_settings.devices)
    {
        MakeDevices();
    }
}

Fabric::~Fabric() = default;

void
Fabric::MakeNodes()
{
    m_nodes.resize(m_graph->Nodes().size());
    std::vector<Ptr<Node>> servers(m_graph->ServerCount());
    for (GraphNodeIdx i = 0; i < m_nodes.size(); ++i)
    {
        const GraphNode& node = m_graph->Nodes()[i];
        if (node.server == kNoIndex)
        {
            m_nodes[i] = CreateObject<Node>();
            Names::Add(node.name, m_nodes[i]);
            continue;
        }
        Ptr<Node>& server = servers[node.server];
        if (!server)
        {
            server = CreateObject<Node>();
            Names::Add("server" + std::to_string(node.server), server);
        }
        m_nodes[i] = server;
    }
}

void
Fabric::MakeSwitches()
{
    m_switches.resize(m_graph->Nodes().size());
    for (GraphNodeIdx i = 0; i < m_switches.size(); ++i)
    {
        const GraphNode& node = m_graph->Nodes()[i];
        if (!IsEndpoint(node.kind))
        {
            m_switches[i] = CreateObject<FabricSwitch>();
            m_switches[i]->MakePorts(node.ports);
            m_nodes[i]->AggregateObject(m_switches[i]);
        }
    }
}

void
Fabric::MakeNics()
{
    const uint32_t hosts = m_graph->HostCount();
    m_hostPorts = std::make_unique<EgressPort[]>(hosts);
    m_nicOf.resize(hosts);
    std::map<std::pair<uint32_t, uint32_t>, RdmaNic*> ofServer;
    for (NodeIdx host = 0; host < hosts; ++host)
    {
        const GraphNode& node = m_graph->Nodes()[m_graph->NodeOf(host)];
        RdmaNic*& nic = ofServer[{node.server, node.server == kNoIndex ? host : node.unit}];
        if (!nic)
        {
            m_nics.push_back(std::make_unique<RdmaNic>());
            nic = m_nics.back().get();
        }
        m_nicOf[host] = {nic, 0};
    }
}

EgressPort&
Fabric::GetPort(GraphNodeIdx node, PortIdx port) const
{
    return m_switches[node] ? m_switches[node]->GetPort(port)
                            : m_hostPorts[m_graph->EndpointOf(node)];
}

void
Fabric::Capture(GraphNodeIdx node, PortIdx port, PcapCapture& capture) const
{
    for (const GraphLink& link : m_graph->Links())
    {
        const bool begins = link.from == node && link.fromPort == port;
        if (begins || (link.to == node && link.toPort == port))
        {
            GetPort(node, port).AddTap(capture.GetSent());
            GetPort(begins ? link.to : link.from, begins ? link.toPort : link.fromPort)
                .AddTap(capture.GetReceived());
        }
    }
}

void
Fabric::WireLinks()
{
    // A NIC counts its ports from 0, in the order of its hosts.
    std::map<RdmaNic*, PortIdx> counts;
    for (NicPort& port : m_nicOf)
    {
        port.port = counts[port.nic]++;
    }
    if (m_settings.receive.rateBps > 0)
    {
        MakeReceiveBuffers();
    }
    for (const GraphLink& link : m_graph->Links())
    {
        WireEnd(link, true);
        WireEnd(link, false);
    }
    for (NodeIdx host = 0; host < m_graph->HostCount(); ++host)
    {
        m_nicOf[host].nic->AddPort(
            m_hostPorts[host], host, m_settings.nicLatency, m_settings.nicBusBps);
        if (m_settings.pfc)
        {
            m_nicOf[host].nic->SetPauseQuanta(m_settings.pfc->GetQuanta());
        }
    }
}

void
Fabric::MakeReceiveBuffers()
{
    const ReceiveBufferSettings& settings = m_settings.receive;
    if (settings.xonBytes > settings.xoffBytes || settings.xoffBytes > settings.bytes)
    {
        throw ScenarioError(
            "node.nic.receive_xoff_bytes",
            "found " + std::to_string(settings.xoffBytes) + ", expected receive_xon_bytes, " +
                std::to_string(settings.xonBytes) + ", at least, and receive_buffer_bytes, " +
                std::to_string(settings.bytes) + ", at most");
    }
    const auto& slow = m_settings.slowReceivers;
    m_receiveBuffers.resize(m_graph->HostCount());
    for (const GraphLink& link : m_graph->Links())
    {
        for (bool isFrom : {true, false})
        {
            const NodeIdx host = m_graph->EndpointOf(isFrom ? link.from : link.to);
            if (host < m_graph->HostCount() &&
                (slow.empty() || std::find(slow.begin(), slow.end(), host) != slow.end()))
            {
                MakeReceiveBuffer(host, link, isFrom);
            }
        }
    }
}

void
Fabric::MakeReceiveBuffer(NodeIdx host, const GraphLink& link, bool isFrom)
{
    ReceiveBufferSettings settings = m_settings.receive;
    settings.losslessMask =
        isFrom ? GetPauses(link.from, link.to).sends : GetPauses(link.to, link.from).sends;
    m_receiveBuffers[host] =
        std::make_unique<ReceiveBuffer>(*m_nicOf[host].nic, m_nicOf[host].port, settings);
    // As for the ingress of a switch.
    const auto needed = static_cast<uint64_t>(std::ceil(
        (2 * link.spec.delay + (m_settings.pfc ? ToTick(m_settings.pfc->GetResponseTime()) : 0)) *
            link.spec.bandwidth / 8e12 +
        2 * GetLongestFrame() + kPauseFrameBytes + m_settings.headers.gapBytes));
    const uint64_t headroom = settings.bytes - settings.xoffBytes;
    if (settings.losslessMask && headroom < needed)
    {
        m_warnings.push_back(m_graph->Nodes()[m_graph->NodeOf(host)].name + ": " +
                             std::to_string(headroom) +
                             " bytes above receive_xoff_bytes are less than the " +
                             std::to_string(needed) + " that rate, length and MTU ask for");
    }
}

uint32_t
Fabric::GetLongestFrame() const
{
    return std::max(m_settings.headers.DataFrame(m_settings.mtuPayloadBytes, true),
                    m_settings.mtuOrdinaryBytes + kEthernetBytes) +
           m_settings.headers.gapBytes;
}

std::pair<FrameSink*, PortIdx>
Fabric::SinkOf(GraphNodeIdx node, PortIdx port) const
{
    if (m_switches[node])
    {
        return {PeekPointer(m_switches[node]), port};
    }
    const NodeIdx host = m_graph->EndpointOf(node);
    const NicPort& nic = m_nicOf[host];
    if (!m_receiveBuffers.empty() && m_receiveBuffers[host])
    {
        return {m_receiveBuffers[host].get(), nic.port};
    }
    return {nic.nic, nic.port};
}

void
Fabric::WireEnd(const GraphLink& link, bool forward)
{
    const LinkEnd here{forward ? link.from : link.to, forward ? link.fromPort : link.toPort};
    const LinkEnd there{forward ? link.to : link.from, forward ? link.toPort : link.fromPort};
    const auto index = static_cast<int64_t>(&link - m_graph->Links().data());
    PortSettings settings;
    settings.bandwidthBps = link.spec.bandwidth;
    settings.delay = link.spec.delay;
    settings.gapBytes = m_settings.headers.gapBytes;
    settings.lossProbability = link.spec.lossProbability;
    settings.bitErrorRate = link.spec.bitErrorRate;
    // Apart from the streams of the switches' marks, which are below 2^50.
    settings.stream = (1LL << 50) + 2 * index + forward;
    settings.peerNode = m_nodes[there.node]->GetId();
    std::tie(settings.peer, settings.peerPort) = SinkOf(there.node, there.port);
    EgressPort& port = GetPort(here.node, here.port);
    FabricSwitch* owner = PeekPointer(m_switches[here.node]);
    port.Wire(settings, here.port, owner, owner ? owner->GetWatching() : nullptr);
    if (m_settings.pfc)
    {
        port.SetObeyed(GetPauses(here.node, there.node).obeys);
    }
    const auto& weights = m_settings.dwrrWeights;
    if (std::any_of(weights.begin(), weights.end(), [](uint32_t weight) { return weight > 0; }))
    {
        port.SetDwrr(weights);
    }
}

PfcEnd
Fabric::GetPauses(GraphNodeIdx at, GraphNodeIdx toward) const
{
    auto name = [this](GraphNodeIdx i) {
        const GraphNode& node = m_graph->Nodes()[i];
        return PfcSettings::Node{node.name,
                                 IsEndpoint(node.kind) ? "host" : m_graph->Layers()[node.layer]};
    };
    return m_settings.pfc ? m_settings.pfc->GetEnd(name(at), name(toward)) : PfcEnd{0, 0};
}

void
Fabric::CheckPauses() const
{
    if (!m_settings.pfc || m_settings.pfc->GetNames().empty())
    {
        return;
    }
    std::set<std::string> known{"host"};
    for (const GraphNode& node : m_graph->Nodes())
    {
        known.insert(IsEndpoint(node.kind) ? "host" : m_graph->Layers()[node.layer]);
        known.insert(node.name);
    }
    for (const auto& [path, name] : m_settings.pfc->GetNames())
    {
        if (known.count(name) == 0)
        {
            std::string hint = SuggestFrom(name, {known.begin(), known.end()});
            if (hint.size() > 200)
            {
                hint = ", expected 'host', a layer of switches, or the name of a node";
            }
            throw ScenarioError("network.pfc." + path, "unknown node '" + name + "'" + hint);
        }
    }
}

void
Fabric::CheckMarks(double rate) const
{
    try
    {
        for (uint8_t priority = 0; m_settings.ecn && priority < EgressPort::kPriorities; ++priority)
        {
            m_settings.ecn->For(rate, priority);
        }
    }
    catch (const ScenarioError& error)
    {
        throw error.Under("network.ecn");
    }
}

void
Fabric::SealSwitches()
{
    const GraphPorts ports(*m_graph);
    for (GraphNodeIdx i = 0; i < m_switches.size(); ++i)
    {
        if (!m_switches[i])
        {
            continue;
        }
        const GraphNode& node = m_graph->Nodes()[i];
        SwitchSettings settings;
        settings.id = node.number;
        settings.bufferBytes = node.spec.bufferBytes;
        settings.forwardingLatency = node.spec.forwardingLatency;
        settings.maxFrameBytes = GetLongestFrame();
        settings.ecn = m_settings.ecn;
        settings.pfc = m_settings.pfc;
        settings.trimming = m_settings.trimming;
        settings.alignmentBytes = m_settings.headers.alignmentBytes;
        settings.buffer = CloneObject(*m_settings.buffer);
        settings.balancer = CloneObject(*m_settings.balancer);
        std::vector<ForwardingTable::Run> runs;
        for (const auto& run : m_routes[i].runs)
        {
            runs.push_back({run.first, run.last, run.group});
        }
        settings.table =
            ForwardingTable(m_routes[i].groups, std::move(runs), m_graph->EndpointCount());
        std::vector<Tick> delayIn;
        for (const auto& port : ports.Of(i))
        {
            settings.lossless.push_back(GetPauses(i, port.peer).sends);
            delayIn.push_back(m_graph->Links()[port.link].spec.delay);
            CheckMarks(m_graph->Links()[port.link].spec.bandwidth);
        }
        try
        {
            for (const std::string& warning : m_switches[i]->Seal(settings, delayIn))
            {
                m_warnings.push_back(node.name + "." + warning);
            }
        }
        catch (const ScenarioError& error)
        {
            throw error.Under("topology.switches." + m_graph->Layers()[node.layer]);
        }
    }
}

void
Fabric::MakeDevices()
{
    m_hostDevices.resize(m_graph->HostCount());
    auto attach = [this](GraphNodeIdx node, PortIdx port, Ptr<FabricChannel> channel) {
        auto device = CreateObject<FabricNetDevice>();
        const NodeIdx host = m_graph->EndpointOf(node);
        device->Bind(&GetPort(node, port), host, host == kNoNode ? nullptr : m_addresses);
        const auto [sink, in] = SinkOf(node, port);
        device->SetSink(*sink, in, m_graph->EndpointCount());
        device->SetChannel(channel);
        m_nodes[node]->AddDevice(device);
        // A host outside of a server is its node and its port; the name is the node's.
        if (host == kNoNode || m_graph->Nodes()[node].server != kNoIndex)
        {
            Names::Add(m_graph->PortName(node, port), device);
        }
        if (host != kNoNode)
        {
            m_hostDevices[host] = device;
            m_nicOf[host].nic->SetOrdinarySink(PeekPointer(device));
        }
    };
    for (const GraphLink& link : m_graph->Links())
    {
        auto channel = CreateObjectWithAttributes<FabricChannel>(
            "Delay", TimeValue(FromTick(link.spec.delay)));
        attach(link.from, link.fromPort, channel);
        attach(link.to, link.toPort, channel);
    }
}

Ipv4InterfaceContainer
Fabric::AssignIpv4(const std::string& network, const std::string& mask)
{
    Ipv4AddressHelper addresses(network.c_str(), mask.c_str());
    Ipv4InterfaceContainer interfaces;
    for (NodeIdx host = 0; host < m_graph->HostCount(); ++host)
    {
        Ptr<FabricNetDevice> device = m_hostDevices.at(host);
        if (device->GetNode()->GetObject<Ipv4>())
        {
            interfaces.Add(addresses.Assign(NetDeviceContainer(device)));
            (*m_addresses)[interfaces.GetAddress(interfaces.GetN() - 1).Get()] = host;
        }
    }
    return interfaces;
}

std::vector<std::string>
Fabric::FindLeftovers() const
{
    std::vector<std::string> leftovers;
    for (const GraphLink& link : m_graph->Links())
    {
        for (bool forward : {true, false})
        {
            const GraphNodeIdx node = forward ? link.from : link.to;
            const PortIdx port = forward ? link.fromPort : link.toPort;
            if (uint64_t frames = GetPort(node, port).CountFrames())
            {
                leftovers.push_back(m_graph->PortName(node, port) + ": " + std::to_string(frames) +
                                    " frames");
            }
        }
    }
    for (NodeIdx host = 0; host < m_nicOf.size(); ++host)
    {
        const NicLoop* loop = GetNic(host).GetLoop(GetNicPort(host));
        if (const uint64_t frames = loop ? loop->CountFrames() : 0)
        {
            leftovers.push_back(m_graph->Nodes()[m_graph->NodeOf(host)].name + ": " +
                                std::to_string(frames) + " frames to itself");
        }
    }
    for (NodeIdx host = 0; host < m_receiveBuffers.size(); ++host)
    {
        if (m_receiveBuffers[host] && m_receiveBuffers[host]->GetHeldBytes() > 0)
        {
            leftovers.push_back(m_graph->Nodes()[m_graph->NodeOf(host)].name + ": " +
                                std::to_string(m_receiveBuffers[host]->GetHeldBytes()) +
                                " bytes not yet taken");
        }
    }
    for (GraphNodeIdx i = 0; i < m_switches.size(); ++i)
    {
        if (m_switches[i] && m_switches[i]->GetBuffer() &&
            m_switches[i]->GetBuffer()->GetUsedBytes() > 0)
        {
            leftovers.push_back(m_graph->Nodes()[i].name + ": " +
                                std::to_string(m_switches[i]->GetBuffer()->GetUsedBytes()) +
                                " bytes in the buffer");
        }
        if (m_switches[i] && m_switches[i]->GetPfc().GetStopped() > 0)
        {
            leftovers.push_back(m_graph->Nodes()[i].name + ": senders are paused");
        }
    }
    return leftovers;
}

} // namespace ns3::aifabric
