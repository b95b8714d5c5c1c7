// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PLACEMENT_SETTINGS_H
#define AIFABRIC_PLACEMENT_SETTINGS_H

#include "ns3/object.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "placement" of a job: which GPUs are its ranks.
 */
class PlacementSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError for an unknown policy.
    void Check() const;

    std::string policy;   ///< attribute Policy
    uint32_t firstServer; ///< attribute FirstServer
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PLACEMENT_SETTINGS_H
