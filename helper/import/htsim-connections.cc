// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-connections.h"

#include "foreign-files.h"
#include "json-text.h"

#include "ns3/fabric-graph.h"
#include "ns3/scenario-error.h"

#include <limits>
#include <set>

namespace ns3::aifabric
{

namespace
{

constexpr uint64_t kMostConnections = 20'000'000;
constexpr uint32_t kMostId = 0xFFFFFFFE;
constexpr double kMostPs = 9.2e18;

/// @return the word after position i, which it moves there.
const Word&
Next(const std::vector<Word>& words, std::size_t& i)
{
    if (i + 1 == words.size())
    {
        throw ScenarioError("line " + std::to_string(words[i].line),
                            "ends after '" + Printable(words[i].text) + "', expected a value");
    }
    return words[++i];
}

uint32_t
NextId(const std::vector<Word>& words, std::size_t& i)
{
    const std::string name(words[i].text);
    return static_cast<uint32_t>(ReadWhole(Next(words, i), name, 1, kMostId));
}

void
ExpectCount(const char* noun, uint64_t found, uint64_t declared)
{
    if (found != declared)
    {
        throw ScenarioError("",
                            "has " + Count(found, noun) + ", expected " + std::to_string(declared) +
                                " as declared");
    }
}

} // namespace

HtsimConnections
HtsimConnections::Read(const ImportFile& file)
{
    HtsimConnections all;
    LineReader reader(file.text);
    std::map<std::string, uint64_t> declared{
        {"Nodes", 0}, {"Connections", 0}, {"Triggers", 0}, {"Failures", 0}};
    std::set<std::string> given;
    uint64_t failures = 0;
    for (std::vector<Word> words; reader.NextLine(words);)
    {
        const std::string key(words[0].text);
        if (key[0] == '#')
        {
            continue;
        }
        if (declared.count(key) > 0)
        {
            if (words.size() != 2 || !given.insert(key).second)
            {
                FailAt(words[0], "one line '" + key + " number'");
            }
            declared[key] = key == "Nodes" ? ReadWhole(words[1], key, 1, kMostNodes)
                                           : ReadWhole(words[1], key, 0, kMostConnections);
            all.nodeCount = static_cast<uint32_t>(declared["Nodes"]);
        }
        else if (key == "trigger")
        {
            all.ReadTrigger(words);
        }
        else if (key == "failure")
        {
            ++failures;
        }
        else
        {
            all.ReadConnection(words);
        }
    }
    ExpectCount("connection", all.connections.size(), declared["Connections"]);
    ExpectCount("trigger", all.triggers.size(), declared["Triggers"]);
    ExpectCount("failure", failures, declared["Failures"]);
    all.CheckTriggers();
    all.Summarise();
    if (failures > 0)
    {
        all.warnings.push_back(Count(failures, "failure") +
                               " of links left out: they stay up, there are no faults");
    }
    return all;
}

void
HtsimConnections::ReadConnection(const std::vector<Word>& words)
{
    const Word& ends = words[0];
    const std::size_t arrow = ends.text.find("->");
    if (arrow == std::string_view::npos)
    {
        FailAt(ends,
               "Nodes, Connections, Triggers, Failures, a connection 'src->dst …', a trigger or a "
               "failure");
    }
    if (nodeCount == 0)
    {
        FailAt(ends, "the number of Nodes before");
    }
    Connection c{};
    c.line = ends.line;
    auto node = [&](std::string_view text) {
        return static_cast<uint32_t>(
            ReadWhole({text, ends.line}, "a node", 0, uint64_t{nodeCount} - 1));
    };
    c.source = node(ends.text.substr(0, arrow));
    c.destination = node(ends.text.substr(arrow + 2));
    std::set<std::string_view> given;
    for (std::size_t i = 1; i < words.size(); ++i)
    {
        const std::string_view key = words[i].text;
        if (!given.insert(key).second)
        {
            FailAt(words[i], "each word once");
        }
        if (key == "start")
        {
            c.startPs = ReadNumber(Next(words, i), "a start time in ps", 0, kMostPs);
        }
        else if (key == "size")
        {
            c.bytes = ReadWhole(
                Next(words, i), "a number of bytes", 0, std::numeric_limits<uint64_t>::max());
        }
        else if (key == "id")
        {
            c.id = NextId(words, i);
        }
        else if (key == "trigger")
        {
            c.trigger = NextId(words, i);
        }
        else if (key == "send_done_trigger")
        {
            c.sendDone = NextId(words, i);
        }
        else if (key == "recv_done_trigger")
        {
            c.recvDone = NextId(words, i);
        }
        else if (key == "prio" || key == "msg")
        {
            m_hasPriorities = m_hasPriorities || key == "prio";
            Next(words, i);
        }
        else
        {
            FailAt(words[i],
                   "id, msg, start, trigger, size, send_done_trigger, recv_done_trigger or prio");
        }
    }
    if (given.count("size") == 0)
    {
        FailAt(ends, "a size as well");
    }
    if (given.count("start") + given.count("trigger") != 1)
    {
        FailAt(ends, "either start or trigger as well");
    }
    connections.push_back(c);
}

void
HtsimConnections::ReadTrigger(const std::vector<Word>& words)
{
    Trigger trigger{words[0].line, "", 0};
    uint32_t id = 0;
    for (std::size_t i = 1; i < words.size(); ++i)
    {
        const std::string_view key = words[i].text;
        if (key == "id")
        {
            id = NextId(words, i);
        }
        else if (key == "count")
        {
            trigger.count = NextId(words, i);
        }
        else if (trigger.kind.empty() &&
                 (key == "oneshot" || key == "multishot" || key == "barrier"))
        {
            trigger.kind = key;
        }
        else
        {
            FailAt(words[i], "id, count, and one of oneshot, multishot and barrier");
        }
    }
    if (id == 0 || trigger.kind.empty() || !triggers.emplace(id, trigger).second)
    {
        FailAt(words[0], "an id of its own, and oneshot, multishot or barrier");
    }
}

void
HtsimConnections::CheckTriggers() const
{
    std::set<uint32_t> ids;
    for (const Connection& c : connections)
    {
        const std::string line = "line " + std::to_string(c.line);
        if (c.id != 0 && !ids.insert(c.id).second)
        {
            throw ScenarioError(line,
                                "found id " + std::to_string(c.id) + " again, expected each once");
        }
        for (uint32_t trigger : {c.trigger, c.sendDone, c.recvDone})
        {
            if (trigger != 0 && triggers.count(trigger) == 0)
            {
                throw ScenarioError(line,
                                    "found trigger " + std::to_string(trigger) +
                                        ", expected one that a line 'trigger id …' describes");
            }
        }
    }
}

void
HtsimConnections::Summarise()
{
    long double bytes = 0;
    for (const Connection& c : connections)
    {
        bytes += static_cast<long double>(c.bytes);
    }
    std::string total;
    AppendNumber(total, static_cast<double>(bytes));
    notices.push_back("found " + Count(nodeCount, "node") + ", " +
                      Count(connections.size(), "flow") + " of " + total + " B together" +
                      (triggers.empty() ? "" : ", " + Count(triggers.size(), "trigger")));
    if (m_hasPriorities)
    {
        warnings.emplace_back("prio is left out: all flows have the same priority");
    }
}

std::string
HtsimConnections::WriteFlows() const
{
    std::string out = "{\n      \"name\": \"flows\",\n      \"pattern\": \"flows\",\n"
                      "      \"flows\": [";
    const char* separator = "\n";
    for (const Connection& c : connections)
    {
        out += separator;
        out += "        {\"source\": ";
        AppendNumber(out, c.source);
        out += ", \"destination\": ";
        AppendNumber(out, c.destination);
        out += ", \"size_bytes\": ";
        AppendNumber(out, c.bytes);
        out += ", \"start_time_s\": ";
        AppendNumber(out, c.startPs / 1e12);
        out += "}";
        separator = ",\n";
    }
    return out + "\n      ]\n    }";
}

} // namespace ns3::aifabric
