// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-settings.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EcnSettings);

TypeId
EcnSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EcnSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<EcnSettings>()
            .AddAttribute("Enabled",
                          "Whether switches mark.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EcnSettings::m_enabled),
                          MakeBooleanChecker())
            .AddAttribute("KminBytes",
                          "Queue length up to which nothing is marked.",
                          UintegerValue(819200),
                          MakeUintegerAccessor(&EcnSettings::m_kmin),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KmaxBytes",
                          "Queue length above which everything is marked.",
                          UintegerValue(3276800),
                          MakeUintegerAccessor(&EcnSettings::m_kmax),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Pmax",
                          "Probability of a mark at KmaxBytes.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&EcnSettings::m_pmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReferenceBandwidthGbps",
                          "If above 0, KminBytes and KmaxBytes are for this link rate and grow in "
                          "proportion to a port's.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&EcnSettings::m_reference),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Thresholds",
                "JSON list of {bandwidth_gbps, kmin_bytes, kmax_bytes, pmax} for link "
                "rates that need their own.",
                StringValue("[]"),
                MakeStringAccessor(&EcnSettings::SetThresholds, &EcnSettings::GetThresholds),
                MakeTextChecker("array"));
    return tid;
}

void
EcnSettings::SetThresholds(std::string json)
{
    auto list = nlohmann::json::parse(json, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError("thresholds", "found " + json + ", expected a list of objects");
    }
    m_entries.clear();
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const std::string path = "thresholds[" + std::to_string(i) + "]";
        const std::vector<std::string> keys{"bandwidth_gbps", "kmin_bytes", "kmax_bytes", "pmax"};
        if (!list[i].is_object())
        {
            throw ScenarioError(path, "found " + list[i].dump() + ", expected an object");
        }
        for (const auto& [key, value] : list[i].items())
        {
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
            {
                throw ScenarioError(path, "unknown key '" + key + "'" + SuggestFrom(key, keys));
            }
            if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 4294967295.0)
            {
                throw ScenarioError(path + "." + key,
                                    "found " + value.dump() +
                                        ", expected a number from 0 to 2^32 - 1");
            }
        }
        for (const auto& key : keys)
        {
            if (!list[i].contains(key))
            {
                throw ScenarioError(path, "expected a key '" + key + "'");
            }
        }
        RedThresholds red{list[i]["kmin_bytes"], list[i]["kmax_bytes"], list[i]["pmax"]};
        if (red.pmax > 1)
        {
            throw ScenarioError(path + ".pmax",
                                "found " + list[i]["pmax"].dump() + ", expected 0 to 1");
        }
        if (red.kmin > red.kmax)
        {
            throw ScenarioError(path + ".kmin_bytes",
                                "found " + std::to_string(red.kmin) +
                                    ", expected at most kmax_bytes, " + std::to_string(red.kmax));
        }
        m_entries.push_back({list[i]["bandwidth_gbps"].get<double>() * 1e9, red});
    }
    m_json = list.dump();
}

std::string
EcnSettings::GetThresholds() const
{
    return m_json;
}

RedThresholds
EcnSettings::ForRate(double bandwidthBps) const
{
    RedThresholds red{m_kmin, m_kmax, m_pmax};
    std::string path = "kmin_bytes";
    bool own = false;
    for (std::size_t i = 0; i < m_entries.size() && !own; ++i)
    {
        if (std::abs(m_entries[i].bandwidthBps - bandwidthBps) < 1e-6 * bandwidthBps)
        {
            red = m_entries[i].thresholds;
            path = "thresholds[" + std::to_string(i) + "].kmin_bytes";
            own = true;
        }
    }
    if (m_reference > 0 && !own)
    {
        const double scale = bandwidthBps / (m_reference * 1e9);
        red.kmin = static_cast<uint32_t>(std::min(m_kmin * scale, 4e9));
        red.kmax = static_cast<uint32_t>(std::min(m_kmax * scale, 4e9));
    }
    if (red.kmin > red.kmax)
    {
        throw ScenarioError(path,
                            "found " + std::to_string(red.kmin) +
                                ", expected at most kmax_bytes, " + std::to_string(red.kmax));
    }
    return red;
}

} // namespace ns3::aifabric
