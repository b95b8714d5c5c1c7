// SPDX-License-Identifier: GPL-2.0-only
// As ib_atomic_bw of perftest: how many atomic operations on the memory of another host get done.
#include "ns3/ai-fabric-module.h"
#include "ns3/core-module.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

/// Keeps queue pairs busy with atomic operations.
struct Counter
{
    CompletionQueue completions{[this](const WorkCompletion& done) { OnCompletion(done); }};
    std::vector<QueuePair*> queuePairs;
    std::vector<uint32_t> left; ///< to post, by queue pair
    WorkRequest request;
    std::vector<double> posted;    ///< seconds
    std::vector<double> completed; ///< the same

    void Post(uint64_t q)
    {
        if (left[q] == 0)
        {
            return;
        }
        --left[q];
        request.wrId = q;
        posted.push_back(Simulator::Now().GetSeconds());
        queuePairs[q]->PostSend(request);
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
        const auto bits = static_cast<double>(8 * kAtomicBytes);
        std::printf(" %-10u %-13zu %-19.3f %-19.3f %.6f\n",
                    kAtomicBytes,
                    count,
                    bits / std::min(best, average) / 1e9,
                    bits / average / 1e9,
                    1 / average / 1e6);
    }
};

int
main(int argc, char** argv)
{
    uint32_t iterations = 5000;
    uint32_t depth = 128;
    uint32_t outstanding = 16;
    uint32_t queuePairs = 1;
    std::string type = "FETCH_AND_ADD";
    DataRate rate("100Gbps");
    Time delay = NanoSeconds(500);
    CommandLine cmd(__FILE__);
    cmd.AddValue("iters", "operations of each queue pair", iterations);
    cmd.AddValue("txDepth", "operations posted at a time", depth);
    cmd.AddValue("outs", "operations of a queue pair under way at a time", outstanding);
    cmd.AddValue("qp", "queue pairs", queuePairs);
    cmd.AddValue("type", "FETCH_AND_ADD or CMP_AND_SWAP", type);
    cmd.AddValue("rate", "of the links", rate);
    cmd.AddValue("delay", "of each link", delay);
    cmd.Parse(argc, argv);

    FabricHelper helper("star");
    helper.SetTopology("HostCount", UintegerValue(2));
    helper.SetLinks(rate, delay);
    helper.SetTransport("MaxReadAtomic", UintegerValue(outstanding));
    Fabric& fabric = helper.Install();

    // What all operations are about is a number in the memory of host 1.
    uint64_t number = 0;
    ProtectionDomain domain(fabric.GetNic(1));
    MemoryRegion* region = domain.Register(&number, sizeof number, kLocalWrite | kRemoteAtomic);
    Counter counter;
    counter.request.opcode = type == "CMP_AND_SWAP" ? WrOpcode::CompareSwap : WrOpcode::FetchAdd;
    counter.request.bytes = kAtomicBytes;
    counter.request.remoteAddress = region->GetAddress();
    counter.request.remoteKey = region->GetKey();
    counter.request.compareAdd = 1;
    QueuePairInit init = helper.GetQueuePairInit(1, counter.completions);
    init.domain = &domain;
    for (uint32_t q = 0; q < queuePairs; ++q)
    {
        QueuePair& here = helper.CreateQueuePair(0, counter.completions);
        helper.Connect(here, fabric.GetNic(1).CreateQueuePair(init));
        counter.queuePairs.push_back(&here);
        counter.left.push_back(iterations);
    }
    for (uint32_t i = 0; i < depth * queuePairs; ++i)
    {
        counter.Post(i % queuePairs);
    }
    Simulator::Run();

    std::printf(
        " #bytes     #iterations   BW peak[Gb/sec]     BW average[Gb/sec]  MsgRate[Mpps]\n");
    counter.Report();
    std::printf(" the number is %llu\n", static_cast<unsigned long long>(number));
    Simulator::Destroy();
    return 0;
}
