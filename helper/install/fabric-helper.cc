// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "ns3/abort.h"
#include "ns3/fabric-registry.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-connection-manager.h"
#include "ns3/rdma-nic.h"
#include "ns3/sequential-simulator-impl.h"

namespace ns3::aifabric
{

FabricHelper::FabricHelper(const std::string& topology)
    : m_topology(MakePlugin<TopologyBuilder>(topology)),
      m_transportSettings(CreateObject<TransportSettings>()),
      m_control(MakePlugin<CongestionControl>("dcqcn"))
{
    UsePicoseconds();
}

FabricHelper::~FabricHelper() = default;

void
FabricHelper::SetTopology(const std::string& name, const AttributeValue& value)
{
    m_topology->SetAttribute(name, value);
}

void
FabricHelper::SetLinks(DataRate bandwidth, Time delay, double lossProbability)
{
    for (const std::string& layer : m_topology->LinkLayers())
    {
        LinkSpec link = m_topology->GetLink(layer);
        link.bandwidth = static_cast<double>(bandwidth.GetBitRate());
        link.delay = ToTick(delay);
        link.lossProbability = lossProbability;
        m_topology->SetLink(layer, link);
    }
}

void
FabricHelper::SetSwitches(uint64_t bufferBytes, Time latency)
{
    for (const std::string& layer : m_topology->SwitchLayers())
    {
        SwitchSpec spec = m_topology->GetSwitch(layer);
        spec.bufferBytes = bufferBytes;
        spec.forwardingLatency = ToTick(latency);
        m_topology->SetSwitch(layer, spec);
    }
}

void
FabricHelper::SetCongestionControl(const std::string& id)
{
    m_control = MakePlugin<CongestionControl>(id);
}

void
FabricHelper::SetCongestionControlAttribute(const std::string& name, const AttributeValue& value)
{
    m_control->SetAttribute(name, value);
}

void
FabricHelper::SetTransport(const std::string& name, const AttributeValue& value)
{
    m_transportSettings->SetAttribute(name, value);
}

Fabric&
FabricHelper::Install()
{
    NS_ABORT_MSG_IF(m_fabric, "the fabric is there already");
    m_fabric =
        std::make_unique<Fabric>(std::make_shared<FabricGraph>(m_topology->Build()), m_settings);
    m_paths = std::make_unique<PathModel>(*m_fabric);
    m_transport = std::make_unique<FlowTransport>(m_transportSettings, m_control);
    return *m_fabric;
}

Ipv4InterfaceContainer
FabricHelper::InstallInternet()
{
    NS_ABORT_MSG_IF(!m_fabric, "Install() comes first");
    NodeContainer nodes;
    for (NodeIdx host = 0; host < m_fabric->GetGraph().HostCount(); ++host)
    {
        // The hosts of a server share its node.
        if (nodes.GetN() == 0 || nodes.Get(nodes.GetN() - 1) != m_fabric->GetHostNode(host))
        {
            nodes.Add(m_fabric->GetHostNode(host));
        }
    }
    InternetStackHelper().Install(nodes);
    return m_fabric->AssignIpv4("10.0.0.0", "255.0.0.0");
}

QueuePairs
FabricHelper::Connect(NodeIdx from, NodeIdx to, CompletionQueue& completions)
{
    NS_ABORT_MSG_IF(!m_fabric, "Install() comes first");
    return m_transport->Connect(*m_fabric, *m_paths, from, to, completions, completions);
}

QueuePairInit
FabricHelper::GetQueuePairInit(NodeIdx host, CompletionQueue& completions)
{
    NS_ABORT_MSG_IF(!m_fabric, "Install() comes first");
    QueuePairInit init;
    init.port = m_fabric->GetNicPort(host);
    init.profile = m_transport->GetProfile(*m_fabric, host);
    init.sendQueue = init.receiveQueue = &completions;
    return init;
}

QueuePair&
FabricHelper::CreateQueuePair(NodeIdx host, CompletionQueue& completions)
{
    NS_ABORT_MSG_IF(!m_fabric, "Install() comes first");
    return m_fabric->GetNic(host).CreateQueuePair(GetQueuePairInit(host, completions));
}

void
FabricHelper::Connect(QueuePair& a, QueuePair& b)
{
    ConnectQueuePairs(a, b, m_paths->BaseRtt(a.GetAddress(), b.GetAddress()));
}

RdmaConnectionManager&
FabricHelper::GetConnectionManager(NodeIdx host)
{
    NS_ABORT_MSG_IF(!m_fabric, "Install() comes first");
    RdmaNic& nic = m_fabric->GetNic(host);
    Ptr<RdmaConnectionManager>& manager = m_managers[&nic];
    if (!manager)
    {
        manager = CreateObject<RdmaConnectionManager>(
            nic, *m_transport->GetProfile(*m_fabric, host), [this](NodeIdx self, NodeIdx peer) {
                return AddressVector{peer, -1, 0, m_paths->BaseRtt(self, peer)};
            });
    }
    return *manager;
}

} // namespace ns3::aifabric
