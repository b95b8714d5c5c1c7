// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-settings.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/link-frames.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PfcSettings);

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
                          MakeTimeChecker(Time(0)));
    return tid;
}

uint32_t
PfcSettings::GetQuanta() const
{
    return m_sticky ? kStickyPause : m_quanta;
}

void
PfcSettings::SetPriorities(std::string json)
{
    auto list = nlohmann::json::parse(json, nullptr, false);
    uint8_t mask = 0;
    bool valid = list.is_array();
    for (std::size_t i = 0; valid && i < list.size(); ++i)
    {
        valid = list[i].is_number_unsigned() && list[i].get<uint64_t>() < 8;
        mask |= valid ? 1U << list[i].get<uint32_t>() : 0;
    }
    if (!valid)
    {
        throw ScenarioError("lossless_priorities",
                            "found " + json + ", expected a list of priorities from 0 to 7");
    }
    m_mask = mask;
}

std::string
PfcSettings::GetPriorities() const
{
    auto list = nlohmann::json::array();
    for (int priority = 0; priority < 8; ++priority)
    {
        if (m_mask >> priority & 1)
        {
            list.push_back(priority);
        }
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
