// SPDX-License-Identifier: GPL-2.0-only
#include "output-settings.h"

#include "json-value.h"

#include "ns3/fabric-registry.h"
#include "ns3/result-sink.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OutputSettings);

namespace
{

JsonValue
ReadText(const std::string& text, const std::string& expected)
{
    try
    {
        return JsonValue::Parse(text);
    }
    catch (const ScenarioError&)
    {
        throw ScenarioError("", "found '" + text + "', expected " + expected);
    }
}

std::vector<std::string>
ReadStrings(const JsonValue& json)
{
    std::vector<std::string> strings;
    for (std::size_t i = 0; i < json.ExpectArray().Size(); ++i)
    {
        strings.push_back(json.At(i).AsString());
    }
    return strings;
}

std::string
ToText(const std::vector<std::string>& strings)
{
    JsonValue json = JsonValue::Array();
    for (const auto& s : strings)
    {
        json.Append(JsonValue::Of(s));
    }
    return json.ToText();
}

} // namespace

TypeId
OutputSettings::GetTypeId()
{
    using S = OutputSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::OutputSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Directory",
                          "Folder for the results; no files are written where empty",
                          StringValue(""),
                          MakeStringAccessor(&S::directory),
                          MakeStringChecker())
            .AddAttribute("Reports",
                          "List of what to report besides the summary",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetReports, &S::GetReportsText),
                          MakeTextChecker("array"))
            .AddAttribute("Pcap",
                          "Whether to capture the frames of all ports; or a list of ports, by name",
                          StringValue("false"),
                          MakeStringAccessor(&S::SetPcap, &S::GetPcapText),
                          MakeTextChecker("boolean|array"))
            .AddAttribute("SamplingInterval",
                          "Time between two samples of queues and pauses, where queue_depth or "
                          "pfc_pause are reported",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&S::samplingInterval),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

const std::vector<std::string>&
OutputSettings::ReportNames()
{
    // Those that are files of their own are sinks; the others are in the summary.
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names{
            "iteration_time", "bytes_by_parallelism", "collective_busbw", "communication_share"};
        for (const std::string& sink : PluginIds(ResultSink::GetTypeId()))
        {
            if (std::find(names.begin(), names.end(), sink) == names.end())
            {
                names.push_back(sink);
            }
        }
        return names;
    }();
    return kNames;
}

void
OutputSettings::SetReports(std::string json)
{
    JsonValue list = ReadText(json, "a list of reports");
    std::vector<std::string> reports = ReadStrings(list);
    const auto& known = ReportNames();
    for (std::size_t i = 0; i < reports.size(); ++i)
    {
        if (std::find(known.begin(), known.end(), reports[i]) == known.end())
        {
            list.At(i).Fail("unknown report '" + reports[i] + "'" + SuggestFrom(reports[i], known));
        }
    }
    m_reports = reports;
}

std::string
OutputSettings::GetReportsText() const
{
    return ToText(m_reports);
}

void
OutputSettings::SetPcap(std::string json)
{
    const JsonValue ports = ReadText(json, "true, false or a list of ports");
    m_captured = ports.IsBool() ? std::vector<std::string>() : ReadStrings(ports);
    m_capturesAll = ports.IsBool() && ports.AsBool();
}

std::string
OutputSettings::GetPcapText() const
{
    return m_captured.empty() ? m_capturesAll ? "true" : "false" : ToText(m_captured);
}

std::map<std::string, OutputSettings::Port>
OutputSettings::FindCapturedPorts(const FabricGraph& graph) const
{
    std::map<std::string, Port> all;
    std::map<std::string, Port> captured;
    if (!m_capturesAll && m_captured.empty())
    {
        return captured;
    }
    for (const GraphLink& link : graph.Links())
    {
        all[graph.PortName(link.from, link.fromPort)] = {link.from, link.fromPort};
        all[graph.PortName(link.to, link.toPort)] = {link.to, link.toPort};
    }
    if (m_capturesAll)
    {
        return all;
    }
    for (std::size_t i = 0; i < m_captured.size(); ++i)
    {
        const std::string& name = m_captured[i];
        const auto found = all.find(name);
        if (found == all.end())
        {
            std::vector<std::string> names;
            for (const auto& port : all)
            {
                names.push_back(port.first);
            }
            std::string hint = SuggestFrom(name, names);
            if (hint.size() > 200)
            {
                hint = ", expected one of the " + std::to_string(names.size()) + " ports, like '" +
                       names.front() + "'";
            }
            throw ScenarioError("pcap[" + std::to_string(i) + "]",
                                "unknown port '" + name + "'" + hint);
        }
        captured.insert(*found);
    }
    return captured;
}

} // namespace ns3::aifabric
