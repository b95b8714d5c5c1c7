// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JOB_SETTINGS_H
#define AIFABRIC_JOB_SETTINGS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * The keys of a job that have no block of their own.
 */
class JobSettings : public Object
{
  public:
    static TypeId GetTypeId();

    Time startTime;      ///< when its first iteration begins
    uint32_t iterations; ///< how many it runs
};

} // namespace ns3::aifabric

#endif // AIFABRIC_JOB_SETTINGS_H
