// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LOAD_BALANCER_H
#define AIFABRIC_LOAD_BALANCER_H

#include "ns3/frame.h"
#include "ns3/object.h"
#include "ns3/random-stream.h"

#include <cstdint>

namespace ns3::aifabric
{

class EgressPort;
class PathSelection;

/// Equal next hops towards a destination; two at least.
struct NextHops
{
    const PortIdx* ports; ///< always the same memory for the same ports: an identity
    uint32_t count;
};

/**
 * @ingroup ai-fabric
 * Chooses among equal next hops; each switch has one of its own.
 */
class LoadBalancer : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Called once before time 0.
     * @param id a number that no other switch of the fabric has.
     * @param ports of the switch, by number; they outlive this.
     */
    virtual void Begin(uint32_t id, EgressPort* ports) = 0;
    /// @return one of hops. @param in where the frame came in. @param now the present.
    virtual PortIdx Pick(const Frame& f, PortIdx in, NextHops hops, Tick now) = 0;

    /// @return what chooses at the senders, and outlives nothing but this; null for nothing.
    virtual const PathSelection* GetPathSelection() const
    {
        return nullptr;
    }

    /// @return whether frames of a flow overtake each other as a rule.
    virtual bool Reorders() const
    {
        return false;
    }

    /// @return whether source, destination and entropy of a frame, and where it came in, are all that
    /// Pick looks at.
    virtual bool DecidesByAddresses() const
    {
        return false;
    }

    /// @return what Pick will likely return, without side effects.
    virtual PortIdx Guess(const Frame& /* f */, PortIdx /* in */, NextHops hops) const
    {
        return hops.ports[0];
    }

  protected:
    /// @return what that switch's draws come from.
    static RandomStream MakeDice(uint32_t id)
    {
        return RandomStream(kFirstStream + id);
    }

  private:
    /// Behind the streams of ports, which are 2^17 for each switch.
    static constexpr int64_t kFirstStream = 1LL << 52;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LOAD_BALANCER_H
