// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEND_ENTRY_H
#define AIFABRIC_SEND_ENTRY_H

#include "ns3/fabric-time.h"

#include <boost/intrusive/list_hook.hpp>

#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * A queue pair, as the scheduler of its port holds it.
 */
struct SendEntry
    : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>
{
    /// Where it is.
    enum class Place : uint8_t
    {
        Idle,  ///< nowhere: nothing to send, or not allowed to
        Ready, ///< in the round robin
        Paced  ///< in the heap, until `available`
    };

    Tick available{0}; ///< no frame of it starts before this
    uint32_t heapPlace{0};
    Place place{Place::Idle};
    uint8_t priority{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SEND_ENTRY_H
