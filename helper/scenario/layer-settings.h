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
    /**
     * Buffers of switching chips in megabytes, taken as 10^6 bytes. Of Trident2: Zhu et al., SIGCOMM
     * 2015; of Tomahawk2: tables of packet buffers that operators keep. The others are as commonly
     * reported, and not verified.
     */
    enum Preset
    {
        kTridentPlus = 9,
        kTrident2 = 12,
        kTomahawk = 16,
        kTomahawk2 = 42,
        kTomahawk3 = 64,
        kTomahawk4 = 113,
        kTomahawk5 = 165,
        kSpectrum2 = 42,
        kSpectrum3 = 64,
        kSpectrum4 = 160
    };

    void SetPreset(Preset preset);

    uint32_t m_radix;
    uint64_t m_bufferBytes;
    Time m_forwardingLatency;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_LAYER_SETTINGS_H
