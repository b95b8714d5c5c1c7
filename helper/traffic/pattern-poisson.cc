// SPDX-License-Identifier: GPL-2.0-only
#include "open-loop-pattern.h"

namespace ns3::aifabric
{

namespace
{

/**
 * Open-loop load as in most studies of flow completion times, e.g. HPCC (SIGCOMM 2019), section 5.1:
 * Poisson arrivals at each host, destinations equally likely, sizes from a distribution.
 */
class Poisson : public OpenLoopPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::Poisson")
                                .SetParent<OpenLoopPattern>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Poisson>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Poisson);

} // namespace

} // namespace ns3::aifabric
