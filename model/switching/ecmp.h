// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ECMP_H
#define AIFABRIC_ECMP_H

#include "load-balancer.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Equal-cost multipath: all frames of a flow take the next hop that a hash of their header fields
 * names (RFC 2992 has the trade-offs). The hash is MurmurHash3's finaliser over the fields, which
 * is not linear: with CRC or XOR a seed would only permute the next hops, and switches in a row
 * would polarise whatever their seeds.
 */
class Ecmp : public LoadBalancer
{
  public:
    static TypeId GetTypeId();

    void Begin(uint32_t id, EgressPort* ports) override;

    PortIdx Pick(const Frame& f, PortIdx in, NextHops hops, Tick) override
    {
        return Choose(Hash(m_start, f, in), hops);
    }

    PortIdx Guess(const Frame& f, PortIdx in, NextHops hops) const override
    {
        return Choose(Hash(m_start, f, in), hops);
    }

    bool DecidesByAddresses() const override
    {
        return true;
    }

  protected:
    uint32_t GetStart() const
    {
        return m_start;
    }

    uint32_t Hash(uint32_t start, const Frame& f, PortIdx in) const
    {
        uint32_t h = Mix(start ^ (f.src & m_sourceMask));
        h = Mix(h ^ (f.dst & m_destinationMask));
        return Mix(h ^ (f.entropy & m_portMask) ^ (in & m_ingressMask) << 16);
    }

    PortIdx Choose(uint32_t hash, NextHops hops) const
    {
        if (m_ports)
        {
            return ChooseByRate(hash, hops);
        }
        // A division costs as much as the hash, and counts are mostly powers of two.
        const bool isPower = (hops.count & (hops.count - 1)) == 0;
        return hops.ports[isPower ? hash & (hops.count - 1) : hash % hops.count];
    }

  private:
    PortIdx ChooseByRate(uint32_t hash, NextHops hops) const;
    void SetHashFields(std::string json);
    std::string GetHashFields() const;

    static uint32_t Mix(uint32_t h)
    {
        h = (h ^ h >> 16) * 0x85EBCA6BU;
        h = (h ^ h >> 13) * 0xC2B2AE35U;
        return h ^ h >> 16;
    }

    // What every frame touches. Masks are all ones where the field takes part.
    uint32_t m_start{0};
    uint32_t m_sourceMask{0};
    uint32_t m_destinationMask{0};
    uint32_t m_portMask{0};
    uint32_t m_ingressMask{0};
    const EgressPort* m_ports{nullptr}; ///< null: all next hops get the same

    std::vector<std::string> m_fields;
    bool m_seedPerSwitch;
    bool m_weighted;
    uint32_t m_seed;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ECMP_H
