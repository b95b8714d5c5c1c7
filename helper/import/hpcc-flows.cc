// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-flows.h"

#include "json-text.h"
#include "line-reader.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <limits>

namespace ns3::aifabric
{

namespace
{

constexpr uint64_t kMostFlows = 20'000'000;
constexpr double kMostSeconds = 9.2e6;

enum class Dialect
{
    Hpcc,
    ConWeave,
    Rdma
};

Dialect
DialectOf(const std::vector<Word>& record)
{
    if (record.size() == 5)
    {
        return Dialect::ConWeave;
    }
    if (record.size() != 6)
    {
        throw ScenarioError("line " + std::to_string(record[0].line),
                            "found " + std::to_string(record.size()) +
                                " fields, expected a flow 'src dst priority dport bytes start' or "
                                "'src dst priority bytes start'");
    }
    // A UDP port is no larger, and a number of bytes has no fraction: this is packets, start, stop.
    uint64_t port = ReadWhole(
        record[3], "a port, or a number of packets", 0, std::numeric_limits<uint64_t>::max());
    bool fraction = record[4].text.find('.') != std::string_view::npos;
    return port > 65535 || fraction ? Dialect::Rdma : Dialect::Hpcc;
}

/// @return the host of that number in the file.
uint32_t
ReadHost(const Word& word, const HpccTopology& topology)
{
    uint64_t id = ReadWhole(word, "a host", 0, topology.isSwitch.size() - 1);
    if (topology.host[id] == HpccTopology::kNoHost)
    {
        FailAt(word, topology.isSwitch[id] ? "a host; it is a switch" : "a host; it has no link");
    }
    return topology.host[id];
}

} // namespace

HpccFlows
HpccFlows::Append(const ImportFile& file,
                  const HpccTopology& topology,
                  uint64_t packetBytes,
                  std::string& out)
{
    HpccFlows flows;
    LineReader reader(file.text);
    std::vector<Word> words;
    if (!reader.NextLine(words) || words.size() != 1)
    {
        throw ScenarioError("line " + std::to_string(reader.Line()),
                            "expected the number of flows");
    }
    const uint64_t declared = ReadWhole(words[0], "the number of flows", 0, kMostFlows);
    Dialect dialect = Dialect::Hpcc;
    bool sorted = true;
    double before = 0;
    for (uint64_t i = 0; i < declared; ++i)
    {
        if (!reader.NextLine(words))
        {
            throw ScenarioError("line " + std::to_string(reader.Line()),
                                "the file ends after " + std::to_string(i) + " flows, expected " +
                                    std::to_string(declared) + " as declared");
        }
        dialect = i == 0 ? DialectOf(words) : dialect;
        const std::size_t fields = dialect == Dialect::ConWeave ? 5 : 6;
        if (words.size() != fields)
        {
            throw ScenarioError("line " + std::to_string(words[0].line),
                                "found " + std::to_string(words.size()) +
                                    " fields, expected a flow of " + std::to_string(fields));
        }
        uint32_t source = ReadHost(words[0], topology);
        uint32_t destination = ReadHost(words[1], topology);
        uint64_t priority = ReadWhole(words[2], "a priority", 0, 7);
        uint64_t port = dialect == Dialect::Hpcc ? ReadWhole(words[3], "a port", 0, 65535) : 0;
        uint64_t most = std::numeric_limits<uint64_t>::max();
        uint64_t bytes =
            dialect == Dialect::Rdma
                ? ReadWhole(words[3], "a number of packets", 0, most / packetBytes) * packetBytes
                : ReadWhole(words[fields - 2], "a number of bytes", 0, most);
        const Word& when = words[dialect == Dialect::Hpcc ? 5 : 4];
        double start = ReadNumber(when, "a start time in seconds", 0, kMostSeconds);
        if (dialect == Dialect::Rdma)
        {
            ReadNumber(words[5], "a stop time in seconds", start, 1e18);
        }
        sorted = sorted && start >= before;
        before = start;
        out += flows.count++ == 0 ? "\n        {\"source\": " : ",\n        {\"source\": ";
        AppendNumber(out, source);
        out += ", \"destination\": ";
        AppendNumber(out, destination);
        out += ", \"size_bytes\": ";
        AppendNumber(out, bytes);
        out += ", \"start_time_s\": ";
        AppendNumber(out, start);
        out += ", \"priority\": ";
        AppendNumber(out, priority);
        if (port != 0)
        {
            out += ", \"destination_port\": ";
            AppendNumber(out, port);
        }
        out += "}";
        flows.priorities |= 1U << priority;
    }

    static const char* const kNames[] = {"HPCC", "ConWeave", "ns3-rdma"};
    flows.notices.push_back("found " + std::to_string(flows.count) + " flows" +
                            (declared == 0
                                 ? std::string()
                                 : std::string(" as ") + kNames[static_cast<int>(dialect)] +
                                       "'s simulator writes them"));
    if (!sorted)
    {
        flows.notices.push_back("flows are not in the order of their starts; they need not be");
    }
    if (std::size_t lines = reader.SkipRest())
    {
        flows.notices.push_back("left out " + std::to_string(lines) +
                                " lines after the declared number of flows");
    }
    if (dialect == Dialect::Rdma && flows.count > 0)
    {
        flows.warnings.push_back("flows are sent in full: their stop times are left out");
    }
    return flows;
}

} // namespace ns3::aifabric
