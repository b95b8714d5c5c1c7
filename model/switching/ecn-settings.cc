// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-settings.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-compat.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EcnSettings);

namespace
{

RedThresholds
ThresholdsOf(const NumberTable::Entry& entry)
{
    return {static_cast<uint32_t>(entry.at("kmin_bytes")),
            static_cast<uint32_t>(entry.at("kmax_bytes")),
            entry.at("pmax")};
}

void
CheckOrder(const RedThresholds& red, const std::string& path)
{
    if (red.kmin > red.kmax)
    {
        throw ScenarioError(path,
                            "found " + std::to_string(red.kmin) +
                                ", expected at most kmax_bytes, " + std::to_string(red.kmax));
    }
}

} // namespace

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
                "Position",
                "When a frame is marked: by the queue that it leaves behind (dequeue), or "
                "that it finds (enqueue).",
                EnumValue(kDequeue),
                compat::EnumAccessor<Position>(&EcnSettings::m_position, 0),
                MakeEnumChecker(kDequeue, "dequeue", kEnqueue, "enqueue"))
            .AddAttribute(
                "DropUnmarkable",
                "Whether frames of lossy priorities that cannot be marked are dropped, by "
                "the queue that they find, with the probability of a mark (WRED).",
                BooleanValue(false),
                MakeBooleanAccessor(&EcnSettings::m_dropsUnmarkable),
                MakeBooleanChecker())
            .AddAttribute(
                "Thresholds",
                "JSON list of {bandwidth_gbps, priority, kmin_bytes, kmax_bytes, pmax} for link "
                "rates, priorities, or both, that need their own; the first that fits counts.",
                StringValue("[]"),
                MakeStringAccessor(&EcnSettings::SetThresholds, &EcnSettings::GetThresholds),
                MakeTextChecker("array"));
    return tid;
}

void
EcnSettings::SetThresholds(std::string json)
{
    constexpr double kMost = 4294967295;
    NumberTable table(json,
                      "thresholds",
                      {{"bandwidth_gbps", kMost},
                       {"priority", 7, true},
                       {"kmin_bytes", kMost, false, true},
                       {"kmax_bytes", kMost, false, true},
                       {"pmax", 1, false, true}});
    for (std::size_t i = 0; i < table.GetEntries().size(); ++i)
    {
        const NumberTable::Entry& entry = table.GetEntries()[i];
        CheckOrder(ThresholdsOf(entry), "thresholds[" + std::to_string(i) + "].kmin_bytes");
    }
    m_table = std::move(table);
}

std::string
EcnSettings::GetThresholds() const
{
    return m_table.GetText();
}

RedThresholds
EcnSettings::For(double bandwidthBps, uint8_t priority) const
{
    for (const NumberTable::Entry& entry : m_table.GetEntries())
    {
        const double rate = entry.Get("bandwidth_gbps").value_or(bandwidthBps / 1e9) * 1e9;
        if (std::abs(rate - bandwidthBps) < 1e-6 * bandwidthBps &&
            entry.Get("priority").value_or(priority) == priority)
        {
            return ThresholdsOf(entry);
        }
    }
    RedThresholds red{m_kmin, m_kmax, m_pmax};
    if (m_reference > 0)
    {
        const double scale = bandwidthBps / (m_reference * 1e9);
        red.kmin = static_cast<uint32_t>(std::min(m_kmin * scale, 4e9));
        red.kmax = static_cast<uint32_t>(std::min(m_kmax * scale, 4e9));
    }
    CheckOrder(red, "kmin_bytes");
    return red;
}

} // namespace ns3::aifabric
