// SPDX-License-Identifier: GPL-2.0-only
#include "trimming-settings.h"

#include "priority-list.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrimmingSettings);

TypeId
TrimmingSettings::GetTypeId()
{
    using S = TrimmingSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::TrimmingSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Enabled",
                          "Whether switches cut the payload off data frames that they would have "
                          "to drop for lack of buffer, and let the headers go on.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::m_enabled),
                          MakeBooleanChecker())
            .AddAttribute("TrimmedPriorities",
                          "JSON list of the 802.1Q priorities whose data frames are trimmed.",
                          StringValue("[3]"),
                          MakeStringAccessor(&S::SetPriorities, &S::GetPriorities),
                          MakeTextChecker("array"))
            .AddAttribute("Priority",
                          "802.1Q priority in which the headers go on: above that of the data.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&S::m_priority),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("SizeBytes",
                          "Length of a trimmed frame; one with longer headers keeps these.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&S::m_sizeBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("QueueBytes",
                          "If above 0, frames that would make their queue longer than this are "
                          "trimmed too, though there is room for them.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::m_queueBytes),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
TrimmingSettings::SetPriorities(std::string json)
{
    m_mask = ReadPriorities(json, "trimmed_priorities");
}

std::string
TrimmingSettings::GetPriorities() const
{
    return WritePriorities(m_mask);
}

} // namespace ns3::aifabric
