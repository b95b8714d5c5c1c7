// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include "ns3/connection-manager.h"
#include "ns3/frame-extension.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;
using Kind = ConnectionMessageKind;
using Type = ConnectionEventType;

namespace
{

constexpr uint64_t kService = 18515;
constexpr NodeIdx kClient = 10;
constexpr NodeIdx kServer = 11;

/// Wire of a datagram: 256 bytes behind DETH, 8, and in 62 + 20 of RoCEv2 (IBA vol. 1, annex A17).
constexpr Tick kWire = (256 + 8 + 62 + 20) * 80; // ps at 100 Gb/s

std::vector<std::byte>
Bytes(const std::string& text)
{
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return std::byte(c); });
    return bytes;
}

std::string
Text(const std::vector<std::byte>& bytes)
{
    std::string text(bytes.size(), ' ');
    std::transform(bytes.begin(), bytes.end(), text.begin(), [](std::byte b) { return char(b); });
    return text.substr(0, text.find('\0'));
}

/// Two managers: what is told on either side, and when; what went over the wire.
class ConnectionManagerPair : public test::Pair
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
            manager[i] =
                CreateObject<ConnectionManager>(nic[i], *profile, [this](NodeIdx, NodeIdx peer) {
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

    ConnectionManager::EventCallback Record(int side)
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
        for (const test::Ended& e : sent)
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

    Ptr<ConnectionManager> manager[2];
    std::vector<Told> told[2];
    std::vector<Kind> passed;
    std::map<Kind, int> lost;
    std::vector<ConnectionRequest> requests;
    std::vector<QueuePair*> accepted;
};

TEST_F(ConnectionManagerPair, ConnectsInOneAndAHalfRoundTrips)
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

// Each loss costs one timeout of who waits: REQ and REP of the one who asked for it.
TEST_F(ConnectionManagerPair, EachLossIsRecovered)
{
    const Tick timeout = 50 * kMicrosecond;

    struct Case
    {
        Kind kind;
        Tick client, server;
    };

    for (const Case& c :
         {Case{Kind::Request, timeout + 2 * OneWay(), timeout + 3 * OneWay()},
          Case{Kind::Reply, timeout + OneWay() + OneWay(), timeout + OneWay() + 2 * OneWay()},
          Case{Kind::ReadyToUse, 2 * OneWay(), OneWay() + timeout + 2 * OneWay()}})
    {
        told[0].clear();
        told[1].clear();
        AcceptAll();
        lost[c.kind] = 1;
        const Tick begin = Simulator::Now().GetTimeStep();
        QueuePair& q = Ask();
        Run();
        ASSERT_EQ(told[0].size(), 1U);
        ASSERT_EQ(told[1].size(), 1U);
        EXPECT_EQ(told[0][0].event.type, Type::Established);
        EXPECT_EQ(told[1][0].event.type, Type::Established);
        EXPECT_EQ(told[0][0].at - begin, c.client);
        EXPECT_EQ(told[1][0].at - begin, c.server);
        ExpectConnected(q, *accepted.back());
        Run();
    }
    EXPECT_EQ(accepted.size(), 3U);
}

TEST_F(ConnectionManagerPair, NobodyListens)
{
    AcceptAll();
    QueuePair& q = Ask(kService + 1);
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    EXPECT_EQ(told[0][0].event.type, Type::Rejected);
    EXPECT_EQ(told[0][0].event.reason, RejectReason::InvalidServiceId);
    EXPECT_EQ(told[0][0].at, 2 * OneWay());
    EXPECT_EQ(q.GetState(), QpState::Err);
    EXPECT_TRUE(requests.empty());
    // The queue pair can be used anew.
    ASSERT_EQ(q.Modify(QpState::Reset), Status::Ok);
    ASSERT_EQ(manager[0]->Connect(kServer, kService, q, Record(0)), Status::Ok);
    Run();
    ExpectConnected(q, *accepted.at(0));
    manager[1]->Listen(kService, nullptr);
    Ask();
    Run();
    EXPECT_EQ(told[0].back().event.reason, RejectReason::InvalidServiceId);
    EXPECT_EQ(manager[0]->CountConnections(), 1U);
    EXPECT_EQ(manager[1]->CountConnections(), 1U);
}

TEST_F(ConnectionManagerPair, RefusalsSayWhy)
{
    manager[1]->Listen(kService, [this](const ConnectionRequest& r) {
        requests.push_back(r);
        // Later is early enough.
        Simulator::Schedule(MicroSeconds(7), [this, r] {
            EXPECT_EQ(manager[1]->Reject(r, Bytes("too busy")), Status::Ok);
            EXPECT_EQ(manager[1]->Reject(r), Status::WrongState);
        });
    });
    lost[Kind::Reject] = 1;
    QueuePair& q = Ask();
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    EXPECT_EQ(told[0][0].event.type, Type::Rejected);
    EXPECT_EQ(told[0][0].event.reason, RejectReason::ConsumerReject);
    EXPECT_EQ(Text(told[0][0].event.privateData), "too busy");
    // Asked again after the timeout, and refused again.
    EXPECT_EQ(told[0][0].at, 57 * kMicrosecond + 2 * OneWay());
    EXPECT_EQ(requests.size(), 2U);
    EXPECT_EQ(q.GetState(), QpState::Err);
    EXPECT_EQ(manager[1]->CountConnections(), 0U);
}

TEST_F(ConnectionManagerPair, AfterTheLastRetryThePeerIsUnreachable)
{
    AcceptAll();
    lost[Kind::Request] = 4;
    QueuePair& q = Ask();
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    EXPECT_EQ(told[0][0].event.type, Type::Unreachable);
    // Once and three times again, a timeout after each.
    EXPECT_EQ(told[0][0].at, 4 * 50 * kMicrosecond);
    EXPECT_EQ(CountPassed(Kind::Request), 4);
    EXPECT_EQ(q.GetState(), QpState::Err);
    EXPECT_TRUE(requests.empty());
    EXPECT_EQ(manager[0]->CountConnections(), 0U);
}

// Whoever has given up tells: the other side has no half of a connection.
TEST_F(ConnectionManagerPair, WhoeverGivesUpTells)
{
    AcceptAll();
    manager[1]->SetAttribute("ResponseTimeout", TimeValue(MicroSeconds(80)));
    lost[Kind::Reply] = 100;
    QueuePair& q = Ask();
    Run();
    ASSERT_EQ(told[0].size(), 1U);
    EXPECT_EQ(told[0][0].event.type, Type::Unreachable);
    ASSERT_EQ(told[1].size(), 1U);
    EXPECT_EQ(told[1][0].event.type, Type::Rejected);
    EXPECT_EQ(told[1][0].event.reason, RejectReason::Timeout);
    EXPECT_EQ(told[1][0].at, 4 * 50 * kMicrosecond + OneWay());
    EXPECT_EQ(accepted.at(0)->GetState(), QpState::Err);
    // Without its RTU the server gives up, and the client hears of that.
    lost[Kind::Reply] = 0;
    lost[Kind::ReadyToUse] = 100;
    ASSERT_EQ(q.Modify(QpState::Reset), Status::Ok);
    told[0].clear();
    told[1].clear();
    ASSERT_EQ(manager[0]->Connect(kServer, kService, q, Record(0)), Status::Ok);
    Run();
    ASSERT_EQ(told[1].size(), 1U);
    EXPECT_EQ(told[1][0].event.type, Type::Unreachable);
    ASSERT_EQ(told[0].size(), 2U);
    EXPECT_EQ(told[0][0].event.type, Type::Established);
    EXPECT_EQ(told[0][1].event.type, Type::Disconnected);
    EXPECT_EQ(manager[0]->CountConnections() + manager[1]->CountConnections(), 0U);
}

// A request that its sender has given up meanwhile cannot be accepted any more.
TEST_F(ConnectionManagerPair, TooLateAnAcceptance)
{
    manager[1]->Listen(kService, [this](const ConnectionRequest& r) { requests.push_back(r); });
    Ask();
    Run();
    EXPECT_EQ(told[0].at(0).event.type, Type::Unreachable);
    EXPECT_EQ(manager[1]->Accept(requests.at(0), MakeQueuePair(1), Record(1)), Status::WrongState);
    EXPECT_TRUE(told[1].empty());
}

TEST_F(ConnectionManagerPair, AReplyToNobodyIsRefused)
{
    AcceptAll();
    QueuePair& q = Ask();
    // The queue pair goes while its request is on its way.
    Simulator::Schedule(FromTick(OneWay()), [&] { nic[0].DestroyQueuePair(q); });
    Run();
    EXPECT_EQ(told[0].at(0).event.reason, RejectReason::NoQueuePair);
    EXPECT_EQ(told[1].at(0).event.type, Type::Rejected);
    EXPECT_EQ(told[1].at(0).event.reason, RejectReason::NoQueuePair);
    EXPECT_EQ(told[1].at(0).at, 3 * OneWay());
}

TEST_F(ConnectionManagerPair, DisconnectsBothEnds)
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

TEST_F(ConnectionManagerPair, DisconnectsThatCross)
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
TEST_F(ConnectionManagerPair, ManyAtOnce)
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

TEST_F(ConnectionManagerPair, RefusedCalls)
{
    QueuePairInit init;
    init.type = QpType::Uc;
    init.profile = profile;
    init.sendQueue = init.receiveQueue = &sendQueue;
    QueuePair& uc = nic[0].CreateQueuePair(init);
    EXPECT_EQ(manager[0]->Connect(kServer, 1, uc, nullptr), Status::UnsupportedRequest);
    EXPECT_EQ(manager[0]->Connect(kServer, 1, *qp[0], nullptr), Status::WrongState);
    EXPECT_EQ(
        manager[0]->Connect(kServer, 1, MakeQueuePair(0), nullptr, std::vector<std::byte>(93)),
        Status::InvalidLength);
    EXPECT_EQ(manager[0]->Disconnect(*qp[0]), Status::WrongState);
    EXPECT_EQ(manager[0]->CountConnections(), 0U);
}

// The connecting side's path MTU; no more READs than the peer takes.
TEST_F(ConnectionManagerPair, EndsAgree)
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

} // namespace
