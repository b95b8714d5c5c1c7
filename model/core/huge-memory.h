// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HUGE_MEMORY_H
#define AIFABRIC_HUGE_MEMORY_H

#include <cstddef>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-engine
 * Memory for what a large fabric visits at random, event by event: side by side on huge pages, since
 * otherwise most visits miss the TLB as well.
 *
 * Blocks begin at cache lines. What is returned is used again for blocks of the same size, and never
 * leaves the process. For one thread.
 */
class HugeMemory
{
  public:
    /// @return that many bytes, uninitialised.
    static void* Take(std::size_t bytes);
    /// @param block from Take(). @param bytes as there.
    static void Return(void* block, std::size_t bytes);
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HUGE_MEMORY_H
