// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-topology.h"

#include "foreign-files.h"
#include "graph-text.h"
#include "line-reader.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t kMostTiers = 3;
constexpr uint32_t kMostRadix = 65534;

const std::vector<std::string> kTierKeys{"downlink_speed_gbps",
                                         "downlink_latency_ns",
                                         "switch_latency_ns",
                                         "radix_down",
                                         "radix_up",
                                         "bundle",
                                         "oversubscribed",
                                         "queue_down",
                                         "queue_up"};

std::string
LowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return lower;
}

/// Sets what one line of a tier says.
void
SetValue(HtsimTopology::Tier& tier, const std::string& key, const Word& word, bool& hasQueues)
{
    constexpr double kMostNs = 1e9;
    auto whole = [&](uint32_t low) {
        return static_cast<uint32_t>(ReadWhole(word, key, low, kMostRadix));
    };
    auto time = [&] { return std::llround(ReadNumber(word, key, 0, kMostNs) * kNanosecond); };
    if (key == kTierKeys[0])
    {
        tier.bandwidth = ReadNumber(word, key, 1e-3, 1e6) * 1e9;
    }
    else if (key == kTierKeys[1])
    {
        tier.linkDelay = time();
    }
    else if (key == kTierKeys[2])
    {
        tier.switchLatency = time();
    }
    else if (key == kTierKeys[3])
    {
        tier.radixDown = whole(1);
    }
    else if (key == kTierKeys[4])
    {
        tier.radixUp = whole(1);
    }
    else if (key == kTierKeys[5])
    {
        tier.bundle = whole(1);
    }
    else if (key == kTierKeys[6])
    {
        tier.oversubscription = ReadNumber(word, key, 1e-3, 1e3);
    }
    else
    {
        hasQueues = true;
    }
}

/// @throws ScenarioError "tier K: found RADIX, expected EXPECTED".
void
Expect(std::size_t tier, const std::string& what, uint64_t found, uint64_t expected)
{
    if (found != expected)
    {
        throw ScenarioError("",
                            "tier " + std::to_string(tier) + ": found " + what + " " +
                                std::to_string(found) + ", expected " + std::to_string(expected) +
                                " as the other numbers have it");
    }
}

/// @throws ScenarioError unless one is a multiple of the other.
uint32_t
Divide(uint32_t whole, uint32_t part, const std::string& message)
{
    if (whole % part != 0)
    {
        throw ScenarioError("", message);
    }
    return whole / part;
}

} // namespace

HtsimTopology
HtsimTopology::Read(const ImportFile& file)
{
    HtsimTopology topology;
    LineReader reader(file.text);
    std::map<std::string, uint32_t> header;
    Tier* tier = nullptr;
    std::set<std::string> given; // in this block
    std::set<uint64_t> tiersGiven;
    bool hasQueues = false;
    for (std::vector<Word> words; reader.NextLine(words);)
    {
        if (words[0].text[0] == '#')
        {
            continue;
        }
        const std::string key = LowerCase(words[0].text);
        if (words.size() != 2)
        {
            FailAt(words[0], "lines 'Key value'");
        }
        if (key == "tier")
        {
            const uint64_t number = ReadWhole(words[1], "a tier", 0, kMostTiers - 1);
            if (!tiersGiven.insert(number).second)
            {
                FailAt(words[1], "each tier once");
            }
            topology.tiers.resize(std::max<std::size_t>(topology.tiers.size(), number + 1));
            tier = &topology.tiers[number];
            given.clear();
            continue;
        }
        if (!given.insert(key).second)
        {
            FailAt(words[0], "each key once");
        }
        if (tier)
        {
            if (std::find(kTierKeys.begin(), kTierKeys.end(), key) == kTierKeys.end())
            {
                throw ScenarioError("line " + std::to_string(words[0].line),
                                    "unknown key '" + Printable(key) + "'" +
                                        SuggestFrom(Printable(key), kTierKeys));
            }
            SetValue(*tier, key, words[1], hasQueues);
            continue;
        }
        const std::vector<std::string> keys{"nodes", "tiers", "podsize"};
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
        {
            throw ScenarioError("line " + std::to_string(words[0].line),
                                "unknown key '" + Printable(key) + "'" +
                                    SuggestFrom(Printable(key), keys));
        }
        header[key] =
            static_cast<uint32_t>(key == "tiers" ? ReadWhole(words[1], key, 2, kMostTiers)
                                                 : ReadWhole(words[1], key, 1, kMostNodes));
    }
    for (const char* key : {"nodes", "tiers", "podsize"})
    {
        if (header.count(key) == 0)
        {
            throw ScenarioError("", std::string("has no line '") + key + " …', expected one");
        }
    }
    topology.hostCount = header["nodes"];
    topology.podSize = header["podsize"];
    if (topology.tiers.size() != header["tiers"] || tiersGiven.size() != header["tiers"])
    {
        throw ScenarioError("",
                            "describes " + Count(tiersGiven.size(), "tier") + ", expected " +
                                std::to_string(header["tiers"]) + " as declared");
    }
    topology.Check();
    topology.Summarise();
    if (hasQueues)
    {
        topology.warnings.emplace_back("sizes of queues are left out: ports of a switch share its "
                                       "buffer");
    }
    return topology;
}

void
HtsimTopology::Check()
{
    for (std::size_t i = 0; i < tiers.size(); ++i)
    {
        const bool top = i + 1 == tiers.size();
        if (tiers[i].bandwidth == 0 || tiers[i].radixDown == 0 || (!top && tiers[i].radixUp == 0))
        {
            throw ScenarioError("",
                                "tier " + std::to_string(i) + " lacks " +
                                    (tiers[i].bandwidth == 0   ? "downlink_speed_gbps"
                                     : tiers[i].radixDown == 0 ? "radix_down"
                                                               : "radix_up"));
        }
        if (top && tiers[i].radixUp != 0)
        {
            throw ScenarioError("",
                                "tier " + std::to_string(i) +
                                    ", the highest, has radix_up, expected no links up");
        }
    }
    Expect(0, "bundle", tiers[0].bundle, 1);
    const uint32_t pods = Divide(hostCount,
                                 podSize,
                                 "found " + std::to_string(hostCount) + " nodes in pods of " +
                                     std::to_string(podSize) + ", expected a multiple");
    const uint32_t perPod =
        Divide(podSize,
               tiers[0].radixDown,
               "found pods of " + std::to_string(podSize) + " hosts on switches with " +
                   std::to_string(tiers[0].radixDown) + ", expected a multiple");
    tiers[0].count = pods * perPod;
    if (tiers.size() == 2)
    {
        Expect(0, "podsize", podSize, hostCount);
    }
    Expect(1, "radix_down", tiers[1].radixDown, uint64_t{perPod} * tiers[1].bundle);
    for (std::size_t i = 0; i + 1 < tiers.size(); ++i)
    {
        const Tier& upper = tiers[i + 1];
        const uint32_t above = Divide(tiers[i].radixUp,
                                      upper.bundle,
                                      "found radix_up " + std::to_string(tiers[i].radixUp) +
                                          " of tier " + std::to_string(i) + " in bundles of " +
                                          std::to_string(upper.bundle) + ", expected a multiple");
        const uint64_t count = uint64_t{i == 0 ? pods : tiers[i].count / pods} * above;
        if (count > kMostNodes)
        {
            throw ScenarioError("",
                                "tier " + std::to_string(i + 1) + " has " + std::to_string(count) +
                                    " switches, expected at most " + std::to_string(kMostNodes));
        }
        tiers[i + 1].count = static_cast<uint32_t>(count);
        const double ratio = tiers[i].radixDown * tiers[i].bandwidth /
                             (tiers[i].radixUp * upper.bandwidth * tiers[i].oversubscription);
        if (std::abs(ratio - 1) > 1e-6)
        {
            std::ostringstream found;
            found << "tier " << i << ": oversubscribed " << tiers[i].oversubscription
                  << " is left out, its links have " << ratio * tiers[i].oversubscription << ":1";
            warnings.push_back(found.str());
        }
    }
    if (tiers.size() == kMostTiers)
    {
        Expect(2, "radix_down", tiers[2].radixDown, uint64_t{pods} * tiers[2].bundle);
    }
    uint64_t links = hostCount;
    for (std::size_t i = 1; i < tiers.size(); ++i)
    {
        links += uint64_t{tiers[i].count} * tiers[i].radixDown;
    }
    if (links > kMostLinks)
    {
        throw ScenarioError("",
                            "has " + std::to_string(links) + " links, expected at most " +
                                std::to_string(kMostLinks));
    }
}

void
HtsimTopology::Summarise()
{
    std::ostringstream found;
    found << "found " << Count(hostCount, "host");
    std::map<double, uint64_t> byRate{{tiers[0].bandwidth, hostCount}};
    for (std::size_t i = 0; i < tiers.size(); ++i)
    {
        found << (i == 0 ? ", " : " + ") << tiers[i].count;
        if (i > 0)
        {
            byRate[tiers[i].bandwidth] += uint64_t{tiers[i].count} * tiers[i].radixDown;
        }
    }
    found << " switches, links:";
    for (const auto& [rate, count] : byRate)
    {
        found << (rate == byRate.begin()->first ? " " : ", ") << count << " of " << rate / 1e9
              << " Gb/s";
    }
    notices.push_back(found.str());
    const Tick least = LeastSwitchLatency();
    if (std::any_of(
            tiers.begin(), tiers.end(), [&](const Tier& t) { return t.switchLatency > least; }))
    {
        notices.emplace_back("switches of tiers differ in latency: what some have more is on their "
                             "links, half on each that a frame takes");
    }
}

Tick
HtsimTopology::LeastSwitchLatency() const
{
    return std::min_element(
               tiers.begin(),
               tiers.end(),
               [](const Tier& a, const Tier& b) { return a.switchLatency < b.switchLatency; })
        ->switchLatency;
}

std::string
HtsimTopology::WriteTopology(const std::vector<std::string>& hostNames) const
{
    static const char* const kNames[] = {"tor", "agg", "core"};
    const Tick least = LeastSwitchLatency();
    GraphText graph;
    auto name = [](std::size_t tier, uint32_t number) {
        return kNames[tier] + std::to_string(number);
    };
    auto link = [&](std::size_t upper, const std::string& from, const std::string& to) {
        LinkSpec spec;
        spec.bandwidth = tiers[upper].bandwidth;
        spec.delay = tiers[upper].linkDelay + (tiers[upper].switchLatency - least) / 2;
        if (upper > 0)
        {
            spec.delay += (tiers[upper - 1].switchLatency - least) / 2;
        }
        graph.AddLink(from, to, spec);
    };
    for (const std::string& host : hostNames)
    {
        graph.AddNode(host, "host");
    }
    for (std::size_t tier = 0; tier < tiers.size(); ++tier)
    {
        for (uint32_t i = 0; i < tiers[tier].count; ++i)
        {
            graph.AddNode(name(tier, i), "switch");
        }
    }
    for (uint32_t i = 0; i < hostCount; ++i)
    {
        link(0, hostNames[i], name(0, i / tiers[0].radixDown));
    }
    const uint32_t pods = hostCount / podSize;
    const uint32_t below = tiers[0].count / pods;
    const uint32_t above = tiers[1].count / pods;
    for (uint32_t i = 0; i < tiers[0].count; ++i)
    {
        for (uint32_t up = 0; up < tiers[0].radixUp; ++up)
        {
            link(1, name(0, i), name(1, i / below * above + up / tiers[1].bundle));
        }
    }
    for (uint32_t i = 0; tiers.size() == kMostTiers && i < tiers[1].count; ++i)
    {
        const uint32_t group = tiers[1].radixUp / tiers[2].bundle;
        for (uint32_t up = 0; up < tiers[1].radixUp; ++up)
        {
            link(2, name(1, i), name(2, i % above * group + up / tiers[2].bundle));
        }
    }
    std::ostringstream head;
    head << "{\n    \"type\": \"graph\",\n    \"switches\": {\"switch\": "
            "{\"forwarding_latency_ns\": "
         << static_cast<double>(least) / kNanosecond << "}},\n";
    return head.str() + graph.Get() + "\n  }";
}

} // namespace ns3::aifabric
