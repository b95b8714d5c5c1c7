// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BOTTLENECK_H
#define AIFABRIC_BOTTLENECK_H

#include "ns3/congestion-control.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace ns3::aifabric::test
{

struct BottleneckSettings
{
    double lineRate{40e9};     ///< of the queue, and of every sender
    uint32_t frameBytes{1000}; ///< on the wire; all of it counts as payload
    Tick loopDelay{0};         ///< from the end of a departure until the sender learns of it
    /// Probability of a mark, by the bytes in the queue when a frame leaves it, its own included.
    std::function<double(double)> marking{[](double) { return 0.0; }};
};

/// What was seen within a span of time.
struct Outcome
{
    double meanQueue{0}; ///< bytes, at departures
    double deviation{0};
    double utilisation{0};
    double meanCut{0}; ///< share of its rate that an acknowledgement took away, where one did
    double marked{0};  ///< share of the frames
    std::vector<double> shares; ///< of what was delivered, per flow
};

/// Jain's index: 1 when all are equal.
inline double
Fairness(const std::vector<double>& shares)
{
    double squares = 0;
    for (double share : shares)
    {
        squares += share * share;
    }
    return 1 / squares / static_cast<double>(shares.size());
}

/**
 * Greedy flows through one queue that marks at dequeue, and receivers that acknowledge each frame
 * and notify as the congestion control wants it: what fluid models describe, frame by frame. The
 * base RTT is one frame on the wire and the delay of the loop.
 */
class Bottleneck
{
  public:
    /// @param controls one for each flow, for the line rate of the settings.
    Bottleneck(const BottleneckSettings& settings,
               const std::vector<Ptr<const CongestionControl>>& controls)
        : m_settings(settings),
          m_slot(static_cast<Tick>(settings.frameBytes * 8e12 / settings.lineRate)),
          m_flows(controls.size())
    {
        for (std::size_t i = 0; i < controls.size(); ++i)
        {
            Flow& f = m_flows[i];
            f.control = controls[i];
            f.view.rate = f.view.lineRate = settings.lineRate;
            f.view.mtuBytes = f.view.frameBytes = settings.frameBytes;
            f.view.baseRtt = m_slot + settings.loopDelay;
            f.control->Begin(f.view, f.state);
        }
    }

    /// Flow starts[i] begins then; figures are those of [from, to). Call once.
    Outcome Run(const std::vector<Tick>& starts, Tick from, Tick to)
    {
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            m_flows[i].nextSend = starts[i];
            m_events.push({starts[i], kSend, i, 0, false});
        }
        Outcome out;
        out.shares.resize(m_flows.size());
        double seen = 0;
        double sum = 0;
        double squares = 0;
        while (m_events.top().at < to)
        {
            const Event e = m_events.top();
            m_events.pop();
            if (e.kind == kSend)
            {
                Send(e);
            }
            else if (e.kind == kReport)
            {
                m_measuring = e.at >= from;
                Report(e);
            }
            else
            {
                if (e.at >= from)
                {
                    const double q = GetQueue();
                    ++seen;
                    sum += q;
                    squares += q * q;
                    out.shares[m_queue.front().flow] += 1;
                }
                const bool marked = Depart(e.at);
                out.marked += e.at >= from && marked ? 1 : 0;
            }
        }
        out.marked /= seen;
        out.meanQueue = sum / seen;
        out.deviation = std::sqrt(squares / seen - out.meanQueue * out.meanQueue);
        out.utilisation =
            seen * m_settings.frameBytes * 8 / (m_settings.lineRate * (to - from) / kSecond);
        out.meanCut = m_cuts > 0 ? m_cutSum / m_cuts : 0;
        for (double& share : out.shares)
        {
            share /= seen;
        }
        return out;
    }

    const FlowView& GetView(std::size_t flow) const
    {
        return m_flows[flow].view;
    }

  private:
    enum Kind
    {
        kSend,
        kDepart,
        kReport
    };

    struct Event
    {
        Tick at;
        Kind kind;
        std::size_t flow;
        Tick sentAt;
        bool marked;

        bool operator<(const Event& other) const
        {
            return at > other.at;
        }
    };

    struct Queued
    {
        std::size_t flow;
        Tick sentAt;
    };

    struct Flow
    {
        Ptr<const CongestionControl> control;
        FlowView view;
        uint64_t sent{0};
        uint64_t acknowledged{0};
        Tick burstStart{-kSecond};
        uint64_t burstSent{0}; ///< since then
        uint64_t burstLeft{0};
        Tick nextSend{kNever};
        Tick lastCnp{-kSecond};
        alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
    };

    double GetQueue() const
    {
        return static_cast<double>(m_queue.size()) * m_settings.frameBytes;
    }

    void Send(const Event& e)
    {
        Flow& f = m_flows[e.flow];
        if (e.at != f.nextSend)
        {
            return; // the rate has changed since
        }
        f.control->CatchUp(f.view, f.state, e.at);
        f.control->Sent(f.view, f.state, m_settings.frameBytes, e.at);
        if (f.burstLeft == 0)
        {
            f.burstStart = e.at;
            f.burstSent = 0;
            f.burstLeft = f.view.burstBytes;
        }
        f.burstSent += m_settings.frameBytes;
        f.burstLeft -= std::min<uint64_t>(f.burstLeft, m_settings.frameBytes);
        f.sent += m_settings.frameBytes;
        if (m_queue.empty())
        {
            m_events.push({e.at + m_slot, kDepart, 0, 0, false});
        }
        m_queue.push_back({e.flow, e.at});
        Pace(e.flow, e.at);
    }

    void Pace(std::size_t flow, Tick now)
    {
        Flow& f = m_flows[flow];
        const double rate = f.burstLeft > 0 ? f.view.lineRate : f.view.rate;
        const Tick gap = std::llround(f.burstSent * 8e12 / rate);
        const Tick next =
            f.sent - f.acknowledged < f.view.window ? std::max(now, f.burstStart + gap) : kNever;
        if (next != f.nextSend)
        {
            f.nextSend = next;
            if (next < kNever)
            {
                m_events.push({next, kSend, flow, 0, false});
            }
        }
    }

    /// @return whether it was marked.
    bool Depart(Tick now)
    {
        const Queued head = m_queue.front();
        const bool marked = m_uniform(m_random) < m_settings.marking(GetQueue());
        m_queue.pop_front();
        if (!m_queue.empty())
        {
            m_events.push({now + m_slot, kDepart, 0, 0, false});
        }
        Flow& f = m_flows[head.flow];
        if (f.control->UsesAcks())
        {
            m_events.push({now + m_settings.loopDelay, kReport, head.flow, head.sentAt, marked});
        }
        else if (marked && now - f.lastCnp >= f.control->GetNotification().interval)
        {
            f.lastCnp = now;
            m_events.push({now + m_settings.loopDelay, kReport, head.flow, 0, true});
        }
        return marked;
    }

    void Report(const Event& e)
    {
        Flow& f = m_flows[e.flow];
        const double before = f.view.rate;
        if (e.marked)
        {
            f.control->Cnp(f.view, f.state, e.at);
        }
        if (f.control->UsesAcks())
        {
            f.acknowledged += m_settings.frameBytes;
            f.control->Ack(f.view,
                           f.state,
                           {e.at,
                            e.at - e.sentAt,
                            m_settings.frameBytes,
                            f.sent - f.acknowledged,
                            f.acknowledged,
                            e.marked,
                            nullptr});
        }
        if (m_measuring && f.view.rate < before)
        {
            ++m_cuts;
            m_cutSum += 1 - f.view.rate / before;
        }
        Pace(e.flow, e.at);
    }

    BottleneckSettings m_settings;
    Tick m_slot;
    std::vector<Flow> m_flows;
    std::deque<Queued> m_queue;
    std::priority_queue<Event> m_events;
    bool m_measuring{false};
    double m_cuts{0};
    double m_cutSum{0};
    std::mt19937_64 m_random{1};
    std::uniform_real_distribution<double> m_uniform{0, 1};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_BOTTLENECK_H
