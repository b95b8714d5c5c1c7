// SPDX-License-Identifier: GPL-2.0-only
// What the transport costs per data frame: two NICs on one wire, one flow, an ACK per frame.
// Arguments: frames, id of a congestion control.
#include "ns3/completion-queue.h"
#include "ns3/egress-port.h"
#include "ns3/fabric-registry.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/simulator.h"
#include "ns3/transport-profile.h"
#include "ns3/transport-settings.h"

#include <chrono>
#include <cstdlib>
#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char** argv)
{
    const uint64_t frames = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000000;
    Ptr<CongestionControl> control = MakePlugin<CongestionControl>(argc > 2 ? argv[2] : "none");

    EgressPort ports[2];
    RdmaNic nics[2];
    for (int i = 0; i < 2; ++i)
    {
        PortSettings wire;
        wire.bandwidthBps = 100e9;
        wire.delay = kMicrosecond;
        wire.peer = &nics[1 - i];
        ports[i].Wire(wire, 0, nullptr, nullptr);
        nics[i].AddPort(ports[i], i);
    }
    auto profile = std::make_shared<TransportProfile>(
        *CreateObject<TransportSettings>(), kHpccHeaders, 1000, control, 100e9);
    CompletionQueue queue([](const WorkCompletion&) { Simulator::Stop(); });
    QueuePair& a = nics[0].CreateQueuePair(0, profile, queue, queue);
    QueuePair& b = nics[1].CreateQueuePair(0, profile, queue, queue);
    ConnectQueuePairs(a, b, 2 * kMicrosecond);
    a.PostSend({0, frames * 1000, WrOpcode::Write, true});

    const auto before = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    std::cout << frames << " frames, " << took.count() * 1e9 / static_cast<double>(frames)
              << " ns each, "
              << static_cast<double>(Simulator::GetEventCount()) / static_cast<double>(frames)
              << " events each\n";
    Simulator::Destroy();
}
