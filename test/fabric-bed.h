// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_BED_H
#define AIFABRIC_FABRIC_BED_H

#include "tamper.h"

#include "ns3/completion-queue.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/flow-runner.h"
#include "ns3/flow-transport.h"
#include "ns3/frame-pool.h"
#include "ns3/hop-log.h"
#include "ns3/loss-recovery.h"
#include "ns3/names.h"
#include "ns3/nic-loop.h"
#include "ns3/path-model.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/sequential-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/topology-builder.h"
#include "ns3/transport-settings.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

/// A priority of a port that stops its sender, or releases it.
struct PauseSeen
{
    Tick at;
    GraphNodeIdx node; ///< the switch
    PortIdx in;
    uint8_t priority;
    bool stops;
    uint64_t held; ///< bytes in the shared buffer on account of that ingress

    bool operator==(const PauseSeen& other) const
    {
        return at == other.at && node == other.node && in == other.in &&
               priority == other.priority && stops == other.stops && held == other.held;
    }
};

/// Attributes and their values as texts.
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

/// @return the object, with attributes set.
template <class T>
Ptr<T>
With(Ptr<T> object, const AttributeTexts& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        object->SetAttribute(name, StringValue(value));
    }
    return object;
}

/// Shortens the making of objects with attributes.
template <class T>
Ptr<T>
Make(const AttributeTexts& attributes)
{
    return With(CreateObject<T>(), attributes);
}

/**
 * A fabric with flows. Change what is not to be the default, then Build(), then Run().
 *
 * By default 100 Gb/s and 1 us everywhere, switches of 32 MB without latency, no marks, and what
 * FabricSettings has; flows without congestion control.
 *
 * Its end runs what was not stopped to its end, and asserts that nothing is left anywhere, and that
 * no frame appeared or went unaccounted.
 */
class FabricBed
{
  public:
    explicit FabricBed(const std::string& topology)
        : topology(MakePlugin<TopologyBuilder>(topology))
    {
        Prepare();
        SetLinks({100e9, kMicrosecond, 0, 0});
        SetSwitches({0, 32000000, 0});
    }

    explicit FabricBed(FabricGraph graph)
        : m_graph(std::make_shared<FabricGraph>(std::move(graph)))
    {
        Prepare();
    }

    FabricBed(const FabricBed&) = delete;
    FabricBed& operator=(const FabricBed&) = delete;

    ~FabricBed()
    {
        if (m_fabric && !m_stopped)
        {
            Simulator::Run();
            CheckEnd();
        }
        Simulator::Destroy();
        m_runner.reset();
        m_fabric.reset();
        Names::Clear();
        EXPECT_EQ(FramePool::Out(), 0U);
        EXPECT_EQ(HopLog::Pool().Out(), 0U);
    }

    void Set(const std::string& attribute, uint32_t value)
    {
        topology->SetAttribute(attribute, UintegerValue(value));
    }

    void SetLinks(const LinkSpec& spec)
    {
        for (const std::string& layer : topology->LinkLayers())
        {
            topology->SetLink(layer, spec);
        }
    }

    void SetSwitches(const SwitchSpec& spec)
    {
        for (const std::string& layer : topology->SwitchLayers())
        {
            topology->SetSwitch(layer, spec);
        }
    }

    Fabric& Build()
    {
        if (topology)
        {
            m_graph = std::make_shared<FabricGraph>(topology->Build());
        }
        m_fabric = std::make_unique<Fabric>(m_graph, settings);
        m_paths = std::make_unique<PathModel>(*m_fabric);
        m_flowTransport = std::make_unique<FlowTransport>(transport, control, recovery);
        ForEachSwitch([this](GraphNodeIdx node, FabricSwitch& at) {
            at.TraceConnectWithoutContext(
                "Pause",
                Callback<void, PortIdx, uint8_t, bool, PortIdx>(
                    [this, node, &at](PortIdx in, uint8_t priority, bool stops, PortIdx) {
                        pauses.push_back({Simulator::Now().GetTimeStep(),
                                          node,
                                          in,
                                          priority,
                                          stops,
                                          at.GetBuffer()->GetIngressBytes(in, priority)});
                    }));
            at.TraceConnectWithoutContext("Drop",
                                          Callback<void, const Frame&, PortIdx, DropReason>(
                                              [this](const Frame& f, PortIdx, DropReason) {
                                                  m_droppedData += CarriesPayload(f.op);
                                              }));
        });
        return *m_fabric;
    }

    /// Adds a WRITE on a queue pair of its own; before Run().
    void AddFlow(NodeIdx source,
                 NodeIdx destination,
                 uint64_t bytes,
                 Tick start = 0,
                 uint8_t priority = 3)
    {
        FlowSpec flow;
        flow.source = source;
        flow.destination = destination;
        flow.bytes = bytes;
        flow.start = start;
        flow.priority = priority;
        m_flows.push_back(flow);
    }

    /// Starts the flows, which must all end as expected, and runs until nothing is left to do.
    const std::vector<FlowResult>& Run()
    {
        std::stable_sort(m_flows.begin(), m_flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
            return a.start < b.start;
        });
        return Run({*m_flowTransport}, m_flows);
    }

    /// The same with flows of many transports, or only up to an instant, at which it all stops.
    const std::vector<FlowResult>&
    Run(std::vector<FlowTransport> transports, std::vector<FlowSpec> flows, Tick until = kNever)
    {
        m_runner = std::make_unique<FlowRunner>(*m_fabric, std::move(transports), std::move(flows));
        m_runner->Start([] {});
        m_stopped = until != kNever;
        if (m_stopped)
        {
            Simulator::Stop(FromTick(until));
        }
        Simulator::Run();
        results = m_runner->TakeResults();
        for (const FlowResult& flow : results)
        {
            EXPECT_TRUE(m_stopped || flow.status == expected)
                << flow.status << ", " << flow.source << " to " << flow.destination;
            EXPECT_TRUE(flow.status != "done" || flow.deliveredBytes == flow.bytes);
        }
        return results;
    }

    /// Connects two queue pairs, which are checked at the end.
    QueuePairs Connect(NodeIdx from, NodeIdx to, CompletionQueue& completions, int priority = -1)
    {
        pairs.push_back(m_flowTransport->Connect(
            *m_fabric, *m_paths, from, to, completions, completions, priority));
        return pairs.back();
    }

    /// Puts a tamperer before whoever receives what a port sends; after Build().
    void Intercept(GraphNodeIdx node, PortIdx port, Tamper& tamper)
    {
        EgressPort& wire = m_fabric->GetPort(node, port);
        PortSettings changed = wire.GetSettings();
        tamper.nic = changed.peer;
        changed.peer = &tamper;
        Rewire(node, port, changed);
    }

    /// Changes one direction of a link; after Build().
    void Rewire(GraphNodeIdx node, PortIdx port, const PortSettings& changed)
    {
        FabricSwitch* owner = PeekPointer(m_fabric->GetSwitch(node));
        m_fabric->GetPort(node, port)
            .Wire(changed, port, owner, owner ? owner->GetWatching() : nullptr);
    }

    /// From here on every switch sees every departure on the instant, as if somebody were paused.
    void WatchAlways()
    {
        static const uint32_t always = 1;
        ForEachSwitch([](GraphNodeIdx, FabricSwitch& at) {
            for (PortIdx port = 0; port < at.GetPortCount(); ++port)
            {
                at.GetPort(port).Wire(at.GetPort(port).GetSettings(), port, &at, &always);
            }
        });
    }

    template <class F>
    void ForEachSwitch(F f) const
    {
        for (GraphNodeIdx node = 0; node < m_graph->Nodes().size(); ++node)
        {
            if (auto at = m_fabric->GetSwitch(node))
            {
                f(node, *at);
            }
        }
    }

    /// @return counters of a port of a node of the graph, up to date.
    const PortCounters& CountersOf(GraphNodeIdx node, PortIdx port) const
    {
        EgressPort& egress = m_fabric->GetPort(node, port);
        egress.Sync(ToTick(Simulator::Now()));
        return egress.GetCounters();
    }

    /// @return counters of the port by which a switch reaches a host.
    const PortCounters& CountersTo(NodeIdx host) const
    {
        const GraphPorts ports(*m_graph);
        const GraphPorts::Port& far = ports.Of(m_graph->NodeOf(host))[0];
        return CountersOf(far.peer, far.peerPort);
    }

    /// @return frames that switches dropped for that reason.
    uint64_t CountDropped(DropReason reason) const
    {
        uint64_t count = 0;
        ForEachSwitch([&](GraphNodeIdx, FabricSwitch& at) { count += at.GetDropped(reason); });
        return count;
    }

    /// @return the largest of any headroom that was ever used.
    uint64_t GetPeakHeadroomBytes() const
    {
        uint64_t peak = 0;
        ForEachSwitch([&](GraphNodeIdx, FabricSwitch& at) {
            peak = std::max(peak, at.GetBuffer()->GetPeakHeadroomBytes());
        });
        return peak;
    }

    /// @return the node of that name.
    GraphNodeIdx Find(const std::string& name) const
    {
        const GraphNodeIdx node = m_graph->Find(name);
        EXPECT_NE(node, kNoIndex) << name;
        return node;
    }

    Fabric& GetFabric()
    {
        return *m_fabric;
    }

    const PathModel& GetPaths() const
    {
        return *m_paths;
    }

    Ptr<TopologyBuilder> topology;
    FabricSettings settings;
    Ptr<TransportSettings> transport;
    Ptr<CongestionControl> control;
    Ptr<LossRecovery> recovery;   ///< null: go back N
    std::string expected{"done"}; ///< status of all flows
    std::vector<FlowResult> results;
    std::vector<PauseSeen> pauses;
    std::vector<QueuePairs> pairs;
    uint64_t tampered{0}; ///< data frames that a Tamper took
    bool responds{false}; ///< hosts send data that is no request: responses to READs

  private:
    void Prepare()
    {
        UseSequentialSimulator();
        UsePicoseconds();
        transport = CreateObject<TransportSettings>();
        settings.ecn = nullptr;
    }

    void CheckEnd()
    {
        for (const std::string& leftover : m_fabric->FindLeftovers())
        {
            ADD_FAILURE() << leftover;
        }
        for (const QueuePairs& pair : pairs)
        {
            for (const QueuePair* end : {pair.sender, pair.receiver})
            {
                EXPECT_EQ(end->GetRequester().CountPending(), 0U);
                EXPECT_EQ(end->GetRequester().GetDeadline(), kNever);
            }
        }
        // Data frames that go into switches come out of them, or were dropped or lost.
        int64_t in = 0;
        int64_t out = 0;
        uint64_t lost = 0;
        uint64_t sentByHosts = 0;
        for (const GraphLink& link : m_graph->Links())
        {
            for (bool forward : {true, false})
            {
                const GraphNodeIdx from = forward ? link.from : link.to;
                const GraphNodeIdx to = forward ? link.to : link.from;
                const PortCounters& counters =
                    m_fabric->GetPort(from, forward ? link.fromPort : link.toPort).GetCounters();
                const auto frames = static_cast<int64_t>(counters.dataFrames);
                in += m_fabric->GetSwitch(to) ? frames : 0;
                out += m_fabric->GetSwitch(from) ? frames : 0;
                sentByHosts += m_fabric->GetSwitch(from) ? 0 : frames;
                lost += counters.lost;
            }
        }
        const int64_t missing = in - out - static_cast<int64_t>(m_droppedData);
        EXPECT_GE(missing, 0);
        EXPECT_LE(missing, static_cast<int64_t>(lost + tampered));
        uint64_t cut = 0;
        std::vector<RdmaNic*> seen;
        for (NodeIdx host = 0; host < m_graph->HostCount(); ++host)
        {
            RdmaNic* nic = &m_fabric->GetNic(host);
            const NicLoop* loop = nic->GetLoop(m_fabric->GetNicPort(host));
            sentByHosts += loop ? loop->GetPort().GetCounters().dataFrames : 0;
            if (std::find(seen.begin(), seen.end(), nic) == seen.end())
            {
                seen.push_back(nic);
                cut += nic->GetCounters().dataFramesSent;
            }
        }
        EXPECT_TRUE(cut == sentByHosts || responds) << cut << " and " << sentByHosts;
    }

    std::shared_ptr<const FabricGraph> m_graph;
    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<PathModel> m_paths;
    std::unique_ptr<FlowTransport> m_flowTransport;
    std::vector<FlowSpec> m_flows;
    std::unique_ptr<FlowRunner> m_runner;
    uint64_t m_droppedData{0};
    bool m_stopped{false};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_FABRIC_BED_H
