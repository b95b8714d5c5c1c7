// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"

#include <functional>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kRate = 40e9;
constexpr LinkSpec kLink{kRate, kMicrosecond, 0, 0};
constexpr uint64_t kEndless = 100'000'000'000;

/// Flows that never end at 40 Gb/s, in frames of 1000 B of payload.
class FabricSharing : public testing::Test
{
  protected:
    explicit FabricSharing(std::unique_ptr<FabricBed> made)
        : bed(std::move(made))
    {
        bed->settings.devices = false;
        bed->settings.mtuPayloadBytes = 1000;
        // Published with DCQCN: Zhu et al., SIGCOMM 2015.
        bed->settings.ecn =
            Make<EcnSettings>({{"KminBytes", "5000"}, {"KmaxBytes", "200000"}, {"Pmax", "0.01"}});
        fabric = &bed->Build();
    }

    static Ptr<CongestionControl> PaperDcqcn()
    {
        return With(MakePlugin<CongestionControl>("dcqcn"), {{"Variant", "paper"}});
    }

    /// @return flows from each of the first hosts to that one.
    static std::vector<FlowSpec> To(uint32_t destination)
    {
        return To(std::vector<uint32_t>(destination, destination));
    }

    /// @return a flow from each of the first hosts: to which.
    static std::vector<FlowSpec> To(const std::vector<uint32_t>& destinations)
    {
        std::vector<FlowSpec> flows(destinations.size());
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            flows[i].source = i;
            flows[i].destination = destinations[i];
            flows[i].bytes = kEndless;
        }
        return flows;
    }

    /**
     * Runs flows from the first hosts.
     * @return bit/s on the wire that each of these sent from begin to end.
     */
    std::vector<double>
    Rates(Ptr<CongestionControl> control, std::vector<FlowSpec> flows, Tick begin, Tick end)
    {
        std::vector<double> rates(flows.size());
        auto add = [&](int sign) {
            for (uint32_t host = 0; host < rates.size(); ++host)
            {
                const auto& c = bed->CountersOf(fabric->GetGraph().NodeOf(host), 0);
                rates[host] += sign * 8.0 * (c.bytes + 20 * c.frames) * kSecond / (end - begin);
            }
        };
        Simulator::Schedule(FromTick(begin), [&] { add(-1); });
        bed->Run({FlowTransport(bed->transport, control)}, std::move(flows), end);
        add(1);
        return rates;
    }

    uint64_t CountPauses() const
    {
        uint64_t pauses = 0;
        for (const GraphLink& link : fabric->GetGraph().Links())
        {
            pauses += bed->CountersOf(link.from, link.fromPort).pauses;
            pauses += bed->CountersOf(link.to, link.toPort).pauses;
        }
        return pauses;
    }

    std::unique_ptr<FabricBed> bed;
    Fabric* fabric;
};

class ParkingLot : public FabricSharing
{
  protected:
    ParkingLot()
        : FabricSharing(std::make_unique<FabricBed>(Graph()))
    {
    }

  private:
    /// Hosts 0 to 2 share a link to the switch to which host 3 and the destination, host 4, have
    /// links of their own.
    static FabricGraph Graph()
    {
        FabricGraph graph;
        const SwitchSpec spec{0, 1 << 20, 0};
        const GraphNodeIdx far = graph.AddNode("far", NodeKind::Switch, "switch", spec);
        const GraphNodeIdx near = graph.AddNode("near", NodeKind::Switch, "switch", spec);
        for (uint32_t i = 0; i < 5; ++i)
        {
            graph.AddLink(graph.AddNode("host" + std::to_string(i), NodeKind::Host, "host"),
                          i < 3 ? far : near,
                          kLink,
                          "link");
        }
        graph.AddLink(far, near, kLink, "link");
        return graph;
    }
};

/// Hosts 0 to 2 are at one switch, 3 to 7 at another to which one link leads. Hosts 0 and 1, and 3 to
/// 5, send to host 6; host 2 sends to host 7, to whom nobody else does.
class Victim : public FabricSharing
{
  protected:
    static constexpr uint32_t kCrowded = 6;
    static constexpr uint32_t kFree = 7;

    Victim()
        : FabricSharing(std::make_unique<FabricBed>(Graph()))
    {
    }

    static std::vector<FlowSpec> Flows()
    {
        return To({kCrowded, kCrowded, kFree, kCrowded, kCrowded, kCrowded});
    }

  private:
    static FabricGraph Graph()
    {
        FabricGraph graph;
        const SwitchSpec spec{0, 1 << 20, 0};
        const GraphNodeIdx far = graph.AddNode("far", NodeKind::Switch, "switch", spec);
        const GraphNodeIdx near = graph.AddNode("near", NodeKind::Switch, "switch", spec);
        for (uint32_t i = 0; i < 8; ++i)
        {
            graph.AddLink(graph.AddNode("host" + std::to_string(i), NodeKind::Host, "host"),
                          i < 3 ? far : near,
                          kLink,
                          "link");
        }
        graph.AddLink(far, near, kLink, "link");
        return graph;
    }
};

class TwoToOne : public FabricSharing
{
  protected:
    TwoToOne()
        : FabricSharing(Star())
    {
    }

  private:
    static std::unique_ptr<FabricBed> Star()
    {
        auto star = std::make_unique<FabricBed>("star");
        star->Set("HostCount", 3);
        star->SetLinks(kLink);
        return star;
    }
};

TEST_F(ParkingLot, PausesShareByIngress)
{
    // Pauses know ingress ports, not flows: half for who has one alone, a sixth for each of three
    // who share the other (DCQCN, SIGCOMM 2015, figure 3).
    const auto rates =
        Rates(MakePlugin<CongestionControl>("none"), To(4), 5 * kMillisecond, 25 * kMillisecond);
    EXPECT_GT(CountPauses(), 0U);
    for (uint32_t host = 0; host < 3; ++host)
    {
        EXPECT_NEAR(rates[host], kRate / 6, 0.05 * kRate / 6);
    }
    EXPECT_NEAR(rates[3], kRate / 2, 0.05 * kRate / 2);
    // The destination's link never runs dry: a sender is released in time.
    const PortCounters& last = bed->CountersTo(4);
    EXPECT_GT(8.0 * (last.bytes + 20 * last.frames), 0.999 * kRate * 25e-3);
}

TEST_F(ParkingLot, DcqcnSharesByFlow)
{
    const auto rates = Rates(PaperDcqcn(), To(4), 100 * kMillisecond, 200 * kMillisecond);
    for (double rate : rates)
    {
        EXPECT_NEAR(rate, kRate / 4, 0.1 * kRate / 4);
    }
}

// The second switch grants each of its four ingresses a quarter of the crowded link. On the link
// between the switches that quarter is two flows', and a queue in order gives the victim no more than
// either of them: an eighth, where three quarters are free.
TEST_F(Victim, GetsNoMoreThanThoseItWaitsBehind)
{
    const auto rates =
        Rates(MakePlugin<CongestionControl>("none"), Flows(), 5 * kMillisecond, 25 * kMillisecond);
    for (uint32_t host : {0, 1, 2})
    {
        EXPECT_NEAR(rates[host], kRate / 8, 0.05 * kRate / 8) << host;
    }
    for (uint32_t host : {3, 4, 5})
    {
        EXPECT_NEAR(rates[host], kRate / 4, 0.05 * kRate / 4) << host;
    }
}

// A fifth for each of five flows leaves three fifths of the link between the switches.
TEST_F(Victim, RecoversWithDcqcn)
{
    const auto rates = Rates(PaperDcqcn(), Flows(), 100 * kMillisecond, 200 * kMillisecond);
    EXPECT_GT(rates[2], 0.9 * (kRate - rates[0] - rates[1]));
    EXPECT_GT(rates[2], 0.9 * 3 * kRate / 5);
}

TEST_F(TwoToOne, TwoDcqcnFlowsAreFairAtTheQueueOfTheFluidModel)
{
    // Fixed point of the fluid model (Zhu et al., CoNEXT 2016, theorem 1): half each, alpha .101,
    // marks .00078, a queue of 20.2 KB.
    const Tick begin = 100 * kMillisecond;
    const Tick end = 200 * kMillisecond;
    const Tick interval = 5 * kMicrosecond;
    EgressPort& port = fabric->GetPort(fabric->GetGraph().Find("leaf0"), 2);
    double sum = 0;
    uint32_t samples = 0;
    std::function<void()> sample = [&] {
        port.Sync(ToTick(Simulator::Now()));
        sum += port.GetQueuedBytes(3);
        ++samples;
        Simulator::Schedule(FromTick(interval), [&] { sample(); });
    };
    Simulator::Schedule(FromTick(begin), [&] { sample(); });
    const auto rates = Rates(PaperDcqcn(), To(2), begin, end);
    for (double rate : rates)
    {
        EXPECT_NEAR(rate, kRate / 2, 0.05 * kRate / 2);
    }
    EXPECT_GT(rates[0] + rates[1], 0.97 * kRate);
    EXPECT_NEAR(sum / samples, 20.2e3, 0.5 * 20.2e3);
    EXPECT_EQ(CountPauses(), 0U);
}

} // namespace
} // namespace ns3::aifabric::test
