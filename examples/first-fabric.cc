// SPDX-License-Identifier: GPL-2.0-only
// Four servers on one switch: an RDMA WRITE of 10 MB, and beside it, on the same ports, TCP.
#include "ns3/ai-fabric-module.h"
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

void
OnDrop(const Frame& f, PortIdx in, DropReason)
{
    std::cout << "a frame of " << f.bytes << " B from port " << in << " was dropped\n";
}

int
main(int argc, char** argv)
{
    CommandLine(__FILE__).Parse(argc, argv);

    FabricHelper helper("star");
    helper.SetTopology("HostCount", UintegerValue(4));
    helper.SetLinks(DataRate("100Gbps"), NanoSeconds(500));
    Fabric& fabric = helper.Install();

    CompletionQueue completions([](const WorkCompletion& done) {
        std::cout << done.bytes << " B written at " << Simulator::Now().As(Time::US) << ", status "
                  << ToString(done.status) << "\n";
    });
    QueuePairs pair = helper.Connect(0, 3, completions);
    WorkRequest write;
    write.bytes = 10000000;
    pair.sender->PostSend(write);

    Ipv4InterfaceContainer addresses = helper.InstallInternet();
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
    ApplicationContainer sinks = sink.Install(fabric.GetHostNode(3));
    OnOffHelper source("ns3::TcpSocketFactory", InetSocketAddress(addresses.GetAddress(3), 9));
    source.SetConstantRate(DataRate("1Gbps"), 1000);
    source.SetAttribute("MaxBytes", UintegerValue(100000));
    source.Install(fabric.GetHostNode(1));

    Config::ConnectWithoutContext("/Names/leaf0/$ns3::aifabric::FabricSwitch/Drop",
                                  MakeCallback(&OnDrop));
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    std::cout << DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx() << " B came by TCP\n";
    Simulator::Destroy();
    return 0;
}
