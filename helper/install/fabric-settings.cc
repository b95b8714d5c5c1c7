// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-settings.h"

#include "ns3/fabric-registry.h"

namespace ns3::aifabric
{

FabricSettings::FabricSettings()
    : ecn(CreateObject<EcnSettings>()),
      pfc(CreateObject<PfcSettings>()),
      buffer(MakePlugin<BufferManager>("dynamic_threshold")),
      balancer(MakePlugin<LoadBalancer>("ecmp"))
{
}

} // namespace ns3::aifabric
