// SPDX-License-Identifier: GPL-2.0-only
#include "link-observer.h"

#include "ns3/frame-tap.h"

#include <cmath>

namespace ns3::aifabric
{

void
LinkObserver::SetLosses(double probability, double bitErrorRate, int64_t stream)
{
    m_probability = probability;
    m_bitErrorRate = bitErrorRate;
    m_losses = RandomStream(stream);
}

void
LinkObserver::OnDeparture(Frame& f, Tick start, Tick arrival)
{
    const bool lost = (m_probability > 0 || m_bitErrorRate > 0) && Loses(f);
    for (FrameTap* tap : m_taps)
    {
        tap->OnFrame(f, start, arrival, lost);
    }
    f.flags |= lost ? kCorrupt : 0;
}

bool
LinkObserver::Loses(const Frame& f)
{
    double survives = 1 - m_probability;
    if (m_bitErrorRate > 0)
    {
        survives *= std::exp(8.0 * f.bytes * std::log1p(-m_bitErrorRate));
    }
    return m_losses.Uniform() >= survives;
}

} // namespace ns3::aifabric
