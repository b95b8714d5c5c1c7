// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp.h"

namespace ns3::aifabric
{
namespace
{

/**
 * ECMP with the destination's queue pair among the fields: queue pairs between the same two hosts take
 * ways of their own (E-ECMP; Gangidi et al., "RDMA over Ethernet for distributed AI training at Meta
 * scale", SIGCOMM'24).
 */
class EEcmp final : public Ecmp
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::EEcmp")
                                .SetParent<Ecmp>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<EEcmp>();
        return tid;
    }

    PortIdx Pick(const Frame& f, PortIdx in, NextHops hops, Tick) override
    {
        return Guess(f, in, hops);
    }

    PortIdx Guess(const Frame& f, PortIdx in, NextHops hops) const override
    {
        return Choose(Hash(GetStart() ^ f.flow * 0x9E3779B1U, f, in), hops);
    }

    bool DecidesByAddresses() const override
    {
        return false;
    }
};

NS_OBJECT_ENSURE_REGISTERED(EEcmp);

} // namespace
} // namespace ns3::aifabric
