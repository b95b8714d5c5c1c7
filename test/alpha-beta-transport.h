// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ALPHA_BETA_TRANSPORT_H
#define AIFABRIC_ALPHA_BETA_TRANSPORT_H

#include "ns3/plan-runner.h"
#include "ns3/plan-transport.h"
#include "ns3/plan.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3::aifabric
{

/**
 * An ideal network: each rank has one port per network that sends its messages one after the other
 * at full rate, and they arrive after a fixed latency.
 */
class AlphaBetaTransport : public PlanTransport
{
  public:
    /// Rates in bytes per second, latencies of 0 bytes in ps.
    AlphaBetaTransport(double scaleUpRate, double scaleOutRate, Tick scaleUp = 0, Tick scaleOut = 0)
        : m_rates{scaleUpRate, scaleOutRate},
          m_latencies{scaleUp, scaleOut}
    {
        UsePicoseconds();
    }

    void Send(PlanRunner& runner, uint32_t step, const PlanConnection& c, uint64_t bytes) override
    {
        int scope = static_cast<int>(c.scope);
        Tick now = Simulator::Now().GetTimeStep();
        Tick& free = m_free[{c.from, scope}];
        free = std::max(free, now) + static_cast<Tick>(bytes * 1e12 / m_rates[scope] + 0.5);
        sent[scope][c.from] += bytes;
        received[scope][c.to] += bytes;
        ++messages;
        if (messages == failAt)
        {
            Simulator::Schedule(FromTick(1), &PlanRunner::Fail, &runner, step, "retry_exceeded");
            return;
        }
        Simulator::Schedule(
            FromTick(free - now + m_latencies[scope]), &PlanRunner::Complete, &runner, step);
    }

    Tick ZeroByteLatency(const PlanConnection& c) override
    {
        return m_latencies[static_cast<int>(c.scope)];
    }

    std::map<uint32_t, uint64_t> sent[2];     ///< by scope and rank
    std::map<uint32_t, uint64_t> received[2]; ///< by scope and rank
    uint64_t messages{0};
    uint64_t failAt{0}; ///< the message of that number never arrives

  private:
    double m_rates[2];
    Tick m_latencies[2];
    std::map<std::pair<uint32_t, int>, Tick> m_free;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ALPHA_BETA_TRANSPORT_H
