// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LOAD_BALANCER_H
#define AIFABRIC_LOAD_BALANCER_H

#include "ns3/frame.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/// Equal next hops towards a destination; two at least.
struct NextHops
{
    const PortIdx* ports;
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

    /// Called once before time 0. @param id a number that no other switch of the fabric has.
    virtual void Begin(uint32_t id) = 0;
    /// @return one of hops.
    virtual PortIdx Pick(const Frame& f, PortIdx in, NextHops hops) = 0;

    /// @return whether Pick only looks at the headers of a frame and where it came in.
    virtual bool DecidesByHeaders() const
    {
        return false;
    }

    /// @return what Pick will likely return, without side effects.
    virtual PortIdx Guess(const Frame& /* f */, PortIdx /* in */, NextHops hops) const
    {
        return hops.ports[0];
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LOAD_BALANCER_H
