// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp.h"

#include "ns3/boolean.h"
#include "ns3/egress-port.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Ecmp);

namespace
{

// Protocol and destination port are the same in every RoCE frame; they may be named and add nothing.
const std::vector<std::string> kFields{"src_ip",
                                       "dst_ip",
                                       "protocol",
                                       "src_port",
                                       "dst_port",
                                       "ingress_port"};

} // namespace

TypeId
Ecmp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Ecmp")
            .SetParent<LoadBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<Ecmp>()
            .AddAttribute("HashFields",
                          "JSON list of header fields that the hash covers: src_ip, dst_ip, "
                          "protocol, src_port, dst_port, ingress_port.",
                          StringValue(R"(["src_ip","dst_ip","protocol","src_port","dst_port"])"),
                          MakeStringAccessor(&Ecmp::SetHashFields, &Ecmp::GetHashFields),
                          MakeTextChecker("array"))
            .AddAttribute("HashSeedPerSwitch",
                          "Whether each switch hashes with a seed of its own. Without, switches in "
                          "a row choose alike and leave most of their links unused (polarisation).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Ecmp::m_seedPerSwitch),
                          MakeBooleanChecker())
            .AddAttribute("Weighted",
                          "Whether a next hop gets flows in proportion to its rate.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Ecmp::m_weighted),
                          MakeBooleanChecker())
            .AddAttribute("HashSeed",
                          "Seed of the hash; a switch's own is derived from it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Ecmp::m_seed),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
Ecmp::SetHashFields(std::string json)
{
    auto list = nlohmann::json::parse(json, nullptr, false);
    if (!list.is_array())
    {
        throw ScenarioError("hash_fields", "found " + json + ", expected a list of field names");
    }
    m_fields.clear();
    for (const auto& item : list)
    {
        auto name = item.is_string() ? item.get<std::string>() : item.dump();
        if (std::find(kFields.begin(), kFields.end(), name) == kFields.end())
        {
            throw ScenarioError("hash_fields",
                                "unknown field '" + name + "'" + SuggestFrom(name, kFields));
        }
        m_fields.push_back(name);
    }
}

std::string
Ecmp::GetHashFields() const
{
    return nlohmann::json(m_fields).dump();
}

void
Ecmp::Begin(uint32_t id, EgressPort* ports)
{
    auto mask = [this](const char* field) {
        return std::find(m_fields.begin(), m_fields.end(), field) == m_fields.end() ? 0U : ~0U;
    };
    m_sourceMask = mask("src_ip");
    m_destinationMask = mask("dst_ip");
    m_portMask = mask("src_port");
    m_ingressMask = mask("ingress_port");
    m_ports = m_weighted ? ports : nullptr;
    m_start = Mix(m_seed ^ 0x9E3779B9U);
    if (m_seedPerSwitch)
    {
        m_start = Mix(m_start + 0x9E3779B9U * (id + 1));
    }
}

PortIdx
Ecmp::ChooseByRate(uint32_t hash, NextHops hops) const
{
    double sum = 0;
    for (uint32_t i = 0; i < hops.count; ++i)
    {
        sum += m_ports[hops.ports[i]].GetBandwidth();
    }
    double rest = hash * 0x1p-32 * sum;
    uint32_t i = 0;
    while (i + 1 < hops.count && rest >= m_ports[hops.ports[i]].GetBandwidth())
    {
        rest -= m_ports[hops.ports[i]].GetBandwidth();
        ++i;
    }
    return hops.ports[i];
}

} // namespace ns3::aifabric
