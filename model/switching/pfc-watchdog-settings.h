// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PFC_WATCHDOG_SETTINGS_H
#define AIFABRIC_PFC_WATCHDOG_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What switches do about queues that pauses never let go: see PfcWatchdog.
 */
class PfcWatchdogSettings : public Object
{
  public:
    enum Action
    {
        kDrop,   ///< the queue, what would join it, and what comes in there in its priority
        kForward ///< the queue is sent in spite of pauses
    };

    static TypeId GetTypeId();

    bool enabled;
    Time detectionTime;
    Time restorationTime;
    Time pollInterval; ///< above 0
    Action action;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PFC_WATCHDOG_SETTINGS_H
