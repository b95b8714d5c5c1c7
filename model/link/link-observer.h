// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LINK_OBSERVER_H
#define AIFABRIC_LINK_OBSERVER_H

#include "ns3/frame.h"
#include "ns3/random-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

class FrameTap;

/**
 * @ingroup ai-fabric
 * What few links have: losses, and somebody who looks at their frames.
 */
class LinkObserver
{
  public:
    /**
     * @param probability of a loss, per frame. @param bitErrorRate errors per bit of a frame.
     * @param stream of random numbers, the link's own.
     */
    void SetLosses(double probability, double bitErrorRate, int64_t stream);

    void AddTap(FrameTap& tap)
    {
        m_taps.push_back(&tap);
    }

    /// A frame leaves; marks it as corrupt if it will be lost. Parameters as FrameTap::OnFrame.
    void OnDeparture(Frame& f, Tick start, Tick arrival);

  private:
    bool Loses(const Frame& f);

    double m_probability{0};
    double m_bitErrorRate{0};
    RandomStream m_losses;
    std::vector<FrameTap*> m_taps;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LINK_OBSERVER_H
