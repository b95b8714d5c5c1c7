// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_WORKLOAD_H
#define AIFABRIC_WORKLOAD_H

#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/flow-runner.h"
#include "ns3/names.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/topology-builder.h"
#include "ns3/transport-settings.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * The workloads by which simulators of RDMA fabrics are compared here: 100 Gb/s links of 1 us, 1000 B
 * of payload in the frames of HPCC's simulator, 32 MiB per switch, PFC, ECN 400/1600 KB, Pmax 0.2,
 * DCQCN with the notification in every ACK.
 *
 * W1: one flow through one switch. W2: 16 to 1. W3, W4: a random permutation on a fat-tree with 128
 * and 1024 hosts.
 */
class Workload
{
  public:
    /// @param number 1 to 4. @param bytes per flow.
    Workload(int number, uint64_t bytes)
    {
        auto builder = MakePlugin<TopologyBuilder>(number <= 2 ? "star" : "fat_tree");
        uint32_t hosts = number == 1 ? 2 : 17;
        if (number <= 2)
        {
            builder->SetAttribute("HostCount", UintegerValue(hosts));
        }
        else
        {
            const uint32_t k = number == 3 ? 8 : 16;
            builder->SetAttribute("K", UintegerValue(k));
            hosts = k * k * k / 4;
        }
        for (const std::string& layer : builder->LinkLayers())
        {
            builder->SetLink(layer, {100e9, kMicrosecond, 0, 0});
        }
        for (const std::string& layer : builder->SwitchLayers())
        {
            builder->SetSwitch(layer, {0, 32 << 20, 0});
        }
        FabricSettings settings;
        settings.headers = kHpccHeaders;
        settings.mtuPayloadBytes = 1000;
        auto ecn = CreateObject<EcnSettings>();
        ecn->SetAttribute("KminBytes", UintegerValue(400000));
        ecn->SetAttribute("KmaxBytes", UintegerValue(1600000));
        ecn->SetAttribute("Pmax", DoubleValue(0.2));
        settings.ecn = ecn;
        m_fabric =
            std::make_unique<Fabric>(std::make_shared<FabricGraph>(builder->Build()), settings);
        auto control = MakePlugin<CongestionControl>("dcqcn");
        control->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("50Mb/s")));
        control->SetAttribute("HyperIncrease", DataRateValue(DataRate("100Mb/s")));
        FlowTransport transport(CreateObject<TransportSettings>(), control);
        m_runner = std::make_unique<FlowRunner>(
            *m_fabric, std::vector<FlowTransport>{transport}, MakeFlows(number, hosts, bytes));
        m_runner->Start([this] { m_end = Simulator::Now(); });
    }

    ~Workload()
    {
        Simulator::Destroy();
        Names::Clear();
    }

    Fabric& GetFabric()
    {
        return *m_fabric;
    }

    FlowRunner& GetRunner()
    {
        return *m_runner;
    }

    Time GetEnd() const
    {
        return m_end;
    }

  private:
    static std::vector<FlowSpec> MakeFlows(int number, uint32_t hosts, uint64_t bytes)
    {
        std::vector<FlowSpec> flows;
        std::vector<uint32_t> to(hosts);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            to[i] = i;
        }
        std::mt19937 random(1);
        auto fixed = [&] {
            for (uint32_t i = 0; i < hosts; ++i)
            {
                if (to[i] == i)
                {
                    return true;
                }
            }
            return false;
        };
        while (number > 2 && fixed())
        {
            std::shuffle(to.begin(), to.end(), random);
        }
        for (uint32_t i = 0; i < (number == 1 ? 1 : number == 2 ? 16 : hosts); ++i)
        {
            FlowSpec flow;
            flow.source = i;
            flow.destination = number == 1 ? 1 : number == 2 ? 16 : to[i];
            flow.bytes = bytes;
            flows.push_back(flow);
        }
        return flows;
    }

    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<FlowRunner> m_runner;
    Time m_end;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_WORKLOAD_H
