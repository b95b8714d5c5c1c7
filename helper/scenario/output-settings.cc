// SPDX-License-Identifier: GPL-2.0-only
#include "output-settings.h"

#include "attribute-reader.h"
#include "json-value.h"
#include "measurement-settings.h"

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
                          "pfc_pause are reported or queues are measured",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&S::samplingInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Measurements",
                          "List of spans of time, and what is measured over each",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetMeasurements, &S::GetMeasurementsText),
                          MakeTextChecker("array"))
            .AddAttribute("SizeLimitsBytes",
                          "List of limits between the sizes by which flows are told apart, "
                          "ascending; powers of ten where empty",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetSizeLimits, &S::GetSizeLimitsText),
                          MakeTextChecker("array"));
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

void
OutputSettings::SetMeasurements(std::string json)
{
    const JsonValue list = ReadText(json, "a list of measurements");
    std::vector<Ptr<MeasurementSettings>> measurements;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        const JsonValue entry = list.At(i);
        auto made = DynamicCast<MeasurementSettings>(
            MakeConfigured(MeasurementSettings::GetTypeId(), entry.ExpectObject()));
        try
        {
            made->Check();
        }
        catch (const ScenarioError& error)
        {
            entry.Fail(error);
        }
        for (const auto& other : measurements)
        {
            if (other->name == made->name)
            {
                entry["name"].Fail("the name '" + made->name + "' is taken by an entry before");
            }
        }
        measurements.push_back(made);
    }
    m_measurements = measurements;
}

std::string
OutputSettings::GetMeasurementsText() const
{
    JsonValue json = JsonValue::Array();
    for (const auto& each : m_measurements)
    {
        json.Append(ResolveAttributes(*each));
    }
    return json.ToText();
}

void
OutputSettings::SetSizeLimits(std::string json)
{
    const JsonValue list = ReadText(json, "a list of sizes");
    std::vector<uint64_t> limits;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        const uint64_t limit = list.At(i).AsUnsigned();
        if (limit <= (limits.empty() ? 0 : limits.back()))
        {
            list.At(i).Fail("found " + list.At(i).Describe() +
                            ", expected a number above the one before");
        }
        limits.push_back(limit);
    }
    m_sizeLimits = limits;
}

std::string
OutputSettings::GetSizeLimitsText() const
{
    JsonValue json = JsonValue::Array();
    for (uint64_t limit : m_sizeLimits)
    {
        json.Append(JsonValue::Of(limit));
    }
    return json.ToText();
}

std::map<std::string, OutputSettings::Port>
OutputSettings::AllPorts(const FabricGraph& graph)
{
    std::map<std::string, Port> all;
    for (const GraphLink& link : graph.Links())
    {
        all[graph.PortName(link.from, link.fromPort)] = {link.from, link.fromPort};
        all[graph.PortName(link.to, link.toPort)] = {link.to, link.toPort};
    }
    return all;
}

void
OutputSettings::ExpectPorts(const std::vector<std::string>& names,
                            const std::map<std::string, Port>& ports)
{
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (ports.count(names[i]) > 0)
        {
            continue;
        }
        std::vector<std::string> known;
        for (const auto& port : ports)
        {
            known.push_back(port.first);
        }
        std::string hint = SuggestFrom(names[i], known);
        if (hint.size() > 200)
        {
            hint = ", expected one of the " + std::to_string(known.size()) + " ports, like '" +
                   known.front() + "'";
        }
        throw ScenarioError("[" + std::to_string(i) + "]",
                            "unknown port '" + names[i] + "'" + hint);
    }
}

std::map<std::string, OutputSettings::Port>
OutputSettings::FindCapturedPorts(const FabricGraph& graph) const
{
    if (!m_capturesAll && m_captured.empty())
    {
        return {};
    }
    const std::map<std::string, Port> all = AllPorts(graph);
    if (m_capturesAll)
    {
        return all;
    }
    try
    {
        ExpectPorts(m_captured, all);
    }
    catch (const ScenarioError& error)
    {
        throw error.Under("pcap");
    }
    std::map<std::string, Port> captured;
    for (const std::string& name : m_captured)
    {
        captured.insert(*all.find(name));
    }
    return captured;
}

} // namespace ns3::aifabric
