// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CONNECTION_PAIR_H
#define AIFABRIC_CONNECTION_PAIR_H

#include "transport-pair.h"

#include "ns3/frame-extension.h"
#include "ns3/rdma-connection-manager.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

using Kind = ConnectionMessageKind;

inline constexpr uint64_t kService = 18515;
inline constexpr NodeIdx kClient = 10;
inline constexpr NodeIdx kServer = 11;

/// Wire of a datagram: 256 bytes behind DETH, 8, and in 62 + 20 of RoCEv2 (IBA vol. 1, annex A17).
inline constexpr Tick kWire = (256 + 8 + 62 + 20) * 80; // ps at 100 Gb/s

inline std::vector<std::byte>
Bytes(const std::string& text)
{
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return std::byte(c); });
    return bytes;
}

inline std::string
Text(const std::vector<std::byte>& bytes)
{
    std::string text(bytes.size(), ' ');
    std::transform(bytes.begin(), bytes.end(), text.begin(), [](std::byte b) { return char(b); });
    return text.substr(0, text.find('\0'));
}

/// Two managers: what is told on either side, and when; what went over the wire.
class ConnectionPair : public Pair
{
  protected:
    struct Told
    {
        Tick at;
        ConnectionEvent event;
    };

    void SetUp() override
    {
        latency = 600 * kNanosecond;
        Build();
        for (int i = 0; i < 2; ++i)
        {
            manager[i] = CreateObject<RdmaConnectionManager>(
                nic[i], *profile, [this](NodeIdx, NodeIdx peer) {
                    return AddressVector{peer, 5, 0xC123, 2 * delay};
                });
            manager[i]->SetAttribute("ResponseTimeout", TimeValue(MicroSeconds(50)));
            manager[i]->SetAttribute("MaxRetries", UintegerValue(3));
            tamper[i].lose = [this, i](Frame& f, Tick) { return Lose(i, f); };
        }
    }

    /// Notes messages of managers, and loses those that are to be lost.
    bool Lose(int to, const Frame& f)
    {
        if (f.flow != kGeneralServicesNumber)
        {
            return false;
        }
        const auto m = ConnectionMessage::Decode(FrameExtension::Of(f).source.get());
        EXPECT_TRUE(m);
        passed.push_back(m->kind);
        EXPECT_EQ(f.dst, to ? kServer : kClient);
        return lost[m->kind]-- > 0;
    }

    QueuePair& MakeQueuePair(int side)
    {
        return nic[side].CreateQueuePair(0, profile, sendQueue, receiveQueue);
    }

    RdmaConnectionManager::EventCallback Record(int side)
    {
        return [this, side](const ConnectionEvent& e) {
            told[side].push_back({Simulator::Now().GetTimeStep(), e});
        };
    }

    /// The server takes all requests.
    void AcceptAll()
    {
        manager[1]->Listen(kService, [this](const ConnectionRequest& r) {
            requests.push_back(r);
            accepted.push_back(&MakeQueuePair(1));
            EXPECT_EQ(manager[1]->Accept(r, *accepted.back(), Record(1), Bytes("welcome")),
                      Status::Ok);
            EXPECT_EQ(accepted.back()->GetState(), QpState::Rtr);
            EXPECT_EQ(accepted.back()->PostReceive({77}), Status::Ok);
        });
    }

    QueuePair& Ask(uint64_t service = kService)
    {
        QueuePair& q = MakeQueuePair(0);
        EXPECT_EQ(manager[0]->Connect(kServer, service, q, Record(0), Bytes("hello")), Status::Ok);
        EXPECT_EQ(q.GetState(), QpState::Init);
        return q;
    }

    /// Both ends know each other, and data flow in both directions.
    void ExpectConnected(QueuePair& a, QueuePair& b)
    {
        const QueuePairAttributes x = a.Query();
        const QueuePairAttributes y = b.Query();
        EXPECT_EQ(x.state, QpState::Rts);
        EXPECT_EQ(y.state, QpState::Rts);
        EXPECT_EQ(x.destinationNumber, b.GetNumber());
        EXPECT_EQ(y.destinationNumber, a.GetNumber());
        EXPECT_EQ(x.sendPsn, y.receivePsn);
        EXPECT_EQ(y.sendPsn, x.receivePsn);
        EXPECT_EQ(x.addressVector.destination, kServer);
        EXPECT_EQ(y.addressVector.destination, kClient);
        sent.clear();
        ASSERT_EQ(a.PostSend({1, 10000, WrOpcode::Send}), Status::Ok);
        ASSERT_EQ(b.PostSend({2, 10000, WrOpcode::Write}), Status::Ok);
        ASSERT_EQ(a.PostSend({3, 10000, WrOpcode::Read}), Status::Ok);
        Run();
        ASSERT_EQ(sent.size(), 3U);
        for (const Ended& e : sent)
        {
            EXPECT_EQ(e.completion.status, WcStatus::Success);
        }
    }

    int CountPassed(Kind kind) const
    {
        return static_cast<int>(std::count(passed.begin(), passed.end(), kind));
    }

    /// From one end to the other: processing, wire, delay.
    Tick OneWay() const
    {
        return latency + kWire + delay;
    }

    Ptr<RdmaConnectionManager> manager[2];
    std::vector<Told> told[2];
    std::vector<Kind> passed;
    std::map<Kind, int> lost;
    std::vector<ConnectionRequest> requests;
    std::vector<QueuePair*> accepted;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_CONNECTION_PAIR_H
