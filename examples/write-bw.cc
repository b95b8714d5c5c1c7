// SPDX-License-Identifier: GPL-2.0-only
// As ib_write_bw of perftest: how fast one host writes into the memory of another.
#include "ns3/ai-fabric-module.h"
#include "ns3/core-module.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

/// Keeps queue pairs busy with WRITEs of one size.
struct Writer
{
    CompletionQueue completions{[this](const WorkCompletion& done) { OnCompletion(done); }};
    std::vector<QueuePair*> queuePairs;
    uint64_t size{0};
    uint32_t iterations{0}; ///< of each queue pair
    std::vector<uint32_t> left;
    std::vector<double> posted;    ///< seconds
    std::vector<double> completed; ///< the same

    void Run(uint64_t bytes, uint32_t depth)
    {
        size = bytes;
        left.assign(queuePairs.size(), iterations);
        posted.clear();
        completed.clear();
        for (uint32_t i = 0; i < depth; ++i)
        {
            for (uint32_t q = 0; q < queuePairs.size(); ++q)
            {
                Post(q);
            }
        }
        Simulator::Run();
        Report();
    }

    void Post(uint64_t q)
    {
        if (left[q] == 0)
        {
            return;
        }
        --left[q];
        WorkRequest write;
        write.wrId = q;
        write.bytes = size;
        posted.push_back(Simulator::Now().GetSeconds());
        queuePairs[q]->PostSend(write);
    }

    void OnCompletion(const WorkCompletion& done)
    {
        NS_ABORT_MSG_IF(done.status != WcStatus::Success, ToString(done.status));
        completed.push_back(Simulator::Now().GetSeconds());
        Post(done.wrId);
    }

    void Report() const
    {
        // The peak is that of the best time between any message's begin and any later one's end.
        const std::size_t count = completed.size();
        double best = completed.back() - posted.front();
        for (std::size_t i = 0; i < count && count <= 20000; ++i)
        {
            for (std::size_t j = i; j < count; ++j)
            {
                best = std::min(best, (completed[j] - posted[i]) / static_cast<double>(j - i + 1));
            }
        }
        const double average = (completed.back() - posted.front()) / static_cast<double>(count);
        const auto bits = static_cast<double>(8 * size);
        std::printf(" %-10llu %-13zu %-19.3f %-19.3f %.6f\n",
                    static_cast<unsigned long long>(size),
                    count,
                    bits / std::min(best, average) / 1e9,
                    bits / average / 1e9,
                    1 / average / 1e6);
    }
};

int
main(int argc, char** argv)
{
    uint64_t size = 65536;
    uint32_t depth = 128;
    uint32_t queuePairs = 1;
    uint32_t mtu = 4096;
    bool all = false;
    DataRate rate("100Gbps");
    Time delay = NanoSeconds(500);
    Writer writer;
    writer.iterations = 5000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "bytes of a message", size);
    cmd.AddValue("iters", "messages of each queue pair", writer.iterations);
    cmd.AddValue("txDepth", "messages posted at a time", depth);
    cmd.AddValue("qp", "queue pairs", queuePairs);
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
    for (uint32_t q = 0; q < queuePairs; ++q)
    {
        writer.queuePairs.push_back(helper.Connect(0, 1, writer.completions).sender);
    }

    std::printf(
        " #bytes     #iterations   BW peak[Gb/sec]     BW average[Gb/sec]  MsgRate[Mpps]\n");
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
        writer.Run(bytes, depth);
    }
    Simulator::Destroy();
    return 0;
}
