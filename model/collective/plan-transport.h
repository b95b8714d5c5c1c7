// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PLAN_TRANSPORT_H
#define AIFABRIC_PLAN_TRANSPORT_H

#include "ns3/fabric-time.h"

#include <cstdint>

namespace ns3::aifabric
{

class PlanRunner;
struct PlanConnection;

/**
 * @ingroup ai-fabric-collective
 * What carries the messages of a plan: RDMA between servers and NVLink inside them, or a closed form
 * in a test. Messages of one connection arrive in the order in which they were sent.
 */
class PlanTransport
{
  public:
    /**
     * Sends one message, from Simulator::Now() on.
     *
     * Calls runner.Complete(step) when it has arrived (or runner.Fail(step, why) when it never will),
     * at that time and never from within this call.
     *
     * @param runner whom to tell; its plan has the connection and the operation of the step.
     * @param step number of the step in the plan of the runner: good as the id of a work request.
     * @param connection from which rank to which, over which network.
     * @param bytes payload, 0 too.
     */
    virtual void
    Send(PlanRunner& runner, uint32_t step, const PlanConnection& connection, uint64_t bytes) = 0;

    /**
     * @return time from Send() to Complete() of a message of 0 bytes on an idle network. Asked once
     * per connection and run.
     */
    virtual Tick ZeroByteLatency(const PlanConnection& connection) = 0;

  protected:
    ~PlanTransport() = default;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PLAN_TRANSPORT_H
