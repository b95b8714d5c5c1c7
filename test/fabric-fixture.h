// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_FIXTURE_H
#define AIFABRIC_FABRIC_FIXTURE_H

#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/flow-runner.h"
#include "ns3/frame-pool.h"
#include "ns3/names.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/topology-builder.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/// A fabric with flows on it; nothing of them may be left in the end.
class FabricFixture : public testing::Test
{
  protected:
    using Parameters = std::vector<std::pair<std::string, uint32_t>>;

    FabricFixture()
    {
        UsePicoseconds();
        UseSequentialSimulator();
        settings.devices = false;
    }

    ~FabricFixture() override
    {
        Clear();
    }

    /// Builds a topology whose links are all alike; its switches forward without delay.
    void Make(const std::string& topology, const Parameters& parameters, const LinkSpec& link)
    {
        auto builder = MakePlugin<TopologyBuilder>(topology);
        for (const auto& [name, value] : parameters)
        {
            builder->SetAttribute(name, UintegerValue(value));
        }
        for (const std::string& layer : builder->LinkLayers())
        {
            builder->SetLink(layer, link);
        }
        for (const std::string& layer : builder->SwitchLayers())
        {
            builder->SetSwitch(layer, {0, 32 << 20, 0});
        }
        Make(builder->Build());
    }

    void Make(FabricGraph graph)
    {
        Clear();
        fabric =
            std::make_unique<Fabric>(std::make_shared<FabricGraph>(std::move(graph)), settings);
    }

    /// Runs flows to their end, or to that instant.
    void
    Run(std::vector<FlowTransport> transports, std::vector<FlowSpec> flows, Tick until = kNever)
    {
        runner = std::make_unique<FlowRunner>(*fabric, std::move(transports), std::move(flows));
        runner->Start([] {});
        if (until != kNever)
        {
            Simulator::Stop(FromTick(until));
        }
        Simulator::Run();
    }

    /// @return counters of the port by which a switch reaches a host.
    const PortCounters& CountersTo(NodeIdx host) const
    {
        const GraphNodeIdx node = fabric->GetGraph().NodeOf(host);
        const GraphPorts ports(fabric->GetGraph());
        const GraphPorts::Port& far = ports.Of(node)[0];
        return CountersOf(far.peer, far.peerPort);
    }

    /// @return counters of a port of a node of the graph, up to date.
    const PortCounters& CountersOf(GraphNodeIdx node, PortIdx port) const
    {
        EgressPort& egress = fabric->GetPort(node, port);
        egress.Sync(ToTick(Simulator::Now()));
        return egress.GetCounters();
    }

    /// Ends the simulation; a new one may begin.
    void Clear()
    {
        if (!fabric)
        {
            return;
        }
        Simulator::Destroy();
        runner.reset();
        fabric.reset();
        Names::Clear();
        EXPECT_EQ(FramePool::Out(), 0U);
    }

    FabricSettings settings;
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<FlowRunner> runner;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_FIXTURE_H
