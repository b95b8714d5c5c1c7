// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-topology.h"

#include "foreign-files.h"
#include "graph-text.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::aifabric
{

HpccTopology
HpccTopology::Read(const ImportFile& file, bool simAi)
{
    HpccTopology topology;
    LineReader reader(file.text);
    std::vector<Word> words;
    uint64_t cableCount = 0;
    if (!reader.NextLine(words))
    {
        throw ScenarioError("", "is empty, expected a topology");
    }
    topology.ReadHeader(words, simAi, cableCount);
    topology.ReadSwitchIds(reader);
    while (topology.cables.size() < cableCount)
    {
        if (!reader.NextLine(words))
        {
            throw ScenarioError("line " + std::to_string(reader.Line()),
                                "the file ends after " + Count(topology.cables.size(), "link") +
                                    ", expected " + std::to_string(cableCount) + " as declared");
        }
        topology.ReadCable(words);
    }
    if (topology.servers)
    {
        topology.TakeNvLinks();
    }
    topology.NumberHosts();
    topology.Summarise();
    if (std::size_t lines = reader.SkipRest())
    {
        topology.notices.push_back("left out " + Count(lines, "line") +
                                   " after the declared number of links");
    }
    return topology;
}

void
HpccTopology::ReadSwitchIds(LineReader& reader)
{
    const auto nodes = static_cast<uint32_t>(isSwitch.size());
    const uint32_t nvSwitches = servers ? servers->nvSwitches : 0;
    const uint32_t expected = nvSwitches + switchCount;
    std::vector<Word> words;
    uint32_t ids = 0;
    while (ids < expected)
    {
        if (!reader.NextLine(words) || ids + words.size() > expected)
        {
            throw ScenarioError("line " + std::to_string(reader.Line()),
                                "found " + std::to_string(ids + words.size()) +
                                    " switch ids, expected " + std::to_string(expected));
        }
        for (const Word& word : words)
        {
            // GPUs come first: they are in servers by their ids.
            const uint64_t first = servers ? nodes - expected : 0;
            uint64_t id = ReadWhole(word, "the id of a switch", first, nodes - 1);
            if (isSwitch[id])
            {
                FailAt(word, "each switch once");
            }
            isSwitch[id] = true;
            if (ids++ < nvSwitches)
            {
                m_isNvSwitch[id] = true;
            }
        }
    }
}

void
HpccTopology::ReadHeader(const std::vector<Word>& header, bool simAi, uint64_t& cableCount)
{
    const std::size_t fields = header.size();
    if (simAi)
    {
        return ReadSimAiHeader(header, cableCount);
    }
    if (fields != 3 && fields != 4 && fields != 6)
    {
        throw ScenarioError("line " + std::to_string(header[0].line),
                            "found " + Count(fields, "field") +
                                ", expected 'nodes switches links', 'nodes switches tors links' or "
                                "'nodes switches tors links rate1 rate2'");
    }
    if (fields == 6)
    {
        char first = header[5].text[0];
        if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'))
        {
            FailAt(header[5],
                   "the header of an HPCC topology; this one is SimAI's, which `import simai` "
                   "reads");
        }
        ReadRate(header[4]);
        ReadRate(header[5]);
        notices.push_back("left out the two rates of the header");
    }
    uint64_t nodes = ReadWhole(header[0], "the number of nodes", 1, kMostNodes);
    switchCount =
        static_cast<uint32_t>(ReadWhole(header[1], "the number of switches", 0, nodes - 1));
    if (fields > 3)
    {
        ReadWhole(header[2], "the number of top-of-rack switches", 0, switchCount);
    }
    cableCount = ReadWhole(header[fields == 3 ? 2 : 3], "the number of links", 0, kMostLinks);
    isSwitch.assign(nodes, false);
    degree.assign(nodes, 0);
}

void
HpccTopology::ReadCable(const std::vector<Word>& words)
{
    if (words.size() != 5)
    {
        throw ScenarioError("line " + std::to_string(words[0].line),
                            "found " + Count(words.size(), "field") +
                                ", expected a link 'src dst rate delay error_rate'");
    }
    const uint64_t last = isSwitch.size() - 1;
    Cable cable;
    cable.from = static_cast<uint32_t>(ReadWhole(words[0], "a node", 0, last));
    cable.to = static_cast<uint32_t>(ReadWhole(words[1], "a node", 0, last));
    if (cable.from == cable.to)
    {
        FailAt(words[1], "another node than " + std::string(words[0].text));
    }
    cable.spec.bandwidth = ReadRate(words[2]);
    cable.spec.delay = ReadDelay(words[3]);
    if (cable.spec.delay >= kSecond)
    {
        FailAt(words[3], "a delay below 1 s");
    }
    cable.spec.lossProbability = ReadNumber(words[4], "an error rate", 0, 1);
    ++degree[cable.from];
    ++degree[cable.to];
    cables.push_back(cable);
}

void
HpccTopology::Summarise()
{
    std::map<double, std::size_t> byRate;
    for (const Cable& cable : cables)
    {
        ++byRate[cable.spec.bandwidth];
    }
    std::ostringstream found;
    found << "found " << Count(hostCount, servers ? "GPU" : "host") << ", "
          << Count(switchCount, "switch") << ", " << Count(cables.size(), "link");
    for (const auto& [rate, count] : byRate)
    {
        found << (rate == byRate.begin()->first ? ": " : ", ") << count << " of " << rate / 1e9
              << " Gb/s";
    }
    if (servers)
    {
        found << "; " << Count(hostCount / servers->gpus, "server");
        if (servers->nvLinks > 0)
        {
            found << " with " << Count(servers->nvLinks, "NVLink") << " of "
                  << servers->nvLinkRate / 1e9 << " Gb/s per GPU";
        }
    }
    notices.insert(notices.begin(), found.str());
}

void
HpccTopology::NumberHosts()
{
    uint32_t several = 0;
    uint32_t alone = 0;
    uint32_t firstAlone = 0;
    host.assign(isSwitch.size(), kNoHost);
    for (uint32_t node = 0; node < isSwitch.size(); ++node)
    {
        if (IsNvSwitch(node))
        {
            continue;
        }
        if (degree[node] == 0)
        {
            if (servers && !isSwitch[node])
            {
                throw ScenarioError("",
                                    "GPU " + std::to_string(node) +
                                        " has no link beyond its server, expected one to a switch");
            }
            firstAlone = alone++ == 0 ? node : firstAlone;
            switchCount -= isSwitch[node];
        }
        else if (!isSwitch[node])
        {
            host[node] = hostCount++;
            several += degree[node] > 1;
        }
    }
    if (hostCount == 0)
    {
        throw ScenarioError("", "no host has a link, expected at least one");
    }
    if (alone > 0)
    {
        warnings.push_back(Count(alone, "node") +
                           " without a link left out, the first being node " +
                           std::to_string(firstAlone));
    }
    if (several > 0)
    {
        warnings.push_back(
            Count(several, "host") +
            " with several links: each stands behind a switch of its own, nicN, by a "
            "link as fast as they are together, and that switch forwards");
    }
}

std::string
HpccTopology::Name(uint32_t node) const
{
    const char* kind = isSwitch[node] ? "switch" : "nic";
    return isSwitch[node] || degree[node] > 1 ? kind + std::to_string(node) : HostName(node);
}

std::string
HpccTopology::HostName(uint32_t node) const
{
    if (!servers)
    {
        return "host" + std::to_string(node);
    }
    return "server" + std::to_string(node / servers->gpus) + ".nic" +
           std::to_string(node % servers->gpus) + ".port0";
}

std::vector<double>
HpccTopology::Together() const
{
    std::vector<double> together(isSwitch.size());
    for (const Cable& cable : cables)
    {
        together[cable.from] += cable.spec.bandwidth;
        together[cable.to] += cable.spec.bandwidth;
    }
    return together;
}

std::vector<double>
HpccTopology::Rates() const
{
    std::vector<double> rates;
    for (const Cable& cable : cables)
    {
        rates.push_back(cable.spec.bandwidth);
    }
    std::vector<double> together = Together();
    for (uint32_t node = 0; node < isSwitch.size(); ++node)
    {
        if (host[node] != kNoHost && degree[node] > 1)
        {
            rates.push_back(together[node]);
        }
    }
    std::sort(rates.begin(), rates.end());
    rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
    return rates;
}

void
HpccTopology::AppendGraph(std::string& out, double lossProbability) const
{
    GraphText graph;
    for (uint32_t i = 0; i < isSwitch.size(); ++i)
    {
        if (host[i] != kNoHost)
        {
            graph.AddNode(HostName(i), "host");
        }
        if (degree[i] > 0 && (isSwitch[i] || degree[i] > 1))
        {
            graph.AddNode(Name(i), "switch");
        }
    }
    const std::vector<double> together = Together();
    for (const Cable& cable : cables)
    {
        LinkSpec spec = cable.spec;
        spec.lossProbability = spec.lossProbability > 0 ? spec.lossProbability : lossProbability;
        graph.AddLink(Name(cable.from), Name(cable.to), spec);
    }
    for (uint32_t i = 0; i < isSwitch.size(); ++i)
    {
        if (host[i] != kNoHost && degree[i] > 1)
        {
            LinkSpec inner;
            inner.bandwidth = together[i];
            graph.AddLink(HostName(i), Name(i), inner);
        }
    }
    out += graph.Get();
}

} // namespace ns3::aifabric
