// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-settings.h"

#include "priority-list.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/link-frames.h"
#include "ns3/pointer.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PfcSettings);

namespace
{

using Json = nlohmann::json;

/// @return a name that an entry has under key. @throws ScenarioError unless it is one.
std::string
ReadNodeName(const Json& entry, const std::string& key, const std::string& path)
{
    if (!entry[key].is_string() || entry[key].get<std::string>().empty())
    {
        throw ScenarioError(path + "." + key,
                            "found " + entry[key].dump() +
                                ", expected the name of a node, or of a layer of nodes");
    }
    return entry[key];
}

} // namespace

TypeId
PfcSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PfcSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<PfcSettings>()
            .AddAttribute("Enabled",
                          "Whether switches pause their neighbours; without, every priority drops.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PfcSettings::m_enabled),
                          MakeBooleanChecker())
            .AddAttribute(
                "LosslessPriorities",
                "JSON list of the 802.1Q priorities that are paused instead of dropped.",
                StringValue("[3]"),
                MakeStringAccessor(&PfcSettings::SetPriorities, &PfcSettings::GetPriorities),
                MakeTextChecker("array"))
            .AddAttribute("Ports",
                          "JSON list of {at, toward, sends, obeys}: ports of that node or layer "
                          "of nodes that lead toward that one, or anywhere, send pauses for, and "
                          "obey those of, other priorities; a later entry wins",
                          StringValue("[]"),
                          MakeStringAccessor(&PfcSettings::SetPorts, &PfcSettings::GetPorts),
                          MakeTextChecker("array"))
            .AddAttribute(
                "HeadroomBytes",
                "Buffer of each lossless ingress for what comes after its pause frame, or "
                "auto: from rate, length and MTU of the link.",
                StringValue("auto"),
                MakeStringAccessor(&PfcSettings::SetHeadroom, &PfcSettings::GetHeadroom),
                MakeTextChecker("auto|number"))
            .AddAttribute("DynamicThresholdAlpha",
                          "A lossless ingress is paused above this times the free pool.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&PfcSettings::m_alpha),
                          MakeDoubleChecker<double>(0, 1024))
            .AddAttribute("PauseQuanta",
                          "Length asked for in a pause frame, in 512 bit times of the receiving "
                          "port; refreshed at half of it.",
                          UintegerValue(kMaxPauseQuanta),
                          MakeUintegerAccessor(&PfcSettings::m_quanta),
                          MakeUintegerChecker<uint32_t>(1, kMaxPauseQuanta))
            .AddAttribute("Sticky",
                          "Pauses last until they are taken back, as in HPCC's simulator.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PfcSettings::m_sticky),
                          MakeBooleanChecker())
            .AddAttribute("ResponseTime",
                          "Time that a port may take to obey a pause frame, counted into the "
                          "automatic headroom (IEEE 802.1Qbb allows 394 quanta at 100 Gb/s).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PfcSettings::m_responseTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Watchdog",
                          "What switches do about queues that pauses never let go",
                          PointerValue(),
                          MakePointerAccessor(&PfcSettings::m_watchdog),
                          MakePointerChecker<PfcWatchdogSettings>());
    return tid;
}

uint32_t
PfcSettings::GetQuanta() const
{
    return m_sticky ? kStickyPause : m_quanta;
}

PfcEnd
PfcSettings::GetEnd(const Node& at, const Node& toward) const
{
    if (!m_enabled)
    {
        return {0, 0};
    }
    auto is = [](const std::string& name, const Node& node) {
        return name == node.name || name == node.layer;
    };
    PfcEnd end{m_mask, m_mask};
    for (const Exception& exception : m_exceptions)
    {
        if (is(exception.at, at) && (exception.toward.empty() || is(exception.toward, toward)))
        {
            end.sends = exception.sends.value_or(end.sends);
            end.obeys = exception.obeys.value_or(end.obeys);
        }
    }
    return end;
}

std::vector<std::pair<std::string, std::string>>
PfcSettings::GetNames() const
{
    std::vector<std::pair<std::string, std::string>> names;
    for (std::size_t i = 0; i < m_exceptions.size(); ++i)
    {
        const std::string path = "ports[" + std::to_string(i) + "].";
        names.emplace_back(path + "at", m_exceptions[i].at);
        if (!m_exceptions[i].toward.empty())
        {
            names.emplace_back(path + "toward", m_exceptions[i].toward);
        }
    }
    return names;
}

void
PfcSettings::SetPriorities(std::string json)
{
    m_mask = ReadPriorities(json, "lossless_priorities");
}

std::string
PfcSettings::GetPriorities() const
{
    return WritePriorities(m_mask);
}

void
PfcSettings::SetPorts(std::string json)
{
    const Json list = Json::parse(json, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError("ports", "found " + json + ", expected a list of objects");
    }
    std::vector<Exception> exceptions;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const Json& entry = list[i];
        const std::string path = "ports[" + std::to_string(i) + "]";
        Exception exception;
        if (!entry.is_object() || !entry.contains("at"))
        {
            throw ScenarioError(path,
                                "found " + entry.dump() +
                                    ", expected an object with 'at', and 'sends' or 'obeys'");
        }
        for (const auto& item : entry.items())
        {
            const std::string& key = item.key();
            if (key == "at")
            {
                exception.at = ReadNodeName(entry, key, path);
            }
            else if (key == "toward")
            {
                exception.toward = ReadNodeName(entry, key, path);
            }
            else if (key == "sends")
            {
                exception.sends = ReadPriorities(item.value().dump(), path + ".sends");
            }
            else if (key == "obeys")
            {
                exception.obeys = ReadPriorities(item.value().dump(), path + ".obeys");
            }
            else
            {
                throw ScenarioError(path,
                                    "unknown key '" + key + "'" +
                                        SuggestFrom(key, {"at", "toward", "sends", "obeys"}));
            }
        }
        exceptions.push_back(exception);
    }
    m_exceptions = exceptions;
}

std::string
PfcSettings::GetPorts() const
{
    Json list = Json::array();
    for (const Exception& exception : m_exceptions)
    {
        Json entry{{"at", exception.at}};
        if (!exception.toward.empty())
        {
            entry["toward"] = exception.toward;
        }
        if (exception.sends)
        {
            entry["sends"] = Json::parse(WritePriorities(*exception.sends));
        }
        if (exception.obeys)
        {
            entry["obeys"] = Json::parse(WritePriorities(*exception.obeys));
        }
        list.push_back(entry);
    }
    return list.dump();
}

void
PfcSettings::SetHeadroom(std::string json)
{
    if (json == "auto")
    {
        m_headroom.reset();
        return;
    }
    auto number = nlohmann::json::parse(json, nullptr, false);
    if (!number.is_number_unsigned())
    {
        throw ScenarioError("headroom_bytes",
                            "found " + json + ", expected a number of bytes or \"auto\"");
    }
    m_headroom = number.get<uint64_t>();
}

std::string
PfcSettings::GetHeadroom() const
{
    return m_headroom ? std::to_string(*m_headroom) : "auto";
}

} // namespace ns3::aifabric
