// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

#include "ns3/boolean.h"
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

/**
 * @ingroup ai-fabric
 * Equal-cost multipath: all frames of a flow take the next hop that a hash of their header fields
 * names (RFC 2992 has the trade-offs). The hash is MurmurHash3's finaliser over the fields, which
 * is not linear: with CRC or XOR a seed would only permute the next hops, and switches in a row
 * would polarise whatever their seeds.
 */
class Ecmp final : public LoadBalancer
{
  public:
    static TypeId GetTypeId();

    void Begin(uint32_t id) override;
    PortIdx Pick(const Frame& f, PortIdx in, NextHops hops) override;
    PortIdx Guess(const Frame& f, PortIdx in, NextHops hops) const override;

    bool DecidesByHeaders() const override
    {
        return true;
    }

  private:
    void SetHashFields(std::string json);
    std::string GetHashFields() const;

    static uint32_t Mix(uint32_t h)
    {
        h = (h ^ h >> 16) * 0x85EBCA6BU;
        h = (h ^ h >> 13) * 0xC2B2AE35U;
        return h ^ h >> 16;
    }

    // What every frame touches. Masks are all ones where the field takes part.
    uint32_t m_start{0};
    uint32_t m_sourceMask{0};
    uint32_t m_destinationMask{0};
    uint32_t m_portMask{0};
    uint32_t m_ingressMask{0};

    std::vector<std::string> m_fields;
    bool m_seedPerSwitch;
    uint32_t m_seed;
};

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
Ecmp::Begin(uint32_t id)
{
    auto mask = [this](const char* field) {
        return std::find(m_fields.begin(), m_fields.end(), field) == m_fields.end() ? 0U : ~0U;
    };
    m_sourceMask = mask("src_ip");
    m_destinationMask = mask("dst_ip");
    m_portMask = mask("src_port");
    m_ingressMask = mask("ingress_port");
    m_start = Mix(m_seed ^ 0x9E3779B9U);
    if (m_seedPerSwitch)
    {
        m_start = Mix(m_start + 0x9E3779B9U * (id + 1));
    }
}

PortIdx
Ecmp::Pick(const Frame& f, PortIdx in, NextHops hops)
{
    return Guess(f, in, hops);
}

PortIdx
Ecmp::Guess(const Frame& f, PortIdx in, NextHops hops) const
{
    uint32_t h = Mix(m_start ^ (f.src & m_sourceMask));
    h = Mix(h ^ (f.dst & m_destinationMask));
    h = Mix(h ^ (f.entropy & m_portMask) ^ (in & m_ingressMask) << 16);
    // A division costs as much as the hash, and counts are mostly powers of two.
    const bool isPower = (hops.count & (hops.count - 1)) == 0;
    return hops.ports[isPower ? h & (hops.count - 1) : h % hops.count];
}

} // namespace ns3::aifabric
