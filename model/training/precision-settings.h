// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PRECISION_SETTINGS_H
#define AIFABRIC_PRECISION_SETTINGS_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-training
 * The block "precision" of a job: bytes per element.
 */
class PrecisionSettings : public Object
{
  public:
    static TypeId GetTypeId();

    uint32_t activationBytes; ///< attribute ActivationBytes
    uint32_t parameterBytes;  ///< attribute ParameterBytes
    uint32_t gradientBytes;   ///< attribute GradientBytes
    uint32_t dispatchBytes;   ///< attribute DispatchBytes
    uint32_t combineBytes;    ///< attribute CombineBytes
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PRECISION_SETTINGS_H
