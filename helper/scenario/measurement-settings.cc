// SPDX-License-Identifier: GPL-2.0-only
#include "measurement-settings.h"

#include "json-value.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MeasurementSettings);

TypeId
MeasurementSettings::GetTypeId()
{
    using S = MeasurementSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::MeasurementSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Name",
                          "Before the names of its metrics, with a dot; none where empty",
                          StringValue(""),
                          MakeStringAccessor(&S::name),
                          MakeStringChecker())
            .AddAttribute("Start",
                          "When it begins",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&S::start),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("End",
                          "When it ends; 0 is the end of the run",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&S::end),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Queues",
                          "List of ports whose queues are sampled every SamplingInterval",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetNames<&S::queues>, &S::GetNames<&S::queues>),
                          MakeTextChecker("array"))
            .AddAttribute("Links",
                          "List of ports whose links' utilisation is measured",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetNames<&S::links>, &S::GetNames<&S::links>),
                          MakeTextChecker("array"))
            .AddAttribute("Flows",
                          "List of flows of traffic whose goodput is measured, counted from 0 in "
                          "the order of their starts",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetFlows, &S::GetFlows),
                          MakeTextChecker("array"))
            .AddAttribute("Tags",
                          "List of tags of traffic whose goodput is measured",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetNames<&S::tags>, &S::GetNames<&S::tags>),
                          MakeTextChecker("array"));
    return tid;
}

void
MeasurementSettings::Check() const
{
    if (!end.IsZero() && end <= start)
    {
        throw ScenarioError("", "found a measurement that ends before it starts");
    }
}

template <std::vector<std::string> MeasurementSettings::*List>
void
MeasurementSettings::SetNames(std::string json)
{
    const JsonValue list = JsonValue::Parse(json);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        names.push_back(list.At(i).AsString());
    }
    this->*List = names;
}

template <std::vector<std::string> MeasurementSettings::*List>
std::string
MeasurementSettings::GetNames() const
{
    JsonValue json = JsonValue::Array();
    for (const std::string& each : this->*List)
    {
        json.Append(JsonValue::Of(each));
    }
    return json.ToText();
}

void
MeasurementSettings::SetFlows(std::string json)
{
    const JsonValue list = JsonValue::Parse(json);
    std::vector<uint64_t> numbers;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        numbers.push_back(list.At(i).AsUnsigned());
    }
    flows = numbers;
}

std::string
MeasurementSettings::GetFlows() const
{
    JsonValue json = JsonValue::Array();
    for (uint64_t flow : flows)
    {
        json.Append(JsonValue::Of(flow));
    }
    return json.ToText();
}

} // namespace ns3::aifabric
