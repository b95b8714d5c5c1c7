// SPDX-License-Identifier: GPL-2.0-only
#include "open-loop-pattern.h"

#include "ns3/double.h"
#include "ns3/scenario-error.h"

#include <cmath>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OpenLoopPattern);

TypeId
OpenLoopPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::OpenLoopPattern")
                            .SetParent<HostPattern>()
                            .SetGroupName("AiFabric")
                            .AddAttribute("LoadRatio",
                                          "Payload bit/s that a source offers while it sends, "
                                          "divided by the rate of its NIC; above 1 it offers more "
                                          "than it can send.",
                                          DoubleValue(0.5),
                                          MakeDoubleAccessor(&OpenLoopPattern::m_loadRatio),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("Duration",
                                          "How long messages begin.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&OpenLoopPattern::m_duration),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

void
OpenLoopPattern::DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const
{
    const Parties parties = ReadParties(context);
    const auto duration = static_cast<double>(GetDuration());
    const double mean = parties.sizes.Mean();
    CheckDestinations(parties);
    if (duration == 0)
    {
        throw ScenarioError("duration", "missing, expected how long messages begin");
    }
    double expected = 0;
    for (uint32_t source : parties.sources)
    {
        expected += ArrivalRate(context.nicRates[source], mean) * duration / kSecond;
    }
    CheckCount(expected);
    flows.reserve(static_cast<std::size_t>(expected + 4 * std::sqrt(expected)));

    FlowSpec flow = MakeFlow(context);
    for (uint32_t source : parties.sources)
    {
        const double rate = ArrivalRate(context.nicRates[source], mean) / kSecond;
        if (rate == 0)
        {
            continue;
        }
        RandomStream random(context.stream + 1 + source);
        Window window = NextWindow(random, nullptr);
        double at = window.begin;
        while (true)
        {
            at += Exponential(random) / rate;
            // What an arrival lies beyond one window it waits into the next.
            while (at >= window.end && window.end < duration)
            {
                double beyond = at - window.end;
                window = NextWindow(random, &window);
                at = window.begin + beyond;
            }
            if (at >= duration)
            {
                break;
            }
            flow.source = source;
            flow.destination = PickOther(parties.destinations, source, random.Uniform());
            flow.bytes = parties.sizes.Quantile(random.Uniform());
            flow.start = static_cast<Tick>(at);
            flows.push_back(flow);
        }
    }
}

OpenLoopPattern::Window
OpenLoopPattern::NextWindow(RandomStream& /* random */, const Window* /* before */) const
{
    return {0, static_cast<double>(GetDuration())};
}

double
OpenLoopPattern::Exponential(RandomStream& random)
{
    return -std::log(random.Uniform());
}

double
OpenLoopPattern::ArrivalRate(double bitsPerSecond, double messageBytes) const
{
    if (m_loadRatio > 0 && messageBytes <= 0)
    {
        throw ScenarioError("size_bytes", "found 0, expected a size that can make a load");
    }
    return m_loadRatio > 0 ? m_loadRatio * bitsPerSecond / (8 * messageBytes) : 0;
}

Tick
OpenLoopPattern::GetDuration() const
{
    return ToTick(m_duration);
}

} // namespace ns3::aifabric
