// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_EVENT_H
#define AIFABRIC_FABRIC_EVENT_H

#include "fabric-time.h"
#include "sequential-simulator-impl.h"

#include "ns3/event-impl.h"
#include "ns3/simulator.h"

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-engine Engine
 * @ingroup ai-fabric
 *
 * How events are armed and kept in order. All of it stands behind ns-3's own interfaces (Scheduler,
 * SimulatorImpl), gives ns-3's exact order, and can be exchanged for ns-3's classes.
 */

/**
 * @ingroup ai-fabric-engine
 * Simulator::ScheduleWithContext, out of the way of the callers' registers. Use ArmEvent.
 */
void ScheduleByNs3(EventImpl* event, Tick delay, uint32_t context);

/**
 * @ingroup ai-fabric-engine
 * Schedules an event that its owner keeps and uses again and again.
 *
 * Rules of reuse:
 * - Who owns the event holds a reference of its own (a member object has one by birth, since nobody
 *   ever drops it). Arming takes one more, dispatch drops it.
 * - The event may be armed again from within its own Notify.
 * - It can't be cancelled: EventImpl::Cancel is for good. A lazy timer looks at its deadline when it
 *   fires, and at a flag if it can be too many. Armed twice it fires twice.
 * - At Simulator::Destroy pending events are dropped without being fired, which touches them: a
 *   member object must live until then, one from new with a reference per owner may go any time.
 *
 * @param event the event.
 * @param now the present, Simulator::Now(): the caller always knows.
 * @param at when it fires; not before now.
 * @param context ns-3's node id that the event runs in.
 */
inline void
ArmEvent(EventImpl* event, Tick now, Tick at, uint32_t context)
{
    event->Ref();
    if (auto* simulator = SequentialSimulatorImpl::Current())
    {
        simulator->At(at, context, event);
        return;
    }
    ScheduleByNs3(event, at - now, context);
}

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_EVENT_H
