// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CREDIT_POLICY_H
#define AIFABRIC_CREDIT_POLICY_H

#include "ns3/fabric-time.h"

#include <cstdint>

namespace ns3::aifabric
{

/// A frame of a flow has arrived, whole or trimmed.
struct ArrivalEvent
{
    Tick now;
    uint32_t flow;       ///< number of the receiver's queue pair
    uint32_t frameBytes; ///< of a full frame of it on the wire, preamble and gap too
    uint64_t told;       ///< what the sender tells: see CongestionControl::Announce; 0: nothing
    bool trimmed;        ///< without its payload
    bool marked;         ///< it has met congestion
};

/**
 * @ingroup ai-fabric
 * What a port of a NIC does for the receiving side of a congestion control.
 */
class CreditPort
{
  public:
    /// @return bit/s of the port.
    virtual double GetLineRate() const = 0;

    /**
     * Tells the sender of a flow.
     * @param flow number of the receiver's queue pair.
     * @param credit all that it was ever granted; the wire has the lower 32 bits.
     */
    virtual void SendCredit(uint32_t flow, uint64_t credit, Tick now) = 0;

    /// CreditPolicy::Wake shall be called then, not before now; an earlier call that is due stays.
    virtual void WakeAt(Tick at, Tick now) = 0;

  protected:
    ~CreditPort() = default;
};

/// What a policy has been asked for, and has granted, by all flows that ever were.
struct CreditCounters
{
    uint64_t wanted{0};
    uint64_t granted{0};
};

/**
 * @ingroup ai-fabric
 * The receiving side of a congestion control at one port of a NIC: decides how much each of the
 * senders to there may send, and when. See CongestionControl::MakeCreditPolicy.
 */
class CreditPolicy
{
  public:
    virtual ~CreditPolicy() = default;

    /// A frame arrived. Called before anything is answered.
    virtual void Arrive(const ArrivalEvent& event) = 0;
    /// A flow has ended; not all need ever have been heard of.
    virtual void Forget(uint32_t flow) = 0;
    /// An instant that it asked for.
    virtual void Wake(Tick now) = 0;
    virtual CreditCounters GetCounters() const = 0;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CREDIT_POLICY_H
