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

/// Losses, refusals, peers that do not answer.
class ConnectionFailures : public ConnectionPair
{
};

// Each loss costs one timeout of who waits: REQ and REP of the one who asked for it.
TEST_F(ConnectionFailures, EachLossIsRecovered)
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

TEST_F(ConnectionFailures, NobodyListens)
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

TEST_F(ConnectionFailures, RefusalsSayWhy)
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

TEST_F(ConnectionFailures, AfterTheLastRetryThePeerIsUnreachable)
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
TEST_F(ConnectionFailures, WhoeverGivesUpTells)
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
TEST_F(ConnectionFailures, TooLateAnAcceptance)
{
    manager[1]->Listen(kService, [this](const ConnectionRequest& r) { requests.push_back(r); });
    Ask();
    Run();
    EXPECT_EQ(told[0].at(0).event.type, Type::Unreachable);
    EXPECT_EQ(manager[1]->Accept(requests.at(0), MakeQueuePair(1), Record(1)), Status::WrongState);
    EXPECT_TRUE(told[1].empty());
}

TEST_F(ConnectionFailures, AReplyToNobodyIsRefused)
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

TEST_F(ConnectionFailures, RefusedCalls)
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

// One frame in five is lost. Nobody is left with half of a connection, and all get one.
TEST_F(ConnectionFailures, ManyOverABadWire)
{
    uint32_t dice = 1;
    for (Tamper& t : tamper)
    {
        t.lose = [&dice](Frame&, Tick) {
            dice = dice * 1664525 + 1013904223; // Numerical Recipes
            return dice >> 16 < 65536 / 5;
        };
    }
    std::map<uint32_t, QueuePair*> here;
    int disconnected = 0;
    for (const auto& m : manager)
    {
        m->SetAttribute("MaxRetries", UintegerValue(15));
    }
    AcceptAll();
    for (int i = 0; i < 300; ++i)
    {
        QueuePair& q = MakeQueuePair(0);
        manager[0]->Connect(kServer, kService, q, [&](const ConnectionEvent& e) {
            disconnected += e.type == Type::Disconnected;
        });
        here[q.GetNumber()] = &q;
    }
    Run();
    EXPECT_EQ(accepted.size(), 300U);
    ASSERT_EQ(told[1].size(), 300U);
    for (QueuePair* q : accepted)
    {
        const QueuePairAttributes a = q->Query();
        ASSERT_EQ(a.state, QpState::Rts);
        ASSERT_EQ(here.at(a.destinationNumber)->Query().destinationNumber, q->GetNumber());
        ASSERT_EQ(here.at(a.destinationNumber)->GetState(), QpState::Rts);
        ASSERT_EQ(manager[1]->Disconnect(*q), Status::Ok);
    }
    Run();
    EXPECT_EQ(disconnected, 300);
    EXPECT_EQ(manager[0]->CountConnections() + manager[1]->CountConnections(), 0U);
}

} // namespace
