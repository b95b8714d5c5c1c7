// SPDX-License-Identifier: GPL-2.0-only
// As ib_send_lat of perftest: half of the time that a message takes to and fro.
#include "ns3/ai-fabric-module.h"
#include "ns3/core-module.h"

#include <cstdio>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

/// Sends a message that the peer answers, again and again.
struct Sender
{
    CompletionQueue completions{[this](const WorkCompletion& done) { OnCompletion(done); }};
    CompletionQueue answers{[this](const WorkCompletion& done) { OnAnswer(done); }};
    QueuePair* here{nullptr};
    QueuePair* there{nullptr};
    uint64_t size{0};
    uint32_t left{0};
    Time begin;
    std::vector<double> times; ///< us

    void Run(uint64_t bytes, uint32_t iterations)
    {
        size = bytes;
        left = iterations;
        times.clear();
        Send(*here, *there);
        Simulator::Run();
        Report();
    }

    void Send(QueuePair& from, QueuePair& to)
    {
        begin = &from == here ? Simulator::Now() : begin;
        WorkRequest send;
        send.opcode = WrOpcode::Send;
        send.bytes = size;
        to.PostReceive({0, size});
        from.PostSend(send);
    }

    void OnCompletion(const WorkCompletion& done)
    {
        NS_ABORT_MSG_IF(done.status != WcStatus::Success, ToString(done.status));
        if (done.opcode != WcOpcode::Receive)
        {
            return;
        }
        times.push_back((Simulator::Now() - begin).ToDouble(Time::US) / 2);
        if (--left > 0)
        {
            Send(*here, *there);
        }
    }

    void OnAnswer(const WorkCompletion& done)
    {
        if (done.opcode == WcOpcode::Receive)
        {
            Send(*there, *here);
        }
    }

    void Report() const
    {
        const SampleSummary s = Summarize(times);
        std::printf(" %-7llu %-11zu %-12.3f %-12.3f %-15.3f %-11.3f %-13.3f %-21.3f %.3f\n",
                    static_cast<unsigned long long>(size),
                    s.count,
                    s.min,
                    s.max,
                    s.p50,
                    s.mean,
                    s.deviation,
                    s.p99,
                    s.p999);
    }
};

int
main(int argc, char** argv)
{
    uint64_t size = 2;
    uint32_t iterations = 1000;
    uint32_t mtu = 4096;
    bool all = false;
    DataRate rate("100Gbps");
    Time delay = NanoSeconds(500);
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "bytes of a message", size);
    cmd.AddValue("iters", "exchanges", iterations);
    cmd.AddValue("mtu", "payload of a full frame, bytes", mtu);
    cmd.AddValue("all", "sizes from 2 to 2^23", all);
    cmd.AddValue("rate", "of the links", rate);
    cmd.AddValue("delay", "of each link", delay);
    cmd.Parse(argc, argv);

    FabricHelper helper("star");
    helper.SetTopology("HostCount", UintegerValue(2));
    helper.SetLinks(rate, delay);
    helper.Settings().mtuPayloadBytes = mtu;
    helper.Install();

    Sender sender;
    sender.here = &helper.CreateQueuePair(0, sender.completions);
    sender.there = &helper.CreateQueuePair(1, sender.answers);
    helper.Connect(*sender.here, *sender.there);

    std::printf(" #bytes  #iterations t_min[usec]  t_max[usec]  t_typical[usec] t_avg[usec] "
                "t_stdev[usec] 99%% percentile[usec] 99.9%% percentile[usec]\n");
    std::vector<uint64_t> sizes{size};
    if (all)
    {
        sizes = {2};
        while (sizes.back() < 1 << 23)
        {
            sizes.push_back(2 * sizes.back());
        }
    }
    for (uint64_t bytes : sizes)
    {
        sender.Run(bytes, iterations);
    }
    Simulator::Destroy();
    return 0;
}
