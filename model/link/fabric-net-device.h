// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_NET_DEVICE_H
#define AIFABRIC_FABRIC_NET_DEVICE_H

#include "fabric-channel.h"

#include "ns3/frame.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
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
    /**
     * Tells where frames go that arrive at the port.
     * @param sink outlives this. @param in the sink's number of the port.
     * @param endpoints of the fabric, which are numbered from 0.
     */
    void SetSink(FrameSink& sink, PortIdx in, NodeIdx endpoints);
    void SetChannel(Ptr<FabricChannel> channel);

    EgressPort& GetPort() const
    {
        return *m_port;
    }

    NodeIdx GetEndpoint() const
    {
        return m_endpoint;
    }

    /**
     * A frame has come from elsewhere, as bytes: an emulated link, another simulator, a capture. It goes
     * where frames go that arrive at the port over its link: RoCE to the NIC or the switch, a pause to
     * the port, an ordinary packet up the stack of a host.
     *
     * Bytes that FrameCodec does not read, and frames between others than the fabric's endpoints (on a
     * host, RoCE for another one), are dropped: trace source RxDrop. Bytes don't tell when they were
     * sent; a round trip that is measured with them counts from now. Counters of links leave them out.
     * @param frame from the destination address to the FCS; remains as it is.
     */
    void ReceiveBytes(Ptr<const Packet> frame);

    /// Signature of RxDrop: what came, and what is wrong with it.
    typedef void (*RxDropTracedCallback)(Ptr<const Packet> frame, const std::string& why);

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
    /// @return why a frame is none for this device; empty where it is.
    std::string FindStray(const Frame& f) const;

    EgressPort* m_port{nullptr};
    FrameSink* m_sink{nullptr};
    PortIdx m_in{kNoPort};
    NodeIdx m_endpoints{0};
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
    TracedCallback<Ptr<const Packet>, const std::string&> m_rxDropTrace;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_NET_DEVICE_H
