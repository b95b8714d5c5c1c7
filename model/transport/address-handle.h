// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ADDRESS_HANDLE_H
#define AIFABRIC_ADDRESS_HANDLE_H

#include "queue-pair-attributes.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Where a datagram goes (ibv_ah). Outlives the requests that name it.
 */
struct AddressHandle
{
    AddressVector path;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ADDRESS_HANDLE_H
