// SPDX-License-Identifier: GPL-2.0-only
#include "precision-settings.h"

#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PrecisionSettings);

TypeId
PrecisionSettings::GetTypeId()
{
    using S = PrecisionSettings;
    static TypeId tid = TypeId("ns3::aifabric::PrecisionSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("ActivationBytes",
                                          "Of an element of an activation (2: bf16).",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::activationBytes),
                                          MakeUintegerChecker<uint32_t>(1, 8))
                            .AddAttribute("ParameterBytes",
                                          "Of a parameter.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::parameterBytes),
                                          MakeUintegerChecker<uint32_t>(1, 8))
                            .AddAttribute("GradientBytes",
                                          "Of an element of the gradient buffer.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::gradientBytes),
                                          MakeUintegerChecker<uint32_t>(1, 8))
                            .AddAttribute("DispatchBytes",
                                          "Of an element of an activation on its way to an expert "
                                          "(DeepSeek-V3: 1, fp8).",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::dispatchBytes),
                                          MakeUintegerChecker<uint32_t>(1, 8))
                            .AddAttribute("CombineBytes",
                                          "Of an element of an activation on its way back.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&S::combineBytes),
                                          MakeUintegerChecker<uint32_t>(1, 8));
    return tid;
}

} // namespace ns3::aifabric
