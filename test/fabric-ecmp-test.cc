// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bed.h"
#include "max-min.h"

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace ns3::aifabric::test
{
namespace
{

constexpr double kRate = 100e9; ///< of every link of a bed

/// Links of a path as numbers: twice that of the link, one more if against its direction.
using Path = std::vector<uint32_t>;

/// What the max-min rates of a permutation come to, as a share of the links' rate.
struct Shares
{
    double mean;
    double worst;
};

class FabricEcmp : public testing::Test
{
  protected:
    FabricEcmp()
    {
        settings.devices = false;
        settings.mtuPayloadBytes = 1000;
        SetHash(true);
    }

    void SetHash(bool seedPerSwitch, uint32_t seed = 0, const std::string& fields = {})
    {
        AttributeTexts attributes{{"HashSeedPerSwitch", seedPerSwitch ? "true" : "false"},
                                  {"HashSeed", std::to_string(seed)}};
        if (!fields.empty())
        {
            attributes.emplace_back("HashFields", fields);
        }
        settings.balancer = With(MakePlugin<LoadBalancer>("ecmp"), attributes);
    }

    /// Builds a topology in place of the one before.
    void MakeBed(const std::string& type,
                 const std::vector<std::pair<std::string, uint32_t>>& parameters)
    {
        bed.reset();
        bed = std::make_unique<FabricBed>(type);
        for (const auto& [name, value] : parameters)
        {
            bed->Set(name, value);
        }
        bed->settings = settings;
        fabric = &bed->Build();
    }

    void MakeLeafSpine(uint32_t leaves, uint32_t spines, uint32_t hosts, uint32_t parallel = 1)
    {
        MakeBed("leaf_spine",
                {{"LeafCount", leaves},
                 {"SpineCount", spines},
                 {"HostsPerLeaf", hosts},
                 {"ParallelLinks", parallel}});
    }

    static FlowTransport Transport(Ptr<CongestionControl> control = nullptr)
    {
        return FlowTransport(CreateObject<TransportSettings>(), control);
    }

    /// @return the links that a frame crosses, by the decisions of the switches themselves.
    Path Walk(NodeIdx from, NodeIdx to, uint16_t entropy) const
    {
        const FabricGraph& graph = fabric->GetGraph();
        const GraphPorts ports(graph);
        Frame f{};
        f.src = from;
        f.dst = to;
        f.entropy = entropy;
        Path path;
        GraphNodeIdx node = graph.NodeOf(from);
        PortIdx out = 0;
        while (path.size() < 10)
        {
            const GraphPorts::Port& port = ports.Of(node)[out];
            path.push_back(2 * port.link + (graph.Links()[port.link].from != node));
            node = port.peer;
            if (!fabric->GetSwitch(node))
            {
                EXPECT_EQ(graph.EndpointOf(node), to);
                return path;
            }
            out = fabric->GetSwitch(node)->NextHop(f, port.peerPort);
        }
        ADD_FAILURE() << "no way from " << from << " to " << to;
        return path;
    }

    /// @return how many of paths cross each link.
    std::vector<uint32_t> Load(const std::vector<Path>& paths) const
    {
        std::vector<uint32_t> load(2 * fabric->GetGraph().Links().size());
        for (const Path& path : paths)
        {
            for (uint32_t link : path)
            {
                ++load[link];
            }
        }
        return load;
    }

    /// @return the most flows on any up-link of a leaf, mean over the leaves.
    double MeanOfLeaves(const std::vector<uint32_t>& load) const
    {
        const FabricGraph& graph = fabric->GetGraph();
        std::map<GraphNodeIdx, uint32_t> most;
        for (uint32_t i = 0; i < graph.Links().size(); ++i)
        {
            if (graph.LayerOf(graph.Links()[i]) == "leaf_to_spine")
            {
                uint32_t& m = most[graph.Links()[i].from];
                m = std::max(m, load[2 * i]);
            }
        }
        double sum = 0;
        for (const auto& leaf : most)
        {
            sum += leaf.second;
        }
        return sum / most.size();
    }

    /// @return a permutation of hosts in which each leaves its group of that many.
    std::vector<FlowSpec> Permutation(uint32_t group, uint64_t bytes = 0)
    {
        const uint32_t hosts = fabric->GetGraph().HostCount();
        std::vector<uint32_t> to(hosts);
        std::iota(to.begin(), to.end(), 0);
        std::shuffle(to.begin(), to.end(), m_random);
        auto stays = [&](uint32_t i) { return i / group == to[i] / group; };
        for (uint32_t i = 0; i < hosts; ++i)
        {
            while (stays(i))
            {
                const uint32_t other = m_random() % hosts;
                std::swap(to[i], to[other]);
                if (stays(other) || stays(i))
                {
                    std::swap(to[i], to[other]);
                }
            }
        }
        std::vector<FlowSpec> flows(hosts);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            flows[i].source = i;
            flows[i].destination = to[i];
            flows[i].bytes = bytes;
        }
        return flows;
    }

    /// @return the paths that flows would take, by the entropy that their queue pairs get.
    std::vector<Path> PathsOf(const std::vector<FlowSpec>& flows) const
    {
        FlowTransport transport = Transport();
        const PathModel model(*fabric);
        CompletionQueue completions([](const WorkCompletion&) {});
        std::vector<Path> paths;
        std::vector<QueuePairs> made;
        for (const FlowSpec& flow : flows)
        {
            made.push_back(transport.Connect(
                *fabric, model, flow.source, flow.destination, completions, completions));
            paths.push_back(Walk(flow.source, flow.destination, made.back().sender->GetEntropy()));
        }
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            fabric->GetNic(flows[i].source).DestroyQueuePair(*made[i].sender);
            fabric->GetNic(flows[i].destination).DestroyQueuePair(*made[i].receiver);
        }
        return paths;
    }

    std::vector<double> RatesOf(const std::vector<Path>& paths) const
    {
        return MaxMinRates(paths, 2 * fabric->GetGraph().Links().size());
    }

    static Shares SharesOf(const std::vector<double>& rates)
    {
        return {std::accumulate(rates.begin(), rates.end(), 0.0) / rates.size(),
                *std::min_element(rates.begin(), rates.end())};
    }

    /// @return means over that many permutations of hosts between groups.
    Shares MeanShares(uint32_t group, uint32_t permutations)
    {
        Shares sum{0, 0};
        for (uint32_t i = 0; i < permutations; ++i)
        {
            const Shares shares = SharesOf(RatesOf(PathsOf(Permutation(group))));
            sum.mean += shares.mean / permutations;
            sum.worst += shares.worst / permutations;
        }
        return sum;
    }

    Shares FatTreeShares(uint32_t k, uint32_t permutations)
    {
        MakeBed("fat_tree", {{"K", k}});
        return MeanShares(k * k / 4, permutations);
    }

    FabricSettings settings;
    std::unique_ptr<FabricBed> bed;
    Fabric* fabric{nullptr};

  private:
    std::mt19937 m_random{1};
};

TEST_F(FabricEcmp, MaxMinOfKnownNetworks)
{
    // n on one link; a chain; a parking lot: links A and B, flows {A, B}, {A}, {B}, {B}.
    EXPECT_EQ(MaxMinRates({{0}, {0}, {0}, {0}}, 1), std::vector<double>(4, 0.25));
    EXPECT_EQ(MaxMinRates({{0, 1, 2}, {0}, {1}, {2}}, 3), std::vector<double>(4, 0.5));
    const auto rates = MaxMinRates({{0, 1}, {0}, {1}, {1}}, 2);
    EXPECT_NEAR(rates[0], 1.0 / 3, 1e-12);
    EXPECT_NEAR(rates[1], 2.0 / 3, 1e-12);
    EXPECT_NEAR(rates[3], 1.0 / 3, 1e-12);
}

TEST_F(FabricEcmp, PermutationsGetHalfOfALeafSpine)
{
    // Fair shares of random permutations between leaves, collisions on the way up and down counted:
    // mean .530, worst flow .27 on 8x8. Eight balls in eight bins: the fullest has 2.59.
    MakeLeafSpine(8, 8, 8);
    const uint32_t permutations = 200;
    Shares sum{0, 0};
    double most = 0;
    for (uint32_t i = 0; i < permutations; ++i)
    {
        const auto paths = PathsOf(Permutation(8));
        const Shares shares = SharesOf(RatesOf(paths));
        sum.mean += shares.mean / permutations;
        sum.worst += shares.worst / permutations;
        most += MeanOfLeaves(Load(paths)) / permutations;
    }
    EXPECT_NEAR(sum.mean, 0.530, 0.03);
    EXPECT_NEAR(sum.worst, 0.27, 0.03);
    EXPECT_NEAR(most, 2.59, 0.1);
    MakeLeafSpine(4, 4, 4);
    const Shares four = MeanShares(4, 4 * permutations);
    EXPECT_NEAR(four.mean, 0.576, 0.03);
    EXPECT_NEAR(four.worst, 0.36, 0.03);
}

TEST_F(FabricEcmp, SwitchesWithOneSeedPolarise)
{
    // What reaches an aggregation switch has hashed to it: a switch that hashes alike uses one of
    // its up-links only. A seed for the whole network helps nothing, the ingress port in the hash
    // does.
    for (uint32_t seed : {0, 7})
    {
        SetHash(false, seed);
        const double four = FatTreeShares(4, 200).mean;
        const double eight = FatTreeShares(8, 50).mean;
        EXPECT_NEAR(four, 0.397, 0.03);
        EXPECT_NEAR(eight, 0.217, 0.03);
    }
    SetHash(true);
    const double four = FatTreeShares(4, 200).mean;
    const double eight = FatTreeShares(8, 50).mean;
    EXPECT_NEAR(four, 0.515, 0.03);
    EXPECT_NEAR(eight, 0.436, 0.03);
    SetHash(false, 0, R"(["src_ip", "dst_ip", "src_port", "ingress_port"])");
    const double ingress = FatTreeShares(8, 50).mean;
    EXPECT_NEAR(ingress, 0.436, 0.05);
}

TEST_F(FabricEcmp, SeedsOfSwitchesDoMoreThanRenumberTheNextHops)
{
    // How a switch on the way to the same destinations chooses, given the choice of the one before:
    // with a linear hash (CRC, XOR) and m next hops, m of the m*m pairs of choices would occur. The
    // square sum over 16 cells has 15 degrees of freedom: above 37.7 once in a thousand.
    MakeLeafSpine(3, 4, 1);
    const FabricGraph& graph = fabric->GetGraph();
    const auto first = fabric->GetSwitch(graph.Find("leaf0"));
    const auto second = fabric->GetSwitch(graph.Find("leaf1"));
    std::map<std::pair<PortIdx, PortIdx>, uint32_t> cells;
    const uint32_t flows = 16384;
    for (uint32_t i = 0; i < flows; ++i)
    {
        Frame f{};
        f.dst = 2;
        f.entropy = 0xC000 + i;
        ++cells[{first->NextHop(f, 0), second->NextHop(f, 0)}];
    }
    double squares = 0;
    for (const auto& cell : cells)
    {
        squares += std::pow(cell.second - flows / 16.0, 2) / (flows / 16.0);
    }
    EXPECT_EQ(cells.size(), 16U);
    EXPECT_LT(squares, 37.7);
}

TEST_F(FabricEcmp, FieldsOfTheHashTellFlowsApart)
{
    // Up-links in use by 64 flows between two leaves that differ in what the hash sees or not.
    auto used = [&](const std::string& fields, bool bySource, bool byDestination) {
        SetHash(true, 0, fields);
        MakeLeafSpine(2, 16, 64);
        std::set<uint32_t> up;
        for (uint32_t i = 0; i < 64; ++i)
        {
            up.insert(Walk(bySource ? i : 0, byDestination ? 64 + i : 64, 0xC000 + i % 2)[1]);
        }
        return up.size();
    };
    EXPECT_EQ(used(R"(["dst_ip"])", true, false), 1U);
    EXPECT_GT(used(R"(["dst_ip"])", false, true), 12U);
    EXPECT_EQ(used(R"(["src_ip"])", false, true), 1U);
    EXPECT_GT(used(R"(["src_ip"])", true, false), 12U);
    EXPECT_EQ(used(R"(["src_port"])", true, true), 2U);
    EXPECT_EQ(used(R"(["protocol", "dst_port"])", true, true), 1U);
    EXPECT_EQ(used(R"(["ingress_port"])", false, true), 1U);
    EXPECT_GT(used(R"(["ingress_port"])", true, false), 12U);
}

TEST_F(FabricEcmp, ParallelLinksAreAllUsed)
{
    // 256 flows of one pair of hosts over 8 links between two switches: each carries 32, standard
    // deviation 5.3, and what it carries is what was hashed to it.
    MakeLeafSpine(2, 1, 2, 8);
    std::vector<FlowSpec> flows(256);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        flows[i].destination = 2;
        flows[i].bytes = 1000;
    }
    bed->Run({Transport()}, flows);
    std::vector<Path> paths;
    for (const FlowResult& flow : bed->results)
    {
        paths.push_back(Walk(flow.sourceNumber, flow.destinationNumber, flow.sourcePort));
    }
    const auto load = Load(paths);
    const FabricGraph& graph = fabric->GetGraph();
    for (uint32_t i = 0; i < graph.Links().size(); ++i)
    {
        const GraphLink& link = graph.Links()[i];
        EXPECT_EQ(bed->CountersOf(link.from, link.fromPort).dataFrames, load[2 * i]);
        EXPECT_EQ(bed->CountersOf(link.to, link.toPort).dataFrames, load[2 * i + 1]);
        if (graph.LayerOf(link) == "leaf_to_spine")
        {
            EXPECT_NEAR(load[2 * i] + load[2 * i + 1], 32, 16);
        }
    }
}

TEST_F(FabricEcmp, FramesGoTheWayOfTheirHash)
{
    // No two flows are of one size: each link has carried its own to the byte.
    for (bool seedPerSwitch : {true, false})
    {
        SetHash(seedPerSwitch);
        MakeBed("fat_tree", {{"K", 4}});
        auto flows = Permutation(4);
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            flows[i].bytes = 1ULL << i;
        }
        bed->Run({Transport()}, flows);
        std::vector<uint64_t> carried(2 * fabric->GetGraph().Links().size());
        for (const FlowResult& flow : bed->results)
        {
            for (uint32_t link : Walk(flow.sourceNumber, flow.destinationNumber, flow.sourcePort))
            {
                carried[link] += flow.bytes;
            }
        }
        for (uint32_t i = 0; i < carried.size(); ++i)
        {
            const GraphLink& link = fabric->GetGraph().Links()[i / 2];
            EXPECT_EQ(i % 2 ? bed->CountersOf(link.to, link.toPort).payloadBytes
                            : bed->CountersOf(link.from, link.fromPort).payloadBytes,
                      carried[i])
                << i;
        }
    }
}

TEST_F(FabricEcmp, FairRatesAreFeasibleToThePacket)
{
    // Flows paced at the max-min rates of their paths, less 1 % for acknowledgements, get through
    // as if alone, though many links are full.
    for (uint32_t run = 0; run < 3; ++run)
    {
        SetHash(true, run);
        MakeLeafSpine(8, 8, 8);
        auto flows = Permutation(8);
        const auto rates = RatesOf(PathsOf(flows));
        MakeLeafSpine(8, 8, 8);
        auto acks = CreateObject<TransportSettings>();
        acks->ackInterval = 64;
        std::vector<FlowTransport> transports;
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            const auto rate = static_cast<uint64_t>(0.99 * kRate * rates[i]);
            auto control = With(MakePlugin<CongestionControl>("fixed"),
                                {{"Rate", std::to_string(rate) + "b/s"}});
            transports.emplace_back(acks, control);
            flows[i].entry = i;
            flows[i].bytes = static_cast<uint64_t>(2e6 * rates[i]) / 1000 * 1000;
        }
        bed->Run(transports, flows);
        uint32_t deepest = 0;
        for (const GraphLink& link : fabric->GetGraph().Links())
        {
            for (const auto& c :
                 {bed->CountersOf(link.from, link.fromPort), bed->CountersOf(link.to, link.toPort)})
            {
                EXPECT_EQ(c.pauses, 0U);
                deepest = std::max(deepest, c.maxQueueBytes);
            }
        }
        double slowest = 0;
        for (const FlowResult& flow : bed->results)
        {
            const double expected =
                flow.bytes * 1.082 * 8 / (0.99 * kRate * rates[flow.sourceNumber]);
            slowest = std::max(slowest, flow.fct / (expected * kSecond));
        }
        EXPECT_LT(deepest, 20 * 1062U);
        EXPECT_LT(slowest, 1.1);
    }
}

TEST_F(FabricEcmp, DcqcnComesCloseToFairRates)
{
    // What flows get of their links in the steady state, against the max-min rates of their paths.
    settings.mtuPayloadBytes = 4096;
    settings.ecn = Make<EcnSettings>({{"KminBytes", "100000"}, {"KmaxBytes", "400000"}});
    for (uint32_t run = 0; run < 3; ++run)
    {
        SetHash(true, run);
        MakeLeafSpine(8, 8, 8);
        const auto flows = Permutation(8, 10'000'000'000);
        const double expected = SharesOf(RatesOf(PathsOf(flows))).mean;
        MakeLeafSpine(8, 8, 8);
        auto control = With(MakePlugin<CongestionControl>("dcqcn"), {{"Notification", "cnp"}});
        auto acks = CreateObject<TransportSettings>();
        acks->ackInterval = 16;
        const Tick begin = 4 * kMillisecond;
        const Tick end = 6 * kMillisecond;
        std::vector<double> bytes(flows.size());
        Simulator::Schedule(FromTick(begin), [&] {
            for (uint32_t host = 0; host < flows.size(); ++host)
            {
                bytes[host] -= bed->CountersTo(host).payloadBytes;
            }
        });
        bed->Run({FlowTransport(acks, control)}, flows, end);
        for (uint32_t host = 0; host < flows.size(); ++host)
        {
            bytes[host] += bed->CountersTo(host).payloadBytes;
        }
        const double line = kRate / 8 * (end - begin) / kSecond * 4096 / 4178;
        EXPECT_NEAR(SharesOf(bytes).mean / line, expected, 0.03);
    }
}

} // namespace
} // namespace ns3::aifabric::test
