// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-event.h"

namespace ns3::aifabric
{

void
ScheduleByNs3(EventImpl* event, Tick delay, uint32_t context)
{
    Simulator::ScheduleWithContext(context, FromTick(delay), event);
}

} // namespace ns3::aifabric
