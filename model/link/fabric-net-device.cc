// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-net-device.h"

#include "egress-port.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-pool.h"
#include "ns3/node.h"
#include "ns3/packet-frame.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FabricNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet of ns-3's own stack, bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FabricNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Priority",
                          "802.1Q priority of its packets.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FabricNetDevice::m_priority),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("QueueBytes",
                          "Packets are dropped when as much waits at the host's port.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&FabricNetDevice::m_queueBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Drop",
                            "A packet that is not sent: the queue is full, or nobody has its "
                            "destination address.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_dropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("RxDrop",
                            "Bytes from elsewhere that are no frame for this device, and why.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_rxDropTrace),
                            "ns3::aifabric::FabricNetDevice::RxDropTracedCallback");
    return tid;
}

FabricNetDevice::FabricNetDevice()
    : m_address(Mac48Address::Allocate())
{
}

void
FabricNetDevice::Bind(EgressPort* port,
                      NodeIdx endpoint,
                      std::shared_ptr<const FabricAddresses> addresses)
{
    m_port = port;
    m_endpoint = endpoint;
    m_addresses = std::move(addresses);
}

void
FabricNetDevice::SetSink(FrameSink& sink, PortIdx in, NodeIdx endpoints)
{
    m_sink = &sink;
    m_in = in;
    m_endpoints = endpoints;
}

void
FabricNetDevice::SetChannel(Ptr<FabricChannel> channel)
{
    m_channel = channel;
    channel->Attach(this);
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address&, uint16_t protocol)
{
    const Tick now = Simulator::Now().GetTimeStep();
    auto destination = GetIpv4Destination(*packet, protocol);
    auto found = m_addresses && destination ? m_addresses->find(*destination)
                                            : FabricAddresses::const_iterator();
    m_port->Sync(now);
    if (!m_addresses || !destination || found == m_addresses->end() ||
        m_port->GetQueuedBytes(m_priority) + packet->GetSize() > m_queueBytes)
    {
        m_dropTrace(packet);
        return false;
    }
    Frame* f = MakeOrdinaryFrame(packet, protocol);
    f->src = m_endpoint;
    f->dst = found->second;
    f->priority = m_priority;
    f->ready = now;
    m_port->Enqueue(f, now);
    return true;
}

std::string
FabricNetDevice::FindStray(const Frame& f) const
{
    const bool onHost = m_endpoint != kNoNode;
    if (IsLinkLocal(f.op) || (onHost && f.op == Opcode::Ordinary))
    {
        return "";
    }
    if (f.src >= m_endpoints || f.dst >= m_endpoints)
    {
        return "its addresses are not of endpoints here";
    }
    return onHost && f.dst != m_endpoint ? "it is for another endpoint" : "";
}

void
FabricNetDevice::ReceiveBytes(Ptr<const Packet> frame)
{
    std::vector<uint8_t> bytes(frame->GetSize());
    frame->CopyData(bytes.data(), frame->GetSize());
    std::string why;
    Frame* f = FrameCodec::Decode(bytes.data(), bytes.size(), why);
    why = f ? FindStray(*f) : why;
    if (!why.empty())
    {
        m_rxDropTrace(frame, why);
        f ? FramePool::Discard(f) : void();
        return;
    }
    const Tick now = Simulator::Now().GetTimeStep();
    if (f->op != Opcode::Ordinary)
    {
        f->sentAt = now;
    }
    m_sink->Receive(f, m_in, now);
}

void
FabricNetDevice::Receive(Frame* f, PortIdx, Tick)
{
    uint16_t protocol;
    Ptr<Packet> packet = TakePacket(f, protocol);
    // The link has told whom it is for; who sent it is of no use to IP.
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, GetBroadcast(), m_address, PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, GetBroadcast());
    }
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet, const Address&, const Address& to, uint16_t protocol)
{
    return Send(packet, to, protocol);
}

void
FabricNetDevice::DoDispose()
{
    m_channel = nullptr;
    m_node = nullptr;
    m_receive = ReceiveCallback();
    m_promiscReceive = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

void
FabricNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_channel;
}

void
FabricNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricNetDevice::GetAddress() const
{
    return m_address;
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FabricNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return true;
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void>)
{
    // A link is up from its first moment to its last.
}

bool
FabricNetDevice::IsBroadcast() const
{
    return true;
}

Address
FabricNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricNetDevice::IsMulticast() const
{
    return false;
}

Address
FabricNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
FabricNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
FabricNetDevice::IsBridge() const
{
    return false;
}

bool
FabricNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
FabricNetDevice::GetNode() const
{
    return m_node;
}

void
FabricNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricNetDevice::NeedsArp() const
{
    return false;
}

void
FabricNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
FabricNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
FabricNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::aifabric
