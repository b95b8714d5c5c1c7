// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RANDOM_STREAM_H
#define AIFABRIC_RANDOM_STREAM_H

#include "ns3/rng-stream.h"

#include <cstdint>
#include <optional>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A random stream of its own for everything that draws, so that draws do not depend on the order in
 * which others draw: ns-3's generator (MRG32k3a) without the Object around it, since a fabric has
 * one per port. Seeded by RngSeedManager's seed and run at the first draw.
 */
class RandomStream
{
  public:
    RandomStream() = default;

    /// @param stream number of the stream; -1 lets ns-3 give the next free one.
    explicit RandomStream(int64_t stream)
        : m_stream(stream)
    {
    }

    /// @return uniform in (0, 1).
    double Uniform()
    {
        if (!m_generator)
        {
            Seed();
        }
        return m_generator->RandU01();
    }

    /// @return one of 0 to count - 1.
    uint32_t Below(uint32_t count)
    {
        // The generator's largest value, times a count, may round up to the count.
        const auto at = static_cast<uint32_t>(Uniform() * count);
        return at < count ? at : count - 1;
    }

  private:
    void Seed();

    int64_t m_stream{-1};
    std::optional<RngStream> m_generator;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RANDOM_STREAM_H
