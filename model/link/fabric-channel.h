// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_CHANNEL_H
#define AIFABRIC_FABRIC_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A link as ns-3 sees it: two devices and a delay. The frames themselves go from EgressPort to
 * EgressPort.
 *
 * The attribute Delay and there being exactly two devices are what ns-3's distributed simulator
 * computes its look-ahead from.
 */
class FabricChannel : public Channel
{
  public:
    static TypeId GetTypeId();

    /// Attaches a device; twice.
    void Attach(Ptr<NetDevice> device);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  private:
    Time m_delay;
    std::array<Ptr<NetDevice>, 2> m_devices;
    std::size_t m_count{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_CHANNEL_H
