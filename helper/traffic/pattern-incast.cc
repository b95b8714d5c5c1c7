// SPDX-License-Identifier: GPL-2.0-only
#include "open-loop-pattern.h"

#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/**
 * Many hosts send to one at the same instant.
 *
 * Without a duration it happens once, to each destination. With one, incasts come as a Poisson
 * process, each to one of the destinations, often enough that their payload is LoadRatio of the
 * NIC rates of all sources together, as in HPCC (SIGCOMM 2019), section 5.1.
 */
class Incast : public OpenLoopPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Incast")
                                .SetParent<OpenLoopPattern>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Incast>()
                                .AddAttribute("FanIn",
                                              "Hosts that send to one; 0 is all sources, else that "
                                              "many of them by lot.",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&Incast::m_fanIn),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

  private:
    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override
    {
        const Parties parties = ReadParties(context);
        std::size_t fanIn = CheckFanIn(parties);
        RandomStream random(context.stream);
        const Tick duration = GetDuration();
        if (duration == 0)
        {
            if (parties.destinations.size() > 1 && parties.destinations == parties.sources)
            {
                throw ScenarioError("destinations",
                                    "found the sources, expected the hosts that they send to");
            }
            CheckCount(static_cast<double>(fanIn) * parties.destinations.size());
            for (uint32_t destination : parties.destinations)
            {
                Append(context, parties, destination, 0, random, flows);
            }
            return;
        }
        double capacity = 0;
        for (uint32_t source : parties.sources)
        {
            capacity += context.nicRates[source];
        }
        const double rate = ArrivalRate(capacity, fanIn * parties.sizes.Mean()) / kSecond;
        CheckCount(rate * duration * fanIn);
        for (double at = Exponential(random) / rate; at < duration;
             at += Exponential(random) / rate)
        {
            const auto& to = parties.destinations;
            auto pick = static_cast<std::size_t>(random.Uniform() * to.size());
            Append(context, parties, to[pick], static_cast<Tick>(at), random, flows);
        }
    }

    /// @return how many send to a destination that is a source itself.
    std::size_t CheckFanIn(const Parties& parties) const
    {
        std::size_t others = parties.sources.size();
        others -=
            std::any_of(parties.destinations.begin(), parties.destinations.end(), [&](auto d) {
                return std::binary_search(parties.sources.begin(), parties.sources.end(), d);
            });
        if (others == 0)
        {
            CheckDestinations(parties);
        }
        if (m_fanIn > others)
        {
            throw ScenarioError("fan_in",
                                "found " + std::to_string(m_fanIn) + ", expected at most " +
                                    std::to_string(others) +
                                    ", the sources other than the receiver");
        }
        return m_fanIn == 0 ? others : m_fanIn;
    }

    void Append(const TrafficContext& context,
                const Parties& parties,
                uint32_t destination,
                Tick start,
                RandomStream& random,
                std::vector<FlowSpec>& flows) const
    {
        std::vector<uint32_t> from = parties.sources;
        from.erase(std::remove(from.begin(), from.end(), destination), from.end());
        if (m_fanIn != 0)
        {
            for (std::size_t i = 0; i < m_fanIn; ++i)
            {
                auto left = static_cast<double>(from.size() - i);
                std::swap(from[i], from[i + static_cast<std::size_t>(random.Uniform() * left)]);
            }
            from.resize(m_fanIn);
        }
        FlowSpec flow = MakeFlow(context);
        flow.destination = destination;
        flow.start = start;
        for (uint32_t source : from)
        {
            flow.source = source;
            flow.bytes = parties.sizes.Quantile(random.Uniform());
            flows.push_back(flow);
        }
    }

    uint32_t m_fanIn;
};

NS_OBJECT_ENSURE_REGISTERED(Incast);

} // namespace

} // namespace ns3::aifabric
