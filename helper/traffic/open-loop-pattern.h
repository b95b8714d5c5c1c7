// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_OPEN_LOOP_PATTERN_H
#define AIFABRIC_OPEN_LOOP_PATTERN_H

#include "host-pattern.h"

#include "ns3/random-stream.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Each source offers a given load for a given time: messages begin at the instants of a Poisson
 * process, whatever became of those before, each to another host of the destinations, all equally
 * likely.
 *
 * A source with a NIC of C bit/s begins load * C / (8 * mean size) messages per second.
 */
class OpenLoopPattern : public HostPattern
{
  public:
    static TypeId GetTypeId();

  protected:
    /// A time in which a source sends, in picoseconds from the start of the pattern.
    struct Window
    {
        double begin{0};
        double end{0};
    };

    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override;

    /**
     * @param random of the source.
     * @param before the window before; null for the first.
     * @return the next one; the whole duration at once unless overridden.
     */
    virtual Window NextWindow(RandomStream& random, const Window* before) const;

    /// @return exponentially distributed with mean 1.
    static double Exponential(RandomStream& random);

    /**
     * @param bitsPerSecond what load ratio 1 is.
     * @param messageBytes mean payload of what one arrival sends.
     * @return arrivals per second that make the load.
     * @throws ScenarioError when no number of arrivals makes it, for want of payload.
     */
    double ArrivalRate(double bitsPerSecond, double messageBytes) const;

    /// @return how long the pattern lasts, 0 when that is not given.
    Tick GetDuration() const;

  private:
    double m_loadRatio;
    Time m_duration;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_OPEN_LOOP_PATTERN_H
