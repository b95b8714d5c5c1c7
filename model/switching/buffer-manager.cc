// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-manager.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(BufferManager);

TypeId
BufferManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::BufferManager").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

} // namespace ns3::aifabric
