// SPDX-License-Identifier: GPL-2.0-only
// As ibv_rc_pingpong: two hosts on a switch connect over the network, then send a message to and
// fro.
#include "ns3/ai-fabric-module.h"
#include "ns3/core-module.h"

#include <cstdio>

using namespace ns3;
using namespace ns3::aifabric;

uint64_t g_size = 4096;
uint32_t g_iterations = 1000;
uint32_t g_depth = 500;

/// One end: sends when its last message has ended and the peer's has come.
struct Player
{
    CompletionQueue completions{[this](const WorkCompletion& done) { OnCompletion(done); }};
    QueuePair* queuePair{nullptr};
    uint32_t posted{0};
    uint32_t sent{0};
    uint32_t received{0};
    bool sending{false};
    Time begin;
    Time end;

    void Prepare(QueuePair& mine)
    {
        queuePair = &mine;
        PostReceives();
    }

    void PostReceives()
    {
        for (; posted < g_depth; ++posted)
        {
            queuePair->PostReceive({0, g_size});
        }
    }

    void OnConnection(const ConnectionEvent& event)
    {
        NS_ABORT_MSG_IF(event.type != ConnectionEventType::Established, ToString(event.type));
        const QueuePairAttributes a = queuePair->Query();
        std::printf("  host %u: QPN 0x%06x, PSN 0x%06x, connected after %.3f usec\n",
                    queuePair->GetAddress(),
                    event.queuePair,
                    a.sendPsn,
                    Simulator::Now().ToDouble(Time::US));
        begin = Simulator::Now();
    }

    void Send()
    {
        sending = true;
        WorkRequest request;
        request.opcode = WrOpcode::Send;
        request.bytes = g_size;
        const Status status = queuePair->PostSend(request);
        NS_ABORT_MSG_IF(status != Status::Ok, "a message is refused");
    }

    void OnCompletion(const WorkCompletion& done)
    {
        NS_ABORT_MSG_IF(done.status != WcStatus::Success, ToString(done.status));
        if (done.opcode == WcOpcode::Receive)
        {
            ++received;
            if (--posted <= 1)
            {
                PostReceives();
            }
        }
        else
        {
            ++sent;
            sending = false;
        }
        end = Simulator::Now();
        // The client is one ahead: what it answers it has sent itself.
        const bool mayAnswer = queuePair->GetAddress() == 0 ? received == sent : received > sent;
        if (!sending && mayAnswer && sent < g_iterations)
        {
            Send();
        }
    }

    void Report() const
    {
        const double seconds = (end - begin).GetSeconds();
        const uint64_t bytes = 2 * g_size * received;
        std::printf("%llu bytes in %.6f seconds = %.2f Mbit/sec\n",
                    static_cast<unsigned long long>(bytes),
                    seconds,
                    bytes * 8 / seconds / 1e6);
        std::printf("%u iters in %.6f seconds = %.3f usec/iter\n",
                    received,
                    seconds,
                    seconds * 1e6 / received);
    }
};

int
main(int argc, char** argv)
{
    uint32_t mtu = 1024;
    DataRate rate("100Gbps");
    Time delay = NanoSeconds(500);
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "bytes of a message", g_size);
    cmd.AddValue("iters", "exchanges", g_iterations);
    cmd.AddValue("rxDepth", "receives posted at a time", g_depth);
    cmd.AddValue("mtu", "payload of a full frame, bytes", mtu);
    cmd.AddValue("rate", "of the links", rate);
    cmd.AddValue("delay", "of each link", delay);
    cmd.Parse(argc, argv);

    FabricHelper helper("star");
    helper.SetTopology("HostCount", UintegerValue(2));
    helper.SetLinks(rate, delay);
    helper.Settings().mtuPayloadBytes = mtu;
    helper.Install();

    const uint64_t service = 18515;
    Player client;
    Player server;
    helper.GetConnectionManager(1).Listen(service, [&](const ConnectionRequest& request) {
        QueuePair& queuePair = helper.CreateQueuePair(1, server.completions);
        helper.GetConnectionManager(1).Accept(
            request, queuePair, [&](const ConnectionEvent& event) { server.OnConnection(event); });
        server.Prepare(queuePair);
    });
    QueuePair& queuePair = helper.CreateQueuePair(0, client.completions);
    helper.GetConnectionManager(0).Connect(
        1, service, queuePair, [&](const ConnectionEvent& event) {
            client.OnConnection(event);
            client.Send();
        });
    client.Prepare(queuePair);
    Simulator::Run();
    client.Report();
    Simulator::Destroy();
    return 0;
}
