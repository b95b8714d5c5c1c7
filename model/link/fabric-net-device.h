// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_NET_DEVICE_H
#define AIFABRIC_FABRIC_NET_DEVICE_H

#include "fabric-channel.h"

#include "ns3/frame.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <unordered_map>

namespace ns3::aifabric
{

class EgressPort;

/// Endpoints by IPv4 address, in host order: one for the whole fabric, in place of ARP.
using FabricAddresses = std::unordered_map<uint32_t, NodeIdx>;

/**
 * @ingroup ai-fabric
 * A port as ns-3 sees it. On a host, ns-3's own stack sends and receives through it: its packets
 * share the port's queues and its link with RDMA, in a priority of their own. On a switch it is a
 * name only; it forwards by itself.
 */
class FabricNetDevice : public NetDevice, public FrameSink
{
  public:
    static TypeId GetTypeId();

    FabricNetDevice();

    /**
     * @param port the port that this is the face of; outlives it.
     * @param endpoint whose it is; kNoNode for a switch.
     * @param addresses shared by the fabric; null for a switch.
     */
    void Bind(EgressPort* port, NodeIdx endpoint, std::shared_ptr<const FabricAddresses> addresses);
    void SetChannel(Ptr<FabricChannel> channel);

    EgressPort& GetPort() const
    {
        return *m_port;
    }

    NodeIdx GetEndpoint() const
    {
        return m_endpoint;
    }

    /// An ordinary frame arrived for this host.
    void Receive(Frame* f, PortIdx in, Tick now) override;

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& to, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& from,
                  const Address& to,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    EgressPort* m_port{nullptr};
    NodeIdx m_endpoint{kNoNode};
    std::shared_ptr<const FabricAddresses> m_addresses;
    Ptr<FabricChannel> m_channel;
    Ptr<Node> m_node;
    Mac48Address m_address;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu;
    uint8_t m_priority;
    uint32_t m_queueBytes;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    TracedCallback<Ptr<const Packet>> m_dropTrace;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_NET_DEVICE_H
