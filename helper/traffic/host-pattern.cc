// SPDX-License-Identifier: GPL-2.0-only
#include "host-pattern.h"

#include "host-set.h"

#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

constexpr uint64_t kDefaultBytes = 1'000'000;

/// Runs read and names the key in what it throws.
template <class F>
auto
At(const char* key, F read)
{
    try
    {
        return read();
    }
    catch (const ScenarioError& e)
    {
        throw e.Under(key);
    }
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(HostPattern);

TypeId
HostPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HostPattern")
            .SetParent<TrafficPattern>()
            .SetGroupName("AiFabric")
            .AddAttribute("Sources",
                          "Hosts that send: \"all\", \"0-15\", \"0-3, 8\" or [3, 7].",
                          StringValue("all"),
                          MakeStringAccessor(&HostPattern::m_sources),
                          MakeTextChecker("string|array|number"))
            .AddAttribute("Destinations",
                          "Hosts that receive, written as sources.",
                          StringValue("all"),
                          MakeStringAccessor(&HostPattern::m_destinations),
                          MakeTextChecker("string|array|number"))
            .AddAttribute("SizeBytes",
                          "Payload of each message, any number of bytes from 0 on.",
                          UintegerValue(kDefaultBytes),
                          MakeUintegerAccessor(&HostPattern::m_sizeBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SizeDistribution",
                          "Instead of one size: a file of lines 'bytes cumulative', relative to "
                          "the scenario, or a name in traces/.",
                          StringValue(""),
                          MakeStringAccessor(&HostPattern::m_sizeDistribution),
                          MakeStringChecker());
    return tid;
}

HostPattern::Parties
HostPattern::ReadParties(const TrafficContext& context) const
{
    const auto hostCount = static_cast<uint32_t>(context.nicRates.size());
    if (!m_sizeDistribution.empty() && m_sizeBytes != kDefaultBytes)
    {
        throw ScenarioError("size_bytes", "found beside size_distribution, expected one of them");
    }
    return {At("sources", [&] { return ParseHostSet(m_sources, hostCount); }),
            At("destinations", [&] { return ParseHostSet(m_destinations, hostCount); }),
            At("size_distribution", [&] {
                return m_sizeDistribution.empty()
                           ? SizeDistribution::Constant(m_sizeBytes)
                           : SizeDistribution::Load(m_sizeDistribution, context.folder);
            })};
}

uint32_t
HostPattern::PickOther(const std::vector<uint32_t>& hosts, uint32_t excluded, double u)
{
    auto at = std::lower_bound(hosts.begin(), hosts.end(), excluded);
    bool within = at != hosts.end() && *at == excluded;
    auto pick = static_cast<std::size_t>(u * (hosts.size() - within));
    bool beyond = within && pick >= static_cast<std::size_t>(at - hosts.begin());
    return hosts[pick + beyond];
}

void
HostPattern::CheckDestinations(const Parties& parties)
{
    if (parties.destinations.size() == 1 && std::binary_search(parties.sources.begin(),
                                                               parties.sources.end(),
                                                               parties.destinations.front()))
    {
        throw ScenarioError("destinations",
                            "host " + std::to_string(parties.destinations.front()) +
                                " would send to itself only");
    }
}

} // namespace ns3::aifabric
