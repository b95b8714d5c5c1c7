// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair-attributes.h"

namespace ns3::aifabric
{

Status
CheckTransition(QpType, QpState, QpState, uint32_t)
{
    return Status::Ok;
}

Status
CheckValues(const QueuePairAttributes&, uint32_t)
{
    return Status::Ok;
}

} // namespace ns3::aifabric
