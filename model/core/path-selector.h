// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PATH_SELECTOR_H
#define AIFABRIC_PATH_SELECTOR_H

#include "fabric-time.h"

#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Chooses the ways of a queue pair's frames at the sender, by their entropy: the UDP source port that
 * switches hash. Each acknowledgement brings the entropy of the frame back that it answers.
 */
class PathSelector
{
  public:
    virtual ~PathSelector() = default;

    /// @return entropy of the frame that begins to leave at start.
    virtual uint16_t Next(Tick start) = 0;

    /// A frame was acknowledged. @param marked whether it met congestion.
    virtual void OnAcknowledged(uint16_t /* entropy */, bool /* marked */, Tick /* now */)
    {
    }

    /// Nothing was heard for the time of the retransmission timeout.
    virtual void OnTimeout(Tick /* now */)
    {
    }
};

/**
 * @ingroup ai-fabric
 * Makes path selectors: what a load balancer has that begins at the hosts.
 */
class PathSelection
{
  public:
    /**
     * @param entropy of the queue pair, by its number and address.
     * @param baseRtt round trip without queues.
     * @return one for a queue pair.
     */
    virtual std::unique_ptr<PathSelector> MakeSelector(uint16_t entropy, Tick baseRtt) const = 0;

  protected:
    ~PathSelection() = default;
};

/// Most entropies that a queue pair can have.
inline constexpr uint32_t kMostPaths = 1 << 14;

/// @return that of a queue pair's entropies: from 0xC000 up, as RoCEv2 has UDP source ports.
/// @param way number of the way.
constexpr uint16_t
EntropyOfWay(uint16_t entropy, uint32_t way)
{
    return static_cast<uint16_t>(0xC000 | ((entropy + way) & 0x3FFF));
}

} // namespace ns3::aifabric

#endif // AIFABRIC_PATH_SELECTOR_H
