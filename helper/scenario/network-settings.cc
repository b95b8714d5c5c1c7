// SPDX-License-Identifier: GPL-2.0-only
#include "network-settings.h"

#include "json-value.h"

#include "ns3/enum.h"
#include "ns3/fabric-compat.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NetworkSettings);

TypeId
NetworkSettings::GetTypeId()
{
    using S = NetworkSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::NetworkSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Mode",
                          "How the network is simulated",
                          EnumValue(S::kPacket),
                          compat::EnumAccessor<S::Mode>(&S::mode, 0),
                          MakeEnumChecker(S::kPacket, "packet"))
            .AddAttribute("HeaderProfile",
                          "Which headers data frames carry: RoCEv2's, or those that HPCC's "
                          "simulator counts",
                          EnumValue(S::kRoceV2),
                          compat::EnumAccessor<S::Headers>(&S::headerProfile, 0),
                          MakeEnumChecker(S::kRoceV2, "rocev2", S::kHpcc, "hpcc"))
            .AddAttribute("MtuPayloadBytes",
                          "Most payload of a frame",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::mtuPayloadBytes),
                          MakeUintegerChecker<uint32_t>(64, 65000))
            .AddAttribute("Queues",
                          "List of {priority, quantum_bytes}: these priorities share what the "
                          "others leave by deficit-weighted round robin, each with so many bytes "
                          "per round. A priority not named has strict priority",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetQueues, &S::GetQueues),
                          MakeTextChecker("array"));
    return tid;
}

void
NetworkSettings::SetQueues(std::string json)
{
    const JsonValue list = JsonValue::Parse(json);
    std::array<uint32_t, 8> quanta{};
    list.ExpectArray();
    for (std::size_t i = 0; i < list.Size(); ++i)
    {
        const JsonValue entry = list.At(i);
        entry.ExpectObject().ExpectKeys({"priority", "quantum_bytes"});
        const uint64_t priority = entry["priority"].AsUnsigned();
        const uint64_t quantum = entry["quantum_bytes"].AsUnsigned();
        if (priority > 7 || quanta[priority] > 0)
        {
            entry["priority"].Fail("found " + entry["priority"].Describe() +
                                   ", expected another priority from 0 to 7");
        }
        // A round has to be worth its while: the queue waits for its deficit to rise above 0.
        if (quantum < 64 || quantum > 1U << 30)
        {
            entry["quantum_bytes"].Fail("found " + entry["quantum_bytes"].Describe() +
                                        ", expected 64 to 2^30");
        }
        quanta[priority] = static_cast<uint32_t>(quantum);
    }
    m_quanta = quanta;
}

std::string
NetworkSettings::GetQueues() const
{
    JsonValue list = JsonValue::Array();
    for (uint64_t priority = 0; priority < m_quanta.size(); ++priority)
    {
        if (m_quanta[priority] > 0)
        {
            JsonValue entry = JsonValue::Object();
            entry.Set("priority", JsonValue::Of(priority));
            entry.Set("quantum_bytes", JsonValue::Of(static_cast<uint64_t>(m_quanta[priority])));
            list.Append(entry);
        }
    }
    return list.ToText();
}

} // namespace ns3::aifabric
