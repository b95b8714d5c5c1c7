// SPDX-License-Identifier: GPL-2.0-only
#include "run-measurements.h"

#include "flow-runner.h"

#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/measurement-settings.h"
#include "ns3/output-settings.h"
#include "ns3/run-result.h"
#include "ns3/sample-statistics.h"
#include "ns3/scenario-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3::aifabric
{

namespace
{

Tick
Now()
{
    return ToTick(Simulator::Now());
}

/// @return bits that a port has put on its wire so far, gaps included.
double
WireBits(EgressPort& port)
{
    port.Sync(Now());
    const PortCounters& counters = port.GetCounters();
    return 8 * static_cast<double>(counters.bytes + counters.frames * port.GetSettings().gapBytes);
}

double
QueuedBytes(EgressPort& port)
{
    port.Sync(Now());
    double bytes = 0;
    for (uint8_t priority = 0; priority < EgressPort::kPriorities; ++priority)
    {
        bytes += port.GetQueuedBytes(priority);
    }
    return bytes;
}

/// Raj Jain's index: 1 where all are equal, 1/n where one has everything.
double
Fairness(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : 1;
}

void
AddQueue(std::map<std::string, double>& metrics,
         const std::string& prefix,
         const SampleSummary& sample)
{
    metrics[prefix + "mean_bytes"] = sample.mean;
    metrics[prefix + "deviation_bytes"] = sample.deviation;
    metrics[prefix + "variation_ratio"] = sample.mean > 0 ? sample.deviation / sample.mean : 0;
    metrics[prefix + "min_bytes"] = sample.min;
    metrics[prefix + "p50_bytes"] = sample.p50;
    metrics[prefix + "p95_bytes"] = sample.p95;
    metrics[prefix + "p99_bytes"] = sample.p99;
    metrics[prefix + "max_bytes"] = sample.max;
}

} // namespace

/// One measurement, and what was seen of it.
struct RunMeasurements::Span
{
    /// A port, by the name that metrics have.
    struct Watched
    {
        std::string name;
        EgressPort* port;
        double wireBits{0};         ///< where the span started; then those of the span
        std::vector<double> queued; ///< bytes at each sample
    };

    /// Flows that are measured together.
    struct Group
    {
        std::string name;
        std::vector<std::size_t> flows;
        std::vector<double> bytes; ///< delivered where the span started; then those of the span
    };

    Ptr<MeasurementSettings> settings;
    std::vector<Watched> queues;
    std::vector<Watched> links;
    std::vector<Group> groups;
    bool open{false};
    bool whole{false};
    Tick start{0};
    Tick length{0};
};

RunMeasurements::RunMeasurements(const Fabric& fabric,
                                 const OutputSettings& outputs,
                                 const FlowRunner& flows)
    : m_flows(flows),
      m_interval(ToTick(outputs.samplingInterval))
{
    const auto& all = outputs.GetMeasurements();
    if (all.empty())
    {
        return;
    }
    const auto ports = OutputSettings::AllPorts(fabric.GetGraph());
    const auto tags = flows.FlowsByTag();
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        auto span = std::make_unique<Span>();
        span->settings = all[i];
        const std::string path = "outputs.measurements[" + std::to_string(i) + "].";
        auto watch = [&](const std::vector<std::string>& names, const char* key, auto& watched) {
            try
            {
                OutputSettings::ExpectPorts(names, ports);
            }
            catch (const ScenarioError& error)
            {
                throw error.Under(path + key);
            }
            for (const std::string& name : names)
            {
                const OutputSettings::Port& at = ports.at(name);
                watched.push_back({name, &fabric.GetPort(at.first, at.second), 0, {}});
            }
        };
        watch(all[i]->queues, "queues", span->queues);
        watch(all[i]->links, "links", span->links);
        for (std::size_t k = 0; k < all[i]->flows.size(); ++k)
        {
            const uint64_t flow = all[i]->flows[k];
            if (flow >= flows.CountFlows())
            {
                throw ScenarioError(path + "flows[" + std::to_string(k) + "]",
                                    "found " + std::to_string(flow) +
                                        ", expected a number below that of the flows of traffic, " +
                                        std::to_string(flows.CountFlows()));
            }
            span->groups.push_back({"flow." + std::to_string(flow), {flow}, {}});
        }
        for (std::size_t k = 0; k < all[i]->tags.size(); ++k)
        {
            const std::string& tag = all[i]->tags[k];
            auto found = tags.find(tag);
            if (found == tags.end())
            {
                std::vector<std::string> known;
                for (const auto& each : tags)
                {
                    known.push_back(each.first);
                }
                throw ScenarioError(path + "tags[" + std::to_string(k) + "]",
                                    "no flow of traffic has the tag '" + tag + "'" +
                                        SuggestFrom(tag, known));
            }
            span->groups.push_back({"tag." + tag, found->second, {}});
        }
        m_spans.push_back(std::move(span));
    }
}

RunMeasurements::~RunMeasurements() = default;

void
RunMeasurements::Start()
{
    for (auto& span : m_spans)
    {
        Span& each = *span;
        Simulator::Schedule(each.settings->start, [this, &each] { Open(each); });
        if (!each.settings->end.IsZero())
        {
            Simulator::Schedule(each.settings->end, [this, &each] {
                ++m_looks;
                Close(each);
            });
        }
    }
}

void
RunMeasurements::Open(Span& span)
{
    ++m_looks;
    span.open = true;
    span.start = Now();
    for (Span::Watched& link : span.links)
    {
        link.wireBits = WireBits(*link.port);
    }
    for (Span::Group& group : span.groups)
    {
        for (std::size_t flow : group.flows)
        {
            group.bytes.push_back(static_cast<double>(m_flows.GetDeliveredBytes(flow)));
        }
    }
    if (!span.queues.empty())
    {
        Simulator::Schedule(FromTick(m_interval), [this, &span] { Sample(span); });
    }
}

void
RunMeasurements::Sample(Span& span)
{
    ++m_looks;
    const Tick end = ToTick(span.settings->end);
    // The span may end with a sample, and that event came first.
    if (!span.open && Now() != end)
    {
        return;
    }
    for (Span::Watched& queue : span.queues)
    {
        if (m_samples++ < kMostSamples)
        {
            queue.queued.push_back(QueuedBytes(*queue.port));
        }
    }
    if (span.open && (end == 0 || Now() + m_interval <= end))
    {
        Simulator::Schedule(FromTick(m_interval), [this, &span] { Sample(span); });
    }
}

void
RunMeasurements::Close(Span& span)
{
    if (!span.open)
    {
        return;
    }
    span.open = false;
    span.whole = true;
    span.length = Now() - span.start;
    for (Span::Watched& link : span.links)
    {
        link.wireBits = WireBits(*link.port) - link.wireBits;
    }
    for (Span::Group& group : span.groups)
    {
        for (std::size_t i = 0; i < group.flows.size(); ++i)
        {
            group.bytes[i] =
                static_cast<double>(m_flows.GetDeliveredBytes(group.flows[i])) - group.bytes[i];
        }
    }
}

void
RunMeasurements::Finish()
{
    for (auto& span : m_spans)
    {
        const Tick end = ToTick(span->settings->end);
        if (end == 0 || end == Now())
        {
            Close(*span);
        }
        span->open = false;
    }
}

void
RunMeasurements::Report(RunResult& result) const
{
    for (const auto& span : m_spans)
    {
        const std::string& name = span->settings->name;
        const std::string prefix = name.empty() ? "" : name + ".";
        if (!span->whole || span->length == 0)
        {
            result.warnings.push_back("the run ended before the measurement" +
                                      (name.empty() ? "" : " " + name) + " did: it has no metrics");
            continue;
        }
        const double seconds = static_cast<double>(span->length) / kSecond;
        for (const Span::Watched& queue : span->queues)
        {
            AddQueue(result.metrics, prefix + "queue." + queue.name + ".", Summarize(queue.queued));
        }
        for (const Span::Watched& link : span->links)
        {
            // A frame counts from its start; that of the last one may lie ahead.
            result.metrics[prefix + "link." + link.name + ".utilization_ratio"] =
                std::min(1., link.wireBits / link.port->GetBandwidth() / seconds);
        }
        for (const Span::Group& group : span->groups)
        {
            double sum = 0;
            for (double bytes : group.bytes)
            {
                sum += bytes;
            }
            const std::string metric = prefix + group.name + ".";
            result.metrics[metric + "goodput_gbps"] = sum * 8 / seconds / 1e9;
            if (group.name.front() == 't')
            {
                result.metrics[metric + "fairness_ratio"] = Fairness(group.bytes);
            }
        }
    }
    if (m_samples > kMostSamples)
    {
        result.warnings.push_back("measurements of queues leave out what came after " +
                                  std::to_string(kMostSamples) +
                                  " samples: sampling_interval_us is too short");
    }
}

} // namespace ns3::aifabric
