// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BOTTLENECK_BED_H
#define AIFABRIC_BOTTLENECK_BED_H

#include "fabric-bed.h"

#include <functional>

namespace ns3::aifabric::test
{

/**
 * Hosts 1, 2, … that send to host 0 of a star, and what its port looks like over time. A run is
 * stopped at an instant: flows are as long as it takes.
 */
class BottleneckBed : public FabricBed
{
  public:
    /// @param delay of each link.
    BottleneckBed(uint32_t senders,
                  double lineRate,
                  Tick delay,
                  Ptr<CongestionControl> congestionControl)
        : FabricBed("star"),
          m_lineRate(lineRate)
    {
        Set("HostCount", senders + 1);
        SetLinks({lineRate, delay, 0, 0});
        SetSwitches({0, 0, 0});
        control = congestionControl;
    }

    void Start()
    {
        Build();
        rtt = GetPaths().BaseRtt(1, 0);
        bdp = m_lineRate * (static_cast<double>(rtt) / 8e12);
    }

    /// Host number sends from an instant on.
    void Send(NodeIdx host, Tick start, uint64_t bytes = kEndless)
    {
        FlowSpec flow;
        flow.source = host;
        flow.destination = 0;
        flow.bytes = bytes;
        flow.start = start;
        flow.priority = 3;
        m_sends.push_back(flow);
    }

    /// What the bottleneck and the senders had done by an instant.
    struct Sample
    {
        Tick at;
        uint32_t queue;             ///< bytes that wait
        uint64_t wire;              ///< bytes that went, preambles and gaps included
        std::vector<uint64_t> sent; ///< the same of each sender's
    };

    /// Runs up to an instant and looks every so often.
    void RunUntil(Tick until, Tick every)
    {
        EgressPort& port = GetFabric().GetPort(Find("leaf0"), 0);
        std::function<void()> look = [&] {
            const Tick now = Simulator::Now().GetTimeStep();
            port.Sync(now);
            Sample sample{now, port.GetQueuedBytes(3), OnWire(port), {}};
            for (const FlowSpec& flow : m_sends)
            {
                EgressPort& nic =
                    GetFabric().GetPort(GetFabric().GetGraph().NodeOf(flow.source), 0);
                nic.Sync(now);
                sample.sent.push_back(OnWire(nic));
            }
            samples.push_back(std::move(sample));
            Simulator::Schedule(FromTick(every), look);
        };
        Simulator::Schedule(Time(0), look);
        std::stable_sort(m_sends.begin(), m_sends.end(), [](const FlowSpec& a, const FlowSpec& b) {
            return a.start < b.start;
        });
        Run({FlowTransport(transport, control, recovery)}, m_sends, until);
        maxQueue = port.GetCounters().maxQueueBytes;
    }

    /// @return the last sample up to an instant.
    const Sample& At(Tick at) const
    {
        auto after = std::upper_bound(
            samples.begin(), samples.end(), at, [](Tick t, const Sample& s) { return t < s.at; });
        return *std::prev(after);
    }

    /// @return share of the line rate that the bottleneck carried between two instants.
    double Utilisation(Tick from, Tick to) const
    {
        const Sample& a = At(from);
        const Sample& b = At(to);
        return Share(b.wire - a.wire, b.at - a.at);
    }

    /// @return share of the line rate that a sender had, in the order of starts.
    double Utilisation(std::size_t sender, Tick from, Tick to) const
    {
        const Sample& a = At(from);
        const Sample& b = At(to);
        return Share(b.sent[sender] - a.sent[sender], b.at - a.at);
    }

    /// @return the shares of all senders.
    std::vector<double> Shares(Tick from, Tick to) const
    {
        std::vector<double> shares;
        for (std::size_t i = 0; i < m_sends.size(); ++i)
        {
            shares.push_back(Utilisation(i, from, to));
        }
        return shares;
    }

    /// @return mean of the queue between two instants, bytes.
    double MeanQueue(Tick from, Tick to) const
    {
        double sum = 0;
        int count = 0;
        for (const Sample& sample : samples)
        {
            if (sample.at >= from && sample.at <= to)
            {
                sum += sample.queue;
                ++count;
            }
        }
        return sum / count;
    }

    /// @return the longest queue seen between two instants, bytes.
    uint32_t LongestQueue(Tick from, Tick to) const
    {
        uint32_t longest = 0;
        for (const Sample& sample : samples)
        {
            longest = std::max(longest, sample.at >= from && sample.at <= to ? sample.queue : 0);
        }
        return longest;
    }

    static constexpr uint64_t kEndless = 1ULL << 40;

    Tick rtt{0};
    double bdp{0}; ///< bytes of the line rate for a round trip
    std::vector<Sample> samples;
    uint32_t maxQueue{0};

  private:
    static uint64_t OnWire(const EgressPort& port)
    {
        const PortCounters& counters = port.GetCounters();
        return counters.bytes + counters.frames * port.GetSettings().gapBytes;
    }

    double Share(uint64_t bytes, Tick time) const
    {
        return static_cast<double>(bytes) * 8e12 / static_cast<double>(time) / m_lineRate;
    }

    double m_lineRate;
    std::vector<FlowSpec> m_sends;
};

/// Jain's index: 1 when all are equal.
inline double
Fairness(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    return sum * sum / squares / static_cast<double>(shares.size());
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_BOTTLENECK_BED_H
