// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ADDRESS_HANDLE_H
#define AIFABRIC_ADDRESS_HANDLE_H

#include "queue-pair-attributes.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * Where a datagram goes (ibv_ah), and how: the priority (the service level, or traffic class) and the
 * UDP source port (the flow label) are those of its path, whatever its queue pair is told; the base
 * round-trip time counts for nothing. Outlives the requests that name it, and does not change
 * meanwhile.
 *
 * Datagrams of a queue pair leave in the order of posting: one whose priority is paused holds up
 * those behind it.
 */
struct AddressHandle
{
    AddressVector path;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ADDRESS_HANDLE_H
