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

} // namespace ns3::aifabric
