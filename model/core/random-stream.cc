// SPDX-License-Identifier: GPL-2.0-only
#include "random-stream.h"

#include "ns3/rng-seed-manager.h"

namespace ns3::aifabric
{

void
RandomStream::Seed()
{
    uint64_t stream = m_stream < 0 ? RngSeedManager::GetNextStreamIndex()
                                   : (1ULL << 63) + static_cast<uint64_t>(m_stream);
    m_generator.emplace(RngSeedManager::GetSeed(), stream, RngSeedManager::GetRun());
}

} // namespace ns3::aifabric
