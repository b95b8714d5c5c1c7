// SPDX-License-Identifier: GPL-2.0-only
#include "connection-pair.h"

#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using namespace ns3::aifabric::test;
using Type = ConnectionEventType;

namespace
{

/// Connections that come about.
class ConnectionManagers : public ConnectionPair
{
};

TEST_F(ConnectionManagers, ConnectsInOneAndAHalfRoundTrips)
{
    AcceptAll();
    QueuePair& q = Ask();
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    ASSERT_EQ(told[1].size(), 1U);
    EXPECT_EQ(told[0][0].event.type, Type::Established);
    EXPECT_EQ(told[0][0].event.queuePair, q.GetNumber());
    EXPECT_EQ(Text(told[0][0].event.privateData), "welcome");
    EXPECT_EQ(told[1][0].event.type, Type::Established);
    EXPECT_EQ(told[1][0].event.queuePair, accepted[0]->GetNumber());
    EXPECT_EQ(told[0][0].at, 2 * OneWay());
    EXPECT_EQ(told[1][0].at, 3 * OneWay());
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].source, kClient);
    EXPECT_EQ(requests[0].serviceId, kService);
    EXPECT_EQ(requests[0].privateData.size(), 92U);
    EXPECT_EQ(Text(requests[0].privateData), "hello");
    EXPECT_EQ(passed, (std::vector<Kind>{Kind::Request, Kind::Reply, Kind::ReadyToUse}));
    EXPECT_EQ(q.Query().addressVector.priority, 5);
    ExpectConnected(q, *accepted[0]);
}

TEST_F(ConnectionManagers, DisconnectsBothEnds)
{
    for (Kind loss : {Kind::ReadyToUse, Kind::DisconnectRequest, Kind::DisconnectReply})
    {
        AcceptAll();
        QueuePair& q = Ask();
        Run();
        told[0].clear();
        told[1].clear();
        received.clear();
        lost[loss] = loss == Kind::ReadyToUse ? 0 : 1;
        const Tick begin = Simulator::Now().GetTimeStep();
        ASSERT_EQ(manager[0]->Disconnect(q), Status::Ok);
        EXPECT_EQ(manager[0]->Disconnect(q), Status::WrongState);
        EXPECT_EQ(q.GetState(), QpState::Err);
        Run();
        ASSERT_EQ(told[0].size(), 1U);
        ASSERT_EQ(told[1].size(), 1U);
        EXPECT_EQ(told[0][0].event.type, Type::Disconnected);
        EXPECT_EQ(told[1][0].event.type, Type::Disconnected);
        const Tick waited = loss == Kind::ReadyToUse ? 0 : 50 * kMicrosecond;
        EXPECT_EQ(told[0][0].at - begin, waited + 2 * OneWay());
        EXPECT_EQ(told[1][0].at - begin, (loss == Kind::DisconnectRequest ? waited : 0) + OneWay());
        EXPECT_EQ(accepted.back()->GetState(), QpState::Err);
        ASSERT_EQ(received.size(), 1U);
        EXPECT_EQ(received[0].completion.status, WcStatus::WrFlushError);
    }
    EXPECT_EQ(manager[0]->CountConnections() + manager[1]->CountConnections(), 0U);
}

TEST_F(ConnectionManagers, DisconnectsThatCross)
{
    AcceptAll();
    QueuePair& q = Ask();
    Run();
    ASSERT_EQ(manager[0]->Disconnect(q), Status::Ok);
    ASSERT_EQ(manager[1]->Disconnect(*accepted[0]), Status::Ok);
    Run();
    EXPECT_EQ(told[0].at(1).event.type, Type::Disconnected);
    EXPECT_EQ(told[1].at(1).event.type, Type::Disconnected);
    EXPECT_EQ(told[0].size() + told[1].size(), 4U);
}

// 500 at once, from either side to the other: datagrams leave one after the other.
TEST_F(ConnectionManagers, ManyAtOnce)
{
    const int kEach = 500;
    std::map<uint32_t, QueuePair*> byNumber[2];
    int established = 0;
    for (int side : {0, 1})
    {
        manager[side]->SetAttribute("ResponseTimeout", TimeValue(MilliSeconds(1)));
        manager[side]->Listen(kService, [&, side](const ConnectionRequest& r) {
            QueuePair& q = MakeQueuePair(side);
            byNumber[side][q.GetNumber()] = &q;
            ASSERT_EQ(manager[side]->Accept(r,
                                            q,
                                            [&](const ConnectionEvent& e) {
                                                EXPECT_EQ(e.type, Type::Established);
                                                ++established;
                                            }),
                      Status::Ok);
        });
        for (int i = 0; i < kEach; ++i)
        {
            QueuePair& q = MakeQueuePair(side);
            byNumber[side][q.GetNumber()] = &q;
            ASSERT_EQ(manager[side]->Connect(side ? kClient : kServer,
                                             kService,
                                             q,
                                             [&](const ConnectionEvent& e) {
                                                 EXPECT_EQ(e.type, Type::Established);
                                                 ++established;
                                             }),
                      Status::Ok);
        }
    }
    Run();
    EXPECT_EQ(established, 4 * kEach);
    EXPECT_EQ(passed.size(), 6U * kEach);
    for (const auto& [number, q] : byNumber[0])
    {
        const QueuePairAttributes x = q->Query();
        const QueuePairAttributes y = byNumber[1].at(x.destinationNumber)->Query();
        ASSERT_EQ(y.destinationNumber, number);
        ASSERT_EQ(x.sendPsn, y.receivePsn);
        ASSERT_EQ(y.sendPsn, x.receivePsn);
        q->PostSend({1, 100});
    }
    Run();
    EXPECT_EQ(sent.size(), 2U * kEach);
}

// The connecting side's path MTU; no more READs than the peer takes.
TEST_F(ConnectionManagers, EndsAgree)
{
    settings->maxReadAtomic = 3;
    auto small = std::make_shared<TransportProfile>(*settings, headers, 1000, control, rateBps);
    small->maxDestReadAtomic = 2;
    AcceptAll();
    QueuePair& q = nic[0].CreateQueuePair(0, small, sendQueue, receiveQueue);
    ASSERT_EQ(manager[0]->Connect(kServer, kService, q, nullptr), Status::Ok);
    Run();
    const QueuePairAttributes server = accepted.at(0)->Query();
    EXPECT_EQ(server.pathMtu, PathMtu::Bytes1024);
    EXPECT_EQ(server.maxReadAtomic, 2);
    EXPECT_EQ(q.Query().maxReadAtomic, 3);
    // 1000 has no code of its own, and stays.
    EXPECT_EQ(q.GetProfile().mtu, 1000U);
}

// Whoever hears the peer need not wait for its RTU: here that comes after a message.
TEST_F(ConnectionManagers, TheFirstMessageStandsForTheRtu)
{
    AcceptAll();
    nic[1].OnAsyncEvent([this](const AsyncEvent& e) {
        ASSERT_EQ(e.type, AsyncEventType::CommunicationEstablished);
        EXPECT_EQ(manager[1]->NoteEstablished(e.queuePair), Status::Ok);
        EXPECT_EQ(manager[1]->NoteEstablished(e.queuePair), Status::WrongState);
    });
    lost[Kind::ReadyToUse] = 1;
    QueuePair& q = MakeQueuePair(0);
    manager[0]->Connect(kServer, kService, q, [&](const ConnectionEvent&) {
        EXPECT_EQ(q.PostSend({1, 100}), Status::Ok);
    });
    Run();
    EXPECT_EQ(passed.size(), 3U) << "nothing was sent again";
    ASSERT_EQ(told[1].size(), 1U);
    EXPECT_EQ(told[1][0].event.type, Type::Established);
    // A WRITE: 62 + 16 of RETH + 100, and 20 around it.
    EXPECT_EQ(told[1][0].at, 2 * OneWay() + latency + 198 * 80 + delay);
    ExpectConnected(q, *accepted.at(0));
}

// Each of two ports has its address; there is one manager for both.
TEST_F(ConnectionManagers, EveryPortOfANic)
{
    RdmaNic two[2];
    EgressPort ports[2][2];
    for (int i = 0; i < 2; ++i)
    {
        for (uint16_t p = 0; p < 2; ++p)
        {
            PortSettings wire;
            wire.bandwidthBps = rateBps;
            wire.delay = delay;
            wire.peer = &two[1 - i];
            ports[i][p].Wire(wire, p, nullptr, nullptr);
            two[i].AddPort(ports[i][p], 20 + 10 * i + p);
        }
    }
    auto client = CreateObject<RdmaConnectionManager>(two[0], *profile);
    auto server = CreateObject<RdmaConnectionManager>(two[1], *profile);
    QueuePair* there = nullptr;
    server->Listen(kService, [&](const ConnectionRequest& r) {
        EXPECT_EQ(r.source, 21U);
        EXPECT_EQ(r.port, 1U);
        QueuePair& wrong = two[1].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        EXPECT_EQ(server->Accept(r, wrong, nullptr), Status::InvalidAttribute);
        there = &two[1].CreateQueuePair(r.port, profile, sendQueue, receiveQueue);
        EXPECT_EQ(server->Accept(r, *there, Record(1)), Status::Ok);
    });
    QueuePair& here = two[0].CreateQueuePair(1, profile, sendQueue, receiveQueue);
    ASSERT_EQ(client->Connect(31, kService, here, Record(0)), Status::Ok);
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    ASSERT_EQ(told[1].size(), 1U);
    EXPECT_EQ(here.Query().addressVector.destination, 31U);
    EXPECT_EQ(there->Query().addressVector.destination, 21U);
    EXPECT_EQ(ports[0][1].GetCounters().frames, 2U);
    EXPECT_EQ(ports[1][1].GetCounters().frames, 1U);
    EXPECT_EQ(ports[0][0].GetCounters().frames + ports[1][0].GetCounters().frames, 0U);
}

} // namespace
