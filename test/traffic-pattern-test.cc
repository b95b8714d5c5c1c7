// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/double.h"
#include "ns3/fabric-registry.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/size-distribution.h"
#include "ns3/string.h"
#include "ns3/traffic-pattern.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Keys = std::map<std::string, std::string>;

Ptr<TrafficPattern>
Make(const std::string& id, const Keys& keys)
{
    auto pattern = MakePlugin<TrafficPattern>(id);
    for (const auto& [key, value] : keys)
    {
        pattern->SetAttribute(key, StringValue(value));
    }
    return pattern;
}

TrafficContext
Hosts(uint32_t count, double rate = 100e9)
{
    TrafficContext context;
    context.nicRates.assign(count, rate);
    return context;
}

std::vector<FlowSpec>
Generate(const std::string& id, const Keys& keys, uint32_t hosts)
{
    return Make(id, keys)->Generate(Hosts(hosts));
}

std::string
Refusal(const std::string& id, const Keys& keys, uint32_t hosts)
{
    return ErrorOf([&] { Generate(id, keys, hosts); });
}

double
Bytes(const std::vector<FlowSpec>& flows)
{
    double bytes = 0;
    for (const auto& flow : flows)
    {
        bytes += static_cast<double>(flow.bytes);
    }
    return bytes;
}

} // namespace

TEST(TrafficPattern, AreThere)
{
    EXPECT_EQ(PluginIds(TrafficPattern::GetTypeId()),
              (std::vector<std::string>{
                  "all_to_all", "flows", "incast", "on_off", "permutation", "poisson"}));
}

TEST(TrafficPattern, PermutationIsADerangementThatTheSeedDecides)
{
    std::set<std::vector<uint32_t>> seen;
    auto pattern =
        Make("permutation",
             {{"SizeBytes", "0"}, {"StartTime", "2us"}, {"Name", "p"}, {"Priority", "5"}});
    for (int64_t stream = 0; stream < 200; ++stream)
    {
        TrafficContext context = Hosts(4);
        context.stream = stream;
        context.entry = 9;
        std::vector<uint32_t> to;
        for (const auto& flow : pattern->Generate(context))
        {
            EXPECT_NE(flow.source, flow.destination);
            EXPECT_EQ(flow.source, to.size());
            EXPECT_EQ(flow.start, 2 * kMicrosecond);
            EXPECT_EQ(flow.bytes, 0U);
            EXPECT_EQ(flow.tag, "p");
            EXPECT_EQ(flow.priority, 5);
            EXPECT_EQ(flow.entry, 9U);
            to.push_back(flow.destination);
        }
        seen.insert(to);
        std::sort(to.begin(), to.end());
        EXPECT_EQ(to, (std::vector<uint32_t>{0, 1, 2, 3}));
    }
    // Four things have nine derangements; that 200 draws miss one has a probability of 5e-10.
    EXPECT_EQ(seen.size(), 9U);
}

TEST(TrafficPattern, PermutationBetweenTwoGroups)
{
    auto flows = Generate("permutation", {{"Sources", "0-3"}, {"Destinations", "[4,5,6,7]"}}, 8);
    std::set<uint32_t> to;
    for (const auto& flow : flows)
    {
        to.insert(flow.destination);
        EXPECT_LT(flow.source, 4U);
    }
    EXPECT_EQ(to, (std::set<uint32_t>{4, 5, 6, 7}));
    EXPECT_EQ(Refusal("permutation", {{"Sources", "0-2"}}, 8),
              "destinations: found 8 hosts, expected 3, as many as sources");
    EXPECT_EQ(Refusal("permutation", {}, 1), "destinations: host 0 would send to itself only");
}

TEST(TrafficPattern, AllToAllSendsEachPairOnce)
{
    auto flows = Generate("all_to_all", {{"SizeBytes", "5"}}, 7);
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        EXPECT_NE(flows[i].source, flows[i].destination);
        pairs.insert({flows[i].source, flows[i].destination});
        // The k-th messages of all hosts shift by k + 1.
        EXPECT_EQ(flows[i].destination, (flows[i].source + i / 7 + 1) % 7);
    }
    EXPECT_EQ(pairs.size(), 42U);
    EXPECT_EQ(flows.size(), 42U);
    EXPECT_EQ(Generate("all_to_all", {{"Sources", "0-1"}, {"Destinations", "1-3"}}, 4).size(), 5U);
}

TEST(TrafficPattern, IncastOfAllOthers)
{
    auto flows = Generate("incast", {{"Destinations", "3"}}, 5);
    std::vector<uint32_t> from;
    for (const auto& flow : flows)
    {
        EXPECT_EQ(flow.destination, 3U);
        EXPECT_EQ(flow.bytes, 1000000U);
        from.push_back(flow.source);
    }
    EXPECT_EQ(from, (std::vector<uint32_t>{0, 1, 2, 4}));
    EXPECT_EQ(Refusal("incast", {}, 5),
              "destinations: found the sources, expected the hosts that they send to");
    EXPECT_EQ(Refusal("incast", {{"Destinations", "0"}, {"FanIn", "5"}}, 5),
              "fan_in: found 5, expected at most 4, the sources other than the receiver");
}

// 60-to-1 of 500 KB at 2 % of 320 NICs of 100 Gb/s: 0.02 * 320 * 1e11 / (8 * 60 * 5e5) = 2667 /s,
// in 0.3 s 800, of which the standard deviation is 28.3.
TEST(TrafficPattern, RepeatedIncastsMakeTheirLoad)
{
    auto flows = Generate(
        "incast",
        {{"FanIn", "60"}, {"SizeBytes", "500000"}, {"LoadRatio", "0.02"}, {"Duration", "300ms"}},
        320);
    EXPECT_EQ(flows.size() % 60, 0U);
    EXPECT_NEAR(flows.size() / 60.0, 800, 4 * 28.3);
    for (std::size_t i = 0; i < flows.size(); i += 60)
    {
        std::set<uint32_t> from;
        for (std::size_t k = i; k < i + 60; ++k)
        {
            EXPECT_EQ(flows[k].start, flows[i].start);
            EXPECT_EQ(flows[k].destination, flows[i].destination);
            EXPECT_NE(flows[k].source, flows[k].destination);
            from.insert(flows[k].source);
        }
        EXPECT_EQ(from.size(), 60U);
    }
}

// At 100 Gb/s and 50 % load a host begins 0.5 * 1e11 / (8 * 120,380) = 51.9 k flows of FB_Hadoop a
// second; 320 hosts in 10 ms: 166 k. The number of a Poisson process varies by its root.
TEST(TrafficPattern, PoissonMakesItsLoad)
{
    auto flows = Generate("poisson",
                          {{"SizeDistribution", "fb_hadoop"},
                           {"LoadRatio", "0.5"},
                           {"StartTime", "1ms"},
                           {"Duration", "10ms"}},
                          320);
    double mean = SizeDistribution::Load("fb_hadoop", "").Mean();
    double expected = 0.5 * 100e9 / (8 * mean) * 320 * 0.01;
    EXPECT_NEAR(expected, 166e3, 500);
    EXPECT_NEAR(flows.size(), expected, 4 * std::sqrt(expected));
    EXPECT_NEAR(Bytes(flows) / flows.size(), mean, 0.05 * mean);
    std::vector<double> sent(320);
    std::vector<double> received(320);
    for (const auto& flow : flows)
    {
        ASSERT_NE(flow.source, flow.destination);
        ASSERT_GE(flow.start, kMillisecond);
        ASSERT_LT(flow.start, 11 * kMillisecond);
        sent[flow.source] += 1;
        received[flow.destination] += 1;
    }
    // Chi square of 320 equal Poisson numbers: mean 319, standard deviation 25.3.
    for (const auto& counts : {sent, received})
    {
        double chi = 0;
        double each = flows.size() / 320.0;
        for (double count : counts)
        {
            chi += (count - each) * (count - each) / each;
        }
        EXPECT_NEAR(chi, 319, 4 * 25.3);
    }
    EXPECT_TRUE(std::is_sorted(flows.begin(), flows.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    }));
}

// Gaps of a Poisson process are exponential: their mean is their standard deviation.
TEST(TrafficPattern, PoissonGapsAreExponential)
{
    auto flows = Generate(
        "poisson",
        {{"Sources", "0"}, {"SizeBytes", "1000"}, {"LoadRatio", "0.8"}, {"Duration", "10ms"}},
        3);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < flows.size(); ++i)
    {
        double gap = static_cast<double>(flows[i].start - flows[i - 1].start);
        sum += gap;
        squares += gap * gap;
    }
    double n = flows.size() - 1;
    double mean = sum / n;
    // 8000 bit / 80 Gb/s = 100 ns.
    EXPECT_NEAR(mean, 100e3, 4 * 100e3 / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1, 4 * std::sqrt(2 / n));
}

TEST(TrafficPattern, HostsDoNotDependOnEachOther)
{
    Keys keys{{"SizeDistribution", "web_search"}, {"Duration", "5ms"}, {"Destinations", "8-9"}};
    keys["Sources"] = "2";
    auto alone = Generate("poisson", keys, 10);
    keys["Sources"] = "0-7";
    std::vector<FlowSpec> among = Generate("poisson", keys, 10);
    among.erase(
        std::remove_if(among.begin(), among.end(), [](const auto& f) { return f.source != 2; }),
        among.end());
    ASSERT_EQ(alone.size(), among.size());
    ASSERT_GT(alone.size(), 5U);
    for (std::size_t i = 0; i < alone.size(); ++i)
    {
        EXPECT_EQ(alone[i].start, among[i].start);
        EXPECT_EQ(alone[i].bytes, among[i].bytes);
        EXPECT_EQ(alone[i].destination, among[i].destination);
    }
}

TEST(TrafficPattern, RunsDiffer)
{
    Keys keys{{"SizeBytes", "10000"}, {"Duration", "10us"}};
    auto one = Generate("poisson", keys, 8);
    auto again = Generate("poisson", keys, 8);
    RngSeedManager::SetRun(2);
    auto other = Generate("poisson", keys, 8);
    RngSeedManager::SetRun(1);
    ASSERT_FALSE(one.empty());
    ASSERT_EQ(one.size(), again.size());
    EXPECT_EQ(one[0].start, again[0].start);
    EXPECT_NE(one[0].start, other.at(0).start);
}

// The mean load of an interrupted Poisson process is its load times on / (on + off). Bytes in
// T vary by that of the on time too, whose variance of stationary exponential periods is
// 2 T on^2 off^2 / (on + off)^3.
TEST(TrafficPattern, OnOffPausesForItsShare)
{
    auto flows = Generate("on_off",
                          {{"SizeBytes", "1000"},
                           {"LoadRatio", "0.4"},
                           {"OnTime", "20us"},
                           {"OffTime", "60us"},
                           {"Duration", "5ms"}},
                          40);
    double perOnMicrosecond = 0.4 * 100e9 / 8000 / 1e6;
    double expected = perOnMicrosecond * 5000 * 40 * 0.25;
    double onVariance = 2 * 5000.0 * 20 * 20 * 60 * 60 / (80.0 * 80 * 80) * 40;
    double deviation = std::sqrt(expected + perOnMicrosecond * perOnMicrosecond * onVariance);
    EXPECT_NEAR(flows.size(), expected, 4 * deviation);
}

TEST(TrafficPattern, SynchronizedSourcesPauseTogether)
{
    auto flows = Generate("on_off",
                          {{"SizeBytes", "1000"},
                           {"LoadRatio", "1"},
                           {"OnTime", "3us"},
                           {"OffTime", "7us"},
                           {"Synchronized", "true"},
                           {"Duration", "95us"}},
                          16);
    // Ten whole periods of 3 us on, 16 hosts, 80 ns a message.
    EXPECT_NEAR(flows.size(), 6000, 4 * std::sqrt(6000));
    for (const auto& flow : flows)
    {
        EXPECT_LT(flow.start % (10 * kMicrosecond), 3 * kMicrosecond);
    }
}

TEST(TrafficPattern, MistakesAreNamed)
{
    EXPECT_EQ(Refusal("poisson", {}, 4), "duration: missing, expected how long messages begin");
    EXPECT_EQ(Refusal("poisson", {{"Duration", "1ms"}, {"SizeBytes", "0"}}, 4),
              "size_bytes: found 0, expected a size that can make a load");
    EXPECT_EQ(Refusal("poisson", {{"Duration", "1000s"}, {"SizeBytes", "1"}}, 4),
              "makes more than 20000000 flows, expected fewer");
    EXPECT_EQ(Refusal("on_off", {{"Duration", "1000s"}, {"OnTime", "1ps"}, {"OffTime", "0s"}}, 4),
              "makes more than 20000000 flows, expected fewer");
    EXPECT_EQ(Refusal("on_off", {{"Duration", "1ms"}, {"OnTime", "0s"}}, 4),
              "on_time: found 0, expected a time in which sources send");
    EXPECT_EQ(Refusal("poisson", {{"Sources", "0-4"}, {"Duration", "1ms"}}, 4),
              "sources: there is no host 4, expected 0 to 3");
    EXPECT_EQ(Refusal("poisson", {{"SizeBytes", "5"}, {"SizeDistribution", "web_search"}}, 4),
              "size_bytes: found beside size_distribution, expected one of them");
    EXPECT_EQ(Refusal("poisson", {{"SizeDistribution", "web_serch"}}, 4),
              "size_distribution: found no file 'web_serch', did you mean 'web_search'?");
    EXPECT_EQ(Refusal("all_to_all", {}, 1), "destinations: host 0 would send to itself only");
    EXPECT_EQ(Generate("poisson", {{"LoadRatio", "0"}, {"Duration", "1ms"}}, 4).size(), 0U);
}

TEST(FlowsPattern, ReadsAList)
{
    auto flows = Generate("flows",
                          {{"Flows",
                            R"([{"source": 1, "destination": 0, "size_bytes": 18446744073709551615,
                                 "start_time_s": 2.00001, "priority": 0, "tag": "late",
                                 "destination_port": 200},
                                {"source": 0, "destination": 1, "size_bytes": 0},
                                {"source": 1, "destination": 1, "size_bytes": 1,
                                 "start_time_s": 3}])"},
                           {"StartTime", "1us"},
                           {"Tag", "mine"}},
                          2);
    ASSERT_EQ(flows.size(), 3U);
    EXPECT_EQ(flows[2].source, flows[2].destination);
    EXPECT_EQ(flows[0].source, 0U);
    EXPECT_EQ(flows[0].bytes, 0U);
    EXPECT_EQ(flows[0].start, kMicrosecond);
    EXPECT_EQ(flows[0].priority, 3);
    EXPECT_EQ(flows[0].tag, "mine");
    EXPECT_EQ(flows[1].bytes, std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(flows[1].start, 2 * kSecond + 11 * kMicrosecond);
    EXPECT_EQ(flows[1].priority, 0);
    EXPECT_EQ(flows[1].tag, "late");
    EXPECT_EQ(flows[1].destinationPort, 200);
}

TEST(FlowsPattern, NamesTheMistakeInAList)
{
    auto error = [](const std::string& list) { return Refusal("flows", {{"Flows", list}}, 4); };
    EXPECT_EQ(error("[{]"), "flows: found no list, expected [{\"source\": …}, …]");
    EXPECT_EQ(error("[3]"), "flows[0]: found 3, expected an object");
    EXPECT_EQ(error(R"([{"source": 0, "destination": 1}])"), "flows[0].size_bytes: missing");
    EXPECT_EQ(error(R"([{"source": 0, "destination": 4, "size_bytes": 1}])"),
              "flows[0].destination: found '4', expected a whole number from 0 to 3");
    EXPECT_EQ(error(R"([{"source": 0, "destination": 1, "size_byte": 1}])"),
              "flows[0]: unknown key 'size_byte', did you mean 'size_bytes'?");
    EXPECT_EQ(error(R"([{"source": 0, "destination": 1, "size_bytes": 1, "start_time_s": -1}])"),
              "flows[0].start_time_s: found '-1', expected a number from 0.0 to 9200000.0");
    for (const char* size : {"-1", "1.5", "18446744073709551616", "null", "[]", "\"1\""})
    {
        EXPECT_EQ(
            error(std::string(R"([{"source": 0, "destination": 1, "size_bytes": )") + size + "}]")
                .substr(0, 26),
            "flows[0].size_bytes: found")
            << size;
    }
    EXPECT_EQ(Refusal("flows", {}, 4), "flows: expected either flows or a file");
}

TEST(FlowsPattern, ReadsAFileBesideTheScenario)
{
    auto folder = std::filesystem::path(testing::TempDir()) / "flows-pattern-test";
    std::filesystem::create_directories(folder);
    auto write = [&](const std::string& text) { std::ofstream(folder / "f.csv") << text; };
    auto pattern = Make("flows", {{"File", "f.csv"}});
    TrafficContext context = Hosts(4);
    context.folder = folder.string();
    auto error = [&]() -> std::string { return ErrorOf([&] { pattern->Generate(context); }); };

    write("source,destination,start_time_s,size_bytes,tag\r\n# comment\r\n3, 1,1e-6,7,a\r\n\r\n"
          "0,2,,9,\r\n");
    auto flows = pattern->Generate(context);
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].bytes, 9U);
    EXPECT_EQ(flows[0].tag, "");
    EXPECT_EQ(flows[1].source, 3U);
    EXPECT_EQ(flows[1].start, kMicrosecond);
    EXPECT_EQ(flows[1].tag, "a");

    const std::string path = (folder / "f.csv").string();
    write("source,destination,size\n");
    EXPECT_EQ(error(),
              path + ": line 1: unknown key 'size'" +
                  ", expected one of source, "
                  "destination, size_bytes, start_time_s, priority, tag, "
                  "destination_port");
    write("source,destination,size_bytes\n0,1,5\n0,1,x\n");
    EXPECT_EQ(error(),
              path + ": line 3: found 'x', expected a whole number from 0 to 18446744073709551615");
    write("source,destination,size_bytes\n0,1,5,6\n");
    EXPECT_EQ(error(), path + ": line 2: found more fields than the first line names columns");
    write("source,destination,size_bytes\n0,1\n");
    EXPECT_EQ(error(), path + ": line 2.size_bytes: missing");
    std::filesystem::remove_all(folder);
    EXPECT_EQ(error().substr(0, 27), "file: found no file 'f.csv'");
}
