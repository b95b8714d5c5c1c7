// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-settings.h"

#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <boost/lexical_cast.hpp>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(GpuSettings);

TypeId
GpuSettings::GetTypeId()
{
    using S = GpuSettings;
    static TypeId tid = TypeId("ns3::aifabric::GpuSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("Model",
                                          "Name, for reports.",
                                          StringValue("H100-SXM"),
                                          MakeStringAccessor(&S::model),
                                          MakeStringChecker())
                            .AddAttribute("PeakTflops",
                                          "Dense bf16 peak in TFLOP/s (H100: 989, A100: 312).",
                                          DoubleValue(989),
                                          MakeDoubleAccessor(&S::peakTflops),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("AchievedTflops",
                                          "What matrix products reach, in TFLOP/s.",
                                          DoubleValue(400),
                                          MakeDoubleAccessor(&S::achievedTflops),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("HbmBandwidthGbytesPerS",
                                          "Memory bandwidth in GB/s, for reports.",
                                          DoubleValue(3350),
                                          MakeDoubleAccessor(&S::hbmBandwidthGbytesPerS),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

void
GpuSettings::Check() const
{
    if (!(achievedTflops > 0 && achievedTflops <= peakTflops))
    {
        throw ScenarioError("achieved_tflops",
                            "found " + boost::lexical_cast<std::string>(achievedTflops) +
                                ", expected above 0 and at most peak_tflops = " +
                                boost::lexical_cast<std::string>(peakTflops));
    }
}

} // namespace ns3::aifabric
