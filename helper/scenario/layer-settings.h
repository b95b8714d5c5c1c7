// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LAYER_SETTINGS_H
#define AIFABRIC_LAYER_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/topology-builder.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * LinkSpec as an object with attributes: the keys of `topology.links.LAYER`.
 */
class LinkLayerSettings : public Object
{
  public:
    static TypeId GetTypeId();

    void SetSpec(const LinkSpec& spec);
    LinkSpec GetSpec() const;

  private:
    void SetLength(double km);
    double GetLength() const;

    DataRate m_bandwidth;
    Time m_delay;
    double m_bitErrorRate;
    double m_lossProbability;
};

/**
 * @ingroup ai-fabric-scenario
 * SwitchSpec as an object with attributes: the keys of `topology.switches.LAYER`.
 */
class SwitchLayerSettings : public Object
{
  public:
    static TypeId GetTypeId();

    void SetSpec(const SwitchSpec& spec);
    SwitchSpec GetSpec() const;

  private:
    uint32_t m_radix;
    uint64_t m_bufferBytes;
    Time m_forwardingLatency;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LAYER_SETTINGS_H
