// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_GPU_SETTINGS_H
#define AIFABRIC_GPU_SETTINGS_H

#include "ns3/object.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "node.gpu": what a GPU computes.
 */
class GpuSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError when it cannot compute, or faster than its peak.
    void Check() const;

    std::string model;             ///< attribute Model
    double peakTflops;             ///< attribute PeakTflops
    double achievedTflops;         ///< attribute AchievedTflops
    double hbmBandwidthGbytesPerS; ///< attribute HbmBandwidthGbytesPerS
};

} // namespace ns3::aifabric

#endif // AIFABRIC_GPU_SETTINGS_H
