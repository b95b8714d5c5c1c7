// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_TIME_H
#define AIFABRIC_FABRIC_TIME_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A point in simulated time, or a span of it, in picoseconds.
 *
 * The fast path counts in plain integers: 4096 B at 400 Gb/s last 81,920 ps, which the default
 * nanosecond of ns3::Time cannot hold. Interfaces to users take ns3::Time.
 */
using Tick = int64_t;

/// Later than everything.
inline constexpr Tick kNever = std::numeric_limits<Tick>::max();
inline constexpr Tick kNanosecond = 1000;
inline constexpr Tick kMicrosecond = 1000 * kNanosecond;
inline constexpr Tick kMillisecond = 1000 * kMicrosecond;
inline constexpr Tick kSecond = 1000 * kMillisecond;

/**
 * Sets the resolution of ns3::Time to picoseconds; further calls do nothing.
 *
 * Everything that arms fabric events calls it, so a script rarely needs to. It must come first
 * before the first Simulator::Run of the process: ns-3 cannot change its resolution later, and the
 * program ends with a message that says so.
 */
void UsePicoseconds();

/// @return t in picoseconds; needs UsePicoseconds().
inline Tick
ToTick(const Time& t)
{
    return t.GetTimeStep();
}

/// @return t as ns3::Time; needs UsePicoseconds().
inline Time
FromTick(Tick t)
{
    return Time(t);
}

/**
 * How long bytes last on a wire, in 2^-20 ps per byte, rounded to the nearest picosecond per frame.
 *
 * Exact for every Ethernet rate that divides 8 Tb/s; elsewhere off by half a picosecond per frame
 * at most, without drift in the rate beyond 2^-20.
 */
class ByteTime
{
  public:
    ByteTime() = default;

    /// @param bitsPerSecond rate, above 0.
    explicit ByteTime(double bitsPerSecond)
        : m_scaled(static_cast<uint64_t>(8e12 / bitsPerSecond * kOne + 0.5))
    {
    }

    /// @return duration of that many bytes (below 2^24).
    Tick operator()(uint32_t bytes) const
    {
        return static_cast<Tick>((bytes * m_scaled + kOne / 2) >> kShift);
    }

  private:
    static constexpr int kShift = 20;
    static constexpr uint64_t kOne = 1ULL << kShift;
    uint64_t m_scaled{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_TIME_H
