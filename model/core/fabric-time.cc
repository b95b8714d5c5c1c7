// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-time.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3::aifabric
{

void
UsePicoseconds()
{
    if (Time::GetResolution() == Time::PS)
    {
        return;
    }
    // Time objects made before are converted by ns-3, but only up to the first Run.
    NS_ABORT_MSG_IF(
        Time::GetResolution() != Time::NS || Simulator::GetEventCount() != 0,
        "ai-fabric needs ns3::Time in picoseconds: call ns3::aifabric::UsePicoseconds() "
        "before the first Simulator::Run and instead of Time::SetResolution");
    Time::SetResolution(Time::PS);
}

} // namespace ns3::aifabric
