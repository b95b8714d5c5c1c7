// SPDX-License-Identifier: GPL-2.0-only
// Frames that come to a device as bytes.
#include "captured-frames.h"
#include "fabric-bed.h"
#include "roce-frames.h"
#include "temporary-folder.h"

#include "ns3/frame-extension.h"
#include "ns3/link-frames.h"
#include "ns3/packet-frame.h"
#include "ns3/packet.h"
#include "ns3/pcap-capture.h"

#include <random>
#include <set>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{
namespace
{

Ptr<Packet>
PacketOf(const std::vector<uint8_t>& bytes)
{
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/// A star whose host 0 has a queue pair with host 1, and two messages to send.
class Star
{
  public:
    Star()
    {
        m_bed.Set("HostCount", 3);
        Fabric& fabric = m_bed.Build();
        for (NodeIdx host = 0; host < 3; ++host)
        {
            Watch(fabric.GetHostDevice(host));
        }
        pair = m_bed.Connect(0, 1, m_completions);
        pair.receiver->PostReceive({});
    }

    Ptr<FabricNetDevice> Device(NodeIdx host)
    {
        return m_bed.GetFabric().GetHostDevice(host);
    }

    /// @return the device of the switch's port to a host.
    Ptr<FabricNetDevice> SwitchDevice(NodeIdx host)
    {
        auto device = Names::Find<FabricNetDevice>("leaf0.port" + std::to_string(host));
        if (m_watched.insert(PeekPointer(device)).second)
        {
            Watch(device);
        }
        return device;
    }

    Fabric& GetFabric()
    {
        return m_bed.GetFabric();
    }

    /// Does what is given while a port's frames are captured. @return what it sent and received.
    template <class Call>
    std::vector<Captured> Capture(const std::string& node, PortIdx port, const Call& call)
    {
        TemporaryFolder folder;
        PcapCapture capture(folder.Path() + "/seen.pcap", FrameCodec());
        m_bed.GetFabric().Capture(m_bed.Find(node), port, capture);
        call();
        Simulator::Run();
        capture.Close();
        return ReadCapture(folder.Path() + "/seen.pcap");
    }

    void Send() const
    {
        pair.sender->PostSend({1, 3 * 4096 + 1000});
        pair.sender->PostSend({2, 5000, WrOpcode::Send});
    }

    QueuePairs pair;
    std::vector<WorkCompletion> completed;
    std::vector<std::string> refused; ///< by any device, and why

  private:
    void Watch(Ptr<FabricNetDevice> device)
    {
        device->TraceConnectWithoutContext(
            "RxDrop",
            Callback<void, Ptr<const Packet>, const std::string&>(
                [this](Ptr<const Packet>, const std::string& why) { refused.push_back(why); }));
    }

    FabricBed m_bed{"star"};
    CompletionQueue m_completions{[this](const WorkCompletion& c) { completed.push_back(c); }};
    std::set<const FabricNetDevice*> m_watched;
};

/// Hands frames of a capture to a device, each at its instant. @param to whom they were for.
void
Replay(const std::vector<Captured>& frames, NodeIdx to, const Ptr<FabricNetDevice>& device)
{
    for (const Captured& captured : frames)
    {
        if (captured.frame.dst == to)
        {
            Simulator::Schedule(NanoSeconds(captured.at),
                                &FabricNetDevice::ReceiveBytes,
                                device,
                                PacketOf(captured.bytes));
        }
    }
}

/// @return the bytes of those that a host has sent.
std::vector<std::vector<uint8_t>>
From(NodeIdx host, const std::vector<Captured>& frames)
{
    std::vector<std::vector<uint8_t>> sent;
    for (const Captured& captured : frames)
    {
        if (captured.frame.src == host)
        {
            sent.push_back(captured.bytes);
        }
    }
    return sent;
}

std::vector<Captured>
Original(const std::string& node, PortIdx port)
{
    Star star;
    return star.Capture(node, port, [&star] { star.Send(); });
}

// What one fabric sends to a host makes the same host of another one answer with the same bytes.
TEST(NetDeviceBytes, AHostAnswersWhatWasCapturedElsewhere)
{
    const auto original = Original("host1", 0);
    ASSERT_EQ(original.size(), 6U + 6);
    Star star;
    const auto again = star.Capture("host1", 0, [&] { Replay(original, 1, star.Device(1)); });
    EXPECT_EQ(again.size(), 6U);
    EXPECT_EQ(From(1, again), From(1, original));
    ASSERT_EQ(star.completed.size(), 1U);
    EXPECT_EQ(star.completed[0].bytes, 5000U);
    EXPECT_TRUE(star.refused.empty());
}

// And a switch forwards it: acknowledgements, as host 0 has them from its port.
TEST(NetDeviceBytes, ASwitchForwardsWhatWasCapturedElsewhere)
{
    const auto atHost0 = Original("host0", 0);
    const auto atSwitch = Original("leaf0", 1);
    Star star;
    const auto again = star.Capture("host0", 0, [&] { Replay(atSwitch, 0, star.SwitchDevice(1)); });
    EXPECT_EQ(From(1, again).size(), 6U);
    EXPECT_EQ(From(1, again), From(1, atHost0));
    EXPECT_TRUE(star.refused.empty());
}

TEST(NetDeviceBytes, APauseStopsThePort)
{
    Star star;
    Frame* pause = MakePauseFrame(3, 100);
    const auto packet = PacketOf(FrameCodec().Encode(*pause));
    FramePool::Return(pause);
    star.Device(0)->ReceiveBytes(packet);
    star.SwitchDevice(2)->ReceiveBytes(packet);
    // 100 quanta of 512 bits at 100 Gb/s.
    EXPECT_EQ(star.GetFabric().GetHostPort(0).GetPausedUntil(3), 100 * 512 * 10);
    EXPECT_EQ(star.GetFabric().GetHostPort(0).GetPausedUntil(2), 0);
    EXPECT_EQ(star.GetFabric().GetHostPort(1).GetPausedUntil(3), 0);
    EXPECT_TRUE(star.refused.empty());
}

TEST(NetDeviceBytes, AnOrdinaryPacketGoesUpTheStackOfAHost)
{
    Star star;
    std::vector<uint8_t> received;
    uint16_t protocolSeen = 0;
    star.Device(2)->SetReceiveCallback(NetDevice::ReceiveCallback(
        [&](Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t protocol, const Address&) {
            EXPECT_EQ(device, star.Device(2));
            received.resize(packet->GetSize());
            packet->CopyData(received.data(), packet->GetSize());
            protocolSeen = protocol;
            return true;
        }));
    std::vector<uint8_t> datagram(100, 7);
    datagram[0] = 0x45;
    datagram[2] = 0;
    datagram[3] = 100;
    Frame* f = MakeOrdinaryFrame(PacketOf(datagram), 0x0800);
    f->src = 77; // nobody here: a frame from elsewhere has other addresses
    f->dst = 99;
    const auto bytes = FrameCodec().Encode(*f);
    FramePool::Discard(f);
    star.Device(2)->ReceiveBytes(PacketOf(bytes));
    EXPECT_EQ(received, datagram);
    EXPECT_EQ(protocolSeen, 0x0800);
    EXPECT_TRUE(star.refused.empty());
    // A switch does not know where to send that.
    star.SwitchDevice(0)->ReceiveBytes(PacketOf(bytes));
    EXPECT_EQ(star.refused, std::vector<std::string>{"its addresses are not of endpoints here"});
}

TEST(NetDeviceBytes, WhatIsNoFrameIsDroppedAndTraced)
{
    Star star;
    Frame f{};
    f.op = On(BthTransport::Ud, Opcode::SendOnly);
    f.dst = 1;
    FrameExtension::AddTo(f);
    auto bytes = [&f] { return FrameCodec().Encode(f); };
    auto corrupt = bytes();
    corrupt[50] ^= 1;
    star.Device(1)->ReceiveBytes(PacketOf(corrupt));
    star.Device(1)->ReceiveBytes(Create<Packet>());
    star.Device(2)->ReceiveBytes(PacketOf(bytes()));
    f.src = 3;
    star.Device(1)->ReceiveBytes(PacketOf(bytes()));
    star.SwitchDevice(1)->ReceiveBytes(PacketOf(bytes()));
    f.src = 0;
    f.dst = 3;
    star.SwitchDevice(1)->ReceiveBytes(PacketOf(bytes()));
    EXPECT_EQ(star.refused,
              (std::vector<std::string>{"its FCS is wrong",
                                        "shorter than a frame",
                                        "it is for another endpoint",
                                        "its addresses are not of endpoints here",
                                        "its addresses are not of endpoints here",
                                        "its addresses are not of endpoints here"}));
    FrameExtension::RemoveFrom(f);
    EXPECT_EQ(FramePool::Out(), 0U);
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

// Whatever comes is answered, dropped or ignored; in the end nothing is left of it.
TEST(NetDeviceBytes, AnyFrameIsDealtWith)
{
    std::mt19937 random(1);
    Star star;
    const std::vector<Opcode> opcodes = EveryRoceOpcode();
    for (int i = 0; i < 5000; ++i)
    {
        const NodeIdx host = i & 1;
        const QueuePair& end = host == 0 ? *star.pair.sender : *star.pair.receiver;
        Frame f = RandomRoceFrame(opcodes[random() % opcodes.size()], random, 300);
        f.src = random() % 3;
        f.dst = host;
        f.flow = random() % 8 ? end.GetNumber() : f.flow;
        f.psn = random() % 4 ? random() % 8 : f.psn;
        Simulator::Schedule(NanoSeconds(100 * i),
                            &FabricNetDevice::ReceiveBytes,
                            star.Device(host),
                            PacketOf(FrameCodec().Encode(f)));
        FrameExtension::RemoveFrom(f);
    }
    star.Send();
    Simulator::Run();
    EXPECT_TRUE(star.refused.empty());
    EXPECT_EQ(FramePool::Out(), 0U);
    EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
}

} // namespace
} // namespace ns3::aifabric::test
